import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { instalments, lateFees } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import type { NewInstalment } from '../../domain/money/payment-plan.ts'
import { type InstalmentRow, insertInstalments, supersedeInstalments } from './plan-records.ts'

type ReadDb = Pick<Db | Tx, 'select'>

/** An installment in any state, superseded or not. */
export function findInstalment(db: ReadDb, id: string): InstalmentRow | undefined {
  return db.select().from(instalments).where(eq(instalments.id, id)).get()
}

/**
 * Replaces a postponed installment by its parts. Each part keeps the decision about the late fee (PLAN-34); the last
 * part is the postponed one and has the reason.
 */
export function replaceInstalment(
  tx: Tx,
  at: string,
  row: InstalmentRow,
  parts: readonly NewInstalment[],
  reason: string,
): void {
  supersedeInstalments(tx, at, [row.id])
  const stays = { waivedAt: row.waivedAt, reason: row.reason }
  const rows = parts.map((part, i) => ({ ...part, ...(i < parts.length - 1 ? stays : { reason }) }))
  const ids = insertInstalments(tx, at, row.applicationId, rows)
  const decision = tx.select().from(lateFees).where(eq(lateFees.instalmentId, row.id)).get()
  if (decision)
    for (const instalmentId of ids)
      tx.insert(lateFees)
        .values({ ...decision, instalmentId })
        .run()
}

/** Reduces an installment to its paid amount, in cents; the rest is waived (PLAN-29). */
export function markWaived(tx: Tx, at: string, id: string, amountCents: number, reason: string): void {
  tx.update(instalments).set({ amountCents, waivedAt: at, reason }).where(eq(instalments.id, id)).run()
}

/** Stores the decision about the late fee of an installment: its charge, or null if none is charged (PLAN-34). */
export function decideLateFee(
  tx: Tx,
  at: string,
  { userId }: Admin,
  instalmentId: string,
  chargeId: string | null,
): void {
  tx.insert(lateFees).values({ instalmentId, chargeId, at, by: userId }).run()
}
