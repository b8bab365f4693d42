import { type DateRange, nightsBetween } from '../common/dates.ts'
import { formatCents } from '../common/money.ts'
import { plural } from '../common/plural.ts'

export const chargeKinds = [
  'rent',
  'deposit',
  'fee',
  'discount',
  'tax',
  'late_fee',
  'damage',
  'adjustment',
] as const
export type ChargeKind = (typeof chargeKinds)[number]

export const chargeKindLabels: Record<ChargeKind, string> = {
  rent: 'Rent',
  deposit: 'Security deposit',
  fee: 'Fee',
  discount: 'Discount',
  tax: 'Tax',
  late_fee: 'Late fee',
  damage: 'Damage',
  adjustment: 'Adjustment',
}

/** What created a charge. Charges of a lease are written with its text. */
export const chargeSources = ['lease', 'owner', 'plan', 'addendum', 'cancellation'] as const
export type ChargeSource = (typeof chargeSources)[number]

export const feeKinds = ['fee', 'discount'] as const
export type FeeKind = (typeof feeKinds)[number]

/** The unit that a fee is charged per; `rent` is a share of the rent. */
export const feeUnits = ['stay', 'night', 'guest', 'guest_night', 'rent'] as const
export type FeeUnit = (typeof feeUnits)[number]
/** What the amount of a unit is multiplied by. */
const factorsOfUnit: Record<FeeUnit, readonly ('guest' | 'night')[]> = {
  stay: [],
  night: ['night'],
  guest: ['guest'],
  guest_night: ['guest', 'night'],
  rent: [],
}

/** Whether a fee per this unit depends on the number of guests. */
export const dependsOnGuests = (unit: FeeUnit): boolean => factorsOfUnit[unit].includes('guest')

/** A fee or discount in a lease: from a rule, or a line of only this lease (`per` and `feeRuleId` null). */
export type FeeTerm = {
  kind: FeeKind
  name: string
  per: FeeUnit | null
  /** Cents per unit; null if per rent. */
  amountCents: number | null
  /** Basis points of the rent; null unless per rent. */
  basisPoints: number | null
  taxable: boolean
  refundable: boolean
  feeRuleId: string | null
}

/** A tax in a lease. */
export type TaxTerm = {
  name: string
  basisPoints: number
  onRent: boolean
  onFees: boolean
  taxRuleId: string | null
}

/** A charge before it is stored. Cents; discounts are negative. */
export type ChargeLine = {
  kind: ChargeKind
  /** The label without the details in parentheses. */
  name: string
  label: string
  amountCents: number
  /**
   * For a tax or a share of the rent: the base that the rate applies to; for a fee: the price of one unit; else null.
   */
  baseCents: number | null
  rateBasisPoints: number | null
  per: FeeUnit | null
  /** Whether the tax applies to the rent; null for other charges. */
  onRent: boolean | null
  onFees: boolean | null
  taxable: boolean
  refundable: boolean
  feeRuleId: string | null
  taxRuleId: string | null
}

/** What fees per unit are multiplied by. */
export type ChargeCounts = { nights: number; guests: number }
/** The counts that a booking is charged for besides its nights. */
export type BookedCounts = Omit<ChargeCounts, 'nights'>

/** The only source of what is counted for a stay: a new unit is added to `ChargeCounts`, and the compiler says where. */
export const countsOf = ({ end, start }: DateRange, { guests }: BookedCounts): ChargeCounts => ({
  nights: nightsBetween(start, end),
  guests,
})

/** Everything that the charges of a lease are computed from. Cents. */
export type ChargeTerms = ChargeCounts & {
  /** The rent of the whole term. */
  rentCents: number
  /** Undefined for an estimate, which shows the deposit separately. */
  depositCents?: number
  fees: readonly FeeTerm[]
  taxes: readonly TaxTerm[]
}

/**
 * The charges of a lease: rent, fees, discounts, taxes, deposit (CHG-02). Discounts together are at most the rent; the
 * last one is cut (CHG-06). Each tax is one line, rounded half up once over the stay (CHG-11, CHG-12).
 */
export function chargesOf(terms: ChargeTerms): ChargeLine[] {
  const { depositCents, rentCents, taxes } = terms
  const fees = ofKind(terms, 'fee')
  const discounts: ChargeLine[] = []
  let left = rentCents
  for (const line of ofKind(terms, 'discount')) {
    const cents = Math.min(-line.amountCents, left)
    discounts.push({ ...line, amountCents: 0 - cents })
    left -= cents
  }
  const bases = { rentCents: left, feesCents: sumOf(fees.filter(({ taxable }) => taxable)) }
  return [
    plainLine('rent', rentCents),
    ...fees,
    ...discounts,
    ...taxes.map(tax => taxLine(tax, bases)),
    ...(depositCents === undefined ? [] : [plainLine('deposit', depositCents)]),
  ]
}

/** The sum of charges in cents. */
export const sumOf = (lines: readonly { amountCents: number }[]): number =>
  lines.reduce((total, { amountCents }) => total + amountCents, 0)

/** The lines that are shown: those of $0.00 are not. */
export const visibleLines = <Line extends { amountCents: number }>(lines: readonly Line[]): Line[] =>
  lines.filter(({ amountCents }) => amountCents !== 0)

/** A share of an amount in cents, rounded half up to the cent. Neither may be negative. */
export function shareCents(baseCents: number, basisPoints: number): number {
  // BigInt, because many fees over a long stay times a rate exceed safe integers.
  return Number((BigInt(baseCents) * BigInt(basisPoints) + 5000n) / 10_000n)
}

/** The base of a tax in cents: rent (less discounts) and taxable fees; never below zero. */
export function taxBaseCents(
  { onFees, onRent }: Pick<TaxTerm, 'onRent' | 'onFees'>,
  bases: { rentCents: number; feesCents: number },
): number {
  return (onRent ? bases.rentCents : 0) + (onFees ? bases.feesCents : 0)
}

/** Such as `6%` or `6.25%`. */
export const formatBasisPoints = (basisPoints: number): string => `${basisPoints / 100}%`

/** A charge that the owner added later, with the fields that taxes need. */
type LaterCharge = { kind: ChargeKind; amountCents: number; taxable: boolean }

/**
 * The additional charge of a lease's tax for taxable charges added later: the tax on both minus the tax that the lease
 * already has. Discounts reduce the rent's part, all others add to the fees' part (CHG-23). Undefined if nothing is
 * added to the base.
 */
export function additionalTax(tax: TaxTerm & { baseCents: number }, later: readonly LaterCharge[]) {
  const taxed = later.filter(({ taxable }) => taxable)
  const laterCents = taxBaseCents(tax, {
    rentCents: sumOf(taxed.filter(({ kind }) => kind === 'discount')),
    feesCents: sumOf(taxed.filter(({ kind }) => kind !== 'discount')),
  })
  if (laterCents === 0) return undefined
  const line: ChargeLine = {
    ...emptyLine,
    kind: 'tax',
    name: tax.name,
    label: `${tax.name} (${formatBasisPoints(tax.basisPoints)} of ${formatCents(laterCents)}, added later)`,
    amountCents: additionalTaxCents(tax.baseCents, laterCents, tax.basisPoints),
    baseCents: laterCents,
    rateBasisPoints: tax.basisPoints,
    onRent: tax.onRent,
    onFees: tax.onFees,
    taxRuleId: tax.taxRuleId,
  }
  return line
}

/** The tax on the base plus later amounts, minus the tax on the base alone. Cents. */
export function additionalTaxCents(baseCents: number, laterCents: number, basisPoints: number): number {
  return shareCents(Math.max(0, baseCents + laterCents), basisPoints) - shareCents(baseCents, basisPoints)
}

/** Whether there is anything except rent and deposit; only then are charges itemized. */
export function hasOtherCharges(lines: readonly Pick<ChargeLine, 'kind' | 'amountCents'>[]): boolean {
  return lines.some(({ amountCents, kind }) => kind !== 'rent' && kind !== 'deposit' && amountCents !== 0)
}

const emptyLine = {
  baseCents: null,
  rateBasisPoints: null,
  per: null,
  onRent: null,
  onFees: null,
  taxable: false,
  refundable: false,
  feeRuleId: null,
  taxRuleId: null,
}

const plainLine = (kind: 'rent' | 'deposit', amountCents: number): ChargeLine => ({
  ...emptyLine,
  kind,
  name: chargeKindLabels[kind],
  label: chargeKindLabels[kind],
  amountCents,
})

const ofKind = (terms: ChargeTerms, kind: FeeKind) =>
  terms.fees.filter(fee => fee.kind === kind).map(fee => feeLine(fee, terms))

function feeLine(fee: FeeTerm, terms: ChargeTerms): ChargeLine {
  const { feeRuleId, kind, name, per, refundable, taxable } = fee
  const { baseCents, cents, detail } = feeAmount(fee, terms)
  return {
    ...emptyLine,
    kind,
    name,
    label: detail ? `${name} (${detail})` : name,
    amountCents: kind === 'discount' ? 0 - cents : cents,
    baseCents,
    rateBasisPoints: fee.basisPoints,
    per,
    taxable,
    refundable,
    feeRuleId,
  }
}

/** The amount of a fee, and the details in its label (CHG-05, CHG-10). */
function feeAmount({ amountCents, basisPoints, per }: FeeTerm, { guests, nights, rentCents }: ChargeTerms) {
  if (per === 'rent') {
    const cents = shareCents(rentCents, basisPoints ?? 0)
    const detail = `${formatBasisPoints(basisPoints ?? 0)} of ${formatCents(rentCents)}`
    return { baseCents: rentCents, cents, detail }
  }
  const baseCents = amountCents ?? 0
  const factors = factorsOfUnit[per ?? 'stay']
  if (factors.length === 0) return { baseCents, cents: baseCents, detail: '' }
  const counts = { guest: guests, night: nights }
  return {
    baseCents,
    cents: factors.reduce((cents, unit) => cents * counts[unit], baseCents),
    detail: [...factors.map(unit => plural(counts[unit], unit)), formatCents(baseCents)].join(' × '),
  }
}

function taxLine(tax: TaxTerm, bases: { rentCents: number; feesCents: number }): ChargeLine {
  const baseCents = taxBaseCents(tax, bases)
  return {
    ...emptyLine,
    kind: 'tax',
    name: tax.name,
    label: `${tax.name} (${formatBasisPoints(tax.basisPoints)} of ${formatCents(baseCents)})`,
    amountCents: shareCents(baseCents, tax.basisPoints),
    baseCents,
    rateBasisPoints: tax.basisPoints,
    onRent: tax.onRent,
    onFees: tax.onFees,
    taxRuleId: tax.taxRuleId,
  }
}
