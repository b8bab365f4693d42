import { eq } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { cancellations } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { cancelUnsentMail } from '../../mail/outbox.ts'
import { restoreCharges } from '../../money/cancelled-charges.ts'
import { withdrawRefunds } from '../../money/payments/returns/owner-legs.ts'
import { cancelledMailKey } from './cancel.ts'
import { findCancellation } from './records.ts'

/**
 * A cancelled stay is booked again, in the write that approves or completes it: its charges stand again, and what has not
 * gone back yet stays (CHANGE-16).
 */
export function reinstate(deps: Deps, tx: Tx, actor: Admin, applicationId: string): void {
  const cancellation = findCancellation(tx, applicationId, 'cancelled')
  if (!cancellation) return
  const at = nowIso(deps)
  const { id: cancellationId } = cancellation
  tx.update(cancellations)
    .set({ state: 'reinstated', reinstatedAt: at })
    .where(eq(cancellations.id, cancellationId))
    .run()
  restoreCharges(tx, at, actor, { applicationId, cancellationId })
  withdrawRefunds(deps, tx, actor, cancellationId)
  cancelUnsentMail(tx, cancelledMailKey(cancellationId))
  recordEvent(tx, at, actor, 'cancellation.reinstated', applicationId)
}
