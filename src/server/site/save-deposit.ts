import type { z } from 'zod'
import type { Admin } from '../../domain/accounts/access.ts'
import type { Section } from '../../domain/content/settings-section.ts'
import type { depositSection } from '../../domain/money/deposit-input.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import { type Deps, todayAt } from '../kernel/deps.ts'
import { requireRule } from '../money/deposits/rules.ts'
import { saveSectionIn } from './settings.ts'

/**
 * Saves a section that decides what guests pay, or when they see codes.
 * @throws AppError forbidden without a step-up; conflict for another version than the one that was read
 */
export function saveGuestTerms<Schema extends z.ZodType<object>>(
  deps: Deps,
  actor: Admin,
  section: Section<string, Schema>,
  saved: { version: number; body: z.output<Schema> },
): Promise<{ version: number; body: z.output<Schema> }> {
  return deps.write(tx => {
    requireStepUp(deps, tx, actor)
    return saveSectionIn(deps, tx, actor, section, saved)
  })
}

type Body = typeof depositSection.body

/**
 * Saves the deposit's section. Switched on without a day, deposits are watched for stays from today on.
 * @throws AppError like `saveGuestTerms`; bad_request at `body.ruleId`
 */
export async function saveDeposit(
  deps: Deps,
  actor: Admin,
  section: Section<string, Body>,
  { body, version }: { version: number; body: z.output<Body> },
) {
  requireRule(deps.db, body.ruleId, 'body.ruleId')
  const since = body.enabled ? (body.since ?? todayAt(deps)) : body.since
  return saveGuestTerms(deps, actor, section, { version, body: { ...body, since } })
}
