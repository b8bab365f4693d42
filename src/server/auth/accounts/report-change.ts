import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../../db/open.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { enqueueMail } from '../../messages/outbox.ts'
import { currentSite } from '../../site/content/published.ts'
import { findUser } from '../sessions/users.ts'

/**
 * Mails the owner that mail, card payments or a calendar changed, so that a stolen session cannot do so unnoticed
 * (INST-22).
 * @param where the path below /admin that shows the settings
 */
export function mailConnectionChange(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  what: string,
  where = 'site/server',
): void {
  const at = nowIso(deps)
  const { address, userAgent } = actor.requestOrigin
  enqueueMail(tx, at, {
    kind: 'owner-connection-changed',
    to: currentSite(deps).ownerEmail,
    dedupeKey: `owner-connection-changed:${randomUUID()}`,
    props: { what, where, by: findUser(tx, actor.userId)?.email ?? '', at, address, userAgent },
  })
}
