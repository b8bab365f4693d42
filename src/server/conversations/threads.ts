import { and, asc, desc, eq, gt, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { applications, events, files, messageFiles, messages, messageThreads } from '../../../db/schema.ts'
import type { SignedIn } from '../../domain/accounts/access.ts'
import { dateIn } from '../../domain/common/dates.ts'
import { isClosed, messageTexts, type Side, threadsPerPage } from '../../domain/conversations/message.ts'
import { messagesSection } from '../../domain/stays/stay-settings.ts'
import { type ApplicationRow, bookedStayOf, getSubmittedApplication } from '../bookings/records.ts'
import type { Deps } from '../kernel/deps.ts'
import { currentSite } from '../site/content/published.ts'
import { readSection } from '../site/settings.ts'
import type { MessageView, ThreadsView, ThreadView } from './views.ts'

export type MessageRow = typeof messages.$inferSelect

/** Whether the owner has switched messages on (MSG-01). */
export const isOn = (db: Db): boolean => readSection(db, messagesSection).body.enabled

/** Administrators are one side. */
export const sideOf = ({ role }: SignedIn): Side => (role === 'admin' ? 'owner' : 'tenant')
const nameOf = ({ firstName, lastName }: ApplicationRow) => `${firstName} ${lastName}`

const readMarks = { tenant: messageThreads.tenantRead, owner: messageThreads.ownerRead }

/** The condition of messages that a side has not read: the other side's above its mark, without what was noted (MSG-05). */
export const isUnreadBy = (side: Side) =>
  and(
    eq(messages.applicationId, messageThreads.applicationId),
    ne(messages.side, side),
    ne(messages.via, 'noted'),
    gt(messages.number, readMarks[side]),
  )

/** The tenant's oldest message that waits for an answer (MSG-06). */
const waitingSince = sql<string | null>`(select min(created_at) from ${messages}
  where ${messages.applicationId} = ${messageThreads.applicationId} and side = 'tenant'
  and number > ${messageThreads.answered} and number > coalesce((select max(o.number) from messages o
    where o.application_id = ${messageThreads.applicationId} and o.side = 'owner'), 0))`

const isThere = isNull(applications.deletedAt)

function selectThreads(db: Db, side: Side, where: SQL | undefined) {
  return db
    .select({
      application: applications,
      thread: messageThreads,
      unread: sql<number>`(select count(*) from ${messages} where ${isUnreadBy(side)})`,
      waitingSince,
      lastAt: sql<number>`(select max(number) from ${messages}
        where ${messages.applicationId} = ${messageThreads.applicationId})`,
    })
    .from(messageThreads)
    .innerJoin(applications, eq(applications.id, messageThreads.applicationId))
    .where(and(isThere, where))
    .all()
}

/** A thread's state for a side. */
export function stateOf(db: Db, side: Side, applicationId: string) {
  const [found] = selectThreads(db, side, eq(messageThreads.applicationId, applicationId))
  const lastRead = found?.thread[side === 'owner' ? 'ownerRead' : 'tenantRead'] ?? 0
  return { unread: found?.unread ?? 0, waiting: (found?.waitingSince ?? null) !== null, lastRead }
}

/** The threads that wait for an answer of the owner, longest first. */
export function waitingThreads({ db }: Pick<Deps, 'db'>) {
  if (!isOn(db)) return []
  return selectThreads(db, 'owner', undefined)
    .flatMap(({ application, waitingSince: since }) => (since === null ? [] : [{ application, since }]))
    .toSorted((a, b) => (a.since < b.since ? -1 : 1))
}

/** Why nobody can write any more; null while they can (MSG-17). */
export function closedSentence(deps: Deps, db: Db, application: ApplicationRow): string | null {
  const { ownerEmail, timeZone } = currentSite(deps)
  const declined = and(eq(events.subjectId, application.id), eq(events.kind, 'application.rejected'))
  const at = db.select({ at: events.at }).from(events).where(declined).orderBy(desc(events.id)).get()?.at
  const stay = { status: application.status, endDate: bookedStayOf(application).end }
  const declinedOn = dateIn(new Date(at ?? application.updatedAt), timeZone)
  return isClosed(stay, declinedOn, dateIn(deps.clock.now(), timeZone))
    ? messageTexts.closed(ownerEmail)
    : null
}

/** A page of a thread; null while off. Marks nothing as read. @throws AppError not_found */
export function readThread(
  deps: Deps,
  actor: SignedIn,
  { applicationId, before = Number.MAX_SAFE_INTEGER, limit = 50 }: ThreadPage,
): ThreadView | null {
  const { db } = deps
  if (!isOn(db)) return null
  const { application } = getSubmittedApplication(db, actor, applicationId)
  const newest = db
    .select()
    .from(messages)
    .where(and(eq(messages.applicationId, applicationId), lt(messages.number, before)))
    .orderBy(desc(messages.number))
    .limit(limit + 1)
    .all()
  const closed = closedSentence(deps, db, application)
  return {
    applicationId,
    applicationNumber: application.number,
    tenantName: nameOf(application),
    messages: viewMessages(db, newest.slice(0, limit).toReversed()),
    hasMore: newest.length > limit,
    ...stateOf(db, sideOf(actor), applicationId),
    canWrite: closed === null,
    closed,
  }
}
type ThreadPage = { applicationId: string; before?: number | undefined; limit?: number | undefined }

/** Messages with their files. */
export function viewMessages(db: Db, rows: readonly MessageRow[]): MessageView[] {
  const [first] = rows
  if (!first) return []
  const attached = db
    .select({ number: messageFiles.number, file: files })
    .from(messageFiles)
    .innerJoin(files, eq(files.id, messageFiles.fileId))
    .where(
      and(
        eq(messageFiles.applicationId, first.applicationId),
        inArray(
          messageFiles.number,
          rows.map(({ number }) => number),
        ),
      ),
    )
    .orderBy(asc(messageFiles.position))
    .all()
  return rows.map(({ body, createdAt, id, number, saidAt, side, via }) => ({
    ...{ _id: id, id, number, side, via, body, createdAt, saidAt },
    files: attached
      .filter(each => each.number === number)
      .map(({ file }) => ({
        ...{ id: file.id, name: file.originalName, contentType: file.contentType, sizeBytes: file.sizeBytes },
      })),
  }))
}

/** What the caller has not read, and the threads with something unread or waiting; nothing while off (MSG-05). */
export function countUnread({ db }: Deps, actor: SignedIn) {
  const own = actor.role === 'admin' ? undefined : eq(applications.userId, actor.userId)
  const threads = (isOn(db) ? selectThreads(db, sideOf(actor), own) : [])
    .map(({ application, unread, waitingSince }) => ({
      ...{ applicationId: application.id, unread, waiting: waitingSince !== null },
    }))
    .filter(({ unread, waiting }) => unread > 0 || waiting)
  return { unread: threads.reduce((sum, { unread }) => sum + unread, 0), threads }
}

type ThreadsQuery = { q?: string | undefined; filter: 'waiting' | 'unread' | 'all'; page: number }
const shownLength = 100

/** The owner's threads: waiting ones first, longest first, then the newest (MSG-16). */
export function listThreads({ db }: Deps, { filter, page, q = '' }: ThreadsQuery): ThreadsView {
  const all = isOn(db) ? selectThreads(db, 'owner', undefined) : []
  const counts = {
    waiting: all.filter(({ waitingSince }) => waitingSince !== null).length,
    unread: all.reduce((sum, { unread }) => sum + unread, 0),
    all: all.length,
  }
  const found = q.length >= 2 ? search(db, q) : undefined
  const rows = new Map(all.map(({ application: { id }, lastAt }) => [id, lastAt]))
  const newest = newestOf(db, rows)
  const listed = all
    .filter(({ unread, waitingSince }) =>
      filter === 'waiting' ? waitingSince !== null : filter === 'all' || unread > 0,
    )
    .filter(({ application: { id } }) => !found || found.has(id))
    .map(each => ({ ...each, last: newest.get(each.application.id) }))
    .toSorted((a, b) => {
      if (a.waitingSince !== b.waitingSince && !found)
        return (a.waitingSince ?? '~') < (b.waitingSince ?? '~') ? -1 : 1
      return (a.last?.createdAt ?? '') < (b.last?.createdAt ?? '') ? 1 : -1
    })
  return {
    threads: listed
      .slice((page - 1) * threadsPerPage, page * threadsPerPage)
      .flatMap(({ application, last, unread, waitingSince }) => {
        if (!last) return []
        const { end: endDate, start: startDate } = bookedStayOf(application)
        const { id, number, status } = application
        return {
          ...{ applicationId: id, applicationNumber: number, tenantName: nameOf(application) },
          ...{ status, startDate, endDate, unread, waiting: waitingSince !== null, waitingSince },
          last: {
            ...{ number: last.number, side: last.side, at: last.createdAt },
            text: last.body.slice(0, shownLength),
          },
          found: found?.get(id) ?? null,
        }
      }),
    counts,
    total: listed.length,
  }
}

/** The newest message of each of these threads, without the rest of its text. */
function newestOf(db: Db, numbers: ReadonlyMap<string, number>) {
  const rows = db
    .select({
      applicationId: messages.applicationId,
      number: messages.number,
      side: messages.side,
      createdAt: messages.createdAt,
      body: sql<string>`substr(body, 1, ${shownLength})`,
    })
    .from(messages)
    .where(
      sql`(${messages.applicationId}, ${messages.number}) in (select application_id, max(number) from messages group by application_id)`,
    )
    .all()
  return new Map(rows.filter(row => numbers.has(row.applicationId)).map(row => [row.applicationId, row]))
}

/** The threads whose name, number or texts have these words, with the newest text that has them. */
function search(db: Db, q: string): Map<string, { number: number; text: string } | null> {
  const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`
  const has = (column: SQL) => sql`${column} like ${pattern} escape '\\'`
  const named = db
    .select({ id: applications.id })
    .from(applications)
    .where(and(isThere, or(has(sql`first_name || ' ' || last_name`), has(sql`${applications.number}`))))
    .all()
  const texts = db
    .select({ id: messages.applicationId, number: messages.number, body: messages.body })
    .from(messages)
    .where(has(sql`${messages.body}`))
    .orderBy(asc(messages.createdAt))
    .all()
  const around = (body: string) => {
    const at = Math.max(0, body.toLowerCase().indexOf(q.toLowerCase()) - 30)
    return `${at > 0 ? '…' : ''}${body.slice(at, at + shownLength)}`
  }
  return new Map([
    ...named.map(({ id }) => [id, null] as const),
    ...texts.map(({ body, id, number }) => [id, { number, text: around(body) }] as const),
  ])
}
