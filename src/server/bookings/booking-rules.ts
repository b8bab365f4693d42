import type { Db } from '../../../db/open.ts'
import { type BrokenRule, findBrokenRules } from '../../domain/bookings/booking-rules.ts'
import { bookingRulesSection, type PublicBookingRules } from '../../domain/bookings/booking-rules-form.ts'
import type { DateRange } from '../../domain/common/dates.ts'
import { formatNights } from '../../domain/common/stay.ts'
import { calendarSection } from '../../domain/content/settings-section.ts'
import { type Deps, todayAt } from '../kernel/deps.ts'
import { readSection } from '../site/settings.ts'
import { listActiveRates } from './rates.ts'
import { whoMayBook } from './who-may-book.ts'

/** `people` includes the applicants. */
type RuledBooking = { stay: DateRange; people: number }

/** The booking rules and the number of turnover nights, for everybody. */
export function readBookingRules(db: Db): PublicBookingRules {
  return { ...readSection(db, bookingRulesSection).body, ...readSection(db, calendarSection).body }
}

/** Whether any booking rule is set. */
export function hasBookingRules(db: Db): boolean {
  const { body } = readSection(db, bookingRulesSection)
  return Object.values(body).some(rule => rule !== null && rule !== false)
}

/** Every rule that a stay breaks as of today, in the order of display. */
export function brokenRules(db: Db, deps: Deps, { stay, people }: RuledBooking): BrokenRule[] {
  const { body } = readSection(db, bookingRulesSection)
  const today = todayAt(deps)
  return findBrokenRules(body, { ...stay, people }, today, body.stayLength ? listActiveRates(db) : [])
}

/** Warnings for the owner, whom no rule binds: broken rules, and turnover nights that the stay takes. */
export function ruleWarnings(db: Db, deps: Deps, booking: RuledBooking & { excludeId?: string }): string[] {
  const today = todayAt(deps)
  const taken = whoMayBook(deps, db, booking.stay, { applicationId: booking.excludeId })
    .filter(({ stands }) => stands === 'turnover')
    .map(({ date }) => date)
  return [
    // Rules about the arrival do not apply to a stay that has begun.
    ...brokenRules(db, deps, booking)
      .filter(({ about }) => about !== 'start' || booking.stay.start >= today)
      .map(({ message }) => message),
    ...(taken.length > 0 ? [`These nights are kept free between bookings: ${formatNights(taken)}.`] : []),
  ]
}
