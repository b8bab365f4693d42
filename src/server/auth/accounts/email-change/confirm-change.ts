import type { Tx } from '../../../../../db/open.ts'
import type { Actor } from '../../../../domain/accounts/access.ts'
import { safetyMessages } from '../../../../domain/accounts/account-safety-messages.ts'
import {
  confirmEmailChange,
  type EmailSide,
  emailChangeState,
} from '../../../../domain/accounts/email-change.ts'
import { AppError } from '../../../../domain/common/errors.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { enqueueMail } from '../../../mail/outbox.ts'
import { createLink, findLink, markLinkUsed } from '../../sessions/access-links.ts'
import {
  type EmailChangeRow,
  emailLinkKey,
  endEmailLinks,
  isEmailTaken,
  pendingEmailChange,
  saveEmailChange,
} from './changes.ts'
import { finishEmailChange } from './finish-change.ts'

/**
 * Confirms a change by the link to one address; the second confirmation makes the change (SAFE-25). If the second one
 * comes from a session of the account, that session stays.
 * @throws AppError not_found for an invalid link, with the same message for every reason
 */
export async function confirmEmailChangeByLink(
  deps: Deps,
  actor: Actor,
  { token }: { token: string },
): Promise<{ state: 'waiting' | 'done' }> {
  const state = await deps.write(tx => {
    const at = nowIso(deps)
    const { change, linkId, side } = openLink(tx, at, token)
    const isTaken = isEmailTaken(tx, at, change.newEmail, change.userId)
    const confirmed = confirmEmailChange(change, { side, isTaken, at })
    if (!confirmed) throw invalidLink()
    markLinkUsed(tx, at, linkId)
    saveEmailChange(tx, change.id, confirmed)
    const state = emailChangeState(confirmed, at)
    if (state === 'canceled') endEmailLinks(tx, at, change.id, 'email_old', 'email_new')
    if (state === 'done') {
      finishEmailChange(tx, at, actor, change)
      mailBothSides(tx, at, change)
    }
    return state
  })
  if (state === 'waiting' || state === 'done') return { state }
  // The address got an account in the meantime. Thrown after the commit, so that the cancellation is stored.
  throw invalidLink()
}

/** The change that a link confirms, and the address that it was mailed to. @throws AppError not_found */
function openLink(
  tx: Tx,
  at: string,
  token: string,
): { change: EmailChangeRow; side: EmailSide; linkId: string } {
  for (const side of ['old', 'new'] as const) {
    const link = findLink(tx, at, `email_${side}`, token)
    const change = link && pendingEmailChange(tx, at, link.personId)
    if (change && change.id === link.subjectId) return { change, side, linkId: link.id }
  }
  throw invalidLink()
}

/** Only the mail to the former address has the link that undoes the change for seven days (SAFE-28). */
function mailBothSides(tx: Tx, at: string, { id, newEmail, oldEmail, userId }: EmailChangeRow): void {
  const link = createLink(tx, at, { kind: 'email_undo', subjectId: id, personId: userId })
  const kind = 'email-changed'
  enqueueMail(tx, at, {
    kind,
    to: oldEmail,
    dedupeKey: emailLinkKey(link.id),
    validUntil: link.expiresAt,
    props: { oldEmail, newEmail, at, undoLinkId: link.id },
  })
  const toNew = { to: newEmail, dedupeKey: `email-changed:${id}` }
  enqueueMail(tx, at, { ...toNew, kind, props: { oldEmail, newEmail, at, undoLinkId: null } })
}

const invalidLink = () => new AppError('not_found', safetyMessages.invalidLink)
