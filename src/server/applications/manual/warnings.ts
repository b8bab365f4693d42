import type { Tx } from '../../../../db/open.ts'
import type { BookingEntry } from '../../../domain/bookings/booking-entry.ts'
import { guestCount } from '../../../domain/bookings/people.ts'
import { formatNights } from '../../../domain/common/stay.ts'
import { ruleWarnings } from '../../bookings/booking-rules.ts'
import { blockedNights } from '../../bookings/nights.ts'
import type { Deps } from '../../kernel/deps.ts'

/** Warnings about a booking before it is stored. Blocked nights and broken rules do not prevent it. */
export function warningsOf(deps: Deps, tx: Tx, entry: BookingEntry): string[] {
  const stay = { start: entry.startDate, end: entry.endDate }
  const blocked = blockedNights(tx, stay)
  return [
    ...(blocked.length > 0 ? [`You have blocked these nights: ${formatNights(blocked)}`] : []),
    ...ruleWarnings(tx, deps, { stay, people: guestCount(entry) }),
  ]
}
