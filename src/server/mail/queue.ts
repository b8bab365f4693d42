import { and, eq, inArray, lte, notInArray, type SQL, sql } from 'drizzle-orm'
import { outbox } from '../../../db/schema.ts'
import { momentAhead } from '../kernel/clock-skew.ts'
import type { Deps } from '../kernel/deps.ts'
import { MailRejectedError } from '../kernel/mail-transport.ts'
import { clockKinds, secretKinds } from './outbox.ts'
import { retryDelayMs } from './retry.ts'

export type OutboxRow = typeof outbox.$inferSelect
export type ReadyMail = Pick<OutboxRow, 'id' | 'kind' | 'attempts' | 'nextAttemptAt'>
type QueueDeps = Pick<Deps, 'db' | 'write' | 'clock' | 'log'>

/** Longer than any delivery takes: a row whose process died in the middle of one is taken up again after it. */
const claimMs = 2 * 60_000
/** A mail goes before the later ones of its application while its own next try is at most this far away. */
const holdMs = 5 * 60_000

/**
 * What may leave now, in the order in which it should; `unmarkedIds` has left already. While the clock is known to be
 * wrong, what was due by it waits, and holds nothing up.
 */
export function listReady({ db, clock }: QueueDeps, unmarkedIds: string[]): ReadyMail[] {
  const now = clock.now()
  if (!db.select({ id: outbox.id }).from(outbox).where(isDue(now)).limit(1).get()) return []
  const { id, kind, attempts, nextAttemptAt } = outbox
  const application = sql<string | null>`${outbox.props} ->> '$.applicationId'`
  const queued = db
    .select({ id, kind, attempts, nextAttemptAt, application })
    .from(outbox)
    .where(
      and(
        eq(outbox.status, 'queued'),
        notInArray(outbox.id, unmarkedIds),
        momentAhead({ db, clock }) === undefined ? undefined : notInArray(outbox.kind, [...clockKinds]),
      ),
    )
    .orderBy(sql`rowid`)
    .all()
  const held = new Set<string>()
  const ready: ReadyMail[] = []
  for (const { application, ...mail } of queued) {
    if (mail.nextAttemptAt <= now.toISOString() && !held.has(application ?? '')) ready.push(mail)
    if (application !== null && mail.nextAttemptAt <= after(now, holdMs)) held.add(application)
  }
  const byTime = ready.toSorted((a, b) => Date.parse(a.nextAttemptAt) - Date.parse(b.nextAttemptAt))
  return [...byTime.filter(isReset), ...byTime.filter(mail => !isReset(mail))]
}

/**
 * Takes up a mail; undefined when it is not due any more. The try is counted before it begins, so that a mail that kills
 * the process cannot do so without a pause.
 */
export function claim({ write, clock }: QueueDeps, id: string): Promise<OutboxRow | undefined> {
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

/** Marks a mail that the far end took. */
export async function markSent({ write }: QueueDeps, id: string, sentAt: string): Promise<void> {
  await write(tx =>
    tx
      .update(outbox)
      .set({ status: 'sent', sentAt, lastError: null, props: withoutSecrets() })
      .where(eq(outbox.id, id))
      .run(),
  )
}

/** Whether it has outlived the time in which it makes sense. */
export const isExpired = ({ clock }: Pick<Deps, 'clock'>, { validUntil }: OutboxRow): boolean =>
  validUntil !== null && validUntil <= clock.now().toISOString()

/** Ends a mail that is no longer true, without its words; the row stays, so that it is not written again. */
export async function withdraw({ log, write }: QueueDeps, { id, kind }: OutboxRow): Promise<void> {
  await write(tx =>
    tx.update(outbox).set({ status: 'withdrawn', lastError: null, props: {} }).where(eq(outbox.id, id)).run(),
  )
  log.info({ mailId: id, kind }, 'a mail was no longer true and was withdrawn')
}

/** Schedules the next try of a mail that was not taken, or gives it up. */
export async function postpone(deps: QueueDeps, row: OutboxRow, error: unknown): Promise<void> {
  const delayMs = error instanceof MailRejectedError ? undefined : retryDelayMs(row.attempts)
  const change =
    delayMs === undefined
      ? { status: 'failed' as const, props: withoutSecrets() }
      : { nextAttemptAt: notBeforeEarlier(row, after(deps.clock.now(), delayMs)) }
  const lastError = String(error instanceof Error ? error.message : error).slice(0, 300)
  await deps.write(tx =>
    tx
      .update(outbox)
      .set({ lastError, ...change })
      .where(eq(outbox.id, row.id))
      .run(),
  )
  const facts = { mailId: row.id, kind: row.kind, attempt: row.attempts, code: loggableCode(error) }
  if (delayMs === undefined) deps.log.error(facts, 'a mail was given up')
  else deps.log.warn(facts, 'a mail was not taken and will be tried again')
}

/** Somebody waits for a reset in front of the screen. */
export const isReset = ({ kind }: Pick<OutboxRow, 'kind'>): boolean => kind === 'password-reset'

/** What the log may know of an error: its name and the mail server's code; messages hold addresses. */
export function loggableCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const cause = error instanceof MailRejectedError && error.cause instanceof Error ? error.cause : error
  const { code, responseCode } = cause as Error & { code?: unknown; responseCode?: unknown }
  return [cause.name, code, responseCode].filter(Boolean).join(' ')
}

/**
 * A mail that failed is not tried again before an earlier one of its application that is put off: they come due
 * together then, and leave in their order.
 */
function notBeforeEarlier({ id, props }: OutboxRow, at: string): SQL<string> {
  const { applicationId } = props
  if (typeof applicationId !== 'string') return sql`${at}`
  return sql`max(${at}, coalesce((
    select max(earlier.next_attempt_at) from outbox as earlier
    where earlier.status = 'queued' and earlier.props ->> '$.applicationId' = ${applicationId}
      and earlier.rowid < (select rowid from outbox as this where this.id = ${id})), ''))`
}

const isDue = (now: Date) => and(eq(outbox.status, 'queued'), lte(outbox.nextAttemptAt, now.toISOString()))
const after = (moment: Date, ms: number) => new Date(moment.getTime() + ms).toISOString()
/** A mail that is over keeps no key to an account. */
const withoutSecrets = () =>
  sql`case when ${inArray(outbox.kind, [...secretKinds])} then '{}' else ${outbox.props} end`
