import type { Tx } from '../../../../db/open.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import type { BookingEntry } from '../../../domain/bookings/booking-entry.ts'
import { dollarsToCents } from '../../../domain/common/money.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { generateLeaseIn } from '../../leases/generate.ts'
import { chargeTerms } from '../../money/lease-charges.ts'

/**
 * Creates the charges of a booking that the owner enters: by its lease, or only rent and deposit, 0 if missing.
 * @throws AppError like `generateLeaseIn`
 */
export function writeTerms(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  applicationId: string,
  { startDate, endDate, rentalAmount, depositAmount, generateLease, feeIds, extraLines }: BookingEntry,
): void {
  if (generateLease) {
    const terms = { rentalAmount, depositAmount, feeIds, extraLines }
    generateLeaseIn(deps, tx, actor, applicationId, terms, { notify: false })
    return
  }
  chargeTerms(deps, tx, nowIso(deps), applicationId, {
    start: startDate,
    end: endDate,
    rentCents: toCents(rentalAmount),
    depositCents: toCents(depositAmount),
  })
}

const toCents = (dollars: number | null | undefined) =>
  typeof dollars === 'number' ? dollarsToCents(dollars) : null
