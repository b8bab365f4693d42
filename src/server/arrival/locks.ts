import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Tx } from '../../../db/open.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { type Lock, lockFields, mostLocks } from '../../domain/arrival/arrival.ts'
import { typedCode } from '../../domain/arrival/door-code.ts'
import { AppError, fieldError } from '../../domain/common/errors.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import type { Deps } from '../kernel/deps.ts'
import { newestSection } from './arrival.ts'
import { codeMissing, noSuchLock, presentLock, replaceCode } from './codes.ts'
import { saveArrivalSection } from './save-section.ts'

const { digits, hint, holds, kind, name } = lockFields.shape
export const newLock = z.object({
  name,
  kind,
  digits: digits.default(4),
  hint: hint.default(''),
  holds,
  code: typedCode.optional(),
})
export const lockChange = z
  .object({ name, digits, hint, holds: holds.unwrap(), position: z.int().min(0).max(mostLocks) })
  .partial()

/**
 * Adds a lock to 'Getting in'; a standing one with its code, in one write (STAY-16).
 * @throws AppError like `saveArrivalSection` and `changeCode`; conflict above six locks
 */
export function addLock(deps: Deps, actor: Admin, { code, ...given }: z.output<typeof newLock>) {
  const lock: Lock = { id: randomUUID(), ...given }
  if (lock.kind === 'standing' && code === undefined) throw fieldError('code', codeMissing)
  return saveLocks(
    deps,
    actor,
    locks => {
      if (locks.length >= mostLocks) throw new AppError('conflict', `At most ${mostLocks} locks.`)
      return [...locks, lock]
    },
    tx => {
      if (lock.kind === 'standing' && code !== undefined) replaceCode(deps, tx, actor, lock, '', code)
      return presentLock(tx, lock, '')
    },
  )
}

/** Changes a lock; `digits` counts for codes that are drawn from now on. @throws AppError not_found; like `saveArrivalSection` */
export function changeLock(
  deps: Deps,
  actor: Admin,
  lockId: string,
  { position, ...change }: z.output<typeof lockChange>,
) {
  return saveLocks(
    deps,
    actor,
    locks => {
      const at = indexOf(locks, lockId)
      const others = locks.filter(({ id }) => id !== lockId)
      return others.toSpliced(position ?? at, 0, { ...(locks[at] as Lock), ...change })
    },
    tx => {
      const { locks } = newestSection(tx, 'entry').body
      return presentLock(tx, locks[indexOf(locks, lockId)] as Lock, '')
    },
  )
}

/** Removes a lock and retires its codes. @throws AppError not_found; like `saveArrivalSection` */
export const removeLock = (deps: Deps, actor: Admin, lockId: string): Promise<{ message: string }> =>
  saveLocks(
    deps,
    actor,
    locks => locks.toSpliced(indexOf(locks, lockId), 1),
    () => ({ message: 'Lock removed' }),
  )

function indexOf(locks: readonly Lock[], lockId: string): number {
  const at = locks.findIndex(({ id }) => id === lockId)
  if (at < 0) throw noSuchLock()
  return at
}

async function saveLocks<Answer>(
  deps: Deps,
  actor: Admin,
  change: (locks: Lock[]) => Lock[],
  answer: (tx: Tx) => Answer,
): Promise<Answer> {
  requireStepUp(deps, deps.db, actor)
  const { body, version } = newestSection(deps.db, 'entry')
  const save = { section: 'entry', version, body: { ...body, locks: change(body.locks) } }
  return saveArrivalSection(deps, actor, save, answer)
}
