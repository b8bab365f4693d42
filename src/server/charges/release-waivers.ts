import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { charges, instalments } from '../../../db/schema.ts'

/**
 * Turns waivers into plain adjustments of the owner, which count like payments: those of payments that a lease written anew
 * no longer has, or all of them where the plan is gone. What is owed stays the same.
 */
export function releaseWaivers(tx: Tx, applicationId: string, which: 'lease' | 'all'): void {
  const waivers = tx
    .select({ id: charges.id, requestId: charges.requestId })
    .from(charges)
    .where(
      and(
        eq(charges.applicationId, applicationId),
        eq(charges.source, 'plan'),
        eq(charges.kind, 'adjustment'),
        isNull(charges.voidedAt),
      ),
    )
    .all()
  if (waivers.length === 0) return
  const ofCharges = tx
    .select({ id: instalments.id })
    .from(instalments)
    .where(and(eq(instalments.applicationId, applicationId), eq(instalments.kind, 'charge')))
    .all()
  const staying = new Set(which === 'all' ? [] : ofCharges.map(({ id }) => `waive:${id}`))
  const released = waivers.filter(({ requestId }) => !staying.has(requestId ?? ''))
  tx.update(charges)
    .set({ source: 'owner' })
    .where(
      inArray(
        charges.id,
        released.map(({ id }) => id),
      ),
    )
    .run()
}
