import type { Tx } from '../../../db/open.ts'
import type { BookingEntry } from '../../domain/booking-entry.ts'
import { formatNights } from '../../domain/stay.ts'
import { blockedNights } from '../bookings/nights.ts'

/** What the owner should know of a booking that they enter; nothing of it prevents the booking. */
export function warningsOf(tx: Tx, { startDate, endDate }: BookingEntry): string[] {
  const blocked = blockedNights(tx, { start: startDate, end: endDate })
  return blocked.length > 0 ? [`You have blocked these nights: ${formatNights(blocked)}`] : []
}
