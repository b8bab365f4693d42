import { randomUUID } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { applications, charges, installments } from '../../../db/schema.ts'
import { cancellationMessages } from '../../domain/bookings/cancellation.ts'
import { dateIn } from '../../domain/common/dates.ts'
import { AppError } from '../../domain/common/errors.ts'
import { additionalTax, type ChargeLine, type ChargeSource, sumOf } from '../../domain/money/charge.ts'
import { syncChargeInstallments } from '../../domain/money/payment-plan-charges.ts'
import { storeTotal } from '../bookings/terms.ts'
import type { Deps } from '../kernel/deps.ts'
import { currentSite } from '../site/content/published.ts'
import { insertInstallments, supersedeInstallments } from './installments.ts'
import { activeCharges, allCharges, type ChargeRow, isLater, liveInstallments, planOf } from './records.ts'

const negativeTotalMessage = 'That would make the total less than nothing.'

/**
 * Runs after each change of an application's charges: recomputes the taxes on later charges, ends waivers of charges
 * that are no longer owed, updates the installments of later charges, and stores the total owed (CHG-01, CHG-23,
 * PLAN-21).
 * @throws AppError conflict when the charges without the deposit would be below zero (CHG-25), and for a cancelled stay,
 * of which only what was kept is owed (CHANGE-12)
 */
export function settleCharges(deps: Deps, tx: Tx, at: string, applicationId: string): void {
  requireNotCancelled(tx, applicationId)
  const taxed = recomputeLaterTaxes(tx, at, applicationId)
  const active = trimWaivers(tx, at, applicationId, taxed) ? activeCharges(tx, applicationId) : taxed
  if (sumOf(active.filter(({ kind }) => kind !== 'deposit')) < 0)
    throw new AppError('conflict', negativeTotalMessage)
  syncInstallments(deps, tx, at, applicationId)
  storeTotal(tx, applicationId, sumOf(active))
}

function requireNotCancelled(tx: Tx, applicationId: string): void {
  const isCancelled = and(eq(applications.id, applicationId), eq(applications.status, 'cancelled'))
  if (tx.select({ id: applications.id }).from(applications).where(isCancelled).get())
    throw new AppError('conflict', cancellationMessages.fixed)
}

/** Adds computed charges: of a lease, of a booking's terms, or taxes on later charges. */
export function insertCharges(
  tx: Tx,
  at: string,
  applicationId: string,
  source: ChargeSource,
  lines: readonly ChargeLine[],
  addendumId: string | null = null,
): void {
  const of = { applicationId, source, addendumId, createdAt: at }
  const rows = lines.map(line => ({ ...line, id: randomUUID(), ...of }))
  if (rows.length > 0) tx.insert(charges).values(rows).run()
}

/** Adds the installments of later charges to a plan, and removes those of voided ones (PLAN-21). */
function syncInstallments(deps: Deps, tx: Tx, at: string, applicationId: string): void {
  if (!planOf(tx, applicationId)) return
  const { timeZone } = currentSite(deps)
  const dayOf = (moment: string) => dateIn(new Date(moment), timeZone)
  const all = allCharges(tx, applicationId).map(charge => ({ ...charge, addedOn: dayOf(charge.createdAt) }))
  const { added, supersededIds } = syncChargeInstallments(liveInstallments(tx, applicationId), all, dayOf(at))
  supersedeInstallments(tx, at, supersededIds)
  insertInstallments(tx, at, applicationId, added)
}

/** Voids a charge, which no longer counts but is kept for the record. The caller must settle the charges afterwards. */
export function markVoided(tx: Tx, at: string, id: string, by: string | null, reason: string): void {
  tx.update(charges).set({ voidedAt: at, voidedBy: by, voidReason: reason }).where(eq(charges.id, id)).run()
}

/** Updates the taxes on later charges, and returns the charges that are not voided. */
function recomputeLaterTaxes(tx: Tx, at: string, applicationId: string): ChargeRow[] {
  const active = activeCharges(tx, applicationId)
  const later = active.filter(isLater)
  const wanted = fixedTaxes(active).flatMap(tax => additionalTax(tax, later) ?? [])
  const there = active.filter(({ kind, source }) => kind === 'tax' && source === 'owner')
  const isSame = (a: ChargeLine, b: ChargeLine) =>
    a.taxRuleId === b.taxRuleId && a.label === b.label && a.amountCents === b.amountCents
  const stale = there.filter(row => !wanted.some(line => isSame(line, row)))
  const missing = wanted.filter(line => !there.some(row => isSame(line, row)))
  if (stale.length + missing.length === 0) return active
  for (const { id } of stale) markVoided(tx, at, id, null, 'The charges it is based on changed.')
  insertCharges(tx, at, applicationId, 'owner', missing)
  return activeCharges(tx, applicationId)
}

/** The taxes of the lease with the bases that it and signed addenda fixed (CHANGE-38). */
export function fixedTaxes(active: readonly ChargeRow[]) {
  const taxes = active.filter(({ kind }) => kind === 'tax')
  return taxes
    .filter(({ source }) => source === 'lease')
    .map(tax => {
      const ofAddenda = taxes.filter(
        ({ name, source, taxRuleId }) =>
          source === 'addendum' && taxRuleId === tax.taxRuleId && name === tax.name,
      )
      const added = ofAddenda.reduce((sum, { baseCents }) => sum + (baseCents ?? 0), 0)
      return { ...taxOf(tax), baseCents: (tax.baseCents ?? 0) + added }
    })
}

const taxOf = ({ baseCents, name, onFees, onRent, rateBasisPoints, taxRuleId }: ChargeRow) => ({
  name,
  basisPoints: rateBasisPoints ?? 0,
  onRent: onRent === true,
  onFees: onFees === true,
  taxRuleId,
  baseCents: baseCents ?? 0,
})

type NewWaiver = Pick<ChargeRow, 'installmentId' | 'label' | 'amountCents' | 'createdBy'>

/**
 * The waivers of an application that are not voided, released ones too, with the later charge of the installment that
 * each reduces; null for the lease's own installments.
 */
function waiversOf(tx: Tx, applicationId: string) {
  return tx
    .select({ waiver: charges, chargeId: installments.chargeId })
    .from(charges)
    .innerJoin(installments, eq(installments.id, charges.installmentId))
    .where(and(eq(charges.applicationId, applicationId), isNull(charges.voidedAt)))
    .orderBy(sql`${charges}.rowid`)
    .all()
}

/** Stores a waiver as a negative charge, in cents. The caller must settle the charges afterwards. */
export function insertWaiver(tx: Tx, at: string, applicationId: string, waiver: NewWaiver): ChargeRow {
  const row = { ...waiver, id: randomUUID(), applicationId, name: waiver.label, createdAt: at }
  return tx
    .insert(charges)
    .values({ ...row, kind: 'adjustment', source: 'plan' })
    .returning()
    .get()
}

/**
 * Ends the waivers of voided later charges, also of a plan that was removed since, and reduces the waivers of a tax that fell below its waived amount: a
 * waiver never deducts more than was owed. Returns whether anything changed.
 */
function trimWaivers(tx: Tx, at: string, applicationId: string, active: readonly ChargeRow[]): boolean {
  if (!active.some(({ installmentId }) => installmentId !== null)) return false
  const all = new Map(allCharges(tx, applicationId).map(charge => [charge.id, charge]))
  /** The tax on later charges gets a new row whenever it is recomputed, so it is identified by its rule. */
  const owedBy = ({ id, kind, source, taxRuleId }: ChargeRow) =>
    kind === 'tax' && source === 'owner' ? `tax ${taxRuleId}` : id
  let hasChanged = false
  const ofLaterCharges = Map.groupBy(waiversOf(tx, applicationId), ({ chargeId }) => {
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
      markVoided(tx, at, waiver.id, null, 'The charge that it was part of changed.')
      const leftCents = Math.max(0, -waiver.amountCents - excess)
      excess += waiver.amountCents
      const { createdBy, installmentId, label } = waiver
      if (leftCents > 0)
        insertWaiver(tx, at, applicationId, { installmentId, label, amountCents: -leftCents, createdBy })
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
      markVoided(tx, at, waiver.id, null, 'The payment plan that it was part of was removed.')
}
