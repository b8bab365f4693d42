import { randomInt, randomUUID } from 'node:crypto'
import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Tx } from '../../../db/open.ts'
import { applications, events, lockCodes } from '../../../db/schema.ts'
import { type Admin, type System, system } from '../../domain/accounts/access.ts'
import type { Lock } from '../../domain/arrival/arrival.ts'
import { drawCode, rememberedCodes } from '../../domain/arrival/door-code.ts'
import { stayMessages } from '../../domain/arrival/stay-messages.ts'
import { AppError, fieldError } from '../../domain/common/errors.ts'
import { wireMoment } from '../../domain/common/wire.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import { getSubmittedApplication, selectRecords } from '../bookings/records.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { failpoint } from '../lib/failpoint.ts'
import { enqueueMail } from '../mail/outbox.ts'
import {
  type CodeRow,
  liveCodes,
  newestSection,
  readCode,
  requireUnwritten,
  sealSecret,
  typedTexts,
} from './arrival.ts'
import { readStay, type Stay } from './records.ts'

export const codeMissing = 'Please enter the code'
export const noSuchLock = () => new AppError('not_found', 'There is no such lock.')

export const lockView = z.strictObject({
  lockId: z.string(),
  name: z.string(),
  kind: z.enum(['per_stay', 'standing']),
  digits: z.int(),
  hint: z.string(),
  holds: z.enum(['one', 'many']),
  position: z.int(),
  codeId: z.string().nullable(),
  madeAt: wireMoment.nullable(),
  setAt: wireMoment.nullable(),
  /** Whether somebody saw this code. */
  shown: z.boolean(),
})

export const listLocks = (db: Db): Lock[] => newestSection(db, 'entry').body.locks

/** The live code of a lock: of everybody, or of this stay. */
export const liveCodeOf = (db: Db, { id, kind }: Lock, applicationId: string): CodeRow | undefined =>
  liveCodes(db).find(
    code => code.lockId === id && code.applicationId === (kind === 'standing' ? '' : applicationId),
  )

/** The locks with the codes of a stay, or without one with the standing codes. */
export const presentLocks = (db: Db, applicationId = ''): z.output<typeof lockView>[] =>
  listLocks(db).map(lock => presentLock(db, lock, applicationId))

export function presentLock(db: Db, lock: Lock, applicationId: string): z.output<typeof lockView> {
  const code = liveCodeOf(db, lock, applicationId)
  return {
    lockId: lock.id,
    name: lock.name,
    kind: lock.kind,
    digits: lock.digits,
    hint: lock.hint,
    holds: lock.holds,
    position: listLocks(db).findIndex(({ id }) => id === lock.id),
    shown: Boolean(code?.firstShownAt),
    codeId: code?.id ?? null,
    madeAt: code?.madeAt ?? null,
    setAt: code?.setAt ?? null,
  }
}

/**
 * Another code, drawn unless typed; a standing one counts as set. It retires the former in the same write
 * (STAY-17, STAY-20).
 * @throws AppError forbidden without a step-up; not_found; bad_request for a standing lock without a code, and for a code
 * that stands in a text; conflict for a stay that is over
 */
export function changeCode(
  deps: Deps,
  actor: Admin,
  { applicationId = '', code, lockId }: { applicationId?: string; lockId: string; code?: string },
) {
  return deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const kind = applicationId === '' ? 'standing' : 'per_stay'
    const lock = listLocks(tx).find(each => each.id === lockId && each.kind === kind)
    if (!lock) throw noSuchLock()
    if (kind === 'standing' && code === undefined) throw fieldError('code', codeMissing)
    if (kind === 'per_stay') {
      const { gate, isBooked, moment } = readStay(deps, tx, getSubmittedApplication(tx, actor, applicationId))
      if (!isBooked || moment.now >= gate.checkOutAt) throw new AppError('conflict', stayMessages.over)
    }
    replaceCode(deps, tx, actor, lock, applicationId, code)
    return presentLock(tx, lock, applicationId)
  })
}

/** @throws AppError bad_request for a code that stands in a text */
export function replaceCode(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  lock: Lock,
  applicationId: string,
  code?: string,
): void {
  if (code !== undefined) requireUnwritten(tx, 'code', code)
  const former = liveCodeOf(tx, lock, applicationId)
  const at = nowIso(deps)
  if (former) tx.update(lockCodes).set({ retiredAt: at }).where(eq(lockCodes.id, former.id)).run()
  const codeId = insertCode(deps, tx, actor, lock, applicationId, code)
  if (former?.firstShownAt) tellGuests(deps, tx, former.id, codeId, lock)
}

function insertCode(
  deps: Deps,
  tx: Tx,
  actor: Admin | System,
  { digits, id: lockId, name }: Lock,
  applicationId: string,
  typed?: string,
): string {
  const [id, at] = [randomUUID(), nowIso(deps)]
  const ofLock = tx
    .select()
    .from(lockCodes)
    .where(eq(lockCodes.lockId, lockId))
    .orderBy(desc(lockCodes.madeAt))
    .limit(rememberedCodes)
    .all()
  const written = typedTexts(tx).flatMap(({ text }) => text.match(/\d{4,8}/g) ?? [])
  const taken = [...ofLock, ...liveCodes(tx)].flatMap(row => readCode(deps, row) ?? [])
  const codeEnc = sealSecret(deps, id, typed ?? drawCode(digits, taken, written, () => randomInt(10)))
  const setAt = applicationId === '' ? at : null
  tx.insert(lockCodes).values({ id, lockId, lockName: name, applicationId, codeEnc, madeAt: at, setAt }).run()
  failpoint('in-code-write')
  recordEvent(tx, at, actor, 'stay.code_made', applicationId || lockId, { lock: name, codeId: id })
  return id
}

/** Mails those who saw the former code and whose stay is not over, once, without the new one (STAY-20). */
function tellGuests(deps: Deps, tx: Tx, formerId: string, codeId: string, { name: lock }: Lock): void {
  const isShow = and(eq(events.kind, shownEvent), ne(events.actorRole, 'admin'))
  const seen = tx
    .selectDistinct({ applicationId: events.subjectId })
    .from(events)
    .where(and(isShow, sql`${events.detail} ->> 'codeId' = ${formerId}`))
    .all()
  for (const { applicationId } of seen) {
    const record = selectRecords(tx).where(eq(applications.id, applicationId)).get()
    const stay = record && readStay(deps, tx, record)
    if (!stay?.isBooked || stay.moment.now >= stay.gate.checkOutAt) continue
    const dedupeKey = `code-changed:${codeId}:${applicationId}`
    const props = { applicationId, lock }
    enqueueMail(tx, nowIso(deps), { kind: 'code-changed', to: stay.record.account.email, dedupeKey, props })
  }
}

/** Retires the codes of locks that are gone or of the other kind now, in the write that saves the locks. */
export function retireCodesWithoutLock(tx: Tx, at: string): void {
  const locks = listLocks(tx)
  for (const { applicationId, id, lockId } of liveCodes(tx))
    if (!locks.some(lock => lock.id === lockId && (lock.kind === 'standing') === (applicationId === '')))
      tx.update(lockCodes).set({ retiredAt: at }).where(eq(lockCodes.id, id)).run()
}

/** The booked stays of the next two weeks that have no code of a lock yet (STAY-17). */
export function missingCodes(
  { key }: Deps,
  db: Db,
  stays: readonly Stay[],
): { lock: Lock; applicationId: string }[] {
  const perStay = key.state === 'ready' ? listLocks(db).filter(({ kind }) => kind === 'per_stay') : []
  return stays.flatMap(({ gate, moment, record: { application } }) =>
    perStay.flatMap(lock =>
      moment.now >= gate.checkOutAt || liveCodeOf(db, lock, application.id)
        ? []
        : { lock, applicationId: application.id },
    ),
  )
}

export function drawMissingCodes(deps: Deps, tx: Tx, stays: readonly Stay[]): void {
  for (const { applicationId, lock } of missingCodes(deps, tx, stays))
    insertCode(deps, tx, system, lock, applicationId)
}

export const shownEvent = 'stay.code_shown'
