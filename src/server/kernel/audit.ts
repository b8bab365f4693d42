import { sql } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { preparedQuery } from '../../../db/prepared.ts'
import { type EventDetail, events } from '../../../db/schema.ts'
import type { Actor, System } from '../../domain/accounts/access.ts'

const insertEvent = preparedQuery((tx: Tx) => {
  const value = (name: string) => sql.placeholder(name)
  return tx
    .insert(events)
    .values({
      at: value('at'),
      kind: value('kind'),
      subjectId: value('subjectId'),
      actorRole: value('actorRole'),
      actorId: value('actorId'),
      address: value('address'),
      userAgent: value('userAgent'),
      detail: value('detail'),
    })
    .prepare()
})

/** Adds an audit event, in the transaction of the change that it records. */
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
    address: 'requestOrigin' in actor ? actor.requestOrigin.address : null,
    userAgent: 'requestOrigin' in actor ? actor.requestOrigin.userAgent : null,
    detail,
  })
}
