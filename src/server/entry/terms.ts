import type { Tx } from '../../../db/open.ts'
import type { Admin } from '../../domain/access.ts'
import type { BookingEntry } from '../../domain/booking-entry.ts'
import { dollarsToCents } from '../../domain/money.ts'
import { bookTerms } from '../bookings/terms.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'

/** What is owed for a booking that the owner enters: by its lease, or as charges of their own. */
export function writeTerms(
  deps: Deps,
  tx: Tx,
  _actor: Admin,
  applicationId: string,
  { startDate, endDate, rentalAmount, depositAmount }: BookingEntry,
): void {
  bookTerms(tx, nowIso(deps), applicationId, {
    start: startDate,
    end: endDate,
    rentCents: dollarsToCents(rentalAmount ?? 0),
    depositCents: dollarsToCents(depositAmount ?? 0),
  })
}
