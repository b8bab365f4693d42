import { isNull } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { depositCases } from '../../../../db/schema.ts'
import { hasLeft } from '../../../domain/money/deposit-case.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { everyMinute } from '../../kernel/every-minute.ts'
import { yieldToEventLoop } from '../../lib/event-loop.ts'
import { runLegs } from '../payments/returns/run-legs.ts'
import { setCase } from './items.ts'
import { openDepositIds, readDeposits, settingsOf, stateOf } from './records.ts'

/** Goes on with returns, and keeps the deposits' cases, now and every minute until stopped. */
export const startDeposits = (deps: Deps) => everyMinute(deps, tickDeposits, 'deposits could not be updated')

/** A return that has begun goes on also while deposits are not watched. */
export async function tickDeposits(deps: Deps): Promise<void> {
  await runLegs(deps)
  if (!settingsOf(deps.db).enabled) return
  for (const [i, id] of tickedIds(deps.db).entries()) {
    // Other requests have a turn in between.
    if (i % 10 === 9) await yieldToEventLoop()
    if (changesOf(deps, id).length > 0)
      await deps.write(tx => {
        for (const change of changesOf(deps, id)) change(tx)
      })
  }
}

function tickedIds(db: Db): string[] {
  const cases = db.select().from(depositCases).where(isNull(depositCases.closedAt)).all()
  return [...new Set([...openDepositIds(db), ...cases.map(row => row.applicationId)])]
}

/**
 * From the day on which the tenant has left a deposit keeps its rule (DEP-04). It is closed once nothing is held or under
 * way, and open again when a refund fails (DEP-38, DEP-40).
 */
function changesOf(deps: Deps, id: string): ((tx: Tx) => void)[] {
  return readDeposits(deps, [id]).flatMap(deposit => {
    const isClosed = stateOf(deposit) === 'closed'
    const wasClosed = deposit.case?.closedAt != null
    const keepsRule = deposit.case?.ruleId == null && (isClosed || hasLeft(deposit.facts))
    const set = {
      ...(keepsRule && { ruleId: deposit.rule.id }),
      ...(isClosed !== wasClosed && { closedAt: isClosed ? nowIso(deps) : null }),
    }
    return Object.keys(set).length > 0 ? [(tx: Tx) => setCase(tx, id, set)] : []
  })
}
