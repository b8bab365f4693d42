import { feedStateOf } from '../../../domain/calendars/calendar-feed.ts'
import { nightsText, calendarNotices as titles } from '../../../domain/calendars/calendar-messages.ts'
import { formatMoment } from '../../../domain/common/dates.ts'
import { plural } from '../../../domain/common/plural.ts'
import { type Deps, todayAt } from '../../kernel/deps.ts'
import type { NoticeCheck } from '../../kernel/notice.ts'
import { listConflicts, mailedConflicts } from './conflicts.ts'
import {
  countBlocking,
  type EventRow,
  type ExportRow,
  type FeedRow,
  listEndedEchoes,
  listExportRows,
  listFeedRows,
} from './records.ts'
import { feedAddress } from './stored-address.ts'
import type { CalendarNotice } from './views.ts'

const conflictPrefix = 'calendar-conflict-'
/** How many events of a feed are asked about at once. */
const maxEchoNotices = 20
/** Platforms fetch every 3 to 24 hours (CAL-61). */
const unfetchedMs = 48 * 3_600_000

/** Notices about calendars (CAL-42, CAL-48, CAL-60, CAL-61), as the notice board lists them. */
export const calendars: NoticeCheck = deps => {
  const notices = calendarNotices(deps)
  const isConflict = ({ id }: CalendarNotice) => id.startsWith(conflictPrefix)
  const mailed = notices.some(isConflict) ? mailedConflicts(deps.db) : new Set()
  return notices.map(notice => ({
    ...notice,
    action: { kind: 'calendars' },
    ownMail: isConflict(notice)
      ? mailed.has(notice.id.slice(conflictPrefix.length))
      : notice.id.startsWith('calendar-failing-'),
  }))
}

/** The same notices, as the Calendars page lists them. */
export function calendarNotices(deps: Deps, conflicts = listConflicts(deps.db, deps)): CalendarNotice[] {
  const feeds = listFeedRows(deps.db)
  return [
    ...(feeds.length > 0 ? doubleBookings(conflicts, listExportRows(deps.db)) : []),
    ...feeds.flatMap(feed => aboutFeed(deps, feed)),
    ...unfetchedExports(deps),
  ]
}

function doubleBookings(
  { conflicts, more }: ReturnType<typeof listConflicts>,
  exports: ExportRow[],
): CalendarNotice[] {
  const unlinked = exports.find(({ feedId, scope }) => scope === 'platform' && feedId === null)
  const notices = conflicts
    .filter(({ acknowledgedAt }) => acknowledgedAt === null)
    .map(
      ({
        applicationNumber,
        claimKind = 'offer',
        claimName,
        createdAt,
        endDate,
        feedId,
        feedName,
        id,
        otherFeedName,
        startDate,
      }): CalendarNotice => ({
        id: `${conflictPrefix}${id}`,
        tone: 'danger',
        title: claimName
          ? titles.kept(feedName, claimName, claimKind)
          : titles.conflict(feedName, applicationNumber ?? otherFeedName ?? ''),
        detail: `Both have ${nightsText([{ start: startDate, end: endDate }])}. ${
          claimName
            ? `Decide who gets them: withdraw the ${claimKind}, or clear the other one where it was booked.`
            : 'Decide which guest stays, and clear the other one where it was booked.'
        }${
          unlinked && otherFeedName === null && !exports.some(each => each.feedId === feedId)
            ? ` Link the calendar ${unlinked.name} to ${feedName}, so that repeats are told apart.`
            : ''
        }`,
        at: createdAt,
      }),
    )
  if (more === 0) return notices
  return [
    ...notices,
    {
      id: `${conflictPrefix}more`,
      tone: 'danger',
      title: titles.moreConflicts(more),
      detail:
        'They appear here as the ones above are dealt with. If a calendar is wrong, remove it: then its double bookings are gone.',
      at: null,
    },
  ]
}

function aboutFeed(deps: Deps, feed: FeedRow): CalendarNotice[] {
  const today = todayAt(deps)
  const { emptySince, id, lastSuccessAt, name, unreadable } = feed
  const emptyNotice: CalendarNotice = {
    id: `calendar-empty-${id}`,
    tone: 'warning',
    title: titles.empty(name),
    detail: `The nights of ${plural(countBlocking(deps.db, id, today), 'event')} stay taken until it has been empty for 24 hours, or you say that this is right.`,
    at: emptySince,
  }
  const unreadableNotice: CalendarNotice = {
    id: `calendar-unreadable-${id}`,
    tone: 'warning',
    title: titles.unreadable(name, unreadable),
    detail: 'Their nights are not taken here. Until all can be read, nothing that is missing there is freed.',
    at: lastSuccessAt,
  }
  return [
    ...(feedAddress(deps, feed) === undefined ? [lockedFeed(feed)] : lateReading(deps, feed)),
    ...(emptySince === null ? [] : [emptyNotice]),
    ...endedEchoes(feed, listEndedEchoes(deps.db, id, today)),
    ...(unreadable === 0 ? [] : [unreadableNotice]),
  ]
}

/** The database was restored or copied without its key. */
function lockedFeed({ createdAt, id, lastSuccessAt, name }: FeedRow): CalendarNotice {
  return {
    id: `calendar-locked-${id}`,
    tone: 'danger',
    title: titles.locked(name),
    detail:
      'Its address cannot be opened with this site’s secret.key. Put the former secret.key back beside the database and restart the site, or edit the calendar and enter its address again. Until then its nights stay taken, but what is booked there now can be booked here as well.',
    at: lastSuccessAt ?? createdAt,
  }
}

function lateReading({ clock, config }: Deps, feed: FeedRow): CalendarNotice[] {
  const { createdAt, id, lastError, lastSuccessAt, name } = feed
  const state = feedStateOf(feed, clock.now())
  if (state !== 'stale' && state !== 'failing') return []
  const last =
    lastSuccessAt === null ? 'Never read.' : `Last read ${formatMoment(lastSuccessAt, config.site.timeZone)}.`
  const consequence = 'Its nights stay taken, but what is booked there now can be booked here as well.'
  return [
    {
      id: `calendar-${state}-${id}`,
      tone: state === 'failing' ? 'danger' : 'warning',
      title: titles[state](name),
      detail: [last, lastError, consequence].filter(part => part !== null).join(' '),
      at: lastSuccessAt ?? createdAt,
    },
  ]
}

function endedEchoes(feed: FeedRow, events: EventRow[]): CalendarNotice[] {
  const notices = events.slice(0, maxEchoNotices).map(event => endedEcho(feed, event))
  const more = events.length - notices.length
  if (more === 0) return notices
  return [
    ...notices,
    {
      id: `calendar-echoes-${feed.id}`,
      tone: 'warning',
      title: titles.moreEchoes(feed.name, more),
      detail: 'They appear here as the ones above are released or kept.',
      at: null,
    },
  ]
}

function endedEcho({ name }: FeedRow, { coveredAt, end, id, start }: EventRow): CalendarNotice {
  return {
    id: `calendar-echo-${id}`,
    tone: 'warning',
    title: titles.echo(name, { start, end }),
    detail: 'If nobody booked them there, free them under Other platforms; if somebody did, keep them.',
    at: coveredAt,
  }
}

function unfetchedExports(deps: Deps): CalendarNotice[] {
  const before = new Date(deps.clock.now().getTime() - unfetchedMs).toISOString()
  return listExportRows(deps.db).flatMap(({ id, lastFetchedAt, name, scope }) => {
    if (scope !== 'platform' || lastFetchedAt === null || lastFetchedAt > before) return []
    const last = formatMoment(lastFetchedAt, deps.config.site.timeZone)
    return [
      {
        id: `calendar-unread-${id}`,
        tone: 'warning',
        title: titles.unread(name),
        detail: `Last fetched ${last}. Nights that were booked here since then can be booked there as well.`,
        at: lastFetchedAt,
      },
    ]
  })
}
