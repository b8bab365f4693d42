import { and, eq, gte, lt } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { availability } from '../../../db/schema.ts'
import {
  claimMessages,
  type NightUses,
  nightRules,
  type Standing,
  untilText,
} from '../../domain/bookings/claim.ts'
import { expandRange, sharedNights } from '../../domain/calendars/calendar-event.ts'
import { type CalendarDate, type DateRange, dateIn, datesInRange } from '../../domain/common/dates.ts'
import { AppError } from '../../domain/common/errors.ts'
import { formatStay } from '../../domain/common/stay.ts'
import { calendarSection } from '../../domain/content/settings-section.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { readSection } from '../site/settings.ts'
import { endOverClaims } from './claims/claims.ts'
import { type Claim, claimsWithin } from './claims/records.ts'
import { type ImportedEvent, importedWithin } from './imported-nights.ts'
import { type Booking, bookingsWithin } from './nights.ts'

/** Who asks. A booking's own nights do not stand in its way, nor does what is held for it. */
export type Eyes = {
  /** A booking; '' if it is not stored yet. */
  applicationId?: string | undefined
  /** An account. */
  userId?: string | undefined
  /** Without what other calendars take, for those who read that apart. */
  withoutImported?: boolean
}

/** A night that is not simply free, and who may book it. */
export type Night = NightUses & {
  date: CalendarDate
  stands: Standing
  /** What visitors read. */
  publicReason: string
  /** What an export for a platform without a calendar of its own says. */
  exported: 'Booked' | 'Blocked' | null
  booking?: Booking
  event?: ImportedEvent
  claim?: Claim
  /** Held for the one who asks. */
  isOwn: boolean
  /** Held, or a turnover night around held ones. */
  near?: Claim
  /** The owner's reason for a block. */
  block?: string
}

type Found = Pick<Night, 'booking' | 'event' | 'claim' | 'near' | 'block'> & { isWide?: boolean }

/**
 * The nights of a half-open range that are booked, imported, held, blocked or kept for turnover, by date, each with who may
 * book it now. Everything that books nights asks this function (CLAIM-06).
 */
export function whoMayBook(deps: Deps, db: Db, range: DateRange, eyes: Eyes = {}): Night[] {
  const { turnoverNights } = readSection(db, calendarSection).body
  const near = expandRange(range, turnoverNights)
  const bookings = bookingsWithin(db, near, eyes.applicationId)
  const claims = claimsWithin(db, nowIso(deps), near)
  const today = dateIn(deps.clock.now(), deps.config.site.timeZone)
  const events = eyes.withoutImported ? [] : importedWithin(db, near, today)
  const isOwn = ({ applicationId, userId }: Claim) =>
    (eyes.applicationId !== undefined && applicationId === eyes.applicationId) ||
    (eyes.userId !== undefined && userId === eyes.userId)

  const nights = new Map<CalendarDate, Found>()
  const at = (date: CalendarDate): Found => {
    const known = nights.get(date)
    if (known) return known
    const night: Found = {}
    nights.set(date, night)
    return night
  }
  const mark = <Range extends DateRange>(
    ranges: readonly Range[],
    set: (night: Found, by: Range) => void,
    around = 0,
  ) => {
    // By arrival, earlier ranges have set every night from this one's arrival to the day before which all of them end.
    let { start: doneTo } = range
    for (const by of ranges) {
      // Computing a date takes long, and there may be thousands.
      const wide = around > 0 ? expandRange(by, around) : by
      const fresh = sharedNights(wide, { start: doneTo, end: range.end })
      if (!fresh) continue
      for (const night of datesInRange(fresh)) set(at(night), by)
      doneTo = fresh.end
    }
  }
  for (const { date, reason } of blocksWithin(db, range)) at(date).block = reason
  mark(bookings, (night, booking) => Object.assign(night, { booking }))
  mark(events, (night, event) => Object.assign(night, { event }))
  mark(claims, (night, claim) => Object.assign(night, { claim }))
  mark(
    claims.filter(claim => !isOwn(claim)),
    (night, near) => Object.assign(night, { near }),
    turnoverNights,
  )
  const stays = [...bookings, ...events.filter(({ kind }) => kind !== 'block')]
  const byStart = stays.sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0))
  mark(byStart, night => Object.assign(night, { isWide: true }), turnoverNights)

  return [...nights]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, found]) => presentNight(date, found, found.claim !== undefined && isOwn(found.claim)))
}

function presentNight(date: CalendarDate, night: Found, isOwn: boolean): Night {
  const { isWide, ...found } = night
  const stands = standingOf(night)
  const rule = nightRules[stands === 'held' && isOwn ? 'own' : stands]
  const isBlocked = found.block !== undefined || found.claim !== undefined || found.near !== undefined
  return {
    date,
    stands,
    ...rule,
    publicReason: rule.publicReason ?? found.block ?? '',
    exported: isWide ? 'Booked' : isBlocked ? 'Blocked' : null,
    isOwn,
    ...found,
  }
}

function standingOf({ booking, claim, event, isWide, near }: Found): Standing {
  if (booking) return 'booking'
  if (event) return 'imported'
  if (claim) return 'held'
  return isWide || near ? 'turnover' : 'blocked'
}

/** The nights of a half-open range that the owner blocked, by date, with the reasons. */
const blocksWithin = (db: Db, { end, start }: DateRange) =>
  db
    .select({ date: availability.date, reason: availability.reason })
    .from(availability)
    .where(
      and(eq(availability.isAvailable, false), gte(availability.date, start), lt(availability.date, end)),
    )
    .all()

/**
 * Must run in the write that books or holds the nights, so that one of two fails. Own bookings and claims do not count,
 * imported events are asked about elsewhere.
 * @throws AppError conflict naming the other booking, or whom the nights are held for (CLAIM-07)
 */
export function assertFree(deps: Deps, tx: Tx, stay: DateRange, applicationId: string): void {
  endOverClaims(deps, tx)
  checkFree(deps, tx, stay, applicationId)
}

/** The same for a preview. @throws AppError conflict like `assertFree` */
export function checkFree(deps: Deps, db: Db, stay: DateRange, applicationId: string): void {
  const nights = whoMayBook(deps, db, stay, { applicationId, withoutImported: true })
  const other = nights.find(({ booking }) => booking)?.booking
  if (other)
    throw new AppError(
      'conflict',
      `These dates overlap application ${other.number}, which is booked for ${formatStay(other)}.`,
    )
  const claim = nights.find(night => night.claim && !night.isOwn)?.claim
  if (!claim) return
  const { timeZone } = deps.config.site
  throw new AppError('conflict', claimMessages.held(claim.who, untilText(claim.untilAt, timeZone)))
}
