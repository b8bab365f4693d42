import { and, eq, gte, lt } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { applications, availability, users } from '../../../db/schema.ts'
import { system } from '../../domain/accounts/access.ts'
import {
  claimMessages,
  type NightUses,
  nightRules,
  type Standing,
  untilText,
} from '../../domain/bookings/claim.ts'
import { expandRange, sharedNights } from '../../domain/calendars/calendar-event.ts'
import { addDays, type CalendarDate, type DateRange, nightsBetween } from '../../domain/common/dates.ts'
import { AppError } from '../../domain/common/errors.ts'
import { formatShortStay, formatStay } from '../../domain/common/stay.ts'
import { calendarSection } from '../../domain/content/settings-section.ts'
import { isMailboxProven } from '../auth/sessions/users.ts'
import { type Deps, todayAt } from '../kernel/deps.ts'
import { readSection } from '../site/settings.ts'
import { type Claim, claimsWithin } from './claim-records.ts'
import { endClaims, endOverClaims, setClaim } from './claims.ts'
import { type ImportedEvent, importedWithin } from './imported-nights.ts'
import { type Booking, bookingsWithin } from './nights.ts'

/** Who asks. A booking's own nights do not stand in its way, nor does what is held for it. */
export type Eyes = {
  /** A booking; '' if it is not stored yet. */
  applicationId?: string | undefined
  /** An account. */
  userId?: string | undefined
  /** The email of a person, lower case. */
  emailKey?: string | undefined
  /** What is kept for this person. */
  claimId?: string | undefined
  /** Without what other calendars take, for those who read that apart. */
  withoutImported?: boolean
}

/** A night that is not simply free, and who may book it. */
export type Night = NightUses & {
  date: CalendarDate
  stands: Standing
  /** What visitors read; null for a night that is free to them. */
  publicReason: string | null
  /** What an export for a platform without a calendar of its own says. */
  exported: 'Booked' | 'Blocked' | null
  booking?: Booking
  event?: ImportedEvent
  /** Held for somebody. */
  claim?: Claim
  /** Promised to somebody. */
  promise?: Claim
  /** Kept for the one who asks. */
  isOwn: boolean
  /** Held, or a turnover night around held ones. */
  near?: Claim
  /** The owner's reason for a block. */
  block?: string
}

type Found = Pick<Night, 'booking' | 'event' | 'claim' | 'promise' | 'near' | 'block'> & { isWide?: boolean }

/**
 * The nights of a half-open range that are booked, imported, held, blocked or kept for turnover, by date, each with who may
 * book it now. Everything that books nights asks this function (CLAIM-06).
 */
export function whoMayBook(deps: Deps, db: Db, range: DateRange, eyes: Eyes = {}): Night[] {
  const { turnoverNights } = readSection(db, calendarSection).body
  const near = expandRange(range, turnoverNights)
  const bookings = bookingsWithin(db, near, eyes.applicationId)
  const kept = claimsWithin(deps, db, near)
  const claims = kept.filter(({ kind }) => kind !== 'promise')
  const today = todayAt(deps)
  const events = eyes.withoutImported ? [] : importedWithin(db, near, today)
  const isOwn = (claim: Claim | undefined) => claim !== undefined && isOf(claim, eyes)

  // By their distance from the first one. Only these: the range may have thousands of years.
  const nights = new Map<number, Found>()
  const indexOf = (date: CalendarDate) => nightsBetween(range.start, date)
  const at = (index: number): Found => {
    const night = nights.get(index) ?? {}
    nights.set(index, night)
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
      const end = indexOf(fresh.end)
      for (let index = indexOf(fresh.start); index < end; index++) set(at(index), by)
      doneTo = fresh.end
    }
  }
  for (const { date, reason } of blocksWithin(db, range)) at(indexOf(date)).block = reason
  mark(bookings, (night, booking) => Object.assign(night, { booking }))
  mark(events, (night, event) => Object.assign(night, { event }))
  mark(claims, (night, claim) => Object.assign(night, { claim }))
  mark(
    kept.filter(({ kind }) => kind === 'promise'),
    (night, promise) => Object.assign(night, { promise }),
  )
  mark(
    claims.filter(claim => !isOwn(claim)),
    (night, near) => Object.assign(night, { near }),
    turnoverNights,
  )
  const stays = [...bookings, ...events.filter(({ kind }) => kind !== 'block')]
  const byStart = stays.sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0))
  mark(byStart, night => Object.assign(night, { isWide: true }), turnoverNights)

  return [...nights]
    .sort(([a], [b]) => a - b)
    .map(([index, found]) =>
      presentNight(addDays(range.start, index), found, isOwn(found.claim ?? found.promise)),
    )
}

/** An addendum's nights are its booking's; an offer's are the person's, by account, or by email without one. */
function isOf({ applicationId, emailKey, id, kind, userId }: Claim, { claimId, ...eyes }: Eyes): boolean {
  if (id === claimId) return true
  if (eyes.applicationId !== undefined && applicationId === eyes.applicationId) return true
  if (kind === 'addendum') return false
  // The account's former email may belong to somebody else by now.
  if (userId !== null) return userId === eyes.userId
  return eyes.emailKey !== undefined && emailKey === eyes.emailKey
}

function presentNight(date: CalendarDate, night: Found, isOwn: boolean): Night {
  const { isWide, ...found } = night
  const beneath = standingOf(night)
  const isPromised = night.promise !== undefined && beneath !== 'booking' && beneath !== 'imported'
  const rule = nightRules[beneath === 'held' && isOwn ? 'own' : beneath]
  const isClosed = night.promise !== undefined && !night.promise.isOpenToPlatforms
  const isBlocked = found.block !== undefined || found.claim !== undefined || found.near !== undefined
  return {
    date,
    stands: isPromised || beneath === 'free' ? 'promised' : beneath,
    ...rule,
    ...(isPromised && { book: isOwn, accept: isOwn }),
    publicReason: rule.publicReason ?? found.block ?? null,
    exported: isWide ? 'Booked' : isBlocked || isClosed ? 'Blocked' : null,
    isOwn,
    ...found,
  }
}

/** What stands on a night, without a promise: visitors know nothing of it (CLAIM-30). */
function standingOf({
  block,
  booking,
  claim,
  event,
  isWide,
  near,
}: Found): Exclude<Standing, 'promised'> | 'free' {
  if (booking) return 'booking'
  if (event) return 'imported'
  if (claim) return 'held'
  if (isWide || near) return 'turnover'
  return block === undefined ? 'free' : 'blocked'
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
 * Must run in the write that books or holds the nights, so that one of two fails. Own bookings do not count, imported
 * events are asked about elsewhere. What is kept for the booking's own tenant becomes this booking.
 * @throws AppError like `checkFree`; conflict for a part of what is kept for the tenant
 */
export function assertFree(deps: Deps, tx: Tx, stay: DateRange, applicationId: string): void {
  endOverClaims(deps, tx)
  const own = checkFree(deps, tx, stay, eyesOf(tx, applicationId))
  // Otherwise the rest of its nights would be released without a notice.
  for (const claim of own)
    if (claim.kind !== 'addendum' && !contains(stay, claim))
      throw new AppError('conflict', claimMessages.partOfOwn(formatShortStay(claim), claim.kind))
  const taken = [...new Set(own.filter(({ kind }) => kind !== 'addendum').map(({ id }) => id))]
  for (const id of taken) setClaim(tx, id, { acceptedApplicationId: applicationId })
  if (taken.length > 0) endClaims(deps, tx, system, taken, 'done')
}

/**
 * Changes nothing. Returns the claims of this person on these nights.
 * @throws AppError conflict naming the other booking, or whom the nights are kept for (CLAIM-07)
 */
export function checkFree(deps: Deps, db: Db, stay: DateRange, eyes: Eyes): Claim[] {
  const nights = whoMayBook(deps, db, stay, { ...eyes, withoutImported: true })
  const other = nights.find(({ booking }) => booking)?.booking
  if (other)
    throw new AppError(
      'conflict',
      `These dates overlap application ${other.number}, which is booked for ${formatStay(other)}.`,
    )
  const kept = nights.flatMap(({ claim, isOwn, promise }) => {
    const by = claim ?? promise
    return by ? [{ by, isOwn }] : []
  })
  const others = kept.find(({ isOwn }) => !isOwn)
  if (others) throw keptFor(deps, others.by)
  return kept.map(({ by }) => by)
}

const contains = (stay: DateRange, { end, start }: DateRange) => stay.start <= start && end <= stay.end

/** The error that these nights are kept for somebody else (CLAIM-07). */
export function keptFor({ config }: Deps, { kind, state, untilAt, who }: Claim): AppError {
  const until = untilText(untilAt, config.site.timeZone)
  const isAsked = state === 'asked'
  const message =
    kind === 'promise' ? claimMessages.promised(who, until, isAsked) : claimMessages.held(who, until)
  return new AppError('conflict', message)
}

/** Whom a booking's nights can be kept for. An email counts once its mailbox is proven (FIX-27). */
export function eyesOf(db: Db, applicationId: string): Eyes {
  const found = db
    .select({ account: users })
    .from(applications)
    .innerJoin(users, eq(users.id, applications.userId))
    .where(eq(applications.id, applicationId))
    .get()
  if (!found) return { applicationId }
  const { emailKey, id: userId } = found.account
  return { applicationId, userId, ...(isMailboxProven(found.account) && { emailKey }) }
}
