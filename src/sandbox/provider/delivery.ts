import Stripe from 'stripe'
import { advanceTime } from './checkout.ts'
import type { SandboxContext } from './store.ts'

type Options = {
  webhookUrl: () => string
  webhookSecret: string
  fetch: typeof fetch
}

const tickMs = 250
const answerWithinMs = 10_000
const pausesMs = [1, 5, 15, 60, 300, 1800, 3600].map(seconds => seconds * 1000)
const giveUpAfterAttempts = pausesMs.length + 24 * 3

/** Sends signed events to the webhook, at least once, and retries with growing delays until a 2xx. */
export function createDeliveries(context: SandboxContext, options: Options) {
  const sender = createSender(context, options)
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false

  /** Applies changes caused by time (see `advanceTime`), then sends every due event once. */
  async function deliverDue(): Promise<void> {
    while (running) await running
    if (closed) return
    advanceTime(context)
    running = sender.sendDue().finally(() => {
      running = undefined
    })
    await running
  }

  /** Stops background delivery; events in progress are sent again after the next start. */
  async function stop(): Promise<void> {
    clearInterval(timer)
    timer = undefined
    sender.abort()
    await running
  }

  return {
    deliverDue,
    /** Starts background delivery. */
    start(): void {
      sender.resume()
      timer ??= setInterval(() => {
        if (running) return
        deliverDue().catch(error =>
          console.error('The sandbox provider could not deliver its events:', error),
        )
      }, tickMs).unref()
    },
    stop,
    close(): Promise<void> {
      closed = true
      return stop()
    },
    deliverEvent: sender.deliverEvent,
    holdDeliveries: sender.holdDeliveries,
    setDeliveryOrder: sender.setDeliveryOrder,
  }
}

/** Posts events and records the attempts; `createDeliveries` decides when. */
function createSender({ now, store }: SandboxContext, options: Options) {
  let held = false
  let order: 'oldest-first' | 'newest-first' = 'oldest-first'
  let aborter = new AbortController()

  /** To the newest endpoint that was made, or to that of the options. */
  const post = (event: Stripe.Event) => {
    const made = store.all('webhook_endpoint').at(-1)
    const target = made && { webhookUrl: () => made.url, webhookSecret: made.secret }
    return postEvent(event, now(), { ...options, ...target }, aborter.signal)
  }

  return {
    async sendDue(): Promise<void> {
      const due = store.deliveriesDue(now().getTime())
      for (const { attempts, event: id } of order === 'newest-first' ? due.toReversed() : due) {
        if (held || aborter.signal.aborted) return
        const event = store.find('event', id)
        if (!event) continue
        const status = await post(event)
        // A delivery aborted by a shutdown does not count as an attempt; it is sent again after the next start.
        if (aborter.signal.aborted) return
        store.atomically(() => {
          const isTaken = status >= 200 && status < 300
          const pauseMs = isTaken ? undefined : pauseAfter(attempts + 1)
          store.recordAttempt(id, pauseMs === undefined ? null : now().getTime() + pauseMs)
          if (isTaken) store.save({ ...event, pending_webhooks: 0 })
        })
      }
    },
    /** Aborts current and further deliveries until `resume`. */
    abort: () => aborter.abort(),
    resume(): void {
      if (aborter.signal.aborted) aborter = new AbortController()
    },
    /** Sends an event `times` times concurrently, even if it is not due; returns the statuses, 0 for no response. */
    async deliverEvent(eventId: string, times = 1): Promise<number[]> {
      const event = store.find('event', eventId)
      if (!event) throw new Error(`No such event: ${eventId}`)
      return Promise.all(Array.from({ length: times }, () => post(event)))
    },
    /** While held, only `deliverEvent` delivers. */
    holdDeliveries(on: boolean): void {
      held = on
    },
    setDeliveryOrder(next: typeof order): void {
      order = next
    },
  }
}

/** The delay before the next attempt; undefined to give up. */
function pauseAfter(attempts: number): number | undefined {
  return attempts < giveUpAfterAttempts ? (pausesMs[attempts - 1] ?? pausesMs.at(-1)) : undefined
}

/** Returns the response's status; 0 for no response. */
async function postEvent(
  event: Stripe.Event,
  now: Date,
  { fetch, webhookSecret: secret, webhookUrl }: Options,
  signal: AbortSignal,
): Promise<number> {
  const payload = JSON.stringify(event, null, 2)
  const timestamp = Math.floor(now.getTime() / 1000)
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
  try {
    const response = await fetch(webhookUrl(), {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(answerWithinMs), signal]),
    })
    await response.body?.cancel()
    return response.status
  } catch {
    // Connection refused, dropped or timed out: all count as no response.
    return 0
  }
}
