import { max } from 'drizzle-orm'
import { events } from '../../../db/schema.ts'
import type { Deps } from './deps.ts'

const toleranceMs = 60_000

/**
 * The moment of an event that was recorded in what is now the future, a UTC ISO text: this machine's clock was, or is,
 * wrong. Undefined while nothing says so.
 */
export function momentAhead({ clock, db }: Pick<Deps, 'clock' | 'db'>): string | undefined {
  const last = db
    .select({ at: max(events.at) })
    .from(events)
    .get()?.at
  return last && Date.parse(last) - clock.now().getTime() >= toleranceMs ? last : undefined
}
