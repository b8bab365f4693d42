import { setTimeout as sleep } from 'node:timers/promises'
import { type Deps, nowIso } from '../kernel/deps.ts'
import type { MailTransport } from '../kernel/mail-transport.ts'
import { failpoint } from '../lib/failpoint.ts'
import type { MailSources } from './compose.ts'
import { MailObsoleteError } from './outbox.ts'
import {
  claim,
  isExpired,
  isReset,
  listReady,
  loggableCode,
  markSent,
  type OutboxRow,
  postpone,
  type ReadyMail,
  withdraw,
} from './queue.ts'

export type MailWorker = {
  /** Attempts every due mail once; resolves when each is sent, postponed or failed. */
  deliverDue: () => Promise<void>
  /** Starts no new delivery and waits up to seven seconds for those in progress. */
  stop: () => Promise<void>
}
/** Timeout in ms; tests use a shorter one. */
export type MailWorkerOptions = { deliveryMs?: number }

const pollIntervalMs = 2000
/** From claiming the row to the mail server's response. */
const maxDeliveryMs = 60_000
/** Mail services allow few concurrent connections. */
const maxConcurrent = 4
/** For resets and for all other mails, so that slow deliveries of one cannot block the other. */
const maxConcurrentOfAKind = 3
/** Mails that hung or were rejected before must not crowd out mails that were not attempted yet. */
const maxConcurrentRetries = 2
const stopTimeoutMs = 7000

/**
 * Delivers the outbox: a few mails concurrently, resets first, with retries. A mail is marked as sent after the mail
 * server accepted it. Mails of one application are sent in the order in which they were written; a postponed mail holds
 * back later ones until it fails for good or its retry delay grows long, a quarter of an hour at most. Without a mail
 * transport everything waits. A mail that no longer applies at delivery is withdrawn. A crash between acceptance and
 * mark repeats that mail once, under the same Message-ID; a mark that cannot be written is written later, without
 * another delivery.
 */
export function startMailWorker(
  deps: Deps,
  sources: MailSources,
  { deliveryMs = maxDeliveryMs }: MailWorkerOptions = {},
): MailWorker {
  const inProgress = new Map<ReadyMail, Promise<void>>()
  const delivery = createDelivery(deps, sources, deliveryMs)
  let stopped = false

  /** Starts deliveries of due mails while there is room; each finished delivery makes room for the next. */
  function fill(): void {
    if (!deps.mail || stopped) return
    try {
      for (const mail of delivery.listReady())
        if (hasRoom([...inProgress.keys()], mail)) begin(deps.mail, mail)
    } catch (error) {
      logFailure(deps, error)
    }
  }

  function begin(transport: MailTransport, mail: ReadyMail): void {
    const done = delivery.deliver(transport, mail.id).finally(() => {
      inProgress.delete(mail)
      fill()
    })
    inProgress.set(mail, done)
  }

  /** Does not wait for the deliveries it starts. */
  async function poll(): Promise<void> {
    if (stopped) return
    await delivery.retryFailed()
    fill()
  }

  async function allDone(): Promise<void> {
    while (inProgress.size > 0) await Promise.all(inProgress.values())
  }

  const stopPolling = startPolling(poll)
  return {
    async deliverDue() {
      await poll()
      await allDone()
    },
    async stop() {
      stopped = true
      stopPolling()
      await Promise.race([allDone(), sleep(stopTimeoutMs, undefined, { ref: false })])
    },
  }
}

/** Polls at a fixed interval, but never concurrently. */
function startPolling(poll: () => Promise<void>): () => void {
  let polling = false
  const timer = setInterval(() => {
    if (polling) return
    polling = true
    void poll().finally(() => {
      polling = false
    })
  }, pollIntervalMs).unref()
  return () => clearInterval(timer)
}

/** Takes a mail from its row to the sent mark, and tracks rows that must not be claimed for now. */
function createDelivery(deps: Deps, sources: MailSources, timeoutMs: number) {
  /** Accepted by the mail server at this time, but not marked as sent yet. */
  const unmarked = new Map<string, string>()
  /** Could not be claimed or postponed: not tried again before the next poll. */
  const skippedUntilPoll = new Set<string>()

  async function mark(id: string, sentAt: string): Promise<void> {
    unmarked.set(id, sentAt)
    await markSent(deps, id, sentAt)
    unmarked.delete(id)
  }

  async function claimAndSend(transport: MailTransport, id: string): Promise<void> {
    const row = await claim(deps, id)
    if (!row) return
    if (isExpired(deps, row)) return await withdraw(deps, row)
    try {
      await send(deps, transport, sources, row, timeoutMs)
    } catch (error) {
      return await (error instanceof MailObsoleteError ? withdraw(deps, row) : postpone(deps, row, error))
    }
    failpoint('mail-accepted')
    await mark(id, nowIso(deps))
  }

  return {
    listReady: () => listReady(deps, [...unmarked.keys()]).filter(({ id }) => !skippedUntilPoll.has(id)),
    /** Never rejects: a failure is logged. */
    deliver: (transport: MailTransport, id: string) =>
      claimAndSend(transport, id).catch(error => {
        skippedUntilPoll.add(id)
        logFailure(deps, error)
      }),
    /** Makes failed rows available again, and writes the marks that could not be written. */
    async retryFailed(): Promise<void> {
      skippedUntilPoll.clear()
      for (const [id, sentAt] of unmarked) await mark(id, sentAt).catch(error => logFailure(deps, error))
    },
  }
}

const logFailure = (deps: Deps, error: unknown) =>
  deps.log.error({ code: loggableCode(error) }, 'the outbox could not be processed')

function hasRoom(inProgress: ReadyMail[], mail: ReadyMail): boolean {
  const isRetry = ({ attempts }: ReadyMail) => attempts > 0
  return (
    inProgress.length < maxConcurrent &&
    inProgress.every(({ id }) => id !== mail.id) &&
    inProgress.filter(other => isReset(other) === isReset(mail)).length < maxConcurrentOfAKind &&
    (!isRetry(mail) || inProgress.filter(isRetry).length < maxConcurrentRetries)
  )
}

/** @throws Error when it takes longer than `timeoutMs`, or when the mail cannot be composed or is not accepted */
async function send(
  deps: Deps,
  transport: MailTransport,
  sources: MailSources,
  row: OutboxRow,
  timeoutMs: number,
): Promise<void> {
  const abort = new AbortController()
  const { signal } = abort
  const tooLong = new Error(`The mail server took longer than ${timeoutMs / 1000} seconds.`)
  const timer = setTimeout(() => abort.abort(tooLong), timeoutMs)
  const composeAndSend = async () => {
    // Loads the templates only when there is something to send.
    const { composeMail } = await import('./compose.ts')
    const mail = await composeMail(deps, sources, row)
    if (!signal.aborted) await transport.send(mail, signal)
  }
  const timeout = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(tooLong), { once: true })
  })
  try {
    await Promise.race([composeAndSend(), timeout])
  } catch (error) {
    throw signal.aborted ? tooLong : error
  } finally {
    clearTimeout(timer)
  }
}
