import { isEnded } from '../../../domain/bookings/application-status.ts'
import { hasOtherCharges } from '../../../domain/money/charge.ts'
import { type PaymentType, paymentTypeLabels } from '../../../domain/money/ledger.ts'
import type { Outputs } from '../../api/api.ts'

type Charges = Outputs['charges']['list']
/** A charge in the API's response; only the owner gets voided charges. */
export type ChargeView = Charges['charges'][number]
export type ChargeSummary = Charges['summary']

/** When and why a charge was voided; undefined if it was not. */
export function voidedOf(charge: ChargeView): { at: string; reason: string } | undefined {
  if (!('voidedAt' in charge) || charge.voidedAt === null) return undefined
  return { at: charge.voidedAt, reason: charge.voidReason ?? '' }
}

/** What a payment is called: rent also pays the other charges, where there are any. */
export const paymentLabel = (type: PaymentType, charges: readonly ChargeView[]): string =>
  type === 'rent' &&
  hasOtherCharges(charges.filter(charge => charge.source !== 'cancellation' && !voidedOf(charge)))
    ? 'Rent and charges'
    : paymentTypeLabels[type]

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
