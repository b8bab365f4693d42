import { and, eq, gt, gte, inArray, isNull, max, ne, not, notInArray, or } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../../db/open.ts'
import { applications, events, isBookedRow, lockCodes, stayGates } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { hourMs } from '../../domain/common/durations.ts'
import { AppError } from '../../domain/common/errors.ts'
import { wireMoment } from '../../domain/common/wire.ts'
import { type ApplicationRecord, selectRecords } from '../bookings/records.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { type CodeRow, liveCodes } from './arrival.ts'
import { listLocks, shownEvent } from './codes.ts'
import { guestNameOf, heldEvent, momentOf, readStay, type Stay } from './records.ts'

/** The owner keeps a standing code although this guest has seen it (STAY-15). */
const clearedEvent = 'stay.code_cleared'

/** These events make a cleared code a task again. */
const turns = [
  heldEvent,
  ...['rejected', 'withdrawn', 'cancelled', 'deleted'].map(status => `application.${status}`),
]

/** The live codes that somebody of this stay has seen, the owner not counted (STAY-15). */
function codesSeenBy(db: Db, applicationId: string): (CodeRow & { isCleared: boolean })[] {
  const isShow = and(eq(events.kind, shownEvent), ne(events.actorRole, 'admin'))
  const found = db
    .select({ kind: events.kind, detail: events.detail })
    .from(events)
    .where(
      and(eq(events.subjectId, applicationId), or(isShow, inArray(events.kind, [clearedEvent, ...turns]))),
    )
    .orderBy(events.id)
    .all()
  const isClearedById = new Map<unknown, boolean>()
  for (const { detail, kind } of found)
    if (kind === shownEvent || kind === clearedEvent) isClearedById.set(detail.codeId, kind === clearedEvent)
    else for (const id of isClearedById.keys()) isClearedById.set(id, false)
  return liveCodes(db).flatMap(code => {
    const isCleared = isClearedById.get(code.id)
    return isCleared === undefined ? [] : { ...code, isCleared }
  })
}

/** For the answer to a decline, deletion or cancellation: whether a live code of this stay was seen. Settled once that is stored (STAY-15). */
export const codeShown = (db: Db, applicationId: string): { codeShown?: true } =>
  codesSeenBy(db, applicationId).length > 0 ? { codeShown: true } : {}

/** Codes that were seen by a guest who should not come in now: declined, locked again, closed by hand, or moved (STAY-15). */
export function seenCodes(deps: Deps, db: Db): { stay: Stay; codes: CodeRow[] }[] {
  const { stayEndDate } = applications
  const moment = momentOf(deps, db)
  return selectRecords(db)
    .innerJoin(stayGates, eq(stayGates.applicationId, applications.id))
    .where(or(not(isBookedRow), gte(stayEndDate, moment.today)))
    .all()
    .flatMap(record => {
      const codes = codesSeenBy(db, record.application.id).filter(({ isCleared }) => !isCleared)
      if (codes.length === 0) return []
      const stay = readStay(deps, db, record, moment)
      const { gate, isBooked } = stay
      return isBooked && (gate.state === 'open' || moment.now >= gate.checkOutAt) ? [] : { stay, codes }
    })
}

export const codeTaskView = z.strictObject({
  id: z.string(),
  /** `check`: a guest who should not come in has seen a code for everybody. */
  action: z.enum(['set', 'remove', 'check']),
  /** It was set, but another guest's code may have replaced it since. */
  again: z.boolean(),
  codeId: z.string(),
  lockName: z.string(),
  kind: z.enum(['per_stay', 'standing']),
  applicationId: z.string(),
  guestName: z.string(),
  from: wireMoment.nullable(),
  until: wireMoment,
  tone: z.enum(['warning', 'danger']).nullable(),
  /** The guest who may still be in the condo and whose code stops working once this one is set. */
  ends: z.string().nullable(),
})
export type CodeTask = z.output<typeof codeTaskView>

/** What the owner has to do about codes, by time (STAY-15, STAY-22). */
export function listCodeTasks(deps: Deps, db: Db): CodeTask[] {
  const { isOn, now } = { isOn: momentOf(deps, db).settings.enabled, now: nowIso(deps) }
  const checks = (isOn ? seenCodes(deps, db) : []).flatMap(({ codes, stay: { record } }) =>
    codes
      .filter(isStanding)
      .map(code =>
        taskOf(code, record, { action: 'check', again: false, from: null, until: now, tone: 'danger' }),
      ),
  )
  return [...checks, ...lockTasks(deps, db)]
}

/** The tasks, and the site's time, by which they are early or late. */
export const codeTasksNow = (deps: Deps) => ({ tasks: listCodeTasks(deps, deps.db), now: nowIso(deps) })

const isStanding = ({ applicationId }: CodeRow) => applicationId === ''

type Span = Pick<CodeTask, 'action' | 'again' | 'from' | 'until' | 'tone'>

function taskOf(code: CodeRow, record: ApplicationRecord, span: Span): CodeTask {
  const { id: applicationId } = record.application
  return {
    ...span,
    id: span.action === 'check' ? `${code.id}:${applicationId}` : code.id,
    codeId: code.id,
    lockName: code.lockName,
    kind: isStanding(code) ? 'standing' : 'per_stay',
    applicationId,
    guestName: guestNameOf(record),
    ends: null,
  }
}

/** The codes that must be set at the locks or removed from them (STAY-22). */
export function lockTasks(deps: Deps, db: Db): CodeTask[] {
  const ofStays = and(isNull(lockCodes.removedAt), ne(lockCodes.applicationId, ''))
  const found = db
    .select()
    .from(lockCodes)
    .where(ofStays)
    .all()
    .flatMap(code => {
      const record = selectRecords(db).where(eq(applications.id, code.applicationId)).get()
      return record ? [{ code, record, stay: readStay(deps, db, record) }] : []
    })
  const tasks = found.flatMap(({ code, record, stay }) => {
    const isAlone = holdsOne(db, code)
    // Earlier guests, whom this code would lock out.
    const isBefore = ({ code: { lockId }, stay: former }: (typeof found)[number]) =>
      lockId === code.lockId &&
      former.isBooked &&
      !isShut(former) &&
      former.gate.checkInAt < stay.gate.checkInAt
    const before = isAlone ? found.filter(isBefore) : []
    const ends = before.map(former => former.stay.gate.checkOutAt.toISOString())
    const replaced = isAlone && code.setAt !== null ? replacedAt(db, code) : undefined
    const span = spanOf(stay, code, ends, replaced)
    if (!span) return []
    const { now } = stay.moment
    // Until `from`, the task says 'not before' instead.
    const isDue = span.action === 'set' && (span.from ?? '') <= now.toISOString()
    const isThere = ({ gate }: Stay) => gate.state === 'open' && gate.checkInAt <= now
    const former = isDue ? before.find(each => isThere(each.stay)) : undefined
    return [{ ...taskOf(code, record, span), ends: former ? guestNameOf(former.record) : null }]
  })
  return tasks.sort((a, b) => (a.until < b.until ? -1 : a.until > b.until ? 1 : 0))
}

const isShut = ({ row }: Stay): boolean => row?.hold === 'closed'

const holdsOne = (db: Db, { lockId }: CodeRow): boolean =>
  listLocks(db).find(({ id }) => id === lockId)?.holds === 'one'

/** The last time another guest's code was set at this lock after this code, if it was. */
const replacedAt = (db: Db, { applicationId, lockId, setAt }: CodeRow): string | undefined =>
  db
    .select({ at: max(lockCodes.setAt) })
    .from(lockCodes)
    .where(
      and(
        eq(lockCodes.lockId, lockId),
        notInArray(lockCodes.applicationId, [applicationId, '']),
        gt(lockCodes.setAt, setAt ?? ''),
      ),
    )
    .get()?.at ?? undefined

/**
 * When a code is to be set, or taken off the lock; undefined for neither.
 * @param endsBefore when the stays before leave that have a code at this lock
 * @param replaced when another guest's code was set after this one
 */
function spanOf(
  stay: Stay,
  { firstShownAt, madeAt, retiredAt, setAt }: CodeRow,
  endsBefore: readonly string[],
  replaced: string | undefined,
): Span | undefined {
  const { gate, isBooked, moment, row } = stay
  const { now } = moment
  const isOver = !isBooked || now >= gate.checkOutAt
  const isUnwanted = !isBooked || (isShut(stay) && firstShownAt !== null)
  if (setAt !== null && (isOver || isUnwanted || retiredAt !== null)) {
    const closedAt = isShut(stay) && row?.holdAt ? new Date(row.holdAt) : now
    const from = retiredAt !== null ? new Date(retiredAt) : isOver && isBooked ? gate.checkOutAt : closedAt
    const until = new Date(from.getTime() + 24 * hourMs)
    const tone = now >= until || isUnwanted ? 'danger' : null
    return { action: 'remove', again: false, from: from.toISOString(), until: until.toISOString(), tone }
  }
  if (isOver || retiredAt !== null || (setAt !== null && (isShut(stay) || !replaced))) return undefined
  const hoursLeft = (gate.checkInAt.getTime() - now.getTime()) / hourMs
  const urgency = hoursLeft <= 24 ? 'danger' : hoursLeft <= 72 ? 'warning' : null
  const at = now.toISOString()
  // The clock may have been ahead when a code was set, or drawn.
  const notAhead = (moment: string) => (moment < at ? moment : at)
  // A code can be made after the arrival, and replaced.
  const until = [gate.checkInAt.toISOString(), notAhead(replaced ?? madeAt)].toSorted().at(-1) ?? ''
  const free = [notAhead(madeAt), ...endsBefore].toSorted().at(-1) ?? at
  return {
    action: 'set',
    again: setAt !== null,
    // The owner may have opened the stay of the previous guest for longer.
    from: [free, until].toSorted()[0] ?? until,
    until,
    tone: isShut(stay) ? null : urgency,
  }
}

const noSuchCode = () => new AppError('not_found', 'There is no such code.')

/**
 * Marks a code as set at its lock, or as taken off; repeating it changes nothing (STAY-22). A standing code that guests
 * have seen stays in use: clears its task for the named guest, or with `set` for all of them (STAY-15).
 * @throws AppError not_found
 */
export function markCode(
  deps: Deps,
  actor: Admin,
  { applicationId: seenBy, codeId }: { codeId: string; applicationId?: string | undefined },
  done: 'set' | 'removed',
): Promise<CodeTask[]> {
  return deps.write(tx => {
    const code = tx.select().from(lockCodes).where(eq(lockCodes.id, codeId)).get()
    if (!code || (done === 'set' && code.retiredAt !== null)) throw noSuchCode()
    const { applicationId, lockId, removedAt, retiredAt, setAt } = code
    const at = nowIso(deps)
    if (isStanding(code) && (seenBy !== undefined || done === 'set')) {
      if (seenBy !== undefined && !codesSeenBy(tx, seenBy).some(({ id }) => id === codeId)) throw noSuchCode()
      for (const { codes, stay } of seenCodes(deps, tx)) {
        const { id } = stay.record.application
        if ((seenBy ?? id) === id && codes.some(each => each.id === codeId))
          recordEvent(tx, at, actor, clearedEvent, id, { codeId })
      }
      return listCodeTasks(deps, tx)
    }
    if (seenBy !== undefined && seenBy !== applicationId) throw noSuchCode()
    const isAgain = () => lockTasks(deps, tx).some(task => task.codeId === codeId && task.again)
    if (done === 'set' ? setAt === null || isAgain() : removedAt === null) {
      // Later than one that was set while the clock was ahead.
      const other = done === 'set' && replacedAt(tx, { ...code, setAt: at })
      const newest = other ? new Date(Date.parse(other) + 1).toISOString() : at
      const change = done === 'set' ? { setAt: newest } : { removedAt: at, retiredAt: retiredAt ?? at }
      tx.update(lockCodes).set(change).where(eq(lockCodes.id, codeId)).run()
      // At the lock, a new code replaces the stay's previous one.
      const isFormer = and(eq(lockCodes.lockId, lockId), eq(lockCodes.applicationId, applicationId))
      if (done === 'set' && holdsOne(tx, code))
        tx.update(lockCodes)
          .set({ removedAt: at })
          .where(and(isFormer, ne(lockCodes.id, codeId), isNull(lockCodes.removedAt)))
          .run()
      recordEvent(tx, at, actor, `stay.code_${done}`, applicationId || lockId, { codeId })
    }
    return listCodeTasks(deps, tx)
  })
}
