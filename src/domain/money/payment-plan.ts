import { addDays, addMonths, type CalendarDate, formatLongDate, formatShortDate } from '../common/dates.ts'
import { formatCents } from '../common/money.ts'
import { plural } from '../common/plural.ts'
import { type ChargeKind, chargeKindLabels, formatBasisPoints, sumOf } from './charge.ts'
import { termRent } from './lease-terms.ts'

// The schemas are in payment-plan-form.ts, so that screens without forms load none.

/** The kinds of plan that can be made from the terms of a lease. */
export const generatedKinds = ['full', 'split', 'monthly'] as const
export type GeneratedKind = (typeof generatedKinds)[number]
/** The kinds of plan that a lease can have. */
export const planKinds = [...generatedKinds, 'custom'] as const
export type PlanKind = (typeof planKinds)[number]
/** The kinds that the settings allow; `off` makes no plan. */
export const settingKinds = ['off', ...generatedKinds] as const
export type SettingKind = (typeof settingKinds)[number]
/** Choices for a single lease; `setup` follows the settings. */
export const planChoices = ['setup', ...settingKinds] as const
export type PlanChoice = (typeof planChoices)[number]
export const lateFeeKinds = ['none', 'fixed', 'percent'] as const

/** Maximum number of payments that the owner can enter, not counting the deposit. */
export const maxInstallments = 60

/** A payment that the owner enters; without a date it is due at signing. */
export type CustomRow = { amountCents: number; dueDate: CalendarDate | null }

/** States that the list of due payments can be filtered by; `upcoming` includes partly paid ones. */
export const dueFilters = ['overdue', 'due', 'upcoming', 'on_its_way'] as const
export type DueFilter = (typeof dueFilters)[number]

export const installmentKinds = ['deposit', 'lease', 'charge'] as const
type InstallmentKind = (typeof installmentKinds)[number]

/** An installment before it is stored. Cents. */
export type NewInstallment = {
  position: number
  kind: InstallmentKind
  /** The later charge that the installment is for; null for installments of the lease and its deposit. */
  chargeId: string | null
  label: string
  amountCents: number
  /** Null if due at signing. */
  dueDate: CalendarDate | null
}

/** A stored installment that is not superseded. */
export type Installment = NewInstallment & {
  id: string
  /** UTC ISO timestamps. */
  createdAt: string
  waivedAt: string | null
}

/** The data that a plan is made from. Cents. */
export type PlanTerms = {
  start: CalendarDate
  end: CalendarDate
  monthlyRentCents: number
  /** The charges of the lease, including the deposit. */
  charges: readonly { kind: ChargeKind; amountCents: number }[]
  /** The date at the property when the plan is written. */
  today: CalendarDate
}

/** The late fee of a lease. Cents; basis points of what is open. */
export type LateFee = { kind: 'fixed' | 'percent'; cents: number; basisPoints: number; graceDays: number }

/** How new leases are paid and reminded, as the owner set it (PLAN-01, PLAN-03). Cents; basis points of what is open. */
export type PlanSettings = {
  kind: SettingKind
  splitPercent: number
  daysBeforeArrival: number
  /** Days relative to the due date; negative is before it. */
  reminderDays: number[]
  lateFee: { kind: (typeof lateFeeKinds)[number]; cents: number; basisPoints: number; graceDays: number }
}

/** The late fee that a new plan gets. */
export function lateFeeOf({ lateFee: { kind, ...fee } }: Pick<PlanSettings, 'lateFee'>): LateFee | null {
  return kind === 'none' ? null : { kind, ...fee }
}

/** The lease's charges in cents: the deposit, and the sum of all others, which the payments add up to. */
export function leaseTotals(charges: PlanTerms['charges']): { depositCents: number; totalCents: number } {
  const depositCents = sumOf(charges.filter(({ kind }) => kind === 'deposit'))
  return { depositCents, totalCents: sumOf(charges) - depositCents }
}

/** Makes the installments of a lease: the deposit, then the payments, in order (PLAN-06 to PLAN-11). */
export function makeInstallments(
  kind: GeneratedKind,
  terms: PlanTerms,
  { daysBeforeArrival, splitPercent }: Pick<PlanSettings, 'daysBeforeArrival' | 'splitPercent'>,
): NewInstallment[] {
  const { totalCents } = leaseTotals(terms.charges)
  const beforeArrival = addDays(terms.start, -daysBeforeArrival)
  if (kind === 'monthly') return installmentsOf(terms, monthlyRows(terms, totalCents, beforeArrival))
  const atSigningCents = kind === 'split' ? shareOf(totalCents, splitPercent, 100) : 0
  return installmentsOf(terms, [
    { amountCents: atSigningCents, dueDate: null },
    { amountCents: totalCents - atSigningCents, dueDate: beforeArrival },
  ])
}

/** The installments entered by the owner; `customPlanError` must have passed. */
export function customInstallments(rows: readonly CustomRow[], terms: PlanTerms): NewInstallment[] {
  return installmentsOf(terms, rows)
}

/** What is wrong with payments that the owner enters for these terms, as a message (PLAN-16). */
export function customPlanError(
  rows: readonly CustomRow[],
  { charges, end, today }: Pick<PlanTerms, 'charges' | 'end' | 'today'>,
): string | undefined {
  const { totalCents } = leaseTotals(charges)
  if (sumOf(rows) !== totalCents) return planMessages.wrongSum(sumOf(rows), totalCents)
  const dates = rows.flatMap(({ dueDate }) => dueDate ?? [])
  if (dates.some(date => date < today)) return 'Please choose today or later dates'
  if (dates.some(date => date > end))
    return `Please choose dates up to the departure on ${formatShortDate(end)}`
  return undefined
}

/** The plan of a lease before it is rewritten. */
type PlanBefore = { kind: PlanKind; installments: readonly NewInstallment[] }
export type PlanDraft = { kind: PlanKind; lateFee: LateFee | null; installments: NewInstallment[] }

/**
 * The plan of a lease that is generated or rewritten; null for none. A custom plan stays while it fits and no other is
 * chosen; `replaced` means that it did not fit (PLAN-05, PLAN-18).
 */
export function writePlan({
  before,
  chosen,
  choice,
  settings,
  terms,
}: {
  before: PlanBefore | null
  /** The choice made with this rewrite. */
  chosen?: PlanChoice | undefined
  /** The lease's earlier choice; null follows the settings. */
  choice: PlanChoice | null
  settings: PlanSettings
  terms: PlanTerms
}): { plan: PlanDraft | null; replaced: boolean } {
  const lateFee = lateFeeOf(settings)
  const rows = before?.kind === 'custom' && !chosen ? before.installments.filter(isOfLease) : undefined
  if (rows && stillFits(rows, terms))
    return {
      plan: { kind: 'custom', lateFee, installments: customInstallments(rows, terms) },
      replaced: false,
    }
  const wanted = chosen ?? choice ?? 'setup'
  const kind = wanted === 'setup' ? settings.kind : wanted
  const plan =
    kind === 'off' ? null : { kind, lateFee, installments: makeInstallments(kind, terms, settings) }
  return { plan, replaced: rows !== undefined }
}

/**
 * The plan of a lease whose charges change but not its dates, rent or deposit, such as by a fee per guest: kind, late
 * fee and dates stay, and the payments change in proportion (PLAN-18).
 */
export function scalePlan(
  { installments, kind, lateFee }: PlanDraft,
  terms: Pick<PlanTerms, 'charges' | 'today'>,
): PlanDraft {
  const paying = installments.filter(row => isOfLease(row) && row.amountCents > 0)
  const rows = paying.length > 0 ? paying : [{ amountCents: 1, dueDate: null }]
  const { totalCents } = leaseTotals(terms.charges)
  // Rounded to the nearest cent, so that a change and its opposite move no cents to later payments.
  const upTo = (count: number) =>
    Math.floor((shareOf(totalCents, 2 * sumOf(rows.slice(0, count)), sumOf(rows)) + 1) / 2)
  const payments = rows.map(({ dueDate }, i) => ({ amountCents: upTo(i + 1) - upTo(i), dueDate }))
  return { kind, lateFee, installments: installmentsOf(terms, payments) }
}

const isOfLease = ({ kind }: NewInstallment) => kind === 'lease'

/** Dates that have passed do not matter, because they are due at signing. */
const stillFits = (rows: readonly NewInstallment[], { charges, end }: PlanTerms) =>
  sumOf(rows) === leaseTotals(charges).totalCents &&
  rows.every(({ dueDate }) => dueDate === null || dueDate <= end)

/**
 * When an installment is due. After signing, anything due at or before signing is due on the day of signing (PLAN-20).
 */
export function dueDateOf(
  { dueDate }: Pick<NewInstallment, 'dueDate'>,
  signedOn: CalendarDate | null,
): CalendarDate | null {
  if (signedOn === null) return dueDate
  return dueDate === null || dueDate < signedOn ? signedOn : dueDate
}

/** Sorts by due date, those at signing first. */
export function byDueDate(a: Pick<NewInstallment, 'dueDate'>, b: Pick<NewInstallment, 'dueDate'>): number {
  const [one, other] = [a.dueDate ?? '', b.dueDate ?? '']
  return one < other ? -1 : one > other ? 1 : 0
}

/** `whole × part ÷ of`, rounded down to the cent. */
export function shareOf(wholeCents: number, part: number, of: number): number {
  // BigInt, because cents times cents exceed safe integers.
  return Number((BigInt(wholeCents) * BigInt(part)) / BigInt(of))
}

/** One payment for each month of the rent and one for the remaining days, in proportion to the rent (PLAN-09). */
function monthlyRows(
  { end, monthlyRentCents, start }: PlanTerms,
  totalCents: number,
  beforeArrival: CalendarDate,
): CustomRow[] {
  const rent = termRent(start, end, monthlyRentCents)
  // Without rent, divides the fees by time: a cent for each day, in months of 30 days.
  const parts = rent.totalCents > 0 ? rent : termRent(start, end, 30)
  const count = rent.months + (rent.days > 0 ? 1 : 0)
  const upTo = (months: number) =>
    months < count ? shareOf(totalCents, months * parts.monthlyCents, parts.totalCents) : totalCents
  return Array.from({ length: count }, (_, i) => ({
    amountCents: upTo(i + 1) - upTo(i),
    dueDate: i === 0 ? beforeArrival : addMonths(start, i),
  }))
}

function installmentsOf(
  { charges, today }: Pick<PlanTerms, 'charges' | 'today'>,
  rows: readonly CustomRow[],
): NewInstallment[] {
  const { depositCents } = leaseTotals(charges)
  const later = rows.filter(({ dueDate }) => dueDate !== null && dueDate > today)
  const atSigningCents = sumOf(rows) - sumOf(later)
  const payments = [{ amountCents: atSigningCents, dueDate: null }, ...later.toSorted(byDueDate)].filter(
    ({ amountCents }) => amountCents > 0,
  )
  const deposit = { label: chargeKindLabels.deposit, amountCents: depositCents, dueDate: null }
  return [
    ...(depositCents > 0 ? [{ ...deposit, kind: 'deposit' as const, position: 0, chargeId: null }] : []),
    ...payments.map((payment, i) => ({
      ...payment,
      kind: 'lease' as const,
      position: i + 1,
      chargeId: null,
      label: payments.length === 1 ? 'Payment' : `Payment ${i + 1} of ${payments.length}`,
    })),
  ]
}

/** Error messages of the plan's procedures, and labels of its charges and events. */
export const planMessages = {
  noPlace: 'The lease text has no place for the payment plan: put {{paymentSchedule}} into it.',
  stale: 'The plan was changed meanwhile. Please look at it again.',
  changed: 'This payment was changed meanwhile.',
  depositNotWaived: 'The deposit cannot be waived here.',
  noLateFee: 'No late fee is proposed for this payment.',
  lateFeeDecided: 'A late fee for this payment has been decided already.',
  wrongSum: (sumCents: number, neededCents: number) =>
    `The payments add up to ${formatCents(sumCents)}; ${formatCents(neededCents)} is needed.`,
  onlyOpen: (openCents: number) => `Only ${formatCents(openCents)} is open.`,
  onlyToPay: (openCents: number) => `Only ${formatCents(openCents)} is still to be paid.`,
  onItsWay: (cents: number) => `A payment of ${formatCents(cents)} is on its way already.`,
  /** What the tenant reads about a change after signing, in the mail and in the preview of the owner's dialog. */
  nowDue: (label: string, cents: number, dueDate: CalendarDate) =>
    `${label}: ${formatCents(cents)} is now due on ${formatShortDate(dueDate)}.`,
  notOwed: (label: string, cents: number) =>
    `${label}: ${formatCents(cents)} was waived. You do not have to pay it.`,
  waived: (label: string) => `Waived: ${label}`,
  lateFee: (label: string) => `Late fee: ${label}`,
} as const

/** Error messages that only the server uses, kept apart so that screens do not load them. */
export const planRefusals = {
  notGenerated: 'Lease not yet generated by admin',
  signed: 'The lease is signed. Postpone or waive single payments instead.',
  notSigned: 'The lease is not signed yet. Change the plan instead.',
  fixed: 'Its payments cannot be changed.',
  nothingToRemind: 'Nothing is due of this booking.',
  remindedToday: 'A reminder was sent today already. You can write to the guest instead.',
  noEmail: 'This guest has no email address.',
  ofPlan: 'This charge is part of the payment plan.',
} as const

/**
 * The plan as printed in the lease: a line for the deposit and each payment, then the rules about passed dates and the
 * late fee (PLAN-13). Later charges are left out. Empty without installments.
 */
export function scheduleText(installments: readonly NewInstallment[], lateFee: LateFee | null): string {
  const printed = installments.filter(({ chargeId }) => chargeId === null)
  if (printed.length === 0) return ''
  return [
    ...printed.map(scheduleLine),
    '',
    'A date that has passed when this Agreement is first signed means the day of that signature.',
    ...(lateFee ? [lateFeeSentence(lateFee)] : []),
  ].join('\n')
}

const scheduleLine = ({ amountCents, dueDate, label }: NewInstallment) =>
  `- ${label}: ${formatCents(amountCents)}, due ${
    dueDate === null ? 'when this Agreement is signed' : `on ${formatLongDate(dueDate)}`
  }`

function lateFeeSentence({ basisPoints, cents, graceDays, kind }: LateFee): string {
  const fee =
    kind === 'fixed' ? formatCents(cents) : `${formatBasisPoints(basisPoints)} of what is still open`
  return `If a payment is more than ${plural(graceDays, 'day')} late, the Landlord may charge a late fee of ${fee}, once for each payment.`
}
