import { z } from 'zod'
import { type DateRange, nightsBetween } from '../common/dates.ts'
import { calendarDate, calendarOverride, dollars, positiveCents, requiredLine } from '../common/inputs.ts'
import { maxAmountCents } from '../common/money.ts'
import { maxStayNights } from '../common/stay.ts'
import {
  additionalTaxCents,
  type BookedCounts,
  type ChargeLine,
  chargesOf,
  countsOf,
  type FeeTerm,
  formatBasisPoints,
  sumOf,
  type TaxTerm,
  taxBaseCents,
  visibleLines,
} from '../money/charge.ts'
import { isRentForStay, termRent } from '../money/lease-terms.ts'
import { planMessages } from '../money/payment-plan.ts'

/** How an addendum ended unsigned. */
export const addendumEnds = ['declined', 'withdrawn', 'expired'] as const
export type AddendumEnd = (typeof addendumEnds)[number]
export const addendumStates = ['open', 'signed', ...addendumEnds, 'voided'] as const
export type AddendumState = (typeof addendumStates)[number]

/** The terms that an addendum changes. Cents per month, or for the stay (see `isRentForStay`). */
export type AddendumTerms = { startDate: string; endDate: string; rentCents: number; depositCents: number }

/** Days from today on which an addendum can be signed. */
export const maxAddendumDays = 60
export const defaultAddendumDays = 14

/** A line that the owner adds; cents, a discount below 0. */
export const givenLine = z
  .object({
    kind: z.enum(['fee', 'discount', 'adjustment'], 'Please choose what is charged'),
    label: requiredLine(120, 'A label is required'),
    amountCents: z
      .number({ error: 'Please enter a valid amount' })
      .int('Please enter a valid amount')
      .min(-maxAmountCents, 'Please enter a valid amount')
      .max(maxAmountCents, 'Please enter a valid amount'),
    taxable: z.boolean().default(false),
  })
  .refine(
    ({ amountCents, kind }) =>
      kind === 'fee' ? amountCents > 0 : kind === 'discount' ? amountCents < 0 : amountCents !== 0,
    { path: ['amountCents'], error: 'A fee is above zero, a discount below' },
  )
export type GivenLine = z.output<typeof givenLine>

const rentDueRow = z.object({ amountCents: positiveCents(), dueDate: calendarDate() })
export type RentDueRow = z.output<typeof rentDueRow>

/** What an addendum changes (CHANGE-19); what is missing stays. Rent and deposit in dollars. */
export const addendumForm = z.object({
  leaseStartDate: calendarDate().nullish(),
  leaseEndDate: calendarDate().nullish(),
  rentalAmount: dollars().nullish(),
  depositAmount: dollars().nullish(),
  lines: z.array(givenLine).max(10, 'At most 10 lines can be added').default([]),
  /** The dates and amounts of the added rent; without it, it is due in one payment (CHANGE-35). */
  rentDue: z.array(rentDueRow).min(1, 'Please enter a payment').max(12, 'At most 12 payments').nullish(),
})
export const newAddendumForm = addendumForm.extend({
  validUntil: calendarDate().nullish(),
  note: z.string().trim().max(2000, 'Please use at most 2000 characters').default(''),
  overrideCalendar: calendarOverride.nullish(),
  /** The hash of the text that was previewed; if the text would now be another, making it is a conflict. */
  addendumTextSha256: z.string().optional(),
})
export const addendumReason = z
  .string({ error: 'Please give a reason' })
  .trim()
  .min(1, 'Please give a reason')
  .max(2000, 'Please use at most 2000 characters')
export type AddendumInput = z.output<typeof addendumForm>
export type NewAddendumInput = z.output<typeof newAddendumForm>

export const addendumMessages = {
  notBooked: 'Only a booked stay can be changed.',
  notSigned: 'The lease is not signed yet. Change the lease itself.',
  over: 'This stay is over.',
  nothing: 'Nothing would change.',
  waits: 'An addendum waits for signature already.',
  begun: 'This stay has begun. Its first day cannot change.',
  past: 'A new day cannot be before today.',
  read: 'Please read the addendum before you sign.',
  changed: 'What was shown to you is not the addendum as it is now. Please read it again before you sign.',
  notOpen: 'This addendum is no longer open.',
  expired: (until: string) => `This addendum was open until ${until}. Please ask the owner for a new one.`,
  hasSigned: 'This lease has a signed addendum. Delete the lease to begin anew.',
  noPlan: 'This booking has no payment plan.',
  noRent: 'This addendum adds no rent.',
} as const

/** Why a stay cannot have these dates, or undefined (CHANGE-19, FIX-17). */
export function datesError(
  before: DateRange,
  after: DateRange,
  today: string,
): { field: 'leaseStartDate' | 'leaseEndDate'; message: string } | undefined {
  const nights = nightsBetween(after.start, after.end)
  if (nights < 1) return { field: 'leaseEndDate', message: 'End date must be after start date' }
  if (nights > maxStayNights)
    return { field: 'leaseEndDate', message: 'A stay can be at most three years long' }
  if (after.start !== before.start && before.start <= today)
    return { field: 'leaseStartDate', message: addendumMessages.begun }
  if (after.start !== before.start && after.start < today)
    return { field: 'leaseStartDate', message: addendumMessages.past }
  if (after.end !== before.end && after.end < today)
    return { field: 'leaseEndDate', message: addendumMessages.past }
  return undefined
}

/** Whether a missing rent is proposed anew: the dates change, and one of the terms is priced for the stay. */
export const proposesRent = (before: DateRange, after: DateRange): boolean =>
  (before.start !== after.start || before.end !== after.end) &&
  [before, after].some(({ end, start }) => isRentForStay(start, end))

/** The nights of the new term that the former one does not have. */
export function addedNights(before: DateRange, after: DateRange): DateRange[] {
  if (after.end <= before.start || before.end <= after.start) return [after]
  return [
    { start: after.start, end: before.start },
    { start: before.end, end: after.end },
  ].filter(({ end, start }) => start < end)
}

/** A tax of the lease with the base that it and signed addenda were taken of, and whether the new term would escape it. */
export type FixedTax = TaxTerm & { baseCents: number; escapes: boolean }
/** What counts for the taxes of the terms in force, in cents: rent less discounts, and taxable fees. */
export type TaxBases = { rentCents: number; feesCents: number }

type Change = {
  number: number
  before: AddendumTerms
  after: AddendumTerms
  counts: BookedCounts
  fees: readonly FeeTerm[]
  taxes: readonly FixedTax[]
  bases: TaxBases
  given: readonly GivenLine[]
}

/**
 * What an addendum changes in the charges: differences to the terms in force without zeros, by the lease's own fees and
 * rates (CHANGE-20). A tax that the new term would escape keeps its amount.
 */
export function addendumLines({
  after,
  bases,
  before,
  counts,
  fees,
  given,
  number,
  taxes,
}: Change): ChargeLine[] {
  const [was, will] = [before, after].map(({ depositCents, endDate, rentCents, startDate }) =>
    chargesOf({
      ...countsOf({ start: startDate, end: endDate }, counts),
      depositCents,
      fees,
      taxes: [],
      rentCents: termRent(startDate, endDate, rentCents).totalCents,
    }),
  )
  const by = `Addendum No. ${number}`
  const changes = (will ?? []).map((line, i): ChargeLine => {
    const baseCents = line.per === null || line.per === 'rent' ? null : line.baseCents
    return {
      ...line,
      label: `${line.name} (${by})`,
      amountCents: line.amountCents - (was?.[i]?.amountCents ?? 0),
      baseCents,
      // The discounts of a lease reduce what is taxed.
      taxable: line.kind === 'discount' || line.taxable,
    }
  })
  const added = given.map(
    ({ amountCents, kind, label, taxable }): ChargeLine => ({
      kind,
      name: label,
      label,
      amountCents,
      taxable,
      refundable: false,
      baseCents: null,
      rateBasisPoints: null,
      per: null,
      onRent: null,
      onFees: null,
      feeRuleId: null,
      taxRuleId: null,
    }),
  )
  const isDeposit = ({ kind }: ChargeLine) => kind === 'deposit'
  const lines = [...changes.filter(line => !isDeposit(line)), ...changes.filter(isDeposit), ...added]
  const now = taxBasesOf(lines)
  const whole = { rentCents: bases.rentCents + now.rentCents, feesCents: bases.feesCents + now.feesCents }
  const ofTaxes = taxes.flatMap((tax): ChargeLine[] => {
    if (tax.escapes) return []
    const addedCents = Math.max(0, taxBaseCents(tax, whole)) - tax.baseCents
    const { basisPoints, name, onFees, onRent, taxRuleId } = tax
    return [
      {
        kind: 'tax',
        name,
        label: `${name} (${formatBasisPoints(basisPoints)}, ${by})`,
        amountCents: additionalTaxCents(tax.baseCents, addedCents, basisPoints),
        baseCents: addedCents,
        rateBasisPoints: basisPoints,
        onRent,
        onFees,
        taxRuleId,
        per: null,
        taxable: false,
        refundable: false,
        feeRuleId: null,
      },
    ]
  })
  return visibleLines([...lines, ...ofTaxes])
}

/** What charges add to the bases of taxes: rent with taxable discounts, and the other taxable ones. */
export function taxBasesOf(lines: readonly Pick<ChargeLine, 'kind' | 'amountCents' | 'taxable'>[]): TaxBases {
  const isRent = ({ kind, taxable }: (typeof lines)[number]) =>
    kind === 'rent' || (kind === 'discount' && taxable)
  const isFee = ({ kind, taxable }: (typeof lines)[number]) =>
    taxable && kind !== 'rent' && kind !== 'discount'
  return { rentCents: sumOf(lines.filter(isRent)), feesCents: sumOf(lines.filter(isFee)) }
}

/** An instalment as the addendum prints it; without a date it is due 7 days after the signature. */
export type AddendumInstallment = { label: string; amountCents: number; dueDate: string | null }

/** The instalments of the lines above 0 with a plan (CHANGE-35). */
export function addendumInstallments(
  lines: readonly ChargeLine[],
  rentDue: readonly RentDueRow[] | null,
): AddendumInstallment[] {
  return lines
    .filter(({ amountCents }) => amountCents > 0)
    .flatMap(({ amountCents, kind, label }): AddendumInstallment[] =>
      kind === 'rent' && rentDue
        ? rentDue.map(row => ({ label, ...row }))
        : [{ label, amountCents, dueDate: null }],
    )
}

/** Why rows do not fit the rent that is added, or undefined (CHANGE-35). */
export function rentDueError(
  rows: readonly RentDueRow[],
  { end, hasPlan, rentCents, today }: { rentCents: number; end: string; today: string; hasPlan: boolean },
): string | undefined {
  if (!hasPlan) return addendumMessages.noPlan
  if (rentCents <= 0) return addendumMessages.noRent
  if (sumOf(rows) !== rentCents) return planMessages.wrongSum(sumOf(rows), rentCents)
  const isLate = rows.some(({ dueDate }) => dueDate < today || dueDate > end)
  return isLate ? 'Each payment is due from today to the new last day.' : undefined
}

/** What is stored with an addendum beside its terms. */
export type AddendumBody = {
  lines: ChargeLine[]
  instalments: AddendumInstallment[]
  owedBeforeCents: number
}
