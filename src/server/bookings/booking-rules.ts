import type { Db, Tx } from '../../../db/open.ts'
import { type BrokenRule, findBrokenRules } from '../../domain/booking-rules.ts'
import { bookingRulesSection, type PublicBookingRules } from '../../domain/booking-rules-form.ts'
import { type DateRange, dateIn } from '../../domain/dates.ts'
import { calendarSection } from '../../domain/setup.ts'
import { formatNights } from '../../domain/stay.ts'
import type { Deps } from '../kernel/deps.ts'
import { listActiveRates } from '../rates/service.ts'
import { readSection } from '../setup/service.ts'
import { turnoverNights } from './nights.ts'

type RuleDeps = Pick<Deps, 'clock' | 'config'>
/** `people` counts the applicants too. */
type RuledBooking = { stay: DateRange; people: number }

/** The rules and the nights kept free between bookings, for everybody. */
export function readBookingRules(db: Db | Tx): PublicBookingRules {
  return { ...readSection(db, bookingRulesSection).body, ...readSection(db, calendarSection).body }
}

/** Whether any booking rule is set. */
export function hasBookingRules(db: Db | Tx): boolean {
  const { body } = readSection(db, bookingRulesSection)
  return Object.values(body).some(rule => rule !== null && rule !== false)
}

/** Every rule that a stay breaks at this moment, in the order in which they are listed. */
export function brokenRules(
  db: Db | Tx,
  { clock, config }: RuleDeps,
  { stay, people }: RuledBooking,
): BrokenRule[] {
  const { body } = readSection(db, bookingRulesSection)
  const today = dateIn(clock.now(), config.site.timeZone)
  return findBrokenRules(body, { ...stay, people }, today, body.stayLength ? listActiveRates(db) : [])
}

/** The same as sentences for the owner, whom no rule binds, and the turnover nights that the stay takes. */
export function ruleWarnings(
  db: Db | Tx,
  deps: RuleDeps,
  booking: RuledBooking & { excludeId?: string },
): string[] {
  const today = dateIn(deps.clock.now(), deps.config.site.timeZone)
  const taken = turnoverNights(db, today, booking.stay, booking.excludeId)
  return [
    // Rules about the arrival mean nothing for a stay that has begun.
    ...brokenRules(db, deps, booking)
      .filter(({ about }) => about !== 'start' || booking.stay.start >= today)
      .map(({ message }) => message),
    ...(taken.length > 0 ? [`These nights are kept free between bookings: ${formatNights(taken)}.`] : []),
  ]
}
