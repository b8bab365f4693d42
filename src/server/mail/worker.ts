import { and, eq, lte, notInArray, type SQL, sql } from 'drizzle-orm'
import { outbox } from '../../../db/schema.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { MailRejectedError, type MailTransport } from '../kernel/mail-transport.ts'
import { failpoint } from '../lib/failpoint.ts'
import type { MailSources } from './compose.ts'
import { retryDelayMs } from './retry.ts'

export type MailWorker = {
  /** Tries every mail that is due, once; resolves when each was taken, put off or given up. */
  deliverDue: () => Promise<void>
  /** Takes up no new mail and waits for those under way, ten seconds at most with the rest of the shutdown. */
  stop: () => Promise<void>
}
/** How long things take, in ms; a test has less time. */
export type MailTimes = { deliveryMs?: number }
type Row = typeof outbox.$inferSelect
type Queued = Pick<Row, 'id' | 'kind' | 'attempts' | 'nextAttemptAt'> & { application: string | null }
type Delivery = { mail: Queued; done: Promise<void> }

const everyMs = 2000
/** A delivery in all, from the row to the mail server's answer. */
const maxDeliveryMs = 60_000
/** Mail services allow few connections at once. */
const maxAtOnce = 4
/** Of resets, and of all others: so that neither waits for the slowest of the other. */
const maxOfAKind = 3
/** What hung or was refused before must not take the place of what was not tried yet. */
const maxRetriesAtOnce = 2
const stopWithinMs = 7000
/** Longer than any delivery takes: a row whose process died in the middle of one is taken up again after it. */
const claimMs = 2 * 60_000
/** A mail goes before the later ones of its application while its own next try is at most this far away. */
const holdMs = 5 * 60_000

/**
 * Delivers the outbox: a few mails at once, resets first, with retries, each marked as sent after the far end took it.
 * Mails of one application leave in the order in which they were written; one that is put off holds the later ones up
 * until it is given up or backs off for long, a quarter of an hour at the most. Without a mail transport everything
 * waits. A crash between acceptance and mark repeats that mail once, under the same Message-ID; a mark that cannot be
 * written is written later, without another delivery.
 */
export function startMailWorker(
  deps: Deps,
  sources: MailSources,
  { deliveryMs = maxDeliveryMs }: MailTimes = {},
): MailWorker {
  const underWay = new Map<string, Delivery>()
  /** Taken by the far end at this moment, but not yet marked. */
  const unmarked = new Map<string, string>()
  /** Could not be claimed or put off just now: not again before the next look. */
  const resting = new Set<string>()
  let stopped = false

  /** Takes up what is due and has room; every delivery that ends makes room for the next. */
  function fill(): void {
    if (!deps.mail || stopped) return
    for (const mail of waiting()) if (hasRoom(mail)) begin(mail)
  }

  /** What may leave now, in the order in which it should. */
  function waiting(): Queued[] {
    const now = deps.clock.now()
    const anyDue = deps.db
      .select({ id: outbox.id })
      .from(outbox)
      .where(isDue(now.toISOString()))
      .limit(1)
      .get()
    if (!anyDue) return []
    const { id, kind, attempts, nextAttemptAt } = outbox
    const queued = deps.db
      .select({ id, kind, attempts, nextAttemptAt, application: applicationOf(outbox) })
      .from(outbox)
      .where(and(eq(outbox.status, 'queued'), notInArray(outbox.id, [...unmarked.keys()])))
      .orderBy(sql`rowid`)
      .all()
    const held = new Set<string | null>()
    const free: Queued[] = []
    for (const mail of queued) {
      const isFree = mail.nextAttemptAt <= now.toISOString() && !held.has(mail.application)
      if (isFree && !underWay.has(mail.id) && !resting.has(mail.id)) free.push(mail)
      if (mail.application !== null && mail.nextAttemptAt <= after(now, holdMs)) held.add(mail.application)
    }
    const byTime = free.toSorted((a, b) => Date.parse(a.nextAttemptAt) - Date.parse(b.nextAttemptAt))
    return [...byTime.filter(isReset), ...byTime.filter(mail => !isReset(mail))]
  }

  function hasRoom(mail: Queued): boolean {
    const mails = [...underWay.values()].map(delivery => delivery.mail)
    const isRetry = ({ attempts }: Queued) => attempts > 0
    return (
      mails.length < maxAtOnce &&
      mails.filter(other => isReset(other) === isReset(mail)).length < maxOfAKind &&
      (!isRetry(mail) || mails.filter(isRetry).length < maxRetriesAtOnce)
    )
  }

  function begin(mail: Queued): void {
    const done = deliver(mail.id)
      .catch(error => {
        resting.add(mail.id)
        logFailure(error)
      })
      .finally(() => {
        underWay.delete(mail.id)
        attempt(fill)
      })
    underWay.set(mail.id, { mail, done })
  }

  async function deliver(id: string): Promise<void> {
    if (!deps.mail || stopped) return
    const row = await claim(id)
    if (!row) return
    const tooLong = new AbortController()
    const timer = setTimeout(
      () => tooLong.abort(new Error(`The mail server took longer than ${deliveryMs / 1000} seconds.`)),
      deliveryMs,
    )
    try {
      await Promise.race([send(row, deps.mail, tooLong.signal), whenAborted(tooLong.signal)])
    } catch (error) {
      return await putOff(row, tooLong.signal.aborted ? tooLong.signal.reason : error)
    } finally {
      clearTimeout(timer)
    }
    failpoint('mail-accepted')
    await mark(id, nowIso(deps))
  }

  async function send(row: Row, mail: MailTransport, signal: AbortSignal): Promise<void> {
    // The templates are only loaded once there is something to send.
    const { composeMail } = await import('./compose.ts')
    const composed = await composeMail(deps, sources, row)
    if (!signal.aborted) await mail.send(composed, signal)
  }

  /** Counts the try before it begins, so that a mail that kills the process cannot do so without a pause. */
  function claim(id: string): Promise<Row | undefined> {
    const now = deps.clock.now()
    return deps.write(tx =>
      tx
        .update(outbox)
        .set({ attempts: sql`${outbox.attempts} + 1`, nextAttemptAt: after(now, claimMs) })
        .where(and(eq(outbox.id, id), isDue(now.toISOString())))
        .returning()
        .get(),
    )
  }

  async function mark(id: string, sentAt: string): Promise<void> {
    unmarked.set(id, sentAt)
    await deps.write(tx =>
      tx
        .update(outbox)
        .set({ status: 'sent', sentAt, lastError: null, props: withoutSecrets() })
        .where(eq(outbox.id, id))
        .run(),
    )
    unmarked.delete(id)
  }

  async function putOff(row: Row, error: unknown): Promise<void> {
    const delayMs = error instanceof MailRejectedError ? undefined : retryDelayMs(row.attempts)
    const failed = delayMs === undefined
    await deps.write(tx =>
      tx
        .update(outbox)
        .set({
          lastError: String(error instanceof Error ? error.message : error).slice(0, 300),
          ...(failed
            ? { status: 'failed', props: withoutSecrets() }
            : { nextAttemptAt: notBeforeEarlier(row, after(deps.clock.now(), delayMs)) }),
        })
        .where(eq(outbox.id, row.id))
        .run(),
    )
    const facts = { mailId: row.id, kind: row.kind, attempt: row.attempts, code: codeOf(error) }
    if (failed) deps.log.error(facts, 'a mail was given up')
    else deps.log.warn(facts, 'a mail was not taken and will be tried again')
  }

  /** One look at the outbox; what it begins goes on by itself. */
  async function look(): Promise<void> {
    if (stopped) return
    resting.clear()
    for (const [id, sentAt] of unmarked) await mark(id, sentAt).catch(logFailure)
    attempt(fill)
  }

  async function allDone(): Promise<void> {
    while (underWay.size > 0) await Promise.all([...underWay.values()].map(({ done }) => done))
  }

  function attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      logFailure(error)
    }
  }

  const logFailure = (error: unknown) =>
    deps.log.error({ code: codeOf(error) }, 'the outbox could not be worked on')

  let looking = false
  const timer = setInterval(() => {
    if (looking) return
    looking = true
    void look().finally(() => {
      looking = false
    })
  }, everyMs)
  timer.unref()
  return {
    async deliverDue() {
      await look()
      await allDone()
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      let giveUp: NodeJS.Timeout | undefined
      const tooLong = new Promise<void>(resolve => {
        giveUp = setTimeout(resolve, stopWithinMs)
      })
      await Promise.race([allDone(), tooLong])
      clearTimeout(giveUp)
    },
  }
}

/** A reset is waited for by somebody in front of the screen. */
const isReset = ({ kind }: Pick<Row, 'kind'>) => kind === 'password-reset'
/** The application that a mail is about; null for a mail about none. */
const applicationOf = ({ props }: Pick<typeof outbox, 'props'>) =>
  sql<string | null>`${props} ->> '$.applicationId'`

/**
 * A mail that failed is not tried again before an earlier one of its application that is put off: they come due
 * together then, and leave in their order.
 */
function notBeforeEarlier({ id, props }: Row, at: string): SQL<string> {
  const { applicationId } = props
  if (typeof applicationId !== 'string') return sql`${at}`
  return sql`max(${at}, coalesce((
    select max(earlier.next_attempt_at) from outbox as earlier
    where earlier.status = 'queued' and earlier.props ->> '$.applicationId' = ${applicationId}
      and earlier.rowid < (select rowid from outbox as this where this.id = ${id})), ''))`
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

const isDue = (now: string) => and(eq(outbox.status, 'queued'), lte(outbox.nextAttemptAt, now))
const after = (moment: Date, ms: number) => new Date(moment.getTime() + ms).toISOString()
/** A mail that is over keeps no key to an account. */
const withoutSecrets = () =>
  sql`case when ${outbox.kind} = 'password-reset' then '{}' else ${outbox.props} end`

/** What the log may know of an error: its kind and the server's code; messages hold addresses. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const cause = error instanceof MailRejectedError && error.cause instanceof Error ? error.cause : error
  const { code, responseCode } = cause as Error & { code?: unknown; responseCode?: unknown }
  return [cause.name, code, responseCode].filter(Boolean).join(' ')
}
