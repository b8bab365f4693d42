import { z } from 'zod'
import type { CalendarDate } from '../common/dates.ts'
import { timeOfDateIn } from '../common/zoned-time.ts'
import { type Section, section } from '../content/settings-section.ts'

const timeMessage = 'Please enter a time in quarter hours, such as 16:00'
const quarterHour = z.string({ error: timeMessage }).regex(/^([01]\d|2[0-3]):(00|15|30|45)$/, timeMessage)
const hoursMessage = 'Please enter a whole number of hours from 1 to 336'
const onOrOff = z.boolean({ error: 'Please choose on or off' })

const stayBody = z.object({
  enabled: onOrOff.default(false),
  /** When it was first switched on: no mail goes out for moments before that. */
  since: z.iso.datetime().nullable().default(null),
  /** Times on the first and last day, in the property's zone. */
  checkIn: quarterHour.default('16:00'),
  checkOut: quarterHour.default('10:00'),
  /** The gate opens this many hours before check-in. */
  hoursBefore: z.int(hoursMessage).min(1, hoursMessage).max(336, hoursMessage).default(48),
  guestLinks: onOrOff.default(true),
  guestCodes: onOrOff.default(false),
})
export type StaySettings = z.output<typeof stayBody>

/** Arrival information: whether guests see it, and when (STAY-02). */
export const staySection: Section<'stay', typeof stayBody> = {
  name: 'stay',
  body: stayBody,
  complete: (saved, before, now) => ({ ...saved, since: before.since ?? (saved.enabled ? now : null) }),
}

/** Messages between the tenant and the owner (MSG-01). */
export const messagesSection = section('messages', z.object({ enabled: onOrOff.default(false) }))

/** Reviews by guests who have stayed (REVIEW-01). */
export const reviewsSection = section('reviews', z.object({ enabled: onOrOff.default(false) }))

type Nights = { startDate: CalendarDate; endDate: CalendarDate }
type Times = Pick<StaySettings, 'checkIn' | 'checkOut'>

/** When a stay begins: its first day at the settings' check-in time in the property's zone. */
export const checkInAt = (
  { startDate }: Pick<Nights, 'startDate'>,
  { checkIn }: Times,
  timeZone: string,
): Date => timeOfDateIn(startDate, checkIn, timeZone)

/** When a stay ends: its last day at the settings' check-out time in the property's zone. */
export const checkOutAt = (
  { endDate }: Pick<Nights, 'endDate'>,
  { checkOut }: Times,
  timeZone: string,
): Date => timeOfDateIn(endDate, checkOut, timeZone)
