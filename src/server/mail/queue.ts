import { and, eq, gt, inArray, isNotNull, lte, ne, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { applications, leases, outbox, payments } from '../../../db/schema.ts'
import { endedStatuses } from '../../domain/bookings/application-status.ts'
import { minuteMs } from '../../domain/common/durations.ts'
import { futureEventTime } from '../kernel/clock-skew.ts'
import type { Deps } from '../kernel/deps.ts'
import { MailRejectedError } from '../kernel/mail-transport.ts'
import type { MailKind } from './outbox.ts'

export type OutboxRow = typeof outbox.$inferSelect
type ReadyMail = Pick<OutboxRow, 'id' | 'kind' | 'attempts' | 'nextAttemptAt'>
const maxRetryDelayMs = 60 * minuteMs
/** Counts attempts, not days: without SMTP_URL nothing is attempted, but a mail server outage uses up attempts. */
const maxAttempts = 78

/** Longer than any delivery: after this time, a row whose process died during delivery is due again. */
const claimMs = 2 * minuteMs
/** A postponed mail holds back later mails of its application while its next attempt is at most this far away. */
const holdMs = 5 * minuteMs

/** Whether any mail is due; it may have to wait for another one. */
export const isAnyDue = ({ db, clock }: Deps): boolean =>
  db.select({ id: outbox.id }).from(outbox).where(isDue(clock.now())).limit(1).get() !== undefined

/**
 * The mails that can be sent now, without `unmarkedIds`, which were sent but not marked yet: retries and mails that
 * were not attempted yet, in the order in which they became due. While the clock is known to be wrong, scheduled mails
 * wait without holding back others.
 */
export function listReady(
  { db, clock }: Deps,
  { scheduledKinds, unmarkedIds }: { scheduledKinds: string[]; unmarkedIds: string[] },
): ReadyMail[] {
  const now = clock.now()
  const { id, kind, attempts, nextAttemptAt, applicationId: application } = outbox
  const queued = db
    .select({ id, kind, attempts, nextAttemptAt, application })
    .from(outbox)
    .where(
      and(
        eq(outbox.status, 'queued'),
        notInArray(outbox.id, unmarkedIds),
        futureEventTime({ db, clock }) === undefined ? undefined : notInArray(outbox.kind, scheduledKinds),
      ),
    )
    .orderBy(sql`rowid`)
    .all()
  const held = new Set<string>()
  const ready: ReadyMail[] = []
  for (const { application, ...mail } of queued) {
    const { nextAttemptAt: at } = mail
    const isMisdated = at > after(now, maxRetryDelayMs)
    if ((at <= now.toISOString() || isMisdated) && !held.has(application ?? '')) ready.push(mail)
    if (application !== null && (at <= after(now, holdMs) || isMisdated)) held.add(application)
  }
  return ready.toSorted((a, b) => Date.parse(a.nextAttemptAt) - Date.parse(b.nextAttemptAt))
}

/**
 * The wait after the n-th failed attempt, in ms: 30 s, doubling up to an hour; undefined after the last attempt, about
 * three days in.
 */
export function retryDelayMs(attempts: number): number | undefined {
  return attempts >= maxAttempts ? undefined : Math.min(maxRetryDelayMs, (minuteMs / 2) * 2 ** (attempts - 1))
}

/**
 * Claims a mail; undefined if it is no longer due. The attempt is counted before it starts, so that a mail that crashes
 * the process is not retried at once.
 */
export function claim({ write, clock }: Deps, id: string): Promise<OutboxRow | undefined> {
  const now = clock.now()
  return write(tx =>
    tx
      .update(outbox)
      .set({ attempts: sql`${outbox.attempts} + 1`, nextAttemptAt: after(now, claimMs) })
      .where(and(eq(outbox.id, id), isDue(now)))
      .returning()
      .get(),
  )
}

/** What was sent, where and when; without subject and words for a mail that is not kept. */
export type SentMail = { toAddress: string; sentAt: string; subject?: string; words?: string }

/** If the address changed during delivery, the mail stays queued for the new one. */
const isStillTo = (id: string, toAddress: string) => and(eq(outbox.id, id), eq(outbox.toAddress, toAddress))

/** Marks a mail as accepted by the mail server. */
export async function markSent({ write }: Deps, id: string, sent: SentMail): Promise<void> {
  await write(tx =>
    tx
      .update(outbox)
      .set({ status: 'sent', ...sent, lastError: null })
      .where(isStillTo(id, sent.toAddress))
      .run(),
  )
}

/** Whether the mail's validity has ended. */
export const isExpired = ({ clock }: Deps, { validUntil }: OutboxRow): boolean =>
  validUntil !== null && validUntil <= clock.now().toISOString()

const onItsWayKind = 'bank-payment-on-its-way' satisfies MailKind

/** Mails of which only the newest of an application is true: its decision, and its lease. */
const replacedBy: Readonly<Record<string, readonly string[]>> = {
  'application-received': ['application-received', 'application-approved', 'application-declined'],
  'application-approved': ['application-approved', 'application-declined'],
  'application-declined': ['application-approved', 'application-declined'],
  'lease-ready': ['lease-ready'],
}

/** What its application has become when such a mail is no longer true. */
const untrueOnce: Readonly<Record<string, SQL | undefined>> = {
  'application-received': ne(applications.status, 'pending'),
  'lease-ready': or(
    inArray(applications.status, [...endedStatuses]),
    sql`not exists (select 1 from ${leases} where ${leases.applicationId} = ${applications.id} and ${leases.voidedAt} is null)`,
  ),
}

/**
 * Whether a later mail of its application says otherwise, the application was deleted or has moved on since, or the
 * payment is on its way no longer. After `holdMs` later mails go ahead, and this one must not arrive behind them
 * (LOOK-09).
 */
export function isReplaced({ db }: Deps, { applicationId, dedupeKey, id, kind }: OutboxRow): boolean {
  if (kind === onItsWayKind) {
    const ofMail = eq(payments.id, dedupeKey.slice(onItsWayKind.length + 1))
    const payment = db.select({ status: payments.status }).from(payments).where(ofMail).get()
    return payment !== undefined && payment.status !== 'processing'
  }
  const kinds = replacedBy[kind]
  if (!kinds || applicationId === null) return false
  const isUntrue = or(isNotNull(applications.deletedAt), untrueOnce[kind])
  const moved = and(eq(applications.id, applicationId), isUntrue)
  if (db.select({ id: applications.id }).from(applications).where(moved).get()) return true
  const isLater = sql`rowid > (select rowid from outbox as this where this.id = ${id})`
  const said = inArray(outbox.status, ['queued', 'sent'])
  const ofApplication = eq(outbox.applicationId, applicationId)
  const later = and(ofApplication, inArray(outbox.kind, [...kinds]), said, isLater)
  return db.select({ id: outbox.id }).from(outbox).where(later).limit(1).get() !== undefined
}

/** Withdraws a mail and deletes its content. The row stays, so that the mail is not written again. */
export async function withdraw(
  { log, write }: Deps,
  { applicationId, id, kind }: OutboxRow,
  reason: 'expired' | 'no longer applies',
): Promise<void> {
  await write(tx =>
    tx.update(outbox).set({ status: 'withdrawn', lastError: null, props: {} }).where(eq(outbox.id, id)).run(),
  )
  log.info({ mailId: id, kind, applicationId, reason }, 'withdrew a mail')
}

/**
 * Schedules the next attempt of a mail that was not accepted, or marks the mail as failed. Mail servers quote the mail
 * that they refuse: of the answer to a secret one only the status is stored (FIX-28).
 */
export async function postpone(deps: Deps, row: OutboxRow, error: unknown, isSecret: boolean): Promise<void> {
  const now = deps.clock.now()
  const delayMs = error instanceof MailRejectedError ? undefined : retryDelayMs(row.attempts)
  const change =
    delayMs === undefined
      ? { status: 'failed' as const }
      : { nextAttemptAt: notBeforeEarlier(row, now, after(now, delayMs)) }
  const lastError = keptError(error, isSecret).slice(0, 300)
  await deps.write(tx =>
    tx
      .update(outbox)
      .set({ lastError, ...change })
      .where(isStillTo(row.id, row.toAddress))
      .run(),
  )
  const facts = { mailId: row.id, kind: row.kind, attempt: row.attempts, code: loggableCode(error) }
  if (delayMs === undefined) deps.log.error(facts, 'gave up on a mail after the last attempt')
  else deps.log.warn(facts, 'a mail was not accepted and will be retried')
}

function keptError(error: unknown, isSecret: boolean): string {
  const { response } = causeOf(error) as { response?: unknown }
  if (typeof response === 'string' && isSecret)
    return /^[45]\d\d([ -][45]\.\d{1,3}\.\d{1,3}(?!\S))?/.exec(response)?.[0] ?? 'refused'
  return withoutTokens(String(error instanceof Error ? error.message : error))
}

/** Removes anything that could be a working link or its token. */
const withoutTokens = (message: string) => message.replaceAll(/https?:\/\/\S+|[\w-]{20,}/gi, '…')

/** The loggable part of an error: its name and the mail server's code. Messages can contain addresses. */
export function loggableCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const cause = causeOf(error)
  const { code, responseCode } = cause as Error & { code?: unknown; responseCode?: unknown }
  return [cause.name, code, responseCode].filter(Boolean).join(' ')
}

/** The mail server's own error. */
const causeOf = <E>(error: E) =>
  error instanceof MailRejectedError && error.cause instanceof Error ? error.cause : error

/**
 * A failed mail is not retried before an earlier, postponed mail of its application: both become due together and are
 * sent in order. One that was postponed while the clock was ahead does not count.
 */
function notBeforeEarlier({ applicationId, id }: OutboxRow, now: Date, at: string): SQL<string> {
  if (applicationId === null) return sql`${at}`
  return sql`max(${at}, coalesce((
    select max(earlier.next_attempt_at) from outbox as earlier
    where earlier.status = 'queued' and earlier.application_id = ${applicationId}
      and earlier.next_attempt_at <= ${after(now, maxRetryDelayMs)}
      and earlier.rowid < (select rowid from outbox as this where this.id = ${id})), ''))`
}

/** A next attempt that is further away than any delay was set while the clock was ahead, and is due. */
const isDue = (now: Date) =>
  and(
    eq(outbox.status, 'queued'),
    or(lte(outbox.nextAttemptAt, now.toISOString()), gt(outbox.nextAttemptAt, after(now, maxRetryDelayMs))),
  )
const after = (moment: Date, ms: number) => new Date(moment.getTime() + ms).toISOString()
