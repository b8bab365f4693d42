import type { PlanSettings } from '../../../../domain/money/payment-plan-form.ts'
import { toDollarText } from '../../../features/payments/dollar-amount.ts'
import type { PlanFormValues } from './plan-form-schema.ts'

/** Converts the settings to the form's texts. */
export const toPlanFormValues = ({ lateFee, ...plan }: PlanSettings): PlanFormValues => ({
  kind: plan.kind,
  splitPercent: String(plan.splitPercent),
  daysBeforeArrival: String(plan.daysBeforeArrival),
  reminderDays: plan.reminderDays.join(', '),
  lateFee: {
    kind: lateFee.kind,
    cents: lateFee.cents > 0 ? toDollarText(lateFee.cents) : '',
    basisPoints: lateFee.basisPoints > 0 ? toDollarText(lateFee.basisPoints) : '',
    graceDays: String(lateFee.graceDays),
  },
})
