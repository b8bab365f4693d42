import { and, eq, isNull, or } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { applications, users } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { emailKey } from '../../../domain/accounts/account-rules.ts'
import { noMailMessage } from '../../../domain/bookings/booking-entry.ts'
import type { CalendarDate } from '../../../domain/common/dates.ts'
import { fieldError } from '../../../domain/common/errors.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import type { MailSources } from '../../mail/define-mail.ts'
import { cancelUnsentMail, enqueueMail } from '../../mail/outbox.ts'
import { createLink, issueToken, revokeLinks } from '../sessions/access-links.ts'
import { isMailboxProven, type UserRow } from '../sessions/users.ts'
import { cancelPendingEmailChange, emailTakenMessage, isEmailTaken } from './email-change/changes.ts'
import { setEmail } from './email-change/set-email.ts'
import { endResetLinksOf } from './reset-links.ts'

/** The booking's data in the mails to its guest. */
export type InvitedBooking = {
  firstName: string
  applicationNumber: string
  applicationId: string
  startDate: CalendarDate
  endDate: CalendarDate
  /** The owner's offer that became this booking. */
  offer: { claimId: string } | undefined
}

const invitationKey = (linkId: string) => `invitation:${linkId}`
const bookedKey = (applicationId: string) => `booking-entered:${applicationId}`

/**
 * Mails a guest about a booking that the owner entered. The mail has a link to set a password if the mailbox is not
 * proven. Returns that link's id.
 * @throws AppError conflict for such a link without a mail service
 */
export function sendInvitation(
  deps: Deps,
  tx: Tx,
  guest: UserRow,
  booking: InvitedBooking,
): string | undefined {
  const at = nowIso(deps)
  if (isMailboxProven(guest)) {
    enqueueMail(tx, at, {
      kind: 'booking-entered',
      to: guest.email,
      dedupeKey: bookedKey(booking.applicationId),
      props: booking,
    })
    return undefined
  }
  if (!deps.mail) throw fieldError('invite', noMailMessage, 'conflict')
  const link = { kind: 'invitation', subjectId: booking.applicationId, personId: guest.id } as const
  const { id: linkId } = createLink(tx, at, link)
  enqueueMail(tx, at, {
    kind: 'invitation',
    to: guest.email,
    dedupeKey: invitationKey(linkId),
    props: { ...booking, linkId, isRegistered: guest.passwordHash !== null },
  })
  return linkId
}

/**
 * An invitation for a mail to a guest who has never had a password, or whose booking awaits the proof of the mailbox
 * (FIX-27). In one write, so that no change of the address comes between.
 */
export const wayIn: MailSources['wayIn'] = (deps, { applicationId, to }) =>
  deps.write(tx => {
    const at = nowIso(deps)
    const isShut = or(isNull(users.passwordHash), applications.awaitsMailbox)
    const isTheirs = and(eq(applications.id, applicationId), eq(users.emailKey, emailKey(to)))
    const guest = tx
      .select({ personId: users.id })
      .from(applications)
      .innerJoin(users, eq(users.id, applications.userId))
      .where(and(isTheirs, isNull(applications.deletedAt), isNull(users.mailboxProvenAt), isShut))
      .get()
    if (!guest) return undefined
    const link = { kind: 'invitation', subjectId: applicationId, ...guest } as const
    // Each mail gets its own link: delivering it would extend the tokens of a shared one.
    return issueToken(tx, at, createLink(tx, at, link).id)
  })

/** Revokes all invitations of a person and withdraws their unsent mails. */
export function endInvitationsOf(tx: Tx, at: string, personId: string): void {
  for (const id of revokeLinks(tx, at, 'invitation', { personId })) cancelUnsentMail(tx, invitationKey(id))
}

/** Revokes the invitations to a deleted booking and withdraws their unsent mails. */
export function endInvitationsTo(tx: Tx, at: string, applicationId: string): void {
  for (const id of revokeLinks(tx, at, 'invitation', { subjectId: applicationId }))
    cancelUnsentMail(tx, invitationKey(id))
  cancelUnsentMail(tx, bookedKey(applicationId))
}

/**
 * Corrects the email of an account that nobody can log in to yet. Links that were mailed to the former address stop
 * working.
 * @throws AppError conflict when another account has the email
 */
export function correctEmail(tx: Tx, at: string, actor: Admin, guest: UserRow, email: string): UserRow {
  if (isEmailTaken(tx, at, email, guest.id)) throw fieldError('email', emailTakenMessage, 'conflict')
  cancelPendingEmailChange(tx, at, guest.id)
  const changed = { ...guest, email: email.trim(), emailKey: emailKey(email), updatedAt: at }
  setEmail(tx, at, guest.id, changed.email)
  endResetLinksOf(tx, at, guest.id)
  recordEvent(tx, at, actor, 'account.email_corrected', guest.id)
  return changed
}
