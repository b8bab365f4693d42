import { randomUUID } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { charges, instalments } from '../../../db/schema.ts'
import { sumOf } from '../../domain/money/charge.ts'
import { isWaiverCharge } from '../../domain/money/payment-plan-charges.ts'
import { allCharges, type ChargeRow, voidCharge } from './records.ts'

export type NewWaiver = Pick<ChargeRow, 'instalmentId' | 'label' | 'amountCents' | 'createdBy'>

/**
 * The waivers of an application that are not voided, released ones too, with the later charge of the installment that
 * each reduces; null for the lease's own installments.
 */
function waiversOf(tx: Tx, applicationId: string) {
  return tx
    .select({ waiver: charges, chargeId: instalments.chargeId })
    .from(charges)
    .innerJoin(instalments, eq(instalments.id, charges.instalmentId))
    .where(and(eq(charges.applicationId, applicationId), isNull(charges.voidedAt)))
    .orderBy(sql`${charges}.rowid`)
    .all()
}

/** Stores a waiver as a negative charge, in cents. The caller must settle the charges afterwards. */
export function insertWaiver(tx: Tx, at: string, applicationId: string, waiver: NewWaiver): ChargeRow {
  const kind = 'adjustment' as const
  const row = {
    ...waiver,
    id: randomUUID(),
    applicationId,
    kind,
    name: waiver.label,
    source: 'plan' as const,
  }
  return tx
    .insert(charges)
    .values({ ...row, createdAt: at })
    .returning()
    .get()
}

/**
 * Ends the waivers of voided later charges, and reduces the waivers of a tax that fell below its waived amount: a
 * waiver never deducts more than was owed. Returns whether anything changed.
 */
export function trimWaivers(
  tx: Tx,
  at: string,
  applicationId: string,
  active: readonly ChargeRow[],
): boolean {
  if (!active.some(isWaiverCharge)) return false
  const all = new Map(allCharges(tx, applicationId).map(charge => [charge.id, charge]))
  /** The tax on later charges gets a new row whenever it is recomputed, so it is identified by its rule. */
  const owedBy = ({ id, kind, source, taxRuleId }: ChargeRow) =>
    kind === 'tax' && source === 'owner' ? `tax ${taxRuleId}` : id
  let hasChanged = false
  const waivers = waiversOf(tx, applicationId).filter(({ waiver }) => isWaiverCharge(waiver))
  const ofLaterCharges = Map.groupBy(waivers, ({ chargeId }) => {
    const charge = all.get(chargeId ?? '')
    return charge && owedBy(charge)
  })
  for (const [owed, group] of ofLaterCharges) {
    if (owed === undefined) continue
    const waived = group.map(({ waiver }) => waiver)
    let excess = -sumOf(waived) - sumOf(active.filter(charge => owedBy(charge) === owed))
    for (const waiver of waived.toReversed()) {
      if (excess <= 0) break
      hasChanged = true
      voidCharge(tx, at, waiver.id, null, 'The charge that it was part of changed.')
      const leftCents = Math.max(0, -waiver.amountCents - excess)
      excess += waiver.amountCents
      const { createdBy, instalmentId, label } = waiver
      if (leftCents > 0)
        insertWaiver(tx, at, applicationId, { instalmentId, label, amountCents: -leftCents, createdBy })
    }
  }
  return hasChanged
}

/**
 * Turns waivers into the owner's plain adjustments, which count like payments: waivers of installments that a rewritten
 * lease no longer has, or all of them when the plan is removed. What is owed stays the same.
 */
export function releaseWaivers(tx: Tx, applicationId: string, which: 'lease' | 'all'): void {
  for (const { chargeId, waiver } of waiversOf(tx, applicationId))
    if (which === 'all' || chargeId === null)
      tx.update(charges).set({ source: 'owner' }).where(eq(charges.id, waiver.id)).run()
}

/** Ends the waivers of the lease's own installments, including released ones, when its charges are removed. */
export function endLeaseWaivers(tx: Tx, at: string, applicationId: string): void {
  for (const { chargeId, waiver } of waiversOf(tx, applicationId))
    if (chargeId === null)
      voidCharge(tx, at, waiver.id, null, 'The payment plan that it was part of was removed.')
}
