import { randomUUID } from 'node:crypto'
import { and, eq, inArray, notInArray } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { outbox } from '../../../db/schema.ts'
import type { CalendarDate } from '../../domain/common/dates.ts'
import { AppError } from '../../domain/common/errors.ts'
import type { MailWording } from '../../domain/content/mail-wording.ts'
import type { MailWordingKind } from '../../domain/content/wording.ts'

type ApplicationMail = {
  firstName: string
  applicationNumber: string
  applicationId: string
  startDate: CalendarDate
  endDate: CalendarDate
  /** The owner's note to the tenant. */
  notes?: string
}
type OwnerApplicationMail = {
  applicationNumber: string
  applicationId: string
  applicantName: string
  startDate: CalendarDate
  endDate: CalendarDate
  /** What the tenant has paid and a withdrawn application still holds, in cents, without card fees. */
  paidCents?: number
  /** No more mails of this kind follow within a day. */
  isLastOfDay?: true
}

/** Which installment of the plan was postponed or waived. Cents. */
export type PlanChangeMail = { label: string; amountCents: number } & (
  | { change: 'postponed'; dueDate: CalendarDate }
  | { change: 'waived' }
)

export type BankPaymentMail = {
  firstName: string
  tenantName: string
  applicationNumber: string | null
  applicationId: string | null
  /** The displayed label, for example 'Rent'. */
  paymentTypeLabel: string
  amountCents: number
  /** Why the payment failed or was returned, if the bank gave a reason. */
  reason: string | null
  /** The owner's copy. */
  forOwner?: true
}

/** A change of an account's second factors; `label` is the factor's name, `isOn` is whether any factor remains. */
export type FactorChange = {
  change: 'totp-added' | 'passkey-added' | 'totp-removed' | 'passkey-removed' | 'recovery-codes' | 'reset'
  label: string | null
  isOn: boolean
}
/** When and where an account action happened; browser and address are null on the command line. */
type DoneAt = { at: string; browser: string | null; address: string | null }

/**
 * Every kind of mail with its props: plain JSON, rendered at delivery. A mail with a link names the link; its token is
 * made at delivery.
 */
export type MailKinds = {
  'password-reset': {
    email: string
    displayName: string
    linkId: string
    /** Whether the former password no longer works. */
    isPasswordGone?: boolean
  }
  invitation: ApplicationMail & {
    linkId: string
    /** Whether somebody registered the e-mail, without proving that it is theirs. */
    isRegistered?: boolean
  }
  'booking-entered': ApplicationMail
  'factor-changed': FactorChange & DoneAt
  /** Proves the mailbox. The code is computed at delivery, so that the outbox does not contain it. */
  'mailbox-code': { challengeId: string; expiresAt: string } & DoneAt
  /** `left` is the number of unused codes. */
  'recovery-code-used': { left: number } & DoneAt
  'application-received': ApplicationMail
  'application-approved': ApplicationMail
  'application-declined': ApplicationMail
  'lease-ready': ApplicationMail
  'booking-complete': ApplicationMail
  'owner-new-application': OwnerApplicationMail
  'owner-withdrawn': OwnerApplicationMail
  /** To tenant, owner and co-applicant, with the signed PDF attached. */
  'lease-signed-copy': {
    firstName: string
    applicationNumber: string
    applicationId: string
    fileId: string
    /** The tenant who entered the co-applicant's address; only in the co-applicant's mail. */
    givenBy?: string
    /** The owner's copy. */
    forOwner?: true
  }
  'owner-payment-received': {
    tenantName: string
    applicationNumber: string | null
    applicationId: string | null
    /** The displayed label, for example 'Rent'. */
    paymentTypeLabel: string
    amountCents: number
    feeCents: number
    paidAt: string
  }
  'owner-payment-disputed': {
    tenantName: string
    applicationNumber: string | null
    applicationId: string | null
    paymentTypeLabel: string
    disputeId: string
    totalCents: number
    /** The provider's deadline for a response. */
    dueBy: string | null
    paidAt: string | null
  }
  /** To the tenant only; the next two go to tenant and owner. */
  'bank-payment-on-its-way': BankPaymentMail
  'bank-payment-failed': BankPaymentMail
  'bank-payment-returned': BankPaymentMail
  /** `applicationId` is set if the payment belongs to an application. */
  'payment-receipt': { paymentId: string; applicationId?: string }
  'charge-added': {
    firstName: string
    applicationNumber: string
    applicationId: string
    label: string
    amountCents: number
    /** The balance including this charge. */
    balanceCents: number
  }
  'plan-changed': PlanChangeMail & {
    firstName: string
    applicationNumber: string
    applicationId: string
    /** The balance after the change. */
    balanceCents: number
  }
  /** To the old and the new address; the link confirms the change. */
  'email-change-link': {
    side: 'old' | 'new'
    newEmail: string
    linkId: string
    /** When and from where the change was requested. */
    at: string
    address: string
    userAgent: string
  }
  /** Sent instead of the link when the new address belongs to another account. */
  'email-change-taken': { email: string }
  /** To both addresses; only the old one can undo the change with a link. */
  'email-changed': {
    oldEmail: string
    newEmail: string
    at: string
    undoLinkId: string | null
  }
  /** A double booking: nights booked on another platform, and also here or on a third platform. */
  'owner-double-booking': {
    feedName: string
    /** The booking here; null if the other booking is a reservation on another platform. */
    applicationNumber: string | null
    applicationId: string | null
    otherFeedName: string | null
    /** The nights in both bookings, half-open. */
    startDate: CalendarDate
    endDate: CalendarDate
    /** How many more double bookings there are since the last mail. */
    more?: number
  }
  /** A calendar that could not be read for a day. */
  'owner-feed-failing': { feedName: string; lastSuccessAt: string | null; lastError: string }
  /** To the old and the new owner address: words that tenants rely on were changed. */
  'owner-contact-changed': {
    /** Plain text, possibly with line breaks. */
    changes: { label: string; before: string; after: string }[]
    /** The tab of the site's words with their earlier versions; an earlier release wrote none. */
    where?: 'versions' | 'lease' | 'mails'
    /** Name and e-mail of the administrator who made the change. */
    by: string
    at: string
    address: string
    userAgent: string
  }
  /** A published version that cannot be read, and the version shown instead; 0 for the shipped content. */
  'owner-words-unreadable': { version: number; shown: number }
  'contact-message': {
    from_name: string
    from_email: string
    phone: string
    subject: string
    message: string
    recipient: string
    sent_date: string
  }
  /** Scheduled: the overdue, due and next installments at the time of delivery. */
  'payment-reminder': { applicationId: string; stageDate: CalendarDate }
  /** Scheduled: dangers on the notice board; dangers that are gone at delivery are left out. */
  'owner-dangers': { date: CalendarDate; noticeIds: string[] }
  /** To an administrator; the link reports a login by somebody else and ends all sessions. */
  'new-login': { displayName: string; at: string; browser: string; address: string; linkId: string }
  'test-mail': Record<string, never>
  /** One of the mails above with sample data, in a wording that is being edited. */
  'wording-sample': { kind: MailWordingKind; words: MailWording }
}
export type MailKind = keyof MailKinds

export type QueuedMail = {
  [Kind in MailKind]: {
    kind: Kind
    props: MailKinds[Kind]
    /** One address. An invalid address makes the mail fail, but never rolls back the change that caused it. */
    to: string
    /** Identifies the mail: a second mail with the same key is not written. */
    dedupeKey: string
    replyTo?: string
    /** When the mail expires, a UTC ISO string; never if missing. */
    validUntil?: string
  }
}[MailKind]

/** Thrown while composing a mail that no longer applies, so that it is withdrawn. */
export class MailObsoleteError extends Error {}

type OutboxRow = typeof outbox.$inferSelect
export type MailState = 'queued' | 'sent' | 'failed' | 'withdrawn'

/** Writes a mail in the same transaction as its cause; the worker delivers it. */
export function enqueueMail(tx: Tx, at: string, mail: QueuedMail): void {
  tx.insert(outbox)
    .values({
      id: randomUUID(),
      dedupeKey: mail.dedupeKey,
      kind: mail.kind,
      props: mail.props,
      toAddress: mail.to,
      replyTo: mail.replyTo ?? null,
      createdAt: at,
      status: 'queued',
      nextAttemptAt: at,
      validUntil: mail.validUntil ?? null,
    })
    .onConflictDoNothing({ target: outbox.dedupeKey })
    .run()
}

/** Deletes a mail that waits or has failed, because its cause is gone. */
export function cancelUnsentMail(tx: Tx, dedupeKey: string): void {
  tx.delete(outbox)
    .where(and(eq(outbox.dedupeKey, dedupeKey), inArray(outbox.status, ['queued', 'failed'])))
    .run()
}

/** Scheduled mails: none is sent while the clock is known to be wrong. */
export const scheduledKinds: readonly string[] = ['payment-reminder', 'owner-dangers'] satisfies MailKind[]

/** Whether a failed mail can be sent again; not if it has expired, or lost its content with its link long ago. */
export const canRetry = (at: string, { kind, props, validUntil }: OutboxRow): boolean =>
  (validUntil === null || validUntil > at) && (kind === 'test-mail' || Object.keys(props).length > 0)

/** Puts a failed mail back into the queue. @throws AppError not_found; conflict for a mail that no longer applies */
export function requeueMail(tx: Tx, at: string, id: string): void {
  if (!canRetry(at, failedMail(tx, id)))
    throw new AppError('conflict', 'This mail is out of date and cannot be sent again. Please dismiss it.')
  tx.update(outbox)
    .set({ status: 'queued', attempts: 0, nextAttemptAt: at, lastError: null })
    .where(eq(outbox.id, id))
    .run()
}

/** Gives up on a failed mail. Its row stays, so that the mail is not written again. @throws AppError not_found */
export function dismissMail(tx: Tx, id: string): void {
  tx.update(outbox)
    .set({ status: 'withdrawn', props: {} })
    .where(eq(outbox.id, failedMail(tx, id).id))
    .run()
}

function failedMail(tx: Tx, id: string): OutboxRow {
  const failed = and(eq(outbox.id, id), eq(outbox.status, 'failed'))
  const mail = tx.select().from(outbox).where(failed).get()
  if (!mail) throw new AppError('not_found', 'This mail has not failed.')
  return mail
}

/** Deletes all mails except these: seeding the demo creates mails that nobody should receive. */
export function discardMails(tx: Tx, exceptIds: string[]): void {
  tx.delete(outbox).where(notInArray(outbox.id, exceptIds)).run()
}

/** The state of the mail with this key; undefined if none was written. */
export function mailState(db: Pick<Db, 'select'>, dedupeKey: string): MailState | undefined {
  return db.select({ status: outbox.status }).from(outbox).where(eq(outbox.dedupeKey, dedupeKey)).get()
    ?.status
}
