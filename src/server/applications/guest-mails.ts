import { desc, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { outbox } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { isMissingEmail } from '../../domain/accounts/account-rules.ts'
import type { GuestMessage, StatusMailQuery } from '../../domain/bookings/application-query.ts'
import { isEnded, statusMailKinds } from '../../domain/bookings/application-status.ts'
import { AppError } from '../../domain/common/errors.ts'
import { isWordingKind, wordingLabels } from '../../domain/content/wording.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import { tenantMailProps } from '../bookings/notifications.ts'
import { getSubmittedApplication, type OwnApplication } from '../bookings/records.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { enqueueMail, shownState } from '../mail/outbox.ts'
import { mailFactsFor } from './decision.ts'
import { writeStatus } from './set-status.ts'
import type { BookingMail, MailPreview } from './views.ts'

/** Every mail of a booking, newest first, with the words that were sent (LOOK-81). @throws AppError not_found */
export function listBookingMails({ db }: Deps, actor: Admin, applicationId: string): BookingMail[] {
  getSubmittedApplication(db, actor, applicationId)
  const { createdAt, id, kind, sentAt, toAddress, words } = outbox
  const subject = sql<string | null>`coalesce(${outbox.subject}, ${outbox.props} ->> '$.subject')`
  return db
    .select({ id, kind, to: toAddress, state: shownState, createdAt, sentAt, subject, words })
    .from(outbox)
    .where(eq(outbox.applicationId, applicationId))
    .orderBy(desc(sql`rowid`))
    .all()
    .map(({ kind, subject, ...mail }) => ({ ...mail, subject: subject ?? nameOf(kind) }))
}

/** What a mail is about whose subject is not kept; `payment-reminder` as `Payment reminder`. */
function nameOf(kind: string): string {
  if (isWordingKind(kind)) return wordingLabels[kind]
  const known = mailNames[kind]
  if (known) return known
  const name = kind.replace(/^owner-/, '').replaceAll('-', ' ')
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

const mailNames: Record<string, string> = {
  'message-to-owner': 'Message from the guest',
  'message-to-tenant': 'Message from you',
  'sign-invitation': 'Invitation to sign the lease',
  'sign-reminder': 'Reminder to sign the lease',
}

/** The mail that a status change would send now, with the owner's message in it (LOOK-68). @throws AppError not_found */
export async function previewStatusMail(
  deps: Deps,
  actor: Admin,
  { id, message, status }: StatusMailQuery,
): Promise<MailPreview> {
  const kind = statusMailKinds[status]
  const mailOf = (db: Db | Tx, record: OwnApplication) => {
    const facts = { message, ...mailFactsFor(deps, db, record, status) }
    return { kind, toAddress: record.account.email, props: tenantMailProps(kind, record, facts) }
  }
  const record = getSubmittedApplication(deps.db, actor, id)
  const { application } = record
  // Approving an ended application may make its money due again, so the decision is tried in a transaction and undone.
  // For others only the status changes, and the preview does not wait for a write.
  const mail = isEnded(application.status)
    ? await undone(deps, tx => {
        writeStatus(deps, tx, actor, getSubmittedApplication(tx, actor, id).application, status)
        return mailOf(tx, getSubmittedApplication(tx, actor, id))
      })
    : mailOf(deps.db, { ...record, application: { ...application, status } })
  // Loads the templates only when they are needed.
  const { previewMail } = await import('../mail/compose.ts')
  return previewMail(deps, mail)
}

/** Runs a write, rolls it back and returns its result. */
async function undone<T>({ write }: Deps, work: (tx: Tx) => T): Promise<T> {
  const end = { result: undefined as T }
  await write(tx => {
    end.result = work(tx)
    throw end
  }).catch(error => {
    if (error !== end) throw error
  })
  return end.result
}

/**
 * Mails the owner's own words to the guest, once per `requestId`; answers go to the owner.
 * @throws AppError not_found; forbidden without a step-up; conflict for a guest without an e-mail
 */
export async function writeToGuest(deps: Deps, actor: Admin, input: GuestMessage): Promise<void> {
  const { id, message, requestId, subject } = input
  await deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const { account, application } = getSubmittedApplication(tx, actor, id)
    if (isMissingEmail(account.email)) throw new AppError('conflict', 'This guest has no email.')
    const at = nowIso(deps)
    const { firstName } = application
    enqueueMail(tx, at, {
      kind: 'message-to-guest',
      to: account.email,
      dedupeKey: `message:${requestId}`,
      props: { applicationId: id, firstName, subject, message },
    })
    recordEvent(tx, at, actor, 'application.written_to', id, { subject })
  })
}
