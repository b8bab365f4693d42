import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { charges } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import type { ChargeSource } from '../../domain/money/charge.ts'
import type { LaterChargeInput } from '../../domain/money/later-charge.ts'
import { type ChargeRow, voidCharge } from './records.ts'
import { settleCharges } from './settle.ts'
import type { ChargeDeps } from './sync.ts'
import { insertWaiver, type NewWaiver } from './waivers.ts'

/** The charge that an earlier request with this id added. */
export function findByRequest(tx: Tx, applicationId: string, requestId: string): ChargeRow | undefined {
  return tx
    .select()
    .from(charges)
    .where(and(eq(charges.applicationId, applicationId), eq(charges.requestId, requestId)))
    .get()
}

/** Stores a charge that the owner adds. @throws AppError conflict for a total below zero */
export function addLaterCharge(
  deps: ChargeDeps,
  tx: Tx,
  at: string,
  actor: Admin,
  applicationId: string,
  { amountCents, kind, label, requestId, taxable }: LaterChargeInput,
  source: ChargeSource = 'owner',
): ChargeRow {
  const charge = tx
    .insert(charges)
    .values({
      id: randomUUID(),
      applicationId,
      kind,
      name: label,
      label,
      amountCents: kind === 'discount' ? -amountCents : amountCents,
      taxable,
      source,
      requestId: requestId ?? null,
      createdAt: at,
      createdBy: actor.userId,
    })
    .returning()
    .get()
  settleCharges(deps, tx, at, applicationId)
  return charge
}

/** Stores the negative charge that deducts a waived part of an installment from what is owed (PLAN-29). Cents. */
export function addWaiver(
  deps: ChargeDeps,
  tx: Tx,
  at: string,
  actor: Admin,
  applicationId: string,
  waiver: Omit<NewWaiver, 'createdBy'>,
): ChargeRow {
  const charge = insertWaiver(tx, at, applicationId, { ...waiver, createdBy: actor.userId })
  settleCharges(deps, tx, at, applicationId)
  return charge
}

/** Voids a charge with its reason. @throws AppError conflict for a total below zero */
export function voidLaterCharge(
  deps: ChargeDeps,
  tx: Tx,
  at: string,
  actor: Admin,
  charge: ChargeRow,
  reason: string,
): void {
  voidCharge(tx, at, charge.id, actor.userId, reason)
  settleCharges(deps, tx, at, charge.applicationId)
}
