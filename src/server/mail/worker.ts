import { and, asc, eq, lte, notInArray, sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import { outbox } from '../../../db/schema.ts'
import { type Deps, nowIso } from '../deps.ts'
import { faultPoint } from '../fault-point.ts'
import type { MailSources } from './compose.ts'
import { retryDelayMs } from './retry.ts'
import { MailRefused } from './transport.ts'

export type MailWorker = {
  /** Tries every mail that is due, once; resolves when each was taken, put off or given up. */
  deliverDue: () => Promise<void>
  /** Takes up no new mail and waits for those under way, ten seconds at most with the rest of the shutdown. */
  stop: () => Promise<void>
}
type Row = typeof outbox.$inferSelect

const everyMs = 2000
const atOnce = 3
const stopWithinMs = 7000
/** Longer than any delivery takes: a row whose process died in the middle of one is taken up again after it. */
const claimMs = 10 * 60_000

/**
 * Delivers the outbox: a few mails at once, with retries, each marked as sent after the far end took it. Without a
 * mail transport everything waits. A crash between acceptance and mark repeats that mail once, under the same
 * Message-ID; a mark that cannot be written is written later, without another delivery (operations, Must survive).
 */
export function startMailWorker(deps: Deps, sources: MailSources): MailWorker {
  const limit = pLimit(atOnce)
  /** Taken by the far end at this moment, but not yet marked. */
  const unmarked = new Map<string, string>()
  let passes: Promise<void> = Promise.resolve()
  let passing = 0
  let stopped = false

  async function pass(): Promise<void> {
    if (!deps.mail || stopped) return
    for (const [id, sentAt] of unmarked) await mark(id, sentAt)
    const due = deps.db
      .select({ id: outbox.id })
      .from(outbox)
      .where(and(isDue(nowIso(deps)), notInArray(outbox.id, [...unmarked.keys()])))
      .orderBy(asc(outbox.nextAttemptAt), asc(outbox.createdAt))
      .all()
    const outcomes = await Promise.allSettled(due.map(({ id }) => limit(() => deliver(id))))
    const fault = outcomes.find(outcome => outcome.status === 'rejected')
    if (fault) throw fault.reason
  }

  async function deliver(id: string): Promise<void> {
    if (!deps.mail || stopped) return
    const row = await claim(id)
    if (!row) return
    try {
      // The templates are only loaded once there is something to send.
      const { composeMail } = await import('./compose.ts')
      await deps.mail.send(await composeMail(deps, sources, row))
    } catch (error) {
      return putOff(row, error)
    }
    faultPoint('mail-accepted')
    await mark(id, nowIso(deps))
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
    const delayMs = error instanceof MailRefused ? undefined : retryDelayMs(row.attempts)
    const failed = delayMs === undefined
    await deps.write(tx =>
      tx
        .update(outbox)
        .set({
          lastError: String(error instanceof Error ? error.message : error).slice(0, 300),
          ...(failed
            ? { status: 'failed', props: withoutSecrets() }
            : { nextAttemptAt: after(deps.clock.now(), delayMs) }),
        })
        .where(eq(outbox.id, row.id))
        .run(),
    )
    const facts = { mailId: row.id, kind: row.kind, attempt: row.attempts, code: codeOf(error) }
    if (failed) deps.log.error(facts, 'a mail was given up')
    else deps.log.warn(facts, 'a mail was not taken and will be tried again')
  }

  function deliverDue(): Promise<void> {
    passing += 1
    passes = passes
      .then(pass)
      .catch(error => deps.log.error({ code: codeOf(error) }, 'the outbox could not be worked on'))
      .finally(() => {
        passing -= 1
      })
    return passes
  }

  const timer = setInterval(() => {
    if (passing === 0) void deliverDue()
  }, everyMs)
  timer.unref()
  return {
    deliverDue,
    async stop() {
      stopped = true
      clearInterval(timer)
      let giveUp: NodeJS.Timeout | undefined
      const tooLong = new Promise<void>(resolve => {
        giveUp = setTimeout(resolve, stopWithinMs)
      })
      await Promise.race([passes, tooLong])
      clearTimeout(giveUp)
    },
  }
}

const isDue = (now: string) => and(eq(outbox.status, 'queued'), lte(outbox.nextAttemptAt, now))
const after = (moment: Date, ms: number) => new Date(moment.getTime() + ms).toISOString()
/** A mail that is over keeps no key to an account. */
const withoutSecrets = () =>
  sql`case when ${outbox.kind} = 'password-reset' then '{}' else ${outbox.props} end`

/** What the log may know of an error: its kind and the server's code; messages hold addresses. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const cause = error instanceof MailRefused && error.cause instanceof Error ? error.cause : error
  const { code, responseCode } = cause as Error & { code?: unknown; responseCode?: unknown }
  return [cause.name, code, responseCode].filter(Boolean).join(' ')
}
