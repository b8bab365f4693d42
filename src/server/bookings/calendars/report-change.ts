import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../../db/open.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { findUser } from '../../auth/sessions/users.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { enqueueMail } from '../../messages/outbox.ts'
import { currentSite } from '../../site/content/published.ts'

/**
 * Mails the owner that a calendar ended or moved, so that a thief of a session cannot have nights booked twice
 * unnoticed (INST-22).
 */
export function mailCalendarChange(deps: Deps, tx: Tx, actor: Admin, what: string): void {
  const at = nowIso(deps)
  const { address, userAgent } = actor.requestOrigin
  enqueueMail(tx, at, {
    kind: 'owner-connection-changed',
    to: currentSite(deps).ownerEmail,
    dedupeKey: `owner-connection-changed:${randomUUID()}`,
    props: {
      what,
      where: 'availability/other-platforms',
      by: findUser(tx, actor.userId)?.email ?? '',
      at,
      address,
      userAgent,
    },
  })
}
