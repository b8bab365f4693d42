import { eq } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { type EventDetail, events } from '../../../db/schema.ts'
import type { Actor, System } from '../../domain/accounts/access.ts'

/** Adds an audit event, in the transaction of the change that it records. */
export function recordEvent(
  tx: Tx,
  at: string,
  actor: Actor | System,
  kind: string,
  subjectId: string,
  detail: EventDetail = {},
): void {
  const actorId = 'userId' in actor ? actor.userId : null
  const { address = null, userAgent = null } = 'requestOrigin' in actor ? actor.requestOrigin : {}
  tx.insert(events)
    .values({ at, kind, subjectId, actorRole: actor.role, actorId, address, userAgent, detail })
    .run()
}

/** Deletes the events of a subject that anyone could add to without limit. */
export function eraseEvents(tx: Tx, subjectId: string): void {
  tx.delete(events).where(eq(events.subjectId, subjectId)).run()
}
