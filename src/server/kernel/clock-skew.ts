import { max } from 'drizzle-orm'
import { events } from '../../../db/schema.ts'
import { clockToleranceMs } from '../../domain/common/clock-tolerance.ts'
import type { Deps } from './deps.ts'

/**
 * The latest audit event's timestamp, as UTC ISO text, if it is in the future: then this machine's clock was, or is,
 * wrong. Otherwise undefined.
 */
export function futureEventTime({ clock, db }: Pick<Deps, 'clock' | 'db'>): string | undefined {
  const last = db
    .select({ at: max(events.at) })
    .from(events)
    .get()?.at
  return last && Date.parse(last) - clock.now().getTime() >= clockToleranceMs ? last : undefined
}
