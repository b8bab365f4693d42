import { and, eq, isNull } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { applications, charges, installments, taxRules } from '../../../db/schema.ts'
import type { SignedIn } from '../../domain/accounts/access.ts'
import type { DateRange } from '../../domain/common/dates.ts'
import type { AddendumInstallment, FixedTax, TaxBases } from '../../domain/leases/addendum.ts'
import { taxBasesOf } from '../../domain/leases/addendum.ts'
import { type ChargeLine, sumOf } from '../../domain/money/charge.ts'
import { taxApplies } from '../../domain/money/charge-rule.ts'
import { dueDateOf } from '../../domain/money/payment-plan.ts'
import { selectRecords } from '../bookings/records.ts'
import { type Deps, todayAt } from '../kernel/deps.ts'
import { insertInstallments, replaceInstallment } from './installments.ts'
import { activeCharges, allCharges, liveInstallments, planOf, planStateOf } from './records.ts'
import { fixedTaxes, insertCharges, markVoided, settleCharges } from './settle-charges.ts'

/** What an addendum starts from: what the lease and signed addenda charge, in cents. */
export function agreementOf(
  db: Db,
  applicationId: string,
  stay: DateRange,
): { owedCents: number; bases: TaxBases; taxes: FixedTax[]; totalCents: number; hasPlan: boolean } {
  const active = activeCharges(db, applicationId)
  const agreed = active.filter(({ source }) => source === 'lease' || source === 'addendum')
  return {
    owedCents: sumOf(agreed),
    bases: taxBasesOf(
      agreed.map(row => ({
        ...row,
        taxable: row.kind === 'discount' && row.source === 'lease' ? true : row.taxable,
      })),
    ),
    taxes: fixedTaxes(active).map(tax => ({ ...tax, escapes: escapes(db, tax.taxRuleId, stay) })),
    totalCents: sumOf(active.filter(({ kind }) => kind !== 'deposit')),
    hasPlan: planOf(db, applicationId) !== undefined,
  }
}

/** Whether a stay is too long for a tax, whenever the rule is valid. */
function escapes(db: Db, taxRuleId: string | null, stay: DateRange): boolean {
  const rule = db
    .select()
    .from(taxRules)
    .where(eq(taxRules.id, taxRuleId ?? ''))
    .get()
  return rule !== undefined && !taxApplies({ ...rule, validFrom: null, validTo: null }, stay)
}

type Signed = {
  addendumId: string
  lines: readonly ChargeLine[]
  installments: readonly AddendumInstallment[]
  /** The new last day. */
  end: string
}

/**
 * Charges what a signed addendum says, in the write of its signature: with a plan, added rent is due as printed but not
 * before, all others 7 days later (CHANGE-35), and no open payment is due after the new last day (CHANGE-36).
 * @throws AppError conflict for a total below zero (CHG-25)
 */
export function storeAddendumCharges(
  deps: Deps,
  tx: Tx,
  at: string,
  applicationId: string,
  { addendumId, end, installments: printed, lines }: Signed,
): void {
  insertCharges(tx, at, applicationId, 'addendum', lines, addendumId)
  const rent = chargesOfAddendum(tx, applicationId, addendumId).find(({ kind }) => kind === 'rent')
  const dated = printed.filter(({ dueDate }) => dueDate !== null)
  if (rent && dated.length > 0 && planOf(tx, applicationId)) {
    const free = Math.max(100, ...liveInstallments(tx, applicationId).map(({ position }) => position + 1))
    const rows = dated.map((row, i) => ({
      ...row,
      dueDate: dueDateOf(row, todayAt(deps)),
      position: free + i,
      kind: 'charge' as const,
      chargeId: rent.id,
    }))
    insertInstallments(tx, at, applicationId, rows)
  }
  settleCharges(deps, tx, at, applicationId)
  const record = selectRecords(tx).where(eq(applications.id, applicationId)).get()
  for (const { dueDate, id, openCents } of (record && planStateOf(deps, tx, record)?.installments) ?? []) {
    if (dueDate === null || dueDate <= end || openCents <= 0) continue
    const row = tx.select().from(installments).where(eq(installments.id, id)).get()
    if (!row) continue
    const { amountCents, chargeId, kind, label, position } = row
    replaceInstallment(
      tx,
      at,
      row,
      [{ amountCents, chargeId, dueDate: end, kind, label, position }],
      'The stay ends earlier.',
    )
  }
}

const chargesOfAddendum = (db: Db, applicationId: string, addendumId: string) =>
  allCharges(db, applicationId).filter(row => row.addendumId === addendumId)

/** Voids what an addendum charged; the caller settles the charges afterwards. */
export function voidAddendumCharges(tx: Tx, at: string, actor: SignedIn, addendumId: string): void {
  const standing = and(eq(charges.addendumId, addendumId), isNull(charges.voidedAt))
  for (const { id } of tx.select({ id: charges.id }).from(charges).where(standing).all())
    markVoided(tx, at, id, actor.userId, 'The lease was deleted.')
}
