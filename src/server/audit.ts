import { sql } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { prepared } from '../../db/prepared.ts'
import { type EventDetail, events } from '../../db/schema.ts'
import type { Actor, System } from '../domain/access.ts'

const insertEvent = prepared((tx: Tx) =>
  tx
    .insert(events)
    .values({
      at: sql.placeholder('at'),
      kind: sql.placeholder('kind'),
      subjectId: sql.placeholder('subjectId'),
      actorRole: sql.placeholder('actorRole'),
      actorId: sql.placeholder('actorId'),
      address: sql.placeholder('address'),
      userAgent: sql.placeholder('userAgent'),
      detail: sql.placeholder('detail'),
    })
    .prepare(),
)

/** Writes a line of the audit log, in the transaction of what it records: who, when, from where. */
export function recordEvent(
  tx: Tx,
  at: string,
  actor: Actor | System,
  kind: string,
  subjectId: string,
  detail: EventDetail = {},
): void {
  insertEvent(tx).run({
    at,
    kind,
    subjectId,
    actorRole: actor.role,
    actorId: 'userId' in actor ? actor.userId : null,
    address: 'whence' in actor ? actor.whence.address : null,
    userAgent: 'whence' in actor ? actor.whence.userAgent : null,
    detail,
  })
}
