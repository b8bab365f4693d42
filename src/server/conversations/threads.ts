import { and, asc, desc, eq, gt, inArray, isNull, lt, ne, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { applications, events, files, messageFiles, messages, messageThreads } from '../../../db/schema.ts'
import type { SignedIn } from '../../domain/accounts/access.ts'
import { messagesSection } from '../../domain/arrival/stay-settings.ts'
import { dateIn } from '../../domain/common/dates.ts'
import { AppError } from '../../domain/common/errors.ts'
import { isClosed, messageRefusals, type Side, threadsPerPage } from '../../domain/conversations/message.ts'
import {
  type ApplicationRow,
  bookedStayOf,
  getSubmittedApplication,
  isClosedToAccount,
} from '../bookings/records.ts'
import { type Deps, todayAt } from '../kernel/deps.ts'
import { view } from '../kernel/view.ts'
import { currentSite } from '../site/content/published.ts'
import { readSection } from '../site/settings.ts'
import { type MessageView, messageView, type ThreadsView, type ThreadView } from './views.ts'

export type MessageRow = typeof messages.$inferSelect

/** Whether the owner has switched messages on (MSG-01). */
export const isOn = (db: Db): boolean => readSection(db, messagesSection).body.enabled

/** @throws AppError conflict while off (MSG-01) */
export function requireOn(db: Db): void {
  if (!isOn(db)) throw new AppError('conflict', messageRefusals.off)
}

/** Administrators are one side. */
export const sideOf = ({ role }: SignedIn): Side => (role === 'admin' ? 'owner' : 'tenant')

const ofThread = eq(messages.applicationId, messageThreads.applicationId)
const readMarks = { tenant: messageThreads.tenantRead, owner: messageThreads.ownerRead }
/** The other side's messages above a side's mark, without what was noted (MSG-05). */
export const isUnreadBy = (side: Side) =>
  and(ofThread, ne(messages.side, side), ne(messages.via, 'noted'), gt(messages.number, readMarks[side]))

/** The tenant's oldest message that waits for an answer (MSG-06). Both parts are one step in `messages_side`. */
const waitingSince = sql<string | null>`(select m.created_at from messages m
  where m.application_id = ${messageThreads.applicationId} and m.side = 'tenant'
  and m.number > max(${messageThreads.answered}, coalesce((select max(o.number) from messages o
    where o.application_id = ${messageThreads.applicationId} and o.side = 'owner'), 0))
  order by m.number limit 1)`
const unreadBy = (side: Side) => sql<number>`(select count(*) from ${messages} where ${isUnreadBy(side)})`
const isLast = sql`${messages.number} = (select max(l.number) from messages l
  where l.application_id = ${messageThreads.applicationId})`

const { firstName, id, lastName, number, stayEndDate, stayStartDate, status } = applications
const application = { id, number, status, firstName, lastName, stayStartDate, stayEndDate }

/** Threads of applications that are there, each with its last message. */
export const selectThreads = (db: Db, side: Side, where?: SQL) =>
  db
    .select({
      application,
      thread: messageThreads,
      waitingSince,
      unread: unreadBy(side),
      last: {
        number: messages.number,
        side: messages.side,
        at: messages.createdAt,
        text: shortText(1),
      },
    })
    .from(messageThreads)
    .innerJoin(messages, and(ofThread, isLast))
    .innerJoin(applications, eq(applications.id, messageThreads.applicationId))
    .where(and(isNull(applications.deletedAt), where))

const shortText = (from: number | SQL) => sql<string>`substr(${messages.body}, ${from}, 100)`

/** A thread's state for a side. */
export function stateOf(db: Db, side: Side, applicationId: string) {
  const found = db
    .select({ lastRead: readMarks[side], unread: unreadBy(side), waitingSince })
    .from(messageThreads)
    // Without a join, Drizzle names no tables, and the parts would read their own columns.
    .innerJoin(
      applications,
      and(eq(applications.id, messageThreads.applicationId), isNull(applications.deletedAt)),
    )
    .where(eq(messageThreads.applicationId, applicationId))
    .get()
  const { lastRead = 0, unread = 0, waitingSince: since = null } = found ?? {}
  return { unread, waiting: since !== null, lastRead }
}

/** The threads that wait for an answer of the owner, longest first. */
export function waitingThreads(deps: Pick<Deps, 'db'>) {
  if (!isOn(deps.db)) return []
  return deps.db
    .select({ application, since: waitingSince })
    .from(messageThreads)
    .innerJoin(applications, eq(applications.id, messageThreads.applicationId))
    .where(isNull(applications.deletedAt))
    .all()
    .flatMap(({ application, since }) => (since === null ? [] : [{ application, since }]))
    .toSorted((a, b) => (a.since < b.since ? -1 : 1))
}

/** Why nobody can write any more; null while they can (MSG-17). */
export function closedSentence(deps: Deps, db: Db, { id, status, ...application }: ApplicationRow) {
  const { ownerEmail, timeZone } = currentSite(deps)
  const kinds = ['application.rejected', 'application.withdrawn', 'application.cancelled']
  const ended = and(eq(events.subjectId, id), inArray(events.kind, kinds))
  const at = db.select({ at: events.at }).from(events).where(ended).orderBy(desc(events.id)).get()?.at
  const endedOn = dateIn(new Date(at ?? application.updatedAt), timeZone)
  return isClosed({ status, endDate: application.stayEndDate }, endedOn, todayAt(deps))
    ? messageRefusals.closed(ownerEmail)
    : null
}

/** The message texts on one page. */
const maxPageBytes = 256 * 1024

type ThreadPage = { applicationId: string; before?: number | undefined; limit?: number | undefined }

/** A page of a thread; null while off. Marks nothing as read. @throws AppError not_found */
export function readThread(deps: Deps, actor: SignedIn, page: ThreadPage): ThreadView | null {
  const { db } = deps
  const { applicationId, before = Number.MAX_SAFE_INTEGER, limit = 50 } = page
  if (!isOn(db)) return null
  const { application } = getSubmittedApplication(db, actor, applicationId)
  const newest = db
    .select()
    .from(messages)
    .where(and(eq(messages.applicationId, applicationId), lt(messages.number, before)))
    .orderBy(desc(messages.number))
    .limit(limit + 1)
    .all()
  let bytes = 0
  const shown = newest.slice(0, limit).filter(({ body }) => {
    bytes += Buffer.byteLength(body)
    return bytes <= maxPageBytes
  })
  const closed = closedSentence(deps, db, application)
  return {
    applicationId,
    applicationNumber: application.number,
    tenantName: `${application.firstName} ${application.lastName}`,
    messages: viewMessages(db, shown.toReversed()),
    hasMore: newest.length > shown.length,
    ...stateOf(db, sideOf(actor), applicationId),
    canWrite: closed === null,
    closed,
  }
}

/** Messages of one thread with their files. */
export function viewMessages(db: Db, rows: readonly MessageRow[]): MessageView[] {
  const numbers = rows.map(({ number }) => number)
  const isOfThese = and(
    eq(messageFiles.applicationId, rows[0]?.applicationId ?? ''),
    inArray(messageFiles.number, numbers),
  )
  const { contentType, id, originalName: name, sizeBytes } = files
  const attached = db
    .select({ number: messageFiles.number, file: { id, name, contentType, sizeBytes } })
    .from(messageFiles)
    .innerJoin(files, eq(files.id, messageFiles.fileId))
    .where(isOfThese)
    .orderBy(asc(messageFiles.position))
    .all()
  return rows.map(row =>
    view(messageView, {
      ...row,
      files: attached.filter(({ number }) => number === row.number).map(({ file }) => file),
    }),
  )
}

/**
 * What the caller has not read, and the threads with something unread or waiting; nothing while off (MSG-05), and
 * nothing of a booking that is closed to the account (FIX-27).
 */
export function countUnread(deps: Deps, actor: SignedIn) {
  const own = actor.role === 'admin' ? undefined : eq(applications.userId, actor.userId)
  const threads = (isOn(deps.db) ? selectThreads(deps.db, sideOf(actor), own).all() : [])
    .filter(({ application: { id } }) => actor.role === 'admin' || !isClosedToAccount(deps.db, id))
    .map(({ thread: { applicationId }, unread, waitingSince }) => ({
      applicationId,
      unread,
      waiting: waitingSince !== null,
    }))
    .filter(({ unread, waiting }) => unread > 0 || waiting)
  return { unread: threads.reduce((sum, { unread }) => sum + unread, 0), threads }
}

type ThreadsQuery = { q?: string | undefined; filter: 'waiting' | 'unread' | 'all'; page: number }

/** The owner's threads: waiting ones first, longest first, then the newest (MSG-06, MSG-16). @throws AppError conflict while off */
export function listThreads(deps: Deps, { filter, page, q = '' }: ThreadsQuery): ThreadsView {
  requireOn(deps.db)
  const all = selectThreads(deps.db, 'owner').all()
  const isWaiting = ({ waitingSince }: (typeof all)[number]) => waitingSince !== null
  const found = q.length >= 2 ? search(deps.db, q) : undefined
  const rankOf = ({ last, waitingSince }: (typeof all)[number]) =>
    waitingSince && !found ? Date.parse(waitingSince) - 1e15 : -Date.parse(last.at)
  return {
    threads: all
      .filter(each => (filter === 'waiting' ? isWaiting(each) : filter === 'all' || each.unread > 0))
      .filter(({ application }) => !found || found.has(application.id))
      .toSorted((a, b) => rankOf(a) - rankOf(b))
      .slice((page - 1) * threadsPerPage, page * threadsPerPage)
      .map(({ application, last, unread, waitingSince }) => ({
        applicationId: application.id,
        applicationNumber: application.number,
        tenantName: `${application.firstName} ${application.lastName}`,
        status: application.status,
        startDate: bookedStayOf(application).start,
        endDate: bookedStayOf(application).end,
        unread,
        waiting: waitingSince !== null,
        waitingSince,
        last,
        found: found?.get(application.id) ?? null,
      })),
    counts: {
      waiting: all.filter(isWaiting).length,
      unread: all.reduce((sum, { unread }) => sum + unread, 0),
      all: all.length,
    },
  }
}

/** The threads whose name, number or texts have these words, with the newest text that has them. */
function search(db: Db, q: string): Map<string, { number: number; text: string } | null> {
  const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`
  const { id, number } = applications
  const isNamed = sql`first_name || ' ' || last_name || ' ' || ${number} like ${pattern} escape '\\'`
  const named = db.select({ id }).from(applications).where(isNamed).all()
  const text = shortText(sql`max(1, instr(lower(${messages.body}), lower(${q})) - 30)`)
  const texts = db
    .select({ id: messages.applicationId, found: { number: messages.number, text } })
    .from(messages)
    .where(sql`${messages.body} like ${pattern} escape '\\'`)
    .orderBy(asc(messages.number))
    .all()
  return new Map([
    ...named.map(({ id }) => [id, null] as const),
    ...texts.map(({ found, id }) => [id, found] as const),
  ])
}
