import { randomUUID } from 'node:crypto'
import { and, asc, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { taxRules } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { AppError, fieldError } from '../../domain/common/errors.ts'
import {
  authorityKey,
  type TaxRule,
  type TaxRuleInput,
  validityOverlaps,
} from '../../domain/money/charge-rule.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'

/** The taxes that are not archived, in order of creation. Rates in basis points. */
export function activeTaxRules(db: Db | Tx): TaxRule[] {
  return db
    .select()
    .from(taxRules)
    .where(isNull(taxRules.archivedAt))
    .orderBy(asc(taxRules.createdAt), sql`rowid`)
    .all()
    .map(toTaxRule)
}

/**
 * @throws AppError bad_request at `validFrom` when another tax of the authority is valid on one of the days; forbidden
 * without a step-up, because guests read the name (FIX-32)
 */
export function createTaxRule(deps: Deps, actor: Admin, input: TaxRuleInput): Promise<TaxRule> {
  const at = nowIso(deps)
  return deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const id = randomUUID()
    assertOneOfAuthority(tx, input, id)
    const row = tx
      .insert(taxRules)
      .values({ id, ...toColumns(input), createdAt: at, updatedAt: at })
      .returning()
      .get()
    recordEvent(tx, at, actor, 'tax.created', row.id, { name: row.name })
    return toTaxRule(row)
  })
}

/**
 * Replaces the whole rule; existing leases do not change.
 * @throws AppError not_found for an archived rule, bad_request and forbidden like `createTaxRule`
 */
export function updateTaxRule(deps: Deps, actor: Admin, id: string, input: TaxRuleInput): Promise<TaxRule> {
  const at = nowIso(deps)
  return deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const row = tx
      .update(taxRules)
      .set({ ...toColumns(input), updatedAt: at })
      .where(isActive(id))
      .returning()
      .get()
    if (!row) throw taxNotFound()
    // An error rolls the update back.
    assertOneOfAuthority(tx, input, id)
    recordEvent(tx, at, actor, 'tax.updated', id, { name: row.name })
    return toTaxRule(row)
  })
}

/** Archives the rule instead of deleting it, as charges refer to it. @throws AppError not_found for an archived rule */
export function archiveTaxRule(deps: Deps, actor: Admin, id: string): Promise<void> {
  const at = nowIso(deps)
  return deps.write(tx => {
    const row = tx.update(taxRules).set({ archivedAt: at }).where(isActive(id)).returning().get()
    if (!row) throw taxNotFound()
    recordEvent(tx, at, actor, 'tax.removed', id, { name: row.name })
  })
}

/** Two taxes of one authority are never valid on the same day (CHG-14). */
function assertOneOfAuthority(tx: Tx, input: TaxRuleInput, excludeId: string): void {
  const sameAuthority = and(
    eq(taxRules.authorityKey, authorityKey(input.authority)),
    isNull(taxRules.archivedAt),
    ne(taxRules.id, excludeId),
  )
  const other = tx
    .select()
    .from(taxRules)
    .where(sameAuthority)
    .orderBy(asc(taxRules.createdAt), sql`rowid`)
    .all()
    .find(rule => validityOverlaps(rule, input))
  if (other)
    throw fieldError('validFrom', `Another tax of this authority is valid in that time: ${other.name}.`)
}

const toColumns = (input: TaxRuleInput) => ({ ...input, authorityKey: authorityKey(input.authority) })

const isActive = (id: string) => and(eq(taxRules.id, id), isNull(taxRules.archivedAt))

const taxNotFound = () => new AppError('not_found', 'Tax not found')

function toTaxRule(row: typeof taxRules.$inferSelect): TaxRule {
  const { archivedAt: _, authorityKey: __, createdAt: ___, updatedAt: ____, ...rule } = row
  return { _id: row.id, ...rule }
}
