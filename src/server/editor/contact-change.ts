import type { Tx } from '../../../db/open.ts'
import type { Admin } from '../../domain/access.ts'
import { emailKey } from '../../domain/account-rules.ts'
import type { SiteContent } from '../../domain/content.ts'
import { isSameBody } from '../../domain/same-body.ts'
import { requireStepUp } from '../factors/step-up.ts'
import type { Deps } from '../kernel/deps.ts'
import { enqueueMail, type MailKinds } from '../mail/outbox.ts'
import { findUser, type UserRow } from '../sessions/users.ts'

type Contact = Pick<SiteContent, 'identity' | 'waysToPay'>
type ContactChange = { before: Contact; after: Contact }

/**
 * Requires a step-up for a change of how tenants reach or pay the owner (SAFE-16), but not for other words.
 * @throws AppError forbidden without a step-up
 */
export function requireContactStepUp(deps: Deps, tx: Tx, actor: Admin, change: ContactChange): void {
  if (contactChanges(change).length > 0) requireStepUp(deps, tx, actor)
}

/**
 * Mails the owner, at the former and at a new address, that a publication changed how tenants reach or pay them
 * (SITE-23), so that a thief of the account cannot do it unnoticed.
 */
export function mailContactChange(
  tx: Tx,
  at: string,
  actor: Admin,
  { version, ...change }: ContactChange & { version: number },
): void {
  const changes = contactChanges(change)
  if (changes.length === 0) return
  const user = findUser(tx, actor.userId)
  const props = { changes, by: user ? nameWithEmail(user) : '', at, ...actor.requestOrigin }
  const [former, now] = [change.before.identity.ownerEmail, change.after.identity.ownerEmail]
  for (const to of emailKey(former) === emailKey(now) ? [former] : [former, now])
    enqueueMail(tx, at, {
      kind: 'owner-contact-changed',
      to,
      dedupeKey: `contact-changed:${version}:${emailKey(to)}`,
      props,
    })
}

const nameWithEmail = ({ email, firstName, lastName }: UserRow) =>
  `${firstName} ${lastName} (${email})`.trim()

function contactChanges({ after, before }: ContactChange): MailKinds['owner-contact-changed']['changes'] {
  const rows = [
    { label: 'E-mail', before: before.identity.ownerEmail, after: after.identity.ownerEmail },
    { label: 'Phone', before: before.identity.ownerPhone, after: after.identity.ownerPhone },
    { label: 'Ways to pay', before: waysText(before), after: waysText(after) },
  ]
  const isSameWays = isSameBody(before.waysToPay, after.waysToPay)
  return rows.filter(row => (row.label === 'Ways to pay' ? !isSameWays : row.before !== row.after))
}

const waysText = ({ waysToPay }: Contact): string =>
  waysToPay.ways.map(({ instructions, name }) => `${name}: ${instructions}`).join('\n') || 'None'
