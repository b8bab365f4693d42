import { randomBytes, randomUUID } from 'node:crypto'
import { and, eq, gt, inArray, isNull, like, lte, max, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import {
  applications,
  availability,
  calendarExports,
  calendarPublished,
  isBookedRow,
} from '../../../../db/schema.ts'
import { claimMessages } from '../../../domain/bookings/claim.ts'
import { exportedNights, type PlatformExport } from '../../../domain/calendars/calendar-echo.ts'
import { expandRange, maxNightsAhead } from '../../../domain/calendars/calendar-event.ts'
import { bookingSummary, departuresKeptDays } from '../../../domain/calendars/calendar-file.ts'
import {
  assignRunUids,
  diffPublished,
  groupConsecutiveNights,
  type Published,
} from '../../../domain/calendars/calendar-published.ts'
import {
  addDays,
  addMonths,
  type CalendarDate,
  type DateRange,
  datesInRange,
  endOfMonth,
  startOfMonth,
} from '../../../domain/common/dates.ts'
import { createLru } from '../../../domain/common/lru.ts'
import { calendarSection } from '../../../domain/content/settings-section.ts'
import { cachedUntilWrite } from '../../kernel/cached-until-write.ts'
import { type Deps, nowIso, todayAt } from '../../kernel/deps.ts'
import { addFact, readFact } from '../../kernel/installation-facts.ts'
import { finish } from '../../kernel/write.ts'
import { allParts, inParts, partsWhile } from '../../lib/parts.ts'
import { sha256 } from '../../lib/sha256.ts'
import { readSection } from '../../site/settings.ts'
import { claimsWithin, liveClaimsKey } from '../claim-records.ts'
import { importedWithin } from '../imported-nights.ts'
import { bookingsWithin } from '../nights.ts'
import { whoMayBook } from '../who-may-book.ts'
import { listExportRows } from './records.ts'

/** A stay, imported event or run of blocked nights that exports include, with its dates without turnover nights. */
export type ExportSource = DateRange & {
  kind: 'booking' | 'imported' | 'block'
  uid: string
  /** Only for an imported event. */
  eventId: string | null
  feedId: string | null
  /** When the application of a booking was last written; missing for others. */
  updatedAt?: string | undefined
  /** The title in the owner's calendar (CAL-57). */
  summary: string
  /** The row that exports publish, with turnover nights. */
  published: Published
}

const uidDomainKey = 'calendarUidDomain'
/** UID prefix of runs of blocked nights. They have no record, so their UIDs are found by this prefix. */
const blockPrefix = 'block-'
/** SQLite limits the parameters of a statement, and feeds may have more events than that. */
const maxUidsAtOnce = 1000
/** Memory for the files of exports, which may have 3 MB each. */
const maxFileBytes = 16 * 1024 * 1024
/** How often exports are read without a write; another write may come in between each time. */
const maxReads = 3

/** The random domain of this site's UIDs, created once (CAL-46, CAL-54). */
export function uidDomainOf(tx: Tx): string {
  const known = readFact(tx, uidDomainKey)
  if (known !== undefined) return known
  addFact(tx, uidDomainKey, `${randomBytes(16).toString('hex')}.invalid`)
  return uidDomainOf(tx)
}

/**
 * Updates the published rows, in the write that changes or serves them; does nothing without an export.
 * @returns everything that exports include now, and past departures, which only the cleaner's calendar shows
 */
export const syncPublished = (deps: Deps, tx: Tx): ExportSource[] => allParts(syncPublishedInParts(deps, tx))

/** The same in parts, for a feed that may have thousands of events. */
export function* syncPublishedInParts(deps: Deps, tx: Tx): Generator<void, ExportSource[]> {
  if (listExportRows(tx).length === 0) return []
  uidDomainOf(tx)
  const { changed, sources } = yield* comparePublished(deps, tx)
  yield* storePublished(deps, tx, changed)
  return sources
}

function* storePublished(deps: Deps, tx: Tx, rows: readonly Published[]): Generator<void> {
  if (rows.length === 0) return
  // Once that time has come, a fetch while the clock was ahead would look later than these changes.
  tx.update(calendarExports)
    .set({ lastFetchedAt: null })
    .where(gt(calendarExports.lastFetchedAt, nowIso(deps)))
    .run()
  const value = (name: keyof Published) => sql`${sql.placeholder(name)}`
  const set = {
    start: value('start'),
    end: value('end'),
    sequence: value('sequence'),
    changedAt: value('changedAt'),
    goneAt: value('goneAt'),
  }
  // Prepared, because there may be thousands of rows.
  const store = tx
    .insert(calendarPublished)
    .values({ uid: value('uid'), ...set })
    .onConflictDoUpdate({ target: calendarPublished.uid, set })
    .prepare()
  yield* inParts(rows, row => void store.run(row))
}

/** Deletes the published rows of events that were deleted. */
export function forgetPublished(tx: Tx, eventIds: readonly string[]): void {
  const uidOf = uidsIn(tx)
  tx.delete(calendarPublished)
    .where(inArray(calendarPublished.uid, eventIds.map(uidOf)))
    .run()
}

/** Whether `syncPublished` would change anything; checked before a write, to avoid empty writes. */
export function needsPublishSync(deps: Deps, db: Db): boolean {
  return listExportRows(db).length > 0 && allParts(comparePublished(deps, db)).changed.length > 0
}

/** What exports include, when it last changed, and the files that were written of it. */
export type PublishedSources = {
  sources: ExportSource[]
  changedAt: string
  files: ReturnType<typeof createLru<string, Buffer>>
}

/**
 * What exports include now; undefined if something must be published first. Found once until the next write, without
 * a write and in parts, because anyone who has an address can ask for it.
 */
export async function publishedSources(deps: Deps): Promise<PublishedSources | undefined> {
  const today = todayAt(deps)
  const read = async () => {
    const version = deps.dataVersion()
    const isSame = () => deps.dataVersion() === version
    const compared = await finish(partsWhile(isSame, comparePublished(deps, deps.db)))
    if (!compared || !isSame()) return 'changed'
    const { changed, sources } = compared
    if (changed.length > 0) return 'unpublished'
    const changedAt = sources.reduce((last, { published: { changedAt } }) => laterOf(last, changedAt), '')
    return { sources, changedAt, files: createLru<string, Buffer>(maxFileBytes, file => file.byteLength) }
  }
  for (let tries = 0; tries < maxReads; tries++) {
    const found = await cachedUntilWrite(deps, `published sources ${today} ${liveClaimsKey(deps)}`, read)
    if (typeof found === 'object') return found
    if (found === 'unpublished') return undefined
  }
  return undefined
}

function laterOf(one: string, other: string): string {
  return one < other ? other : one
}

/** Platform exports for this feed or for no feed, with the nights of everything but this feed's own events. */
export const platformExportsFor = (deps: Deps, db: Db, feedId: string): PlatformExport[] =>
  allParts(platformExportsInParts(deps, db, feedId))

/** The same in parts. */
export function* platformExportsInParts(
  deps: Deps,
  db: Db,
  feedId: string,
): Generator<void, PlatformExport[]> {
  const exports = listExportRows(db).filter(
    row => row.scope === 'platform' && (row.feedId === feedId || row.feedId === null),
  )
  if (exports.length === 0) return []
  // The current state, including changes that are not stored yet.
  const { sources } = yield* comparePublished(deps, db)
  yield
  const others = sources.filter(source => source.feedId !== feedId)
  const exported = exportedNights(
    others.map(({ published, updatedAt }) => ({
      ...published,
      // What was not written since is published anew, but not booked anew.
      bookedAt: updatedAt && [updatedAt, published.changedAt].sort()[0],
    })),
  )
  const now = nowIso(deps)
  // Anybody may have fetched an export without a feed, and a fetch in the future was none: they prove nothing.
  const isProof = ({ feedId, lastFetchedAt }: (typeof exports)[number]) =>
    feedId !== null && lastFetchedAt !== null && lastFetchedAt <= now
  return exports.map(row => ({ ...exported, lastFetchedAt: isProof(row) ? row.lastFetchedAt : null }))
}

/** Compares the current sources with the published rows. */
function* comparePublished(
  deps: Deps,
  db: Db,
): Generator<void, { sources: ExportSource[]; changed: Published[] }> {
  const today = todayAt(deps)
  const { turnoverNights } = readSection(db, calendarSection).body
  const current = currentRows(db, today)
  yield
  const found = yield* findSources(deps, db, today, current)
  yield
  const wanted = found.map(({ end, kind, start, uid }) => ({
    uid,
    ...(kind === 'block' || turnoverNights === 0
      ? { start, end }
      : expandRange({ start, end }, turnoverNights)),
  }))
  const stored = [...current, ...removedRows(db, wanted, current)]
  yield
  const changed = diffPublished(stored, wanted, changeTimestamp(deps, db))
  const rows = new Map([...stored, ...changed].map(row => [row.uid, row]))
  const sources = found.flatMap(source => {
    const published = rows.get(source.uid)
    return published ? [{ ...source, published }] : []
  })
  return { sources, changed }
}

/** Current rows, and removed runs of blocked nights, which may return. */
function currentRows(db: Db, today: CalendarDate): Published[] {
  return db
    .select()
    .from(calendarPublished)
    .where(
      or(
        isNull(calendarPublished.goneAt),
        and(gt(calendarPublished.end, today), like(calendarPublished.uid, `${blockPrefix}%`)),
      ),
    )
    .all()
}

/** Removed rows that are published again. */
function removedRows(db: Db, wanted: { uid: string }[], current: Published[]): Published[] {
  const known = new Set(current.map(({ uid }) => uid))
  const unknown = wanted.map(({ uid }) => uid).filter(uid => !known.has(uid))
  const rows: Published[] = []
  for (let from = 0; from < unknown.length; from += maxUidsAtOnce) {
    const some = unknown.slice(from, from + maxUidsAtOnce)
    rows.push(...db.select().from(calendarPublished).where(inArray(calendarPublished.uid, some)).all())
  }
  return rows
}

/** When exports were last read for a fetch, which is stored after its answer. */
const lastReads = new WeakMap<Db, string>()

/** Notes when exports were read, so that each later change has a later time. */
export const noteRead = (deps: Deps, at: string): void => void lastReads.set(deps.db, at)

/**
 * A time later than any fetch so far, even within the same millisecond, so that a change never looks as if it was already
 * fetched (CAL-47). Fetches in the future do not count: `storePublished` forgets them.
 */
function changeTimestamp(deps: Deps, db: Db): string {
  const now = nowIso(deps)
  const fetched = db
    .select({ last: max(calendarExports.lastFetchedAt) })
    .from(calendarExports)
    .where(lte(calendarExports.lastFetchedAt, now))
    .get()?.last
  return fetched === now || lastReads.get(deps.db) === now ? new Date(Date.parse(now) + 1).toISOString() : now
}

/** The UIDs of bookings and imported events. */
function uidsIn(db: Db): (id: string) => string {
  const domain = readFact(db, uidDomainKey) ?? ''
  return id => `${sha256(`${domain} ${id}`).slice(0, 32)}@${domain}`
}

function* findSources(
  deps: Deps,
  db: Db,
  today: CalendarDate,
  current: Published[],
): Generator<void, Omit<ExportSource, 'published'>[]> {
  const uidOf = uidsIn(db)
  // An endless event is cut at the end of a month, otherwise its end would change every day.
  const far = addDays(endOfMonth(addDays(today, maxNightsAhead)), 1)
  // The start of an event that began long ago is cut too: some programs reject such dates, and each night costs time.
  const longAgo = startOfMonth(addMonths(today, -12))
  const start = addDays(today, -departuresKeptDays - 1)
  const rows = db
    .select({ id: applications.id, at: applications.updatedAt })
    .from(applications)
    .where(isBookedRow)
    .all()
  const updatedAt = new Map(rows.map(({ at, id }) => [id, at]))
  const bookings = bookingsWithin(db, { start, end: '9999-12-31' }).map(({ end, id, start, ...booking }) => ({
    kind: 'booking' as const,
    updatedAt: updatedAt.get(id),
    uid: uidOf(id),
    start,
    end,
    eventId: null,
    feedId: null,
    summary: bookingSummary(booking),
  }))
  yield
  const imported = importedWithin(db, { start, end: far }, addDays(far, -maxNightsAhead - 1))
    .filter(({ kind }) => kind !== 'block')
    .map(({ end, eventId, feedId, feedName, start }) => ({
      kind: 'imported' as const,
      uid: uidOf(eventId),
      start: laterOf(start, longAgo),
      end,
      eventId,
      feedId,
      summary: feedName,
    }))
  yield
  const blocks = assignRunUids(
    blockedRuns(deps, db, today),
    current.filter(({ uid }) => uid.startsWith(blockPrefix)),
    () => `${blockPrefix}${randomUUID()}@${readFact(db, uidDomainKey) ?? ''}`,
  ).map(run => ({ kind: 'block' as const, eventId: null, feedId: null, ...run }))
  return [...bookings, ...imported, ...blocks]
}

/**
 * Complete runs of nights that the owner blocked, that are held, with their turnover nights, or promised, without booked nights, if
 * they end after today (CAL-53).
 */
function blockedRuns(deps: Deps, db: Db, today: CalendarDate): (DateRange & { summary: string })[] {
  const { turnoverNights } = readSection(db, calendarSection).body
  const blocked = db
    .select({ date: availability.date })
    .from(availability)
    .where(eq(availability.isAvailable, false))
    .all()
  const held = claimsWithin(deps, db, { start: today, end: '9999-12-31' }).flatMap(claim => {
    if (claim.kind !== 'promise') return datesInRange(expandRange(claim, turnoverNights))
    return claim.isOpenToPlatforms ? [] : datesInRange(claim)
  })
  const dates = new Set([...blocked.map(({ date }) => date), ...held])
  const nights = [...dates].sort().map(date => ({ date }))
  const endsLater = (run: { date: CalendarDate }[]) => (run.at(-1)?.date ?? '') >= today
  const standing = groupConsecutiveNights(nights).filter(endsLater).flat()
  const [first, last] = [standing[0], standing.at(-1)]
  if (!first || !last) return []
  const range = { start: first.date, end: addDays(last.date, 1) }
  const wanted = whoMayBook(deps, db, range, { withoutImported: true }).filter(
    ({ block, booking, exported, near, promise }) =>
      !booking && (block !== undefined || near || (promise && exported !== null)),
  )
  return groupConsecutiveNights(wanted)
    .filter(endsLater)
    .map(run => ({
      start: run[0]?.date ?? first.date,
      end: addDays(run.at(-1)?.date ?? last.date, 1),
      summary: [
        ...new Set(
          run.flatMap(({ block, near, promise }) =>
            [
              block ?? [],
              near ? claimMessages.holder(near.who) : [],
              promise ? claimMessages.promisee(promise.who) : [],
            ].flat(),
          ),
        ),
      ].join(', '),
    }))
}
