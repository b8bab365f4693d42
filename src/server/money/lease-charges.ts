import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { charges, claims, claimTerms } from '../../../db/schema.ts'
import { guestCount } from '../../domain/bookings/people.ts'
import type { DateRange } from '../../domain/common/dates.ts'
import { fieldError } from '../../domain/common/errors.ts'
import type { ExtraLine } from '../../domain/leases/lease-generation.ts'
import {
  type BookedCounts,
  type ChargeKind,
  type ChargeLine,
  chargesOf,
  countsOf,
  type FeeTerm,
  type TaxTerm,
} from '../../domain/money/charge.ts'
import { type FeeRule, feeApplies, feeTermOf, taxApplies, taxTermOf } from '../../domain/money/charge-rule.ts'
import { termRent } from '../../domain/money/lease-terms.ts'
import type { ApplicationRow } from '../bookings/records.ts'
import { type BookingTerms, bookTerms, type LeaseTerms } from '../bookings/terms.ts'
import type { Deps } from '../kernel/deps.ts'
import { activeFeeRules, activeTaxRules } from './charge-rules.ts'
import { activeCharges, allCharges, type ChargeRow, isBookingTerm } from './records.ts'
import { endLeaseWaivers, insertCharges, releaseWaivers, settleCharges } from './settle-charges.ts'

/** The fees, discounts and taxes of a lease, from which its charges are computed. */
export type ChargeBasis = { fees: FeeTerm[]; taxes: TaxTerm[] }
/** The chosen fees and the extra lines; undefined keeps those of the lease. */
export type ChargeChoice = {
  feeIds?: readonly string[] | null | undefined
  extraLines?: readonly ExtraLine[] | null | undefined
}

/**
 * The fees and taxes of a new lease for these dates by the current rules, and the fees that can be chosen. Defaults to
 * the required fees, the optional fees that the lease already has, and its extra lines (CHG-08, CHG-09).
 * @throws AppError bad_request for a fee that is unknown or does not apply
 */
export function chargeBasis(
  db: Db,
  applicationId: string,
  stay: DateRange,
  { extraLines, feeIds }: ChargeChoice = {},
): { applying: FeeRule[]; basis: ChargeBasis } {
  const before = basisOfLease(db, applicationId).fees
  const applying = activeFeeRules(db).filter(rule => feeApplies(rule, stay))
  const unknown = feeIds?.find(id => !applying.some(rule => rule.id === id))
  if (unknown !== undefined)
    throw fieldError('feeIds', 'One of these fees is no longer there, or does not apply to this stay.')
  const had = before.map(({ feeRuleId }) => feeRuleId)
  const isChosen = ({ id, required }: { id: string; required: boolean }) =>
    feeIds ? feeIds.includes(id) : required || had.includes(id)
  const own = extraLines ? extraLines.map(extraTerm) : before.filter(({ feeRuleId }) => feeRuleId === null)
  const taxes = activeTaxRules(db).filter(rule => taxApplies(rule, stay))
  return {
    applying,
    basis: { fees: [...applying.filter(isChosen).map(feeTermOf), ...own], taxes: taxes.map(taxTermOf) },
  }
}

/** The amounts and rates stored with the lease, regardless of the current rules (CHG-16). */
export function basisOfLease(db: Db, applicationId: string): ChargeBasis {
  const rows = activeCharges(db, applicationId).filter(({ source }) => source === 'lease')
  return {
    fees: rows.flatMap(row => feeTermOfCharge(row) ?? []),
    taxes: rows.flatMap(row => taxTermOfCharge(row) ?? []),
  }
}

/** What a booking is charged for: of an accepted offer as many as were offered, whoever is named since (CLAIM-15). */
export function chargedCounts(db: Db, application: ApplicationRow): BookedCounts {
  const isOfIt = eq(claims.acceptedApplicationId, application.id)
  const offered = db
    .select({ guests: claimTerms.guests })
    .from(claimTerms)
    .innerJoin(claims, eq(claims.id, claimTerms.claimId))
    .where(and(isOfIt, isNotNull(claimTerms.acceptedAt)))
    .get()
  return offered ?? { guests: guestCount(application) }
}

/** The charges of a lease with these terms, including the deposit. */
export function linesOfLease(
  db: Db,
  application: ApplicationRow,
  { depositCents, end, rentCents, start }: LeaseTerms,
  basis: ChargeBasis,
): ChargeLine[] {
  return chargesOf({
    ...basis,
    ...countsOf({ start, end }, chargedCounts(db, application)),
    rentCents: termRent(start, end, rentCents).totalCents,
    depositCents,
  })
}

/**
 * Replaces the charges of the lease, or of a booking without a lease, in the write that stores the lease's text
 * (CHG-02, OWN-07).
 */
export function storeLeaseCharges(
  deps: Deps,
  tx: Tx,
  at: string,
  applicationId: string,
  lines: readonly ChargeLine[],
): void {
  deleteTerms(tx, applicationId)
  insertCharges(tx, at, applicationId, 'lease', lines)
  settleCharges(deps, tx, at, applicationId)
}

/** Removes the charges of a deleted lease; charges that the owner added later stay owed (CHG-29). */
export function removeLeaseCharges(deps: Deps, tx: Tx, at: string, applicationId: string): void {
  endLeaseWaivers(tx, at, applicationId)
  releaseWaivers(tx, applicationId, 'all')
  deleteTerms(tx, applicationId)
  settleCharges(deps, tx, at, applicationId)
}

/**
 * Books the terms of a stay without a lease: rent and deposit become charges, 0 if they are open (OWN-07). A voided
 * charge stays voided unless its kind is in `renewed`.
 */
export function chargeTerms(
  deps: Deps,
  tx: Tx,
  at: string,
  applicationId: string,
  terms: BookingTerms,
  renewed: readonly ChargeKind[] = [],
): void {
  const before = bookingTerms(tx, applicationId)
  const isVoided = (kind: ChargeKind) => {
    const ofKind = before.filter(row => row.kind === kind)
    return ofKind.length > 0 && ofKind.every(({ voidedAt }) => voidedAt !== null)
  }
  bookTerms(tx, at, applicationId, terms)
  deleteTerms(tx, applicationId)
  const { depositCents, end, rentCents, start } = terms
  const lines = chargesOf({
    ...countsOf({ start, end }, { guests: 1 }),
    rentCents: termRent(start, end, rentCents ?? 0).totalCents,
    depositCents: depositCents ?? 0,
    fees: [],
    taxes: [],
  })
  const wanted = lines.filter(({ kind }) => renewed.includes(kind) || !isVoided(kind))
  insertCharges(tx, at, applicationId, 'owner', wanted)
  settleCharges(deps, tx, at, applicationId)
}

/** Whether rent and deposit were charged without a lease, even if they are voided now. */
export function hasBookingTerms(db: Db, applicationId: string): boolean {
  return bookingTerms(db, applicationId).length > 0
}

const bookingTerms = (db: Db, applicationId: string) => allCharges(db, applicationId).filter(isBookingTerm)

function deleteTerms(tx: Tx, applicationId: string): void {
  for (const row of activeCharges(tx, applicationId))
    if (row.source === 'lease' || isBookingTerm(row)) tx.delete(charges).where(eq(charges.id, row.id)).run()
}

const extraTerm = ({ amountCents, kind, label, taxable }: ExtraLine): FeeTerm => ({
  kind,
  name: label,
  per: null,
  amountCents,
  basisPoints: null,
  taxable,
  refundable: false,
  feeRuleId: null,
})

function feeTermOfCharge(row: ChargeRow): FeeTerm | undefined {
  const { baseCents, feeRuleId, kind, name, per, rateBasisPoints, refundable, taxable } = row
  if (kind !== 'fee' && kind !== 'discount') return undefined
  const amount = per === 'rent' ? { amountCents: null } : { amountCents: baseCents }
  return { kind, name, per, ...amount, basisPoints: rateBasisPoints, taxable, refundable, feeRuleId }
}

function taxTermOfCharge({
  kind,
  name,
  onFees,
  onRent,
  rateBasisPoints,
  taxRuleId,
}: ChargeRow): TaxTerm | undefined {
  if (kind !== 'tax') return undefined
  return {
    name,
    basisPoints: rateBasisPoints ?? 0,
    onRent: onRent === true,
    onFees: onFees === true,
    taxRuleId,
  }
}
