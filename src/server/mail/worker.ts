import { setTimeout as sleep } from 'node:timers/promises'
import { type Deps, nowIso } from '../kernel/deps.ts'
import type { MailTransport } from '../kernel/mail-transport.ts'
import { MailObsoleteError, type MailSources } from './define-mail.ts'
import {
  claim,
  isAnyDue,
  isExpired,
  isReplaced,
  listReady,
  loggableCode,
  markSent,
  type OutboxRow,
  postpone,
  type SentMail,
  withdraw,
} from './queue.ts'

export type MailWorker = {
  /** Attempts every due mail once; resolves when each is sent, postponed or failed. */
  deliverDue: () => Promise<void>
  /** Starts no new delivery and waits up to seven seconds for those in progress. */
  stop: () => Promise<void>
}
/** Timeouts in ms; tests use shorter ones. */
export type MailWorkerOptions = { deliveryMs?: number; resetMs?: number }

const pollIntervalMs = 2000
/**
 * From claiming the row to the mail server's response. A shorter timeout would repeat mails that a slow server has
 * accepted, and their attachments take time.
 */
const maxDeliveryMs = 60_000
/** Somebody is waiting for it, and behind it for the next one. It is small, and repeating it does no harm. */
const maxResetMs = 15_000
const stopTimeoutMs = 7000

/** Mails that are delivered one at a time; `last` never rejects. */
type Lane = {
  accepts: (kind: string) => boolean
  timeoutMs: number
  last: Promise<void>
  /** Retries and new mails take turns, so that neither can hold up the other by hanging. */
  isRetrysTurn: boolean
}

/**
 * Delivers the outbox with retries, one mail at a time; only a password reset does not wait for the mail in progress,
 * but for other resets. A mail is marked as sent after the mail server accepted it. Mails of one application are sent in
 * the order in which they were written; a postponed mail holds back later ones until it fails for good or its retry
 * delay grows long, a quarter of an hour at most. Without a mail transport everything waits. A mail that no longer
 * applies at delivery is withdrawn. A crash between acceptance and mark repeats that mail once, under the same
 * Message-ID; a mark that cannot be written is written later, without another delivery.
 */
export function startMailWorker(
  deps: Deps,
  sources: MailSources,
  { deliveryMs = maxDeliveryMs, resetMs = maxResetMs }: MailWorkerOptions = {},
): MailWorker {
  const isReset = (kind: string) => kind === 'password-reset'
  const lanes: Lane[] = [
    { accepts: isReset, timeoutMs: resetMs, last: Promise.resolve(), isRetrysTurn: false },
    { accepts: kind => !isReset(kind), timeoutMs: deliveryMs, last: Promise.resolve(), isRetrysTurn: false },
  ]
  const delivery = createDelivery(deps, sources)
  let stopped = false

  /** Delivers until nothing is due. */
  async function drain(lane: Lane): Promise<void> {
    while (deps.mail && !stopped) {
      const id = await delivery.nextId(lane)
      if (id === undefined || stopped) return
      await delivery.deliver(deps.mail, id, lane.timeoutMs)
    }
  }

  async function deliverDue(): Promise<void> {
    if (stopped) return
    await delivery.retryFailed()
    for (const lane of lanes) lane.last = lane.last.then(() => drain(lane))
    await allDone()
  }
  const allDone = () => Promise.all(lanes.map(({ last }) => last))

  const timer = setInterval(() => void deliverDue(), pollIntervalMs).unref()
  return {
    deliverDue,
    async stop() {
      stopped = true
      clearInterval(timer)
      await Promise.race([allDone(), sleep(stopTimeoutMs, undefined, { ref: false })])
    },
  }
}

/** Takes a mail from its row to the sent mark, and tracks rows that must not be claimed for now. */
function createDelivery(deps: Deps, sources: MailSources) {
  /** Accepted by the mail server, but not marked as sent yet. */
  const unmarked = new Map<string, SentMail>()
  /** Could not be claimed or postponed: not tried again before the next poll. */
  const skippedUntilPoll = new Set<string>()

  async function mark(id: string, sent: SentMail): Promise<void> {
    unmarked.set(id, sent)
    await markSent(deps, id, sent)
    unmarked.delete(id)
  }

  async function claimAndSend(transport: MailTransport, id: string, timeoutMs: number): Promise<void> {
    const row = await claim(deps, id)
    if (!row) return
    if (isExpired(deps, row)) return await withdraw(deps, row, 'expired')
    if (isReplaced(deps, row)) return await withdraw(deps, row, 'no longer applies')
    let words: Omit<SentMail, 'sentAt' | 'toAddress'>
    const attempt = { hasWayIn: false }
    try {
      words = await send(deps, transport, sources, { row, timeoutMs, attempt })
    } catch (error) {
      if (error instanceof MailObsoleteError) return await withdraw(deps, row, 'no longer applies')
      const isSecret = attempt.hasWayIn || (await loadMails()).isSecret(row.kind)
      return await postpone(deps, row, error, isSecret)
    }
    // The demo's own mailbox takes a mail at once, also those of its past.
    const { toAddress } = row
    await mark(id, { ...words, toAddress, sentAt: deps.config.mailbox ? row.createdAt : nowIso(deps) })
  }

  return {
    /** The next mail of the lane; undefined if none is due, or the queue cannot be read. */
    async nextId(lane: Lane): Promise<string | undefined> {
      try {
        if (!isAnyDue(deps)) return undefined
        const { scheduledKinds } = await loadMails()
        const ready = listReady(deps, { scheduledKinds, unmarkedIds: [...unmarked.keys()] }).filter(
          ({ id, kind }) => lane.accepts(kind) && !skippedUntilPoll.has(id),
        )
        const next = ready.find(({ attempts }) => attempts > 0 === lane.isRetrysTurn) ?? ready[0]
        lane.isRetrysTurn = next?.attempts === 0
        return next?.id
      } catch (error) {
        return void logFailure(deps, error)
      }
    },
    /** Never rejects: a failure is logged. */
    deliver: (transport: MailTransport, id: string, timeoutMs: number) =>
      claimAndSend(transport, id, timeoutMs).catch(error => {
        skippedUntilPoll.add(id)
        logFailure(deps, error)
      }),
    /** Makes failed rows available again, and writes the marks that could not be written. */
    async retryFailed(): Promise<void> {
      skippedUntilPoll.clear()
      for (const [id, sent] of unmarked) await mark(id, sent).catch(error => logFailure(deps, error))
    },
  }
}

/** Loads the mails and React only when there is something to send. */
const loadMails = () => import('./compose.ts')

const logFailure = (deps: Deps, error: unknown) =>
  deps.log.error({ code: loggableCode(error) }, 'the outbox could not be processed')

/**
 * Returns the words to keep: those of a booking's mail without a link or a code (LOOK-81).
 * @throws Error when it takes longer than `timeoutMs`, or when the mail cannot be composed or is not accepted
 */
async function send(
  deps: Deps,
  transport: MailTransport,
  sources: MailSources,
  { row, timeoutMs, attempt }: { row: OutboxRow; timeoutMs: number; attempt: { hasWayIn: boolean } },
): Promise<Omit<SentMail, 'sentAt' | 'toAddress'>> {
  const abort = new AbortController()
  const { signal } = abort
  const tooLong = new Error(`The mail server took longer than ${timeoutMs / 1000} seconds.`)
  const timer = setTimeout(() => abort.abort(tooLong), timeoutMs)
  const composeAndSend = async () => {
    const { composeMail, isSecret } = await loadMails()
    const { hasWayIn, words, ...mail } = await composeMail(deps, sources, row)
    attempt.hasWayIn = hasWayIn
    if (!signal.aborted) await transport.send(mail, signal)
    return row.applicationId === null || isSecret(row.kind) ? {} : { subject: mail.subject, words }
  }
  // For a transport that ignores the signal.
  const timeout = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(tooLong), { once: true })
  })
  try {
    return await Promise.race([composeAndSend(), timeout])
  } catch (error) {
    throw signal.aborted ? tooLong : error
  } finally {
    clearTimeout(timer)
  }
}
