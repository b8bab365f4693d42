import { and, count, desc, eq, gte, isNotNull, isNull, lte, max, min } from 'drizzle-orm'
import { z } from 'zod'
import { applications, events, files, isBookedRow, leases, outbox, users } from '../../../db/schema.ts'
import type { Admin } from '../../domain/access.ts'
import { dateIn, formatMoment } from '../../domain/dates.ts'
import { AppError } from '../../domain/errors.ts'
import { formatCents } from '../../domain/money.ts'
import { wireMoment } from '../../domain/wire.ts'
import { backupState } from '../backup/last-backup.ts'
import { isLeaseInForce } from '../bookings/records.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { sha256 as sha256Of } from '../lib/sha256.ts'
import { listOverdrafts } from '../payments/ledger/ledger-laws.ts'
import { listUnexpected, type UnexpectedPayment } from '../payments/ledger/unexpected.ts'
import { listOpenDisputes, type OpenDispute } from '../payments/reconcile/disputes.ts'
import { listQuarantined } from '../payments/reconcile/provider-events.ts'

/** Something that the owner should know or do; none when all is well. `action` is what can be done about it here. */
export const noticeView = z.strictObject({
  id: z.string(),
  tone: z.enum(['warning', 'danger']),
  title: z.string(),
  detail: z.string(),
  at: wireMoment.nullable(),
  action: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('retry_mail'), outboxId: z.string() }),
      z.strictObject({ kind: z.literal('dismiss_event'), eventId: z.string() }),
      z.strictObject({ kind: z.literal('application'), applicationId: z.string() }),
      z.strictObject({
        kind: z.literal('unexpected_payment'),
        paymentId: z.string(),
        applicationId: z.string().nullable(),
        leftCents: z.int(),
      }),
    ])
    .nullable(),
})
export type Notice = z.infer<typeof noticeView>

/** Mail that waits longer than this is worth a word. */
const waitsTooLongMs = 10 * 60_000
/** A daily backup that is later than this did not happen. */
const backupTooOldMs = 2 * 24 * 60 * 60_000
const skewToleranceMs = 60_000
const guessingShownMs = 24 * 60 * 60_000
const maxOfAKind = 20

/** The owner's notice board. */
export function listNotices(deps: Deps): Notice[] {
  return [
    ...missingConfiguration(deps),
    ...failedMails(deps),
    ...waitingMails(deps),
    ...openDisputes(deps),
    ...unexpectedPayments(deps),
    ...quarantinedEvents(deps),
    ...overdrafts(deps),
    ...damagedFiles(deps),
    ...orphanedFiles(deps),
    ...changedLeaseTexts(deps),
    ...backupNotices(deps),
    ...clockSkew(deps),
    ...guessedPasswords(deps),
  ]
}

/** Puts a mail that was given up back into the queue. @throws AppError not_found; conflict for a blanked link */
export async function retryMail(deps: Deps, actor: Admin, outboxId: string): Promise<void> {
  const at = nowIso(deps)
  await deps.write(tx => {
    const failed = and(eq(outbox.id, outboxId), eq(outbox.status, 'failed'))
    const mail = tx.select({ kind: outbox.kind }).from(outbox).where(failed).get()
    if (!mail) throw new AppError('not_found', 'This mail is not among those that failed.')
    if (!canBeSentAgain(mail))
      throw new AppError('conflict', 'The link in this mail is gone. Whoever needs one asks for a new one.')
    tx.update(outbox)
      .set({ status: 'queued', attempts: 0, nextAttemptAt: at, lastError: null })
      .where(failed)
      .run()
    recordEvent(tx, at, actor, 'mail.retried', outboxId)
  })
}

/** A password link is blanked when it is given up. */
const canBeSentAgain = ({ kind }: { kind: string }) => kind !== 'password-reset'

function missingConfiguration({ config, provider, mail }: Deps): Notice[] {
  const missing = (id: string, title: string, detail: string): Notice => ({
    id,
    tone: 'warning',
    title,
    detail,
    at: null,
    action: null,
  })
  return [
    ...(provider
      ? []
      : [
          missing(
            'no-provider',
            'Card payments are not set up',
            'Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET; until then tenants see the other ways to pay.',
          ),
        ]),
    ...(mail
      ? []
      : [
          missing(
            'no-mail',
            'Mail is not set up',
            'Set SMTP_URL and MAIL_FROM; until then mails wait, and passwords cannot be reset by mail.',
          ),
        ]),
    ...(config.mode === 'production' && !config.stripe.publishableKey && provider
      ? [
          missing(
            'no-publishable-key',
            'The publishable key is missing',
            'Set STRIPE_PUBLISHABLE_KEY, so that the payment page can load the provider’s script.',
          ),
        ]
      : []),
  ]
}

function failedMails({ db }: Deps): Notice[] {
  const rows = db
    .select()
    .from(outbox)
    .where(eq(outbox.status, 'failed'))
    .orderBy(desc(outbox.createdAt))
    .limit(maxOfAKind)
    .all()
  return rows.map(row => ({
    id: `mail-${row.id}`,
    tone: 'danger',
    title: `A mail could not be delivered (${row.kind.replaceAll('-', ' ')})`,
    detail: `To ${row.toAddress}: ${row.lastError ?? 'given up'}`,
    at: row.createdAt,
    action: canBeSentAgain(row) ? { kind: 'retry_mail', outboxId: row.id } : null,
  }))
}

function waitingMails({ db, clock }: Deps): Notice[] {
  const since = new Date(clock.now().getTime() - waitsTooLongMs).toISOString()
  const waiting = db
    .select({ mails: count(), oldest: min(outbox.createdAt), error: max(outbox.lastError) })
    .from(outbox)
    .where(and(eq(outbox.status, 'queued'), lte(outbox.createdAt, since)))
    .get()
  if (!waiting || waiting.mails === 0) return []
  return [
    {
      id: 'mail-waiting',
      tone: 'warning',
      title: waiting.mails === 1 ? '1 mail waits to be sent' : `${waiting.mails} mails wait to be sent`,
      detail: waiting.error
        ? `What waits is tried again by itself. Last answer: ${waiting.error}`
        : 'What waits is sent as soon as the mail server takes it.',
      at: waiting.oldest,
      action: null,
    },
  ]
}

function unexpectedPayments(deps: Deps): Notice[] {
  return listUnexpected(deps)
    .slice(0, maxOfAKind)
    .map(payment => ({
      id: `payment-${payment.paymentId}`,
      tone: 'danger',
      title: unexpectedTitles[payment.reason],
      detail: unexpectedDetail(payment),
      at: payment.paidAt,
      action: {
        kind: 'unexpected_payment',
        paymentId: payment.paymentId,
        applicationId: payment.applicationId,
        leftCents: payment.leftCents,
      },
    }))
}

const unexpectedTitles: Record<UnexpectedPayment['reason'], string> = {
  declined: 'A payment arrived for a declined application',
  deleted: 'A payment arrived for a deleted application',
  closed: 'A payment arrived through a closed checkout',
}

function unexpectedDetail(payment: UnexpectedPayment): string {
  const { applicationId, applicationNumber, leftCents, reason, tenantName } = payment
  const paid = `${tenantName} paid ${formatCents(leftCents)}`
  const what = applicationNumber ? `${paid} for ${applicationNumber}` : paid
  const refund = applicationId
    ? 'Open the application and refund the payment to the card'
    : 'Refund it to the card here'
  if (reason === 'closed')
    return `${what} through a checkout that was closed before. It counts as paid. ${refund} if it was paid twice, or dismiss this.`
  const became = reason === 'declined' ? 'declined' : 'deleted. The payment stands without an application'
  return `${what}, which was ${became}. ${refund}, or dismiss this if the money stays.`
}

function quarantinedEvents(deps: Deps): Notice[] {
  return listQuarantined(deps)
    .slice(0, maxOfAKind)
    .map(event => ({
      id: `event-${event.id}`,
      tone: 'danger',
      title: `A payment event did not fit and was set aside (${event.type})`,
      detail: `${event.reason} Look up ${event.id} at the card provider.`,
      at: event.receivedAt,
      action: { kind: 'dismiss_event', eventId: event.id },
    }))
}

/** More of a tenant's money went back than had come; only the card provider can do that, and it cannot be refused. */
function overdrafts({ db }: Deps): Notice[] {
  return listOverdrafts(db).map(({ account, law, sentence, title }) => ({
    id: `overdraft-${law}-${account?.applicationId ?? account?.userId}`,
    tone: 'danger',
    title,
    detail: sentence,
    at: null,
    action: account?.applicationId ? { kind: 'application', applicationId: account.applicationId } : null,
  }))
}

/** Until the bank has decided. */
function openDisputes({ db, config }: Deps): Notice[] {
  return listOpenDisputes(db)
    .slice(0, maxOfAKind)
    .map(dispute => ({
      id: `dispute-${dispute.id}`,
      tone: 'danger',
      title: `A card payment of ${formatCents(dispute.totalCents)} is disputed${dispute.applicationNumber ? ` (${dispute.applicationNumber})` : ''}`,
      detail: whatToDo(dispute, config.site.timeZone),
      at: dispute.openedAt,
      action: dispute.applicationId ? { kind: 'application', applicationId: dispute.applicationId } : null,
    }))
}

function whatToDo({ id, status, tenantName, dueBy }: OpenDispute, timeZone: string): string {
  if (status === 'under_review')
    return `Your answer is with the bank of ${tenantName}. Look up ${id} at the card provider.`
  const deadline = dueBy ? `by ${formatMoment(dueBy, timeZone)}` : 'in time'
  return `The bank of ${tenantName} has taken it back. Answer at the card provider ${deadline}, or the money is lost. Look up ${id} there.`
}

function damagedFiles({ db }: Deps): Notice[] {
  const rows = db
    .select({
      id: files.id,
      name: files.originalName,
      at: files.damagedAt,
      applicationId: applications.id,
      number: applications.number,
    })
    .from(files)
    .leftJoin(leases, eq(leases.fileId, files.id))
    .leftJoin(applications, eq(applications.id, leases.applicationId))
    .where(and(isNotNull(files.damagedAt), isNull(files.removedAt)))
    .limit(maxOfAKind)
    .all()
  return rows.map(row => ({
    id: `file-${row.id}`,
    tone: 'danger',
    title: row.number
      ? `The signed lease of ${row.number} is damaged or missing`
      : 'A stored file is damaged or missing',
    detail: `“${row.name}” is not as it was stored. Restore it from a backup.`,
    at: row.at,
    action: row.applicationId ? { kind: 'application', applicationId: row.applicationId } : null,
  }))
}

/** What a sweep set aside; it is told until somebody has looked at it and taken it away. */
function orphanedFiles({ files }: Deps): Notice[] {
  const { folder, count } = files.orphans()
  if (count === 0) return []
  return [
    {
      id: 'orphans',
      tone: 'warning',
      title:
        count === 1
          ? '1 file without a record was set aside'
          : `${count} files without a record were set aside`,
      detail: `An interrupted upload leaves such a file, and so does an older database. What is missed is taken back by itself; look through ${folder} and delete what nobody needs.`,
      at: null,
      action: null,
    },
  ]
}

/** The leases of stays that run or are to come; `verify` of the command line looks at all of them. */
function changedLeaseTexts({ db, config, clock }: Deps): Notice[] {
  const rows = db
    .select({
      id: applications.id,
      number: applications.number,
      text: leases.text,
      sha256: leases.textSha256,
    })
    .from(applications)
    .innerJoin(leases, isLeaseInForce)
    .where(and(isBookedRow, gte(applications.stayEndDate, dateIn(clock.now(), config.site.timeZone))))
    .all()
  return rows
    .filter(({ text, sha256 }) => sha256Of(text) !== sha256)
    .map(({ id, number }) => ({
      id: `lease-${id}`,
      tone: 'danger',
      title: `The lease text of ${number} is not as it was generated`,
      detail:
        'It is neither shown nor signed any more. Restore it from a backup; while it is unsigned, the lease can be generated again.',
      at: null,
      action: { kind: 'application', applicationId: id },
    }))
}

/** The daily backups of a real site; the demo has none. */
function backupNotices({ db, config, clock }: Deps): Notice[] {
  if (config.mode !== 'production' || !config.backups.scheduled) return []
  const { made, failed } = backupState(db)
  const notice = (
    id: string,
    tone: Notice['tone'],
    title: string,
    detail: string,
    at: string | null,
  ): Notice[] => [{ id, tone, title, detail, at, action: null }]
  if (failed) return notice('backup-failed', 'danger', 'The last backup failed', failed.reason, failed.at)
  if (!made)
    return notice(
      'backup-none',
      'warning',
      'There is no backup yet',
      'The first one is made a minute after the site has started, then one every day.',
      null,
    )
  if (clock.now().getTime() - Date.parse(made.at) < backupTooOldMs) return []
  const detail = 'One is made every day while the site runs; its log says why there was none.'
  return notice('backup-old', 'danger', 'The last backup is older than two days', detail, made.at)
}

/** Something was recorded in what is now the future: this machine's clock was, or is, wrong. */
function clockSkew({ db, clock }: Deps): Notice[] {
  const last = db
    .select({ at: max(events.at) })
    .from(events)
    .get()?.at
  if (!last || Date.parse(last) - clock.now().getTime() < skewToleranceMs) return []
  return [
    {
      id: 'clock-skew',
      tone: 'danger',
      title: 'The server’s clock is wrong',
      detail: `Something was recorded at ${last}, which is later than the clock says now. Turn on time synchronisation on the server.`,
      at: null,
      action: null,
    },
  ]
}

/** Accounts that are guessed at from everywhere, as `countLogin` recorded it in the last day. */
function guessedPasswords({ db, clock }: Deps): Notice[] {
  const since = new Date(clock.now().getTime() - guessingShownMs).toISOString()
  const rows = db
    .select({ userId: users.id, email: users.email, at: max(events.at) })
    .from(events)
    .innerJoin(users, eq(users.id, events.subjectId))
    .where(and(gte(events.at, since), eq(events.kind, 'account.password_guessing')))
    .groupBy(users.id)
    .limit(maxOfAKind)
    .all()
  return rows.map(({ userId, email, at }) => ({
    id: `guessing-${userId}`,
    tone: 'danger',
    title: `Somebody is trying passwords for ${email}`,
    detail:
      'More than 100 wrong passwords came from networks that this account does not log in from. Such networks are slowed down for a day; the ones it was used from in the last 30 days are not. A password reset opens the account from anywhere.',
    at,
    action: null,
  }))
}
