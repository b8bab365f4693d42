import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { charges } from '../../../../db/schema.ts'
import { sumOf } from '../../../domain/money/charge.ts'
import { isWaiverCharge } from '../../../domain/money/payment-plan-charges.ts'
import { chargeOfInstalments } from '../plans/changes.ts'
import { activeCharges, allCharges, type ChargeRow, voidCharge } from './records.ts'

const keyPrefix = 'waive:'

/** The id of the installment that a waiver reduces. */
const instalmentOf = ({ requestId }: ChargeRow): string =>
  requestId?.slice(keyPrefix.length).split(':')[0] ?? ''

export type NewWaiver = { instalmentId: string; label: string; amountCents: number; createdBy: string | null }

/** Stores a waiver as a negative charge, in cents. The caller must settle the charges afterwards. */
export function insertWaiver(tx: Tx, at: string, applicationId: string, waiver: NewWaiver): ChargeRow {
  const { amountCents, createdBy, instalmentId, label } = waiver
  // An installment can be waived again after its payment was voided.
  const before = allCharges(tx, applicationId).filter(
    row => isWaiverCharge(row) && instalmentOf(row) === instalmentId,
  ).length
  return tx
    .insert(charges)
    .values({
      id: randomUUID(),
      applicationId,
      kind: 'adjustment',
      name: label,
      label,
      amountCents,
      source: 'plan',
      requestId: `${keyPrefix}${instalmentId}${before > 0 ? `:${before + 1}` : ''}`,
      createdAt: at,
      createdBy,
    })
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
  const waivers = active.filter(isWaiverCharge)
  if (waivers.length === 0) return false
  const chargeIds = chargeOfInstalments(tx, applicationId)
  const all = new Map(allCharges(tx, applicationId).map(charge => [charge.id, charge]))
  /** The tax on later charges gets a new row whenever it is recomputed, so it is identified by its rule. */
  const owedBy = ({ id, kind, source, taxRuleId }: ChargeRow) =>
    kind === 'tax' && source === 'owner' ? `tax ${taxRuleId}` : id
  let hasChanged = false
  const ofLaterCharges = Map.groupBy(waivers, waiver => {
    const charge = all.get(chargeIds.get(instalmentOf(waiver)) ?? '')
    return charge && owedBy(charge)
  })
  for (const [owed, group] of ofLaterCharges) {
    if (owed === undefined) continue
    let excess = -sumOf(group) - sumOf(active.filter(charge => owedBy(charge) === owed))
    for (const waiver of group.toReversed()) {
      if (excess <= 0) break
      hasChanged = true
      voidCharge(tx, at, waiver.id, null, 'The charge that it was part of changed.')
      const leftCents = Math.max(0, -waiver.amountCents - excess)
      excess += waiver.amountCents
      const { createdBy, label } = waiver
      const instalmentId = instalmentOf(waiver)
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
  const waivers = activeCharges(tx, applicationId).filter(isWaiverCharge)
  if (waivers.length === 0) return
  const chargeIds = chargeOfInstalments(tx, applicationId)
  for (const waiver of waivers)
    if (which === 'all' || !chargeIds.get(instalmentOf(waiver)))
      tx.update(charges).set({ source: 'owner' }).where(eq(charges.id, waiver.id)).run()
}

/** Ends the waivers of the lease's own installments, including released ones, when its charges are removed. */
export function endLeaseWaivers(tx: Tx, at: string, applicationId: string): void {
  const waivers = activeCharges(tx, applicationId).filter(({ requestId }) => requestId?.startsWith(keyPrefix))
  if (waivers.length === 0) return
  const chargeIds = chargeOfInstalments(tx, applicationId)
  for (const waiver of waivers)
    if (chargeIds.get(instalmentOf(waiver)) === null)
      voidCharge(tx, at, waiver.id, null, 'The payment plan that it was part of was removed.')
}
