import { desc } from 'drizzle-orm'
import { events } from '../../../db/schema.ts'
import { clockToleranceMs } from '../../domain/common/dates.ts'
import type { Deps } from './deps.ts'

/**
 * The newest audit event's timestamp, as UTC ISO text, if it is in the future: then this machine's clock was, or is,
 * wrong. Otherwise undefined: what is recorded since at a past time shows that the clock was set right.
 */
export function futureEventTime({ clock, db }: Pick<Deps, 'clock' | 'db'>): string | undefined {
  const last = db.select({ at: events.at }).from(events).orderBy(desc(events.id)).limit(1).get()?.at
  return last && Date.parse(last) - clock.now().getTime() >= clockToleranceMs ? last : undefined
}
