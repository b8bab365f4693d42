import { randomUUID } from 'node:crypto'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { feeRules } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { AppError } from '../../domain/common/errors.ts'
import type { FeeRule, FeeRuleInput } from '../../domain/money/charge-rule.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'

/** The fees and discounts that are not archived, in order of creation. Cents. */
export function activeFeeRules(db: Db | Tx): FeeRule[] {
  return db
    .select()
    .from(feeRules)
    .where(isNull(feeRules.archivedAt))
    .orderBy(asc(feeRules.createdAt), sql`rowid`)
    .all()
    .map(toFeeRule)
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
    return toFeeRule(row)
  })
}

/** Replaces the whole rule; existing leases do not change. @throws AppError not_found for an archived rule; forbidden */
export function updateFeeRule(deps: Deps, actor: Admin, id: string, input: FeeRuleInput): Promise<FeeRule> {
  const at = nowIso(deps)
  return deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const row = tx
      .update(feeRules)
      .set({ ...input, updatedAt: at })
      .where(isActive(id))
      .returning()
      .get()
    if (!row) throw feeNotFound()
    recordEvent(tx, at, actor, 'fee.updated', id, { name: row.name })
    return toFeeRule(row)
  })
}

/** Archives the rule instead of deleting it, as charges refer to it. @throws AppError not_found for an archived rule */
export function archiveFeeRule(deps: Deps, actor: Admin, id: string): Promise<void> {
  const at = nowIso(deps)
  return deps.write(tx => {
    const row = tx.update(feeRules).set({ archivedAt: at }).where(isActive(id)).returning().get()
    if (!row) throw feeNotFound()
    recordEvent(tx, at, actor, 'fee.removed', id, { name: row.name })
  })
}

const isActive = (id: string) => and(eq(feeRules.id, id), isNull(feeRules.archivedAt))

const feeNotFound = () => new AppError('not_found', 'Fee not found')

function toFeeRule(row: typeof feeRules.$inferSelect): FeeRule {
  const { archivedAt: _, createdAt: __, updatedAt: ___, ...rule } = row
  return { _id: row.id, ...rule }
}
