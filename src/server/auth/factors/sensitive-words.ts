import type { Tx } from '../../../../db/open.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { emailKey } from '../../../domain/accounts/account-rules.ts'
import type { ContactChange } from '../../mail/mails/owner.tsx'
import { enqueueMail } from '../../mail/outbox.ts'
import { findUser, type UserRow } from '../sessions/users.ts'

export type WordsChange = ContactChange['changes'][number]
type Report = {
  changes: readonly WordsChange[]
  /** The owner's address before and after the change. */
  owners: readonly [string, string]
  where: ContactChange['where']
  dedupeKey: string
}

/** The maximum length of each side of a change in the mail, in characters. */
const maxShown = 2000

/**
 * Mails the owner what changed in the words that tenants rely on (SITE-23, FIX-32), so that a thief of the account
 * cannot change them unnoticed.
 */
export function mailSensitiveWords(
  tx: Tx,
  at: string,
  actor: Admin,
  { changes, dedupeKey, owners: [former, now], where }: Report,
): void {
  // Before the first answer of an installation there was nobody whose words could change.
  if (changes.length === 0 || former === '') return
  const user = findUser(tx, actor.userId)
  const shown = changes.map(({ label, before, after }) => ({
    label,
    before: changedLines(before, after),
    after: changedLines(after, before),
  }))
  const props = { changes: shown, where, by: user ? nameWithEmail(user) : '', at, ...actor.requestOrigin }
  for (const to of emailKey(former) === emailKey(now) ? [former] : [former, now])
    enqueueMail(tx, at, {
      kind: 'owner-contact-changed',
      to,
      dedupeKey: `${dedupeKey}:${emailKey(to)}`,
      props,
    })
}

const nameWithEmail = ({ email, firstName, lastName }: UserRow) =>
  `${firstName} ${lastName} (${email})`.trim()

/** A text as the mail shows it: of a long one the lines that the other text lacks. */
function changedLines(text: string, other: string): string {
  if (text.length <= maxShown && other.length <= maxShown) return text
  const others = new Set(other.split('\n'))
  const lines = text.split('\n').filter(line => !others.has(line))
  const shown = lines.join('\n')
  return shown.length > maxShown ? `${shown.slice(0, maxShown)}…` : shown
}
