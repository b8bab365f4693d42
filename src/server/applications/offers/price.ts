import type { Db } from '../../../../db/open.ts'
import { offerRefusals, type priceSources } from '../../../domain/bookings/claim.ts'
import type { OfferPrice } from '../../../domain/bookings/offer-form.ts'
import type { DateRange } from '../../../domain/common/dates.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { dollarsToCents } from '../../../domain/common/money.ts'
import {
  type BookedCounts,
  type ChargeLine,
  chargesOf,
  countsOf,
  type FeeTerm,
  sumOf,
  visibleLines,
} from '../../../domain/money/charge.ts'
import { feeTermOf } from '../../../domain/money/charge-rule.ts'
import { depositSection } from '../../../domain/money/deposit-input.ts'
import { termRent } from '../../../domain/money/lease-terms.ts'
import { quoteStay } from '../../../domain/money/rent-quote.ts'
import { listActiveRates } from '../../bookings/rates.ts'
import type { OwnApplication } from '../../bookings/records.ts'
import { basisOfLease, chargeBasis } from '../../money/lease-charges.ts'
import { readSection } from '../../site/settings.ts'

/** What is offered: it stays as it is, whatever rates and rules become. Cents. */
export type Price = {
  rentCents: number
  depositCents: number
  fees: FeeTerm[]
  priceFrom: (typeof priceSources)[number]
}

/**
 * The price of a new offer: what the owner gives, else what generating a lease would propose; for a promise without
 * rates, as in the last lease (CLAIM-15, CLAIM-29).
 * @throws AppError bad_request at `rentalAmount` or `feeIds`
 */
export function priceOf(db: Db, stay: DateRange, given: OfferPrice, last?: OwnApplication): Price {
  const quotedCents = quoteStay(listActiveRates(db), stay)?.rentCents
  const isLast = quotedCents === undefined && last !== undefined
  const before = isLast ? last.application : undefined
  const rentCents = inCents(given.rentalAmount) ?? quotedCents ?? before?.rentCents
  if (rentCents === undefined || rentCents === null) throw fieldError('rentalAmount', offerRefusals.noRate)
  const usualCents = readSection(db, depositSection).body.amountCents ?? rentCents
  const asBefore = isLast && !given.feeIds && !given.extraLines && last.lease
  return {
    rentCents,
    depositCents: inCents(given.depositAmount) ?? before?.depositCents ?? usualCents,
    fees: asBefore ? basisOfLease(db, last.application.id).fees : chargeBasis(db, '', stay, given).basis.fees,
    priceFrom: isGiven(given) ? 'owner' : isLast ? 'last_lease' : 'rates',
  }
}

/** A price with what the owner changes. @throws AppError bad_request at `feeIds` */
export function changedPrice(db: Db, stay: DateRange, before: Price, given: OfferPrice): Price {
  const of = (fees: FeeTerm[], isOwn: boolean) => fees.filter(fee => (fee.feeRuleId === null) === isOwn)
  const chosen = chargeBasis(db, '', stay, given).basis.fees
  return {
    rentCents: inCents(given.rentalAmount) ?? before.rentCents,
    depositCents: inCents(given.depositAmount) ?? before.depositCents,
    fees: [
      ...of(given.feeIds ? chosen : before.fees, false),
      ...of(given.extraLines ? chosen : before.fees, true),
    ],
    priceFrom: 'owner',
  }
}

export const isGiven = (given: OfferPrice): boolean =>
  [given.rentalAmount, given.depositAmount, given.feeIds, given.extraLines].some(each => each != null)

const inCents = (dollars: number | null | undefined) =>
  dollars === null || dollars === undefined ? null : dollarsToCents(dollars)

/** The lines of a price without the deposit, with the taxes of this moment, and their sum. */
export function linesOf(
  db: Db,
  stay: DateRange,
  counts: BookedCounts,
  { fees, rentCents }: Pick<Price, 'fees' | 'rentCents'>,
): { lines: ChargeLine[]; totalCents: number } {
  const rent = termRent(stay.start, stay.end, rentCents)
  const { taxes } = chargeBasis(db, '', stay).basis
  const lines = chargesOf({ ...countsOf(stay, counts), rentCents: rent.totalCents, fees, taxes })
  return { lines, totalCents: sumOf(lines) }
}

/** Compares the sums that a person was shown with those of now; missing ones are skipped. @throws AppError conflict (CLAIM-18) */
export function requireSeen(
  seen: { totalCents?: number | undefined; depositCents?: number | undefined },
  now: { totalCents: number; depositCents: number },
): void {
  const { depositCents = now.depositCents, totalCents = now.totalCents } = seen
  if (depositCents !== now.depositCents || totalCents !== now.totalCents)
    throw new AppError('conflict', offerRefusals.price)
}

/** The fees that the owner can add. */
export function optionalFees(db: Db, stay: DateRange, counts: BookedCounts, { rentCents }: Price) {
  const rules = chargeBasis(db, '', stay).applying.filter(({ kind, required }) => kind === 'fee' && !required)
  const { lines } = linesOf(db, stay, counts, { fees: rules.map(feeTermOf), rentCents })
  return visibleLines(lines).flatMap(({ amountCents, feeRuleId, kind, label }) =>
    kind === 'fee' && feeRuleId ? [{ feeRuleId, label, amountCents }] : [],
  )
}
