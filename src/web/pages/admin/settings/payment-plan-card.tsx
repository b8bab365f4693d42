import { useFormContext, useWatch } from 'react-hook-form'
import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { formatBasisPoints } from '../../../../domain/money/charge.ts'
import { type PlanSettings, settingKinds } from '../../../../domain/money/payment-plan.ts'
import { api } from '../../../api/api.ts'
import { DaysAroundField, describeDaysAround } from '../../../forms/days-around-field.tsx'
import { fieldPropsOf } from '../../../forms/zod-form.ts'
import { RadioGroupField, SelectField } from '../../../ui/choice-fields.tsx'
import { MoneyField, TextField } from '../../../ui/text-field.tsx'
import { planOptionLabels, planSummaryLabels } from '../price-labels.ts'
import { PlanExample } from './plan-example.tsx'
import { type PlanFormValues, planFormSchema, toPlanFormValues } from './plan-form.ts'
import { SettingsCard } from './settings-card.tsx'

/** The payment plan for new leases. */
export function PaymentPlanCard() {
  return (
    <SettingsCard
      title="Payment plan"
      subtitle="When a new lease is paid. The dates are part of the lease that the tenant signs. Existing leases keep theirs."
      settings={api.settings.plan}
      schema={planFormSchema}
      valuesOf={toPlanFormValues}
      itemsOf={itemsOf}
      what="the payment plan settings"
      saved="Payment plan saved"
    >
      {saved => (
        <>
          <KindField />
          <PlanDetails saved={saved} />
        </>
      )}
    </SettingsCard>
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
          { label: 'Reminder days', value: describeDaysAround(reminderDays) || 'None' },
          { label: 'Late fee', value: lateFeeText(plan.lateFee) },
        ]),
  ]
}

function lateFeeText({ basisPoints, cents, graceDays, kind }: PlanSettings['lateFee']): string {
  if (kind === 'none') return 'None'
  const amount = kind === 'fixed' ? formatCents(cents) : formatBasisPoints(basisPoints)
  return `${amount} after ${plural(graceDays, 'day')}`
}

function KindField() {
  return (
    <RadioGroupField
      label="How a stay is paid"
      cards
      className="sm:[&>div]:grid-cols-2"
      options={settingKinds.map(kind => ({
        value: kind,
        label: planOptionLabels[kind],
        hint: kindHints[kind],
      }))}
      {...fieldPropsOf(useFormContext<PlanFormValues>())('kind')}
    />
  )
}

const kindHints = {
  off: 'The lease has no dates',
  full: 'One payment',
  split: 'At signing, and before arrival',
  monthly: 'One payment a month',
}

const beforeArrivalHints = {
  full: 'When the payment is due.',
  split: 'When the second part is due.',
  monthly: 'When the first payment is due. The others are due as each further month begins.',
}

const number = { type: 'number', inputMode: 'numeric', step: 1, className: '*:[input]:max-w-36' } as const

/** The settings of a plan, or an explanation of what no plan means. */
function PlanDetails({ saved }: { saved: PlanSettings }) {
  const form = useFormContext<PlanFormValues>()
  const field = fieldPropsOf(form)
  const kind = useWatch({ control: form.control, name: 'kind' })
  if (kind === 'off')
    return (
      <p className="text-muted">
        Leases are written without payment dates. Once this card is saved, you can still choose a plan for a
        single lease when you generate it.
      </p>
    )
  return (
    <div className="grid items-start gap-6 md:grid-cols-[minmax(0,1fr)_17rem]">
      <div className="grid gap-6">
        {kind === 'split' && (
          <TextField
            {...number}
            label="Percent at signing"
            hint="Of all but the deposit. Example: 50 is $3,750.00 of $7,500.00."
            min={1}
            max={99}
            {...field('splitPercent')}
          />
        )}
        <TextField
          {...number}
          label="Days before arrival"
          hint={beforeArrivalHints[kind]}
          min={0}
          max={365}
          {...field('daysBeforeArrival')}
        />
        <DaysAroundField
          name="reminderDays"
          label="Reminder days"
          hint="Days before and after the due date, at most 8. Leave both empty for no reminders. Example: 7, 1."
        />
        <LateFeeFields />
      </div>
      <PlanExample saved={saved} />
    </div>
  )
}

function LateFeeFields() {
  const form = useFormContext<PlanFormValues>()
  const field = fieldPropsOf(form)
  const kind = useWatch({ control: form.control, name: 'lateFee.kind' })
  return (
    <>
      <SelectField
        label="Late fee"
        hint="It is printed in the lease. You decide on each one: none is charged automatically."
        {...field('lateFee.kind')}
      >
        <option value="none">None</option>
        <option value="fixed">An amount</option>
        <option value="percent">A percentage</option>
      </SelectField>
      {kind === 'fixed' && (
        <MoneyField
          label="Amount"
          required
          className="*:[div]:max-w-36"
          hint="From $1.00 to $1,000.00."
          {...field('lateFee.cents')}
        />
      )}
      {kind === 'percent' && (
        <TextField
          label="Percent of what is open"
          required
          inputMode="decimal"
          className="*:[input]:max-w-36"
          hint="Up to 25, with two decimals. Example: 5 is $125.00 of $2,500.00."
          {...field('lateFee.basisPoints')}
        />
      )}
      {kind !== 'none' && (
        <TextField
          {...number}
          label="Days of grace"
          hint="The late fee is proposed once a payment is more than this many days overdue."
          min={0}
          max={60}
          {...field('lateFee.graceDays')}
        />
      )}
    </>
  )
}
