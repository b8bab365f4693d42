import { isEnded } from '../../../domain/bookings/application-status.ts'
import { hasOtherCharges } from '../../../domain/money/charge.ts'
import type { Outputs } from '../../api/api.ts'

type Charges = Outputs['charges']['list']
/** A charge in the API's response; only the owner gets voided charges. */
export type ChargeView = Charges['charges'][number]
export type ChargeSummary = Charges['summary']

/** Whether to list the charges: only if there are any besides the agreed rent and deposit. */
export function isListed(charges: readonly ChargeView[]): boolean {
  const [first] = charges
  const deposits = charges.filter(({ kind }) => kind === 'deposit')
  const isAddedTo = deposits.length > 1 || charges.some(({ source }) => source !== first?.source)
  return hasOtherCharges(charges) || isAddedTo || charges.some(canVoid)
}

/** When and why a charge was voided; undefined if it was not. */
export function voidedOf(charge: ChargeView): { at: string; reason: string } | undefined {
  if (!('voidedAt' in charge) || charge.voidedAt === null) return undefined
  return { at: charge.voidedAt, reason: charge.voidReason ?? '' }
}

/** Whether a charge is the rent or deposit of a booking without a lease; only the owner's response contains this. */
function isBookingTerm(charge: ChargeView): boolean {
  const { kind, source } = charge
  const isByHand = 'createdBy' in charge && charge.createdBy !== null
  return source === 'owner' && !isByHand && (kind === 'rent' || kind === 'deposit')
}

/** Whether the owner can void a charge. A tax cannot be voided: it follows the charges that it is based on. */
export function canVoid(charge: ChargeView): boolean {
  return charge.source === 'owner' && charge.kind !== 'tax' && !isBookingTerm(charge) && !voidedOf(charge)
}

type OpenApplication = { status: string; leaseGenerated: boolean; leaseSigned: boolean }

/** Whether the owner can add a charge: the lease is signed, or the booking has rent or deposit but no lease. */
export function canAddCharge(
  { leaseGenerated, leaseSigned, status }: OpenApplication,
  charges: readonly ChargeView[],
): boolean {
  if (isEnded(status)) return false
  return leaseGenerated ? leaseSigned : charges.some(isBookingTerm)
}
