import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../../db/open.ts'
import type { Actor, System } from '../../../domain/accounts/access.ts'
import { describeBrowser } from '../../../domain/accounts/user-agent.ts'
import type { FactorChange } from '../../mail/mails/factors.tsx'
import { enqueueMail } from '../../mail/outbox.ts'
import type { UserRow } from '../sessions/users.ts'

/** Mails the account that its factors changed, in the transaction of the change (SAFE-10). */
export function mailFactorChange(
  tx: Tx,
  at: string,
  actor: Actor | System,
  user: UserRow,
  change: FactorChange,
): void {
  enqueueMail(tx, at, {
    kind: 'factor-changed',
    to: user.email,
    dedupeKey: `factor-changed:${randomUUID()}`,
    props: { ...change, at, ...placeOf(actor) },
  })
}

/** Mails the account that a recovery code was used, and how many are left (SAFE-08). */
export function mailRecoveryCodeUsed(tx: Tx, at: string, actor: Actor, user: UserRow, left: number): void {
  enqueueMail(tx, at, {
    kind: 'recovery-code-used',
    to: user.email,
    dedupeKey: `recovery-code-used:${randomUUID()}`,
    props: { left, at, ...placeOf(actor) },
  })
}

/** Tells the account, once a day, that somebody has its password and tries codes (SAFE-07). */
export function mailWrongCodes(tx: Tx, at: string, actor: Actor, user: UserRow): void {
  enqueueMail(tx, at, {
    kind: 'wrong-codes',
    to: user.email,
    dedupeKey: `wrong-codes:${user.id}:${at.slice(0, 10)}`,
    props: { at, ...placeOf(actor) },
  })
}

/** Browser and address of the change, only for the person; null for the command line. */
function placeOf(actor: Actor | System): { browser: string | null; address: string | null } {
  if (!('requestOrigin' in actor)) return { browser: null, address: null }
  const { address, userAgent } = actor.requestOrigin
  return { browser: describeBrowser(userAgent), address }
}
