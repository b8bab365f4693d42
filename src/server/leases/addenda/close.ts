import { eq } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { addenda, leases } from '../../../../db/schema.ts'
import {
  type Admin,
  requireTenant,
  type SignedIn,
  type System,
  system,
} from '../../../domain/accounts/access.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { type AddendumEnd, addendumMessages } from '../../../domain/leases/addendum.ts'
import { updateConflicts } from '../../bookings/calendars/conflicts.ts'
import { endClaimsOf, endOverClaims } from '../../bookings/claims.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { futureEventTime } from '../../kernel/clock-skew.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { isJustRestored } from '../../kernel/restored.ts'
import { cancelUnsentMail } from '../../mail/outbox.ts'
import { voidAddendumCharges } from '../../money/addendum-charges.ts'
import { voidSigning } from '../signing/void.ts'
import {
  type AddendumRow,
  addendaOf,
  loadAddendum,
  requireOpen,
  stateOf,
  unclosedAddenda,
} from './records.ts'
import { type AddendumView, presentAddendum } from './views.ts'

/** The owner takes an addendum back; its held nights are free at once. @throws AppError not_found; conflict once closed or signed */
export function withdrawAddendum(deps: Deps, actor: Admin, id: string): Promise<AddendumView> {
  return deps.write(tx => {
    const found = loadAddendum(tx, actor, id)
    if (!['open', 'expired'].includes(stateOf(deps, found)))
      throw new AppError('conflict', addendumMessages.notOpen)
    return end(deps, tx, actor, found, 'withdrawn')
  })
}

/** The tenant declines an addendum. @throws AppError forbidden for an admin; not_found; conflict unless open, and once all have signed */
export function declineAddendum(
  deps: Deps,
  actor: SignedIn,
  id: string,
  reason: string,
): Promise<AddendumView> {
  const tenant = requireTenant(actor, 'Only the tenant can decline an addendum.')
  return deps.write(tx => {
    const found = loadAddendum(tx, tenant, id)
    requireOpen(deps, found)
    return end(deps, tx, tenant, found, 'declined', reason)
  })
}

function end(
  deps: Deps,
  tx: Tx,
  actor: SignedIn,
  row: AddendumRow,
  as: AddendumEnd,
  reason = '',
): AddendumView {
  // Only the PDF is missing.
  if (row.isFullySigned) throw new AppError('conflict', addendumMessages.notOpen)
  close(deps, tx, actor, row, as, reason)
  updateConflicts(deps, tx)
  return presentAddendum(deps, loadAddendum(tx, actor, row.lease.id))
}

/**
 * Closes the open addenda of a booking that is declined, cancelled or deleted, or whose lease is not signed any more.
 * With `signed`, as the lease is deleted, also voids the signed ones and their charges (CHANGE-29). The caller settles the
 * charges and updates the conflicts afterwards.
 */
export function closeAddenda(
  deps: Deps,
  tx: Tx,
  actor: SignedIn,
  applicationId: string,
  { signed = false } = {},
): void {
  const at = nowIso(deps)
  endOverClaims(deps, tx)
  for (const row of addendaOf(tx, applicationId)) {
    if (row.lease.voidedAt !== null) continue
    if (row.lease.signedAt === null) close(deps, tx, actor, row, null)
    else if (signed) {
      tx.update(leases).set({ voidedAt: at }).where(eq(leases.id, row.lease.id)).run()
      voidAddendumCharges(tx, at, actor, row.lease.id)
    }
  }
}

/** Closes an unsigned addendum; null if what it changes is gone. */
function close(
  deps: Deps,
  tx: Tx,
  actor: SignedIn | System,
  { lease }: AddendumRow,
  closed: AddendumEnd | null,
  reason = '',
): void {
  const at = nowIso(deps)
  tx.update(leases)
    .set({ voidedAt: lease.voidedAt ?? at })
    .where(eq(leases.id, lease.id))
    .run()
  tx.update(addenda).set({ closed, closedAt: at, reason }).where(eq(addenda.leaseId, lease.id)).run()
  endClaimsOf(deps, tx, actor, lease.id, closed ?? 'closed')
  cancelUnsentMail(tx, `addendum-ready:${lease.id}`)
  voidSigning(deps, tx, actor, { leaseId: lease.id }, 'The addendum is not open any more.')
  recordEvent(tx, at, actor, 'lease.addendum_closed', lease.applicationId, {
    addendum: lease.number,
    closed: closed ?? 'voided',
    reason,
  })
}

/** Closes the addenda whose last day is over (CHANGE-23); returns whether there were any. */
export function expireAddenda(deps: Deps, tx: Tx, applicationId?: string): boolean {
  const over = unclosedAddenda(tx).filter(
    row =>
      stateOf(deps, row) === 'expired' &&
      (applicationId === undefined || row.lease.applicationId === applicationId),
  )
  for (const row of over) close(deps, tx, system, row, 'expired')
  return over.length > 0
}

/** Closes what is over, except while the clock is known to be wrong (CLAIM-04) and after a restore (INST-42). */
export async function tickAddenda(deps: Deps): Promise<void> {
  if (futureEventTime(deps) !== undefined || isJustRestored(deps)) return
  if (!unclosedAddenda(deps.db).some(row => stateOf(deps, row) === 'expired')) return
  await deps.write(tx => {
    endOverClaims(deps, tx)
    if (expireAddenda(deps, tx)) updateConflicts(deps, tx)
  })
}
