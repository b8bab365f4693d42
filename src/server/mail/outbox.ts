import { randomUUID } from 'node:crypto'
import { and, eq, inArray, notInArray, notLike, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { applications, outbox } from '../../../db/schema.ts'
import { isMissingEmail, shownEmail } from '../../domain/accounts/account-rules.ts'
import { AppError } from '../../domain/common/errors.ts'
import type { Deps } from '../kernel/deps.ts'
import type * as mailFiles from './mails.ts'

type MailFiles = typeof mailFiles
type Mail = MailFiles[keyof MailFiles][number]
/** Every kind of mail with its props. */
export type MailKinds = { [Defined in Mail as Defined['kind']]: Parameters<Defined['render']>[0] }
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

type OutboxRow = typeof outbox.$inferSelect
export type MailState = 'queued' | 'sent' | 'failed' | 'withdrawn'

/**
 * Writes a mail in the same transaction as its cause; the worker delivers it. None for a guest without an email.
 * @returns whether it is new
 */
export function enqueueMail(tx: Tx, at: string, mail: QueuedMail): boolean {
  if (isMissingEmail(mail.to)) return false
  const { applicationId } = mail.props as { applicationId?: unknown }
  const inserted = tx
    .insert(outbox)
    .values({
      applicationId: typeof applicationId === 'string' ? applicationId : null,
      id: randomUUID(),
      dedupeKey: mail.dedupeKey,
      kind: mail.kind,
      props: mail.props,
      toAddress: mail.to,
      replyTo: shownEmail(mail.replyTo ?? '') || null,
      createdAt: at,
      status: 'queued',
      nextAttemptAt: at,
      validUntil: mail.validUntil ?? null,
    })
    .onConflictDoNothing({ target: outbox.dedupeKey })
    .run()
  return inserted.changes > 0
}

/** Deletes a mail that waits or has failed, because its cause is gone. */
export function cancelUnsentMail(tx: Tx, dedupeKey: string): void {
  tx.delete(outbox)
    .where(and(eq(outbox.dedupeKey, dedupeKey), inArray(outbox.status, ['queued', 'held', 'failed'])))
    .run()
}

/** The same of all mails of these kinds about an application. */
export function cancelUnsentMails(tx: Tx, applicationId: string, kinds: readonly MailKind[]): void {
  tx.delete(outbox)
    .where(
      and(
        eq(outbox.applicationId, applicationId),
        inArray(outbox.kind, [...kinds]),
        inArray(outbox.status, ['queued', 'held', 'failed']),
      ),
    )
    .run()
}

/**
 * Sends the unsent mails about a person's bookings to another address, and changes the address that the owner answers to;
 * deletes them if there is no other address. Mails about signing stay: another signer may have the same address, and the
 * person's own links to sign have ended.
 */
export function redirectUnsentMails(tx: Tx, userId: string, from: string, to: string): void {
  const own = tx.select({ id: applications.id }).from(applications).where(eq(applications.userId, userId))
  const isUnsent = and(
    inArray(outbox.applicationId, own),
    inArray(outbox.status, ['queued', 'held', 'failed']),
  )
  const isTheirs = and(isUnsent, eq(outbox.toAddress, from), notLike(outbox.kind, 'sign%-%'))
  if (isMissingEmail(to)) tx.delete(outbox).where(isTheirs).run()
  else tx.update(outbox).set({ toAddress: to }).where(isTheirs).run()
  tx.update(outbox)
    .set({ replyTo: shownEmail(to) || null })
    .where(and(isUnsent, eq(outbox.replyTo, from)))
    .run()
}

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

/** Deps whose writes hold the mails that they queue, which may have gone out before a restore (INST-42). */
export const holdingMails = (deps: Deps): Deps =>
  // Inherits from `deps` instead of copying it: its mail and provider change with the saved settings.
  Object.assign(Object.create(deps), {
    write: <T>(work: (tx: Tx) => T) =>
      deps.write(tx => {
        const isQueued = eq(outbox.status, 'queued')
        const before = tx.select({ id: outbox.id }).from(outbox).where(isQueued).all()
        const value = work(tx)
        const isNew = notInArray(
          outbox.id,
          before.map(({ id }) => id),
        )
        tx.update(outbox).set({ status: 'held' }).where(and(isQueued, isNew)).run()
        return value
      }),
  })

/** Sends or gives up on the mails that a restore holds. */
export function releaseHeld(tx: Tx, at: string, send: boolean): void {
  tx.update(outbox)
    .set(send ? { status: 'queued', nextAttemptAt: at } : { status: 'withdrawn', props: {} })
    .where(eq(outbox.status, 'held'))
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

/** Counts mails as sent at their time, without their words. */
export function countAsSent(tx: Tx, exceptIds: string[]): void {
  const ofOthers = and(eq(outbox.status, 'queued'), notInArray(outbox.id, exceptIds))
  tx.update(outbox)
    .set({ status: 'sent', sentAt: sql`${outbox.createdAt}` })
    .where(ofOthers)
    .run()
}

/** A held mail waits like a queued one. */
export const shownState = sql<MailState>`replace(${outbox.status}, 'held', 'queued')`

/** The state of the mail with this key; undefined if none was written. */
export function mailState(db: Db, dedupeKey: string): MailState | undefined {
  return db.select({ state: shownState }).from(outbox).where(eq(outbox.dedupeKey, dedupeKey)).get()?.state
}
