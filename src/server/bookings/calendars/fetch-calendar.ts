import type { Reading } from '../../../domain/calendars/calendar-matching.ts'
import { readingErrors } from '../../../domain/calendars/calendar-messages.ts'
import { type Deps, nowIso, todayAt } from '../../kernel/deps.ts'
import type { FetchFailed, FetchRejected, FetchSucceeded } from '../../lib/guarded-fetch.ts'
import { sha256 } from '../../lib/sha256.ts'
import type { FeedRow } from './records.ts'

/** Endless recurrences are expanded for 18 months, so even an unchanged file must be parsed again now and then. */
const parsedForMs = 24 * 3_600_000

/** The comparison values of a feed that was not read; `parsedAt: null` forces the next reading to parse the file. */
export const unreadFeedState = { etag: null, lastModified: null, bodySha256: null, parsedAt: null }

type AskedFeed = Pick<FeedRow, 'url' | 'provider' | 'unreadable' | keyof typeof unreadFeedState>
/** A successful reading, and the values that the next reading compares with (CAL-14). */
export type GoodCalendar = {
  kind: 'good'
  reading: Reading
  seen: Pick<FeedRow, keyof typeof unreadFeedState>
}
/** The calendar or its address is invalid: a retry would not help. */
export type RefusedCalendar = Pick<FetchRejected, 'kind' | 'message' | 'retryAfterSeconds'>
export type FetchedCalendar = GoodCalendar | RefusedCalendar | FetchFailed

/**
 * Fetches a feed's file and parses it, unless the same file was parsed within the last day (CAL-13).
 * @throws AppError unavailable when the parser is busy
 */
export async function fetchCalendar(deps: Deps, feed: AskedFeed): Promise<FetchedCalendar> {
  const { etag, lastModified, url } = feed
  const isKnown = wasParsedLately(feed, deps.clock.now())
  const answer = await deps.fetchCalendar(isKnown ? { url, etag, lastModified } : { url })
  if (answer.kind !== 'answered') return answer
  const isUnchanged = answer.notModified || (isKnown && sha256(answer.body) === feed.bodySha256)
  return isUnchanged ? unchanged(feed, answer) : parse(deps, feed, answer)
}

function wasParsedLately({ parsedAt }: AskedFeed, now: Date): boolean {
  const ageMs = parsedAt === null ? -1 : now.getTime() - Date.parse(parsedAt)
  return ageMs >= 0 && ageMs < parsedForMs
}

function unchanged(
  { bodySha256, etag, lastModified, parsedAt, unreadable }: AskedFeed,
  answer: FetchSucceeded,
): GoodCalendar {
  // A 304 response may omit the ETag and Last-Modified headers.
  const kept = answer.notModified ? { etag, lastModified } : unreadFeedState
  return {
    kind: 'good',
    reading: { events: null, eventCount: 0, unreadable },
    seen: {
      etag: answer.etag ?? kept.etag,
      lastModified: answer.lastModified ?? kept.lastModified,
      bodySha256,
      parsedAt,
    },
  }
}

async function parse(
  deps: Deps,
  { provider }: AskedFeed,
  { body, etag, lastModified }: FetchSucceeded,
): Promise<GoodCalendar | RefusedCalendar> {
  const { timeZone } = deps.config.site
  // Hash first: the bytes are transferred to the parser's thread.
  const bodySha256 = sha256(body)
  const today = todayAt(deps)
  const parsed = await deps.calendarParser.parse({ bytes: body, provider, timeZone, today })
  if ('problem' in parsed) return { kind: 'refused', message: readingErrors[parsed.problem]() }
  return {
    kind: 'good',
    reading: parsed,
    seen: {
      etag: etag ?? null,
      lastModified: lastModified ?? null,
      bodySha256,
      parsedAt: nowIso(deps),
    },
  }
}
