import { max } from 'drizzle-orm'
import { events } from '../../../db/schema.ts'
import type { Deps } from './deps.ts'

/** How far a stored time may be in the future before the clock counts as wrong. */
export const toleranceMs = 60_000

/**
 * The latest audit event's timestamp, as UTC ISO text, if it is in the future: then this machine's clock was, or is,
 * wrong. Otherwise undefined.
 */
export function futureEventTime({ clock, db }: Pick<Deps, 'clock' | 'db'>): string | undefined {
  const last = db
    .select({ at: max(events.at) })
    .from(events)
    .get()?.at
  return last && Date.parse(last) - clock.now().getTime() >= toleranceMs ? last : undefined
}
