import { z } from 'zod'
import { lateFeeKinds, type PlanSettings, settingKinds } from '../../../../domain/money/payment-plan.ts'
import { type PlanSettingsValues, planSettingsForm } from '../../../../domain/money/payment-plan-form.ts'
import { parseDollars, toDollarText } from '../../../features/payments/dollar-amount.ts'
import { daysAroundText, parseDaysAround } from '../../../forms/days-around-field.tsx'

// The form contains what was typed: the fee in dollars or percent.

const { daysBeforeArrival, lateFee, reminderDays, splitPercent } = planSettingsForm.shape
const text = z.string()

/** Parses the payment plan settings as typed. */
export const planFormSchema = z
  .object({
    kind: z.enum(settingKinds),
    splitPercent: text,
    daysBeforeArrival: text,
    reminderDays: z.object({ before: text, after: text }),
    lateFee: z.object({
      kind: z.enum(lateFeeKinds),
      cents: text,
      basisPoints: text,
      graceDays: text,
    }),
  })
  .transform((typed): PlanSettingsValues => {
    const hasPlan = typed.kind !== 'off'
    return {
      kind: typed.kind,
      splitPercent: shownOr(typed.kind === 'split', splitPercent, whole(typed.splitPercent)),
      daysBeforeArrival: shownOr(hasPlan, daysBeforeArrival, whole(typed.daysBeforeArrival)),
      reminderDays: shownOr(hasPlan, reminderDays, parseDaysAround(typed.reminderDays)),
      lateFee: shownOr(hasPlan, lateFee, lateFeeOf(typed.lateFee)),
    }
  })
  .pipe(planSettingsForm)
export type PlanFormValues = z.input<typeof planFormSchema>

/** The value of a field. A hidden field cannot be corrected, so an invalid value is dropped in favor of the default. */
function shownOr<Value>(
  isShown: boolean,
  schema: z.ZodType<unknown, Value>,
  value: Value,
): Value | undefined {
  return isShown || schema.safeParse(value).success ? value : undefined
}

function lateFeeOf({ basisPoints, cents, graceDays, kind }: PlanFormValues['lateFee']) {
  const part = <Name extends string>(isShown: boolean, name: Name, value: number) =>
    isShown || lateFee.safeParse({ [name]: value }).success ? { [name]: value } : {}
  return {
    kind,
    ...part(kind === 'fixed', 'cents', hundredths(cents)),
    ...part(kind === 'percent', 'basisPoints', hundredths(basisPoints)),
    ...part(kind !== 'none', 'graceDays', whole(graceDays)),
  }
}

const whole = (typed: string) => (typed.trim() === '' ? Number.NaN : Number(typed))
/** Converts dollars to cents, or percent to basis points. */
const hundredths = (typed: string) => parseDollars(typed) ?? Number.NaN

/** Converts the settings to the form's texts. */
export const toPlanFormValues = ({ lateFee, ...plan }: PlanSettings): PlanFormValues => ({
  kind: plan.kind,
  splitPercent: String(plan.splitPercent),
  daysBeforeArrival: String(plan.daysBeforeArrival),
  reminderDays: daysAroundText(plan.reminderDays),
  lateFee: {
    kind: lateFee.kind,
    cents: lateFee.cents > 0 ? toDollarText(lateFee.cents) : '',
    basisPoints: lateFee.basisPoints > 0 ? toDollarText(lateFee.basisPoints) : '',
    graceDays: String(lateFee.graceDays),
  },
})
