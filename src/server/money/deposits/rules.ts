import { randomUUID } from 'node:crypto'
import { desc, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { depositRules } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import type { RuleForm } from '../../../domain/money/deposit-input.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { view } from '../../kernel/view.ts'
import { settingsOf } from './records.ts'
import { type RuleView, ruleView } from './views.ts'

/** The rules in use, presets first. */
export const listRules = (db: Db): RuleView[] =>
  db
    .select()
    .from(depositRules)
    .where(isNull(depositRules.archivedAt))
    .orderBy(desc(depositRules.preset), depositRules.createdAt, depositRules.id)
    .all()
    .map(row => view(ruleView, row))

/** A rule that can be chosen. @throws AppError bad_request at `field` for an unknown or archived one */
export function requireRule(db: Db, id: string, field: string): void {
  if (!listRules(db).some(rule => rule.id === id)) throw fieldError(field, 'Please choose a rule')
}

/** Adds a rule; it never changes afterwards (DEP-03). @throws AppError forbidden without a step-up: tenants read its text */
export function addRule(deps: Deps, actor: Admin, form: RuleForm): Promise<RuleView> {
  return deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const at = nowIso(deps)
    const rule = { ...form, id: randomUUID(), preset: false }
    tx.insert(depositRules)
      .values({ ...rule, createdAt: at })
      .run()
    recordEvent(tx, at, actor, 'deposit.rule_added', rule.id, { name: rule.name })
    return rule
  })
}

/** Takes a rule out of use; deposits that follow it keep it. @throws AppError not_found; conflict (DEP-03) */
export async function archiveRule(deps: Deps, actor: Admin, id: string) {
  await deps.write(tx => {
    const rule = listRules(tx).find(each => each.id === id)
    if (!rule) throw new AppError('not_found', 'Rule not found')
    if (rule.preset) throw new AppError('conflict', 'A preset stays.')
    if (settingsOf(tx).ruleId === id)
      throw new AppError('conflict', 'This is the usual rule. Please choose another one first.')
    const at = nowIso(deps)
    tx.update(depositRules).set({ archivedAt: at }).where(eq(depositRules.id, id)).run()
    recordEvent(tx, at, actor, 'deposit.rule_archived', id)
  })
  return { message: 'Rule archived' }
}
