import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../db/open.ts'
import { placeholders, preparedQuery } from '../../../db/prepared.ts'
import { charges } from '../../../db/schema.ts'
import { AppError } from '../../domain/common/errors.ts'
import { additionalTax, type ChargeLine, type ChargeSource, sumOf } from '../../domain/money/charge.ts'
import { storeTotal } from '../bookings/terms.ts'
import { activeCharges, allCharges, type ChargeRow, isLater, voidCharge } from './records.ts'
import { type ChargeDeps, syncInstalments } from './sync.ts'
import { trimWaivers } from './waivers.ts'

export const negativeTotalMessage = 'That would make the total less than nothing.'

/**
 * Runs after each change of an application's charges: recomputes the taxes on later charges, ends waivers of charges
 * that are no longer owed, updates the installments of later charges, and stores the total owed (CHG-01, CHG-23,
 * PLAN-21).
 * @throws AppError conflict when the charges without the deposit would be below zero (CHG-25)
 */
export function settleCharges(deps: ChargeDeps, tx: Tx, at: string, applicationId: string): void {
  const taxed = recomputeLaterTaxes(tx, at, applicationId)
  const active = trimWaivers(tx, at, applicationId, taxed) ? activeCharges(tx, applicationId) : taxed
  if (sumOf(active.filter(({ kind }) => kind !== 'deposit')) < 0)
    throw new AppError('conflict', negativeTotalMessage)
  syncInstalments(deps, tx, at, applicationId, () => allCharges(tx, applicationId))
  storeTotal(tx, applicationId, sumOf(active))
}

/** Adds computed charges: of a lease, of a booking's terms, or taxes on later charges. */
export function insertCharges(
  tx: Tx,
  at: string,
  applicationId: string,
  source: ChargeSource,
  lines: readonly ChargeLine[],
): void {
  for (const line of lines)
    insertLine(tx).run({ ...line, id: randomUUID(), applicationId, source, createdAt: at })
}

const insertLine = preparedQuery((tx: Tx) =>
  tx
    .insert(charges)
    .values(
      placeholders(
        ...(['id', 'applicationId', 'kind', 'name', 'label', 'amountCents', 'baseCents', 'per'] as const),
        ...(['rateBasisPoints', 'onRent', 'onFees', 'taxable', 'refundable'] as const),
        ...(['feeRuleId', 'taxRuleId', 'source', 'createdAt'] as const),
      ),
    )
    .prepare(),
)

/** Updates the taxes on later charges, and returns the charges that are not voided. */
function recomputeLaterTaxes(tx: Tx, at: string, applicationId: string): ChargeRow[] {
  const active = activeCharges(tx, applicationId)
  const later = active.filter(isLater)
  const ofLease = active.filter(({ kind, source }) => kind === 'tax' && source === 'lease')
  const wanted = ofLease.flatMap(tax => additionalTax(taxOf(tax), later) ?? [])
  const there = active.filter(({ kind, source }) => kind === 'tax' && source === 'owner')
  const isSame = (a: ChargeLine, b: ChargeLine) =>
    a.taxRuleId === b.taxRuleId && a.label === b.label && a.amountCents === b.amountCents
  const stale = there.filter(row => !wanted.some(line => isSame(line, row)))
  const missing = wanted.filter(line => !there.some(row => isSame(line, row)))
  if (stale.length + missing.length === 0) return active
  for (const { id } of stale) voidCharge(tx, at, id, null, 'The charges it is based on changed.')
  insertCharges(tx, at, applicationId, 'owner', missing)
  return activeCharges(tx, applicationId)
}

const taxOf = ({ baseCents, name, onFees, onRent, rateBasisPoints, taxRuleId }: ChargeRow) => ({
  name,
  basisPoints: rateBasisPoints ?? 0,
  onRent: onRent === true,
  onFees: onFees === true,
  taxRuleId,
  baseCents: baseCents ?? 0,
})
