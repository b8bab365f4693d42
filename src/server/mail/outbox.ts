import { randomUUID } from 'node:crypto'
import { and, eq, notInArray } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { outbox } from '../../../db/schema.ts'
import type { CalendarDate } from '../../domain/dates.ts'
import { AppError } from '../../domain/errors.ts'
import type { MailWording } from '../../domain/mail-wording.ts'
import type { MailWordingKind } from '../../domain/wording.ts'

type ApplicationMail = {
  firstName: string
  applicationNumber: string
  applicationId: string
  startDate: CalendarDate
  endDate: CalendarDate
  /** The owner's words to the tenant. */
  notes?: string
}
type OwnerApplicationMail = {
  applicationNumber: string
  applicationId: string
  applicantName: string
  startDate: CalendarDate
  endDate: CalendarDate
}

/** What was postponed or waived of a payment of the plan. Cents. */
export type PlanChangeMail = { label: string; amountCents: number } & (
  | { change: 'postponed'; dueDate: CalendarDate }
  | { change: 'waived' }
)

export type BankPaymentMail = {
  firstName: string
  tenantName: string
  applicationNumber: string | null
  applicationId: string | null
  /** As it is shown, for example 'Rent'. */
  paymentTypeLabel: string
  amountCents: number
  /** Why it failed or came back, where the bank said so. */
  reason: string | null
  /** The owner's copy. */
  forOwner?: true
}

/** A change of an account's second steps; `label` is the factor's name, `isOn` whether any is left. */
export type FactorChange = {
  change: 'totp-added' | 'passkey-added' | 'totp-removed' | 'passkey-removed' | 'recovery-codes' | 'reset'
  label: string | null
  isOn: boolean
}
/** When and where something was done in an account; without a place on the command line. */
type DoneAt = { at: string; browser: string | null; address: string | null }

/** Every mail there is, and what it is filled with: plain JSON, rendered when it is delivered. */
export type MailKinds = {
  /** Blanked once it is delivered or given up: the link is a secret. */
  'password-reset': { email: string; displayName: string; link: string; isPasswordGone?: boolean }
  /** Blanked like a reset: whoever has its link sets the password. */
  invitation: ApplicationMail & { link: string; expiresAt: string }
  'booking-entered': ApplicationMail
  'factor-changed': FactorChange & DoneAt
  /** `left` is how many codes are unused. */
  'recovery-code-used': { left: number } & DoneAt
  'application-received': ApplicationMail
  'application-approved': ApplicationMail
  'application-declined': ApplicationMail
  'lease-ready': ApplicationMail
  'booking-complete': ApplicationMail
  'owner-new-application': OwnerApplicationMail
  'owner-withdrawn': OwnerApplicationMail
  /** The signed PDF goes with it; to tenant, owner and co-applicant. */
  'lease-signed-copy': {
    firstName: string
    applicationNumber: string
    applicationId: string
    fileId: string
    /** The tenant who gave the co-applicant's address; nobody else's mail has it. */
    givenBy?: string
    /** The owner's copy. */
    forOwner?: true
  }
  'owner-payment-received': {
    tenantName: string
    applicationNumber: string | null
    applicationId: string | null
    /** As it is shown, for example 'Rent'. */
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
    /** The provider's deadline for an answer. */
    dueBy: string | null
    paidAt: string | null
  }
  /** To the tenant; the others to tenant and owner. */
  'bank-payment-on-its-way': BankPaymentMail
  'bank-payment-failed': BankPaymentMail
  'bank-payment-returned': BankPaymentMail
  /** With the application that the payment is of, if it is of one. */
  'payment-receipt': { paymentId: string; applicationId?: string }
  'charge-added': {
    firstName: string
    applicationNumber: string
    applicationId: string
    label: string
    amountCents: number
    /** The balance with this charge. */
    balanceCents: number
  }
  'plan-changed': PlanChangeMail & {
    firstName: string
    applicationNumber: string
    applicationId: string
    /** The balance after the change. */
    balanceCents: number
  }
  /** To each address of a change of e-mail; blanked, as the link confirms it. */
  'email-change-link': {
    side: 'old' | 'new'
    newEmail: string
    link: string
    expiresAt: string
    /** When and from where it was asked for. */
    at: string
    address: string
    userAgent: string
  }
  /** Instead of a link: the new address belongs to another account. */
  'email-change-taken': { email: string }
  /** To both addresses; blanked, as the former address can undo it by the link. */
  'email-changed': {
    oldEmail: string
    newEmail: string
    at: string
    undo: { link: string; until: string } | null
  }
  /** A double booking: nights booked on another platform, and here or on a third. */
  'owner-double-booking': {
    feedName: string
    /** The booking here; null for a reservation of another platform. */
    applicationNumber: string | null
    applicationId: string | null
    otherFeedName: string | null
    /** The shared nights, half-open. */
    startDate: CalendarDate
    endDate: CalendarDate
  }
  /** A calendar that could not be read for a day. */
  'owner-feed-failing': { feedName: string; lastSuccessAt: string | null; lastError: string }
  /** To the address before and to a new one: how tenants reach or pay the owner was changed on the site. */
  'owner-contact-changed': {
    /** Texts, some with line breaks. */
    changes: { label: string; before: string; after: string }[]
    /** Name and e-mail of the administrator who published it. */
    by: string
    at: string
    address: string
    userAgent: string
  }
  /** A published version that cannot be read, and the one that is shown instead; 0 for the shipped words. */
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
  /** By the clock: what is overdue, due and next, as it is at delivery. */
  'payment-reminder': { applicationId: string; stageDate: CalendarDate }
  /** By the clock: dangers of the notice board, those of these that are still there. */
  'owner-dangers': { date: CalendarDate; noticeIds: string[] }
  /** To an administrator; the link says that it was somebody else, and ends all sessions. */
  'new-login': { displayName: string; at: string; browser: string; address: string; link: string }
  'test-mail': Record<string, never>
  /** One of the mails above with sample data, in words that are being edited. */
  'wording-sample': { kind: MailWordingKind; words: MailWording }
}
export type MailKind = keyof MailKinds

export type QueuedMail = {
  [Kind in MailKind]: {
    kind: Kind
    props: MailKinds[Kind]
    /** One address; a wrong one shows as failed, it never undoes its cause. */
    to: string
    /** What the mail is about, once: a second one with the same key is not written. */
    dedupeKey: string
    replyTo?: string
    /** Until when it makes sense, a UTC ISO text; always where it is missing. */
    validUntil?: string
  }
}[MailKind]

/** Thrown while a mail is composed: what it should say is no longer true, so it is withdrawn. */
export class NoLongerTrue extends Error {}

export type MailState = 'queued' | 'sent' | 'failed' | 'withdrawn'

/** Writes a mail beside its cause, in the same transaction; the worker delivers it. */
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

/** Takes back a mail that was written in the same transaction. */
export function withdrawMail(tx: Tx, dedupeKey: string): void {
  tx.delete(outbox)
    .where(and(eq(outbox.dedupeKey, dedupeKey), eq(outbox.status, 'queued')))
    .run()
}

/** Mails with a link that is a key to an account. */
export const secretKinds: readonly string[] = [
  'password-reset',
  'invitation',
  'new-login',
  'email-change-link',
  'email-changed',
] satisfies MailKind[]

/** Mails that time alone makes due: none of them leaves while the clock is known to be wrong. */
export const clockKinds: readonly string[] = ['payment-reminder', 'owner-dangers'] satisfies MailKind[]

/** Whether a mail that was given up has all that it needs: a link that is a secret is blanked. */
export const canBeSentAgain = ({ kind }: { kind: string }): boolean => !secretKinds.includes(kind)

/** Puts a mail that was given up back into the queue. @throws AppError not_found; conflict for a blanked link */
export function requeueMail(tx: Tx, at: string, id: string): void {
  const failed = and(eq(outbox.id, id), eq(outbox.status, 'failed'))
  const mail = tx.select({ kind: outbox.kind }).from(outbox).where(failed).get()
  if (!mail) throw new AppError('not_found', 'This mail is not among those that failed.')
  if (!canBeSentAgain(mail))
    throw new AppError('conflict', 'The link in this mail is gone. Whoever needs one asks for a new one.')
  tx.update(outbox)
    .set({ status: 'queued', attempts: 0, nextAttemptAt: at, lastError: null })
    .where(failed)
    .run()
}

/** Deletes all mails but these: the demo's, which nobody was to get. */
export function discardMails(tx: Tx, exceptIds: string[]): void {
  tx.delete(outbox).where(notInArray(outbox.id, exceptIds)).run()
}

/** What became of the mail with this key; undefined when none was written. */
export function mailState(db: Pick<Db, 'select'>, dedupeKey: string): MailState | undefined {
  return db.select({ status: outbox.status }).from(outbox).where(eq(outbox.dedupeKey, dedupeKey)).get()
    ?.status
}
