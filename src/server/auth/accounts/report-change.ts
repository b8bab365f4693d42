import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../../db/open.ts'
import type { Admin, System } from '../../../domain/accounts/access.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { enqueueMail } from '../../mail/outbox.ts'
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
  actor: Admin | System,
  what: string,
  where = 'site/server',
): void {
  const at = nowIso(deps)
  const { address, userAgent } =
    actor.role === 'system' ? { address: 'the server itself', userAgent: '' } : actor.requestOrigin
  const by = actor.role === 'system' ? 'whoever runs the server' : (findUser(tx, actor.userId)?.email ?? '')
  enqueueMail(tx, at, {
    kind: 'owner-connection-changed',
    to: currentSite(deps).ownerEmail,
    dedupeKey: `owner-connection-changed:${randomUUID()}`,
    props: { what, where, by, at, address, userAgent },
  })
}
