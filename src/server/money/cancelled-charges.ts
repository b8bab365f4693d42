import { randomUUID } from 'node:crypto'
import { and, eq, ne } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { charges } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { cancellationMessages } from '../../domain/bookings/cancellation.ts'
import { sumOf } from '../../domain/money/charge.ts'
import { storeTotal } from '../bookings/terms.ts'
import { activeCharges } from './records.ts'
import { markVoided } from './settle-charges.ts'

/**
 * Voids all charges of a cancelled stay, and charges what is kept (CHANGE-11). The plan's installments stay as they are, for
 * a stay that is reinstated.
 */
export function cancelCharges(
  tx: Tx,
  at: string,
  { userId }: Admin,
  of: { applicationId: string; cancellationId: string; keptCents: number },
): void {
  const { applicationId, cancellationId, keptCents } = of
  for (const { id } of activeCharges(tx, applicationId)) {
    markVoided(tx, at, id, userId, 'The stay was cancelled.')
    tx.update(charges).set({ cancellationId }).where(eq(charges.id, id)).run()
  }
  const kept = { kind: 'adjustment', source: 'cancellation', createdAt: at, createdBy: userId } as const
  const name = cancellationMessages.kept
  if (keptCents > 0)
    tx.insert(charges)
      .values({
        ...kept,
        id: randomUUID(),
        name,
        label: name,
        applicationId,
        cancellationId,
        amountCents: keptCents,
      })
      .run()
  storeTotal(tx, applicationId, keptCents)
}

/** The stay is reinstated: the charges that the cancellation voided stand again (CHANGE-16). */
export function restoreCharges(
  tx: Tx,
  at: string,
  { userId }: Admin,
  { applicationId, cancellationId }: { applicationId: string; cancellationId: string },
): void {
  for (const { id } of activeCharges(tx, applicationId))
    markVoided(tx, at, id, userId, 'The stay was reinstated.')
  const voided = and(eq(charges.cancellationId, cancellationId), ne(charges.source, 'cancellation'))
  tx.update(charges).set({ voidedAt: null, voidedBy: null, voidReason: null }).where(voided).run()
  storeTotal(tx, applicationId, sumOf(activeCharges(tx, applicationId)))
}
