import { z } from 'zod'
import { type CalendarDate, isCalendarDate } from '../../../../domain/common/dates.ts'
import { dollarsToCents } from '../../../../domain/common/money.ts'
import {
  type CustomRow,
  customInstallments,
  customPlanError,
  lateFeeOf,
  makeInstallments,
  type PlanSettings,
  type PlanTerms,
  planChoices,
  type SettingKind,
  scheduleText,
} from '../../../../domain/money/payment-plan.ts'
import type { ChargeView } from '../../../features/payments/charge-view.ts'
import { parseDollars, toDollarText } from '../../../features/payments/dollar-amount.ts'
import type { Application, PlanView } from './application-data.ts'

/** A payment as typed; a payment without a date is due at signing. */
const typedRow = z.object({ amount: z.string(), dueDate: z.string() })
type TypedRow = z.input<typeof typedRow>

const noAmount = 'Please enter an amount of at least $0.01'
export const paymentRow = typedRow.transform(({ amount, dueDate }, context): CustomRow => {
  const amountCents = parseDollars(amount)
  if (!amountCents) context.addIssue({ code: 'custom', path: ['amount'], message: noAmount })
  return { amountCents: amountCents ?? 0, dueDate: dueDate || null }
})

/** A plan calculated from the settings, or the owner's custom payments. */
export const planChangeForm = z.discriminatedUnion('choice', [
  z.object({ choice: z.enum(planChoices), instalments: z.array(typedRow) }),
  z.object({ choice: z.literal('custom'), instalments: z.array(paymentRow) }),
])
export type PlanChangeValues = z.input<typeof planChangeForm>

/** The form's initial values: the lease's current plan, else the usual one, and its payments without the deposit. */
export function startingChange(
  { instalments, plan }: PlanView,
  neededCents: number,
  usual: SettingKind = 'off',
): PlanChangeValues {
  const rows = instalments.filter(({ kind }) => kind === 'lease').map(typedRowOf)
  const all = { amount: toDollarText(neededCents), dueDate: '' }
  const first = usual === 'off' ? 'full' : 'setup'
  return { choice: plan?.kind ?? first, instalments: rows.length > 0 ? rows : [all] }
}

export const typedRowOf = ({ amountCents, dueDate }: CustomRow): TypedRow => ({
  amount: toDollarText(amountCents),
  dueDate: dueDate ?? '',
})

/** The rows as typed so far; an invalid amount counts as 0. */
export const rowsOf = (typed: readonly TypedRow[]): CustomRow[] =>
  typed.map(({ amount, dueDate }) => ({
    amountCents: parseDollars(amount) ?? 0,
    dueDate: dueDate && isCalendarDate(dueDate) ? dueDate : null,
  }))

/** The terms that the plan of a lease is calculated from; undefined without a lease. */
export function planTermsOf(
  { leaseEndDate: end, leaseStartDate: start, rentalAmount }: Application,
  charges: readonly ChargeView[],
  today: CalendarDate,
): PlanTerms | undefined {
  if (!start || !end || rentalAmount === null) return undefined
  const ofLease = charges.filter(({ source }) => source === 'lease')
  return { start, end, monthlyRentCents: dollarsToCents(rentalAmount), charges: ofLease, today }
}

/** The lines that the lease would print: empty without a plan; undefined while the payments do not add up. */
export function previewOf(
  { choice, instalments: typed }: PlanChangeValues,
  terms: PlanTerms,
  settings: PlanSettings,
): { text: string; rows: CustomRow[] } | undefined {
  const kind = choice === 'setup' ? settings.kind : choice
  if (kind === 'off') return { text: '', rows: [] }
  if (kind === 'custom' && customPlanError(rowsOf(typed), terms)) return undefined
  const instalments =
    kind === 'custom' ? customInstallments(rowsOf(typed), terms) : makeInstallments(kind, terms, settings)
  return {
    text: scheduleText(instalments, lateFeeOf(settings)),
    rows: instalments.filter(one => one.kind === 'lease'),
  }
}
