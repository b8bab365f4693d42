import { randomUUID } from 'node:crypto'
import { eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { installments, lateFees } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import type { NewInstallment } from '../../domain/money/payment-plan.ts'

/** A stored installment of an application, superseded or not. */
export type InstallmentRow = typeof installments.$inferSelect

/** Stores new installments; returns their ids, in order. */
export function insertInstallments(
  tx: Tx,
  at: string,
  applicationId: string,
  rows: readonly (NewInstallment & Partial<Pick<InstallmentRow, 'waivedAt' | 'reason'>>)[],
): string[] {
  return rows.map(row => {
    const id = randomUUID()
    tx.insert(installments)
      .values({ ...row, id, applicationId, createdAt: at })
      .run()
    return id
  })
}

/** Takes installments out of the plan; the rows stay for the record. */
export function supersedeInstallments(tx: Tx, at: string, ids: readonly string[]): void {
  if (ids.length > 0)
    tx.update(installments)
      .set({ supersededAt: at })
      .where(inArray(installments.id, [...ids]))
      .run()
}

/**
 * Replaces a postponed installment by its parts. Each part keeps the decision about the late fee (PLAN-34); the last
 * part is the postponed one and has the reason.
 */
export function replaceInstallment(
  tx: Tx,
  at: string,
  row: InstallmentRow,
  parts: readonly NewInstallment[],
  reason: string,
): void {
  supersedeInstallments(tx, at, [row.id])
  const stays = { waivedAt: row.waivedAt, reason: row.reason }
  const rows = parts.map((part, i) => ({ ...part, ...(i < parts.length - 1 ? stays : { reason }) }))
  const ids = insertInstallments(tx, at, row.applicationId, rows)
  const decision = tx.select().from(lateFees).where(eq(lateFees.installmentId, row.id)).get()
  if (decision)
    for (const installmentId of ids)
      tx.insert(lateFees)
        .values({ ...decision, installmentId })
        .run()
}

/** Reduces an installment to its paid amount, in cents; the rest is waived (PLAN-29). */
export function markWaived(tx: Tx, at: string, id: string, amountCents: number, reason: string): void {
  tx.update(installments).set({ amountCents, waivedAt: at, reason }).where(eq(installments.id, id)).run()
}

/** Stores the decision about the late fee of an installment: its charge, or null if none is charged (PLAN-34). */
export function decideLateFee(
  tx: Tx,
  at: string,
  { userId }: Admin,
  installmentId: string,
  chargeId: string | null,
): void {
  tx.insert(lateFees).values({ installmentId, chargeId, at, by: userId }).run()
}
