import type Stripe from 'stripe'
import type { Db } from '../../../../../db/open.ts'
import type { Deps } from '../../../kernel/deps.ts'
import { readFact, writeFact } from '../../../kernel/installation-facts.ts'
import { webhookEvents } from '../webhook-events.ts'
import { applyEvent } from './provider-events.ts'

const key = 'restored.events'
const retryMs = 10 * 60_000
/**
 * As long as the provider keeps them: the clock at the backup may have been ahead, and events repeat for days. Known ones
 * change nothing.
 */
const fetchedMs = 30 * 24 * 60 * 60_000

/**
 * After a restore: fetches the provider's events from 30 days before the backup on, and applies them like the webhook,
 * oldest first; known ones change nothing (INST-42). Repeated until it has succeeded.
 * @param restore when the backup was made and restored, ISO; undefined if this site was never restored
 */
export function startCatchUp(
  deps: Deps,
  restore: { from: string; at: string } | undefined,
): { stop: () => Promise<void> } {
  let running = Promise.resolve()
  let isStopped = false
  const run = async () => {
    if (isStopped || !restore || isCaughtUp(deps.db, restore.at) || !deps.provider) return
    await catchUp(deps, restore.from)
    await deps.write(tx => writeFact(tx, key, restore.at))
  }
  const start = () => {
    running = running
      .then(run)
      .catch(error => deps.log.error({ err: error }, 'events since the backup could not be fetched'))
  }
  start()
  const timer = setInterval(start, retryMs).unref()
  return {
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      await running
    },
  }
}

/** Whether the provider's events since the restore of that time were fetched. */
export const isCaughtUp = (db: Db, restoredAt: string): boolean => readFact(db, key) === restoredAt

/**
 * Applies the events of the provider since 30 days before an ISO time.
 * @returns how many. @throws the first event's error, after all others were applied, which may come in any order
 */
export async function catchUp(deps: Deps, from: string): Promise<number> {
  const { provider } = deps
  if (!provider) return 0
  const since = Math.min(Date.parse(from), deps.clock.now().getTime()) - fetchedMs
  const events: Stripe.Event[] = []
  const query = { created: { gte: Math.floor(since / 1000) }, limit: 100 }
  const read: ReadonlySet<string> = new Set(webhookEvents)
  for await (const event of provider.stripe.events.list(query)) if (read.has(event.type)) events.push(event)
  const failures: unknown[] = []
  // Told newest first.
  for (const event of events.toReversed())
    await applyEvent(deps, event, Buffer.from(JSON.stringify(event))).catch(error => failures.push(error))
  if (failures.length > 0) throw failures[0]
  return events.length
}
