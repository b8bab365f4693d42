import { randomUUID } from 'node:crypto'
import { and, asc, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { feeRules, taxRules } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { AppError, fieldError } from '../../domain/common/errors.ts'
import { withId } from '../../domain/common/record-ids.ts'
import { requireUnchanged } from '../../domain/content/content-draft.ts'
import {
  authorityKey,
  type FeeRule,
  type FeeRuleInput,
  feeRuleView,
  type TaxRule,
  type TaxRuleInput,
  taxRuleView,
  validityOverlaps,
} from '../../domain/money/charge-rule.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { lastSaved, view } from '../kernel/view.ts'

export const ownFeeView = feeRuleView.extend(lastSaved)
export const ownTaxView = taxRuleView.extend(lastSaved)
export const savedRule = withId.extend(lastSaved)

/** The fees and discounts that are not archived, in order of creation. Cents. */
export function activeFeeRules(db: Db): FeeRule[] {
  return db
    .select()
    .from(feeRules)
    .where(isNull(feeRules.archivedAt))
    .orderBy(asc(feeRules.createdAt), sql`rowid`)
    .all()
    .map(row => view(ownFeeView, row))
}

/** @throws AppError forbidden without a step-up, because guests read the name (FIX-32) */
export function createFeeRule(deps: Deps, actor: Admin, input: FeeRuleInput): Promise<FeeRule> {
  const at = nowIso(deps)
  return deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const row = tx
      .insert(feeRules)
      .values({ id: randomUUID(), ...input, createdAt: at, updatedAt: at })
      .returning()
      .get()
    recordEvent(tx, at, actor, 'fee.created', row.id, { name: row.name })
    return view(ownFeeView, row)
  })
}

/**
 * Replaces the whole rule; existing leases do not change. `seen` is the `updatedAt` of what was changed.
 * @throws AppError not_found for an archived rule; forbidden; conflict if it was saved meanwhile
 */
export function updateFeeRule(
  deps: Deps,
  actor: Admin,
  id: string,
  input: FeeRuleInput,
  seen?: string,
): Promise<FeeRule> {
  const at = nowIso(deps)
  return deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const before = tx.select().from(feeRules).where(isActiveFee(id)).get()
    if (!before) throw feeNotFound()
    requireUnchanged(before, seen)
    const row = tx
      .update(feeRules)
      .set({ ...input, updatedAt: at })
      .where(isActiveFee(id))
      .returning()
      .get()
    recordEvent(tx, at, actor, 'fee.updated', id, { name: row.name })
    return view(ownFeeView, row)
  })
}

/** Archives the rule instead of deleting it, as charges refer to it. @throws AppError not_found for an archived rule; forbidden without a step-up */
export function archiveFeeRule(deps: Deps, actor: Admin, id: string): Promise<void> {
  const at = nowIso(deps)
  return deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const row = tx.update(feeRules).set({ archivedAt: at }).where(isActiveFee(id)).returning().get()
    if (!row) throw feeNotFound()
    recordEvent(tx, at, actor, 'fee.removed', id, { name: row.name })
  })
}

const isActiveFee = (id: string) => and(eq(feeRules.id, id), isNull(feeRules.archivedAt))

const feeNotFound = () => new AppError('not_found', 'Fee not found')

/** The taxes that are not archived, in order of creation. Rates in basis points. */
export function activeTaxRules(db: Db): TaxRule[] {
  return db
    .select()
    .from(taxRules)
    .where(isNull(taxRules.archivedAt))
    .orderBy(asc(taxRules.createdAt), sql`rowid`)
    .all()
    .map(row => view(ownTaxView, row))
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
    return view(ownTaxView, row)
  })
}

/**
 * The same of a tax.
 * @throws AppError like `updateFeeRule`, and bad_request like `createTaxRule`
 */
export function updateTaxRule(
  deps: Deps,
  actor: Admin,
  id: string,
  input: TaxRuleInput,
  seen?: string,
): Promise<TaxRule> {
  const at = nowIso(deps)
  return deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const before = tx.select().from(taxRules).where(isActiveTax(id)).get()
    if (!before) throw taxNotFound()
    requireUnchanged(before, seen)
    const row = tx
      .update(taxRules)
      .set({ ...toColumns(input), updatedAt: at })
      .where(isActiveTax(id))
      .returning()
      .get()
    // An error rolls the update back.
    assertOneOfAuthority(tx, input, id)
    recordEvent(tx, at, actor, 'tax.updated', id, { name: row.name })
    return view(ownTaxView, row)
  })
}

/** Archives the rule instead of deleting it, as charges refer to it. @throws AppError not_found for an archived rule; forbidden without a step-up */
export function archiveTaxRule(deps: Deps, actor: Admin, id: string): Promise<void> {
  const at = nowIso(deps)
  return deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const row = tx.update(taxRules).set({ archivedAt: at }).where(isActiveTax(id)).returning().get()
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

const isActiveTax = (id: string) => and(eq(taxRules.id, id), isNull(taxRules.archivedAt))

const taxNotFound = () => new AppError('not_found', 'Tax not found')
