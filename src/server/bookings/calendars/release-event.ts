import { and, eq, isNull } from 'drizzle-orm'
import { calendarEvents } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { updateConflicts } from './conflicts.ts'
import { syncPublished } from './published.ts'
import { loadFeed } from './records.ts'
import { storeEvents } from './store-reading.ts'
import { type EventView, presentEvent } from './views.ts'

/**
 * Releases the nights of an imported event, or takes them back (CAL-35).
 * @throws AppError not_found for an unknown or ended event
 */
export function releaseEvent(deps: Deps, actor: Admin, id: string, released: boolean): Promise<EventView> {
  return deps.write(tx => {
    const live = and(eq(calendarEvents.id, id), isNull(calendarEvents.endedAt))
    const before = tx.select().from(calendarEvents).where(live).get()
    if (!before) throw new AppError('not_found', 'Event not found')
    const { name } = loadFeed(tx, before.feedId)
    const at = nowIso(deps)
    // The owner now confirms the nights of an ended echo, so its notice disappears.
    const known = before.echo ? {} : { coveredAt: null }
    const releasedAt = before.releasedAt ?? at
    const after = released ? { ...before, releasedAt } : { ...before, releasedAt: null, ...known }
    storeEvents(tx, [before], [after])
    if (released !== (before.releasedAt !== null)) {
      const { end, start } = before
      const kind = released ? 'calendar.event_released' : 'calendar.event_taken_back'
      recordEvent(tx, at, actor, kind, id, { feed: name, start, end })
    }
    syncPublished(deps, tx)
    updateConflicts(deps, tx)
    return presentEvent(after, name)
  })
}
