import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { formatBasisPoints } from '../../../../domain/money/charge.ts'
import type { PlanSettings } from '../../../../domain/money/payment-plan-form.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { planSummaryLabels } from '../plan-labels.ts'
import { PaymentPlanForm } from './edit-payment-plan.tsx'
import { SettingsCard } from './settings-card.tsx'

/** The payment plan for new leases. */
export function PaymentPlanCard() {
  return (
    <SettingsCard<Outputs['setup']['plan']['get']>
      title="Payment Plan"
      subtitle="When a new lease is paid. The dates are part of the lease that the tenant signs. Existing leases keep theirs."
      query={api.setup.plan.get.useQuery()}
      error="Failed to load the payment plan settings"
      itemsOf={({ body }) => itemsOf(body)}
      form={props => <PaymentPlanForm {...props} />}
    />
  )
}

function itemsOf(plan: PlanSettings) {
  const { daysBeforeArrival, kind, reminderDays, splitPercent } = plan
  return [
    { label: 'How a stay is paid', value: planSummaryLabels[kind] },
    ...(kind === 'split' ? [{ label: 'At signing', value: `${splitPercent}%` }] : []),
    ...(kind === 'off'
      ? []
      : [
          { label: 'Due before arrival', value: plural(daysBeforeArrival, 'day') },
          { label: 'Reminder days', value: reminderDays.length > 0 ? reminderDays.join(', ') : 'None' },
          { label: 'Late fee', value: lateFeeText(plan.lateFee) },
        ]),
  ]
}

function lateFeeText({ basisPoints, cents, graceDays, kind }: PlanSettings['lateFee']): string {
  if (kind === 'none') return 'None'
  const amount = kind === 'fixed' ? formatCents(cents) : formatBasisPoints(basisPoints)
  return `${amount} after ${plural(graceDays, 'day')}`
}
