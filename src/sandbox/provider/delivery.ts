import Stripe from 'stripe'
import type { SandboxContext } from './events.ts'

export type DeliveryOrder = 'oldest-first' | 'newest-first' | 'shuffled' | ((eventIds: string[]) => string[])

type Options = {
  webhookUrl: () => string
  webhookSecret: string
  fetch: typeof fetch
}

const answerWithinMs = 10_000
const seconds = 1000
const backOffMs = [1, 5, 15, 60, 300, 1800, 3600].map(delay => delay * seconds)
const giveUpAfterAttempts = backOffMs.length + 24 * 3

export type Deliverer = ReturnType<typeof createDeliverer>

/** Sends events to the webhook: signed, at least once, again and again with growing pauses until a 2xx. */
export function createDeliverer(context: SandboxContext, { fetch, webhookSecret, webhookUrl }: Options) {
  let held = false
  let order: DeliveryOrder = 'oldest-first'
  let running: Promise<void> | undefined
  let aborter = new AbortController()

  async function post(event: Stripe.Event): Promise<number> {
    const payload = JSON.stringify(event, null, 2)
    const signature = Stripe.webhooks.generateTestHeaderString({
      payload,
      secret: webhookSecret,
      timestamp: Math.floor(context.now().getTime() / 1000),
    })
    try {
      const response = await fetch(webhookUrl(), {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signature,
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        },
        body: payload,
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(answerWithinMs), aborter.signal]),
      })
      await response.body?.cancel()
      return response.status
    } catch {
      // Refused, cut off or too slow: for the sender it is all the same, no answer.
      return 0
    }
  }

  function arranged(ids: string[]): string[] {
    if (order === 'newest-first') return ids.toReversed()
    if (order === 'shuffled') {
      return ids
        .map(id => ({ id, at: Math.random() }))
        .sort((a, b) => a.at - b.at)
        .map(({ id }) => id)
    }
    return order === 'oldest-first' ? ids : order(ids)
  }

  async function deliverAll(): Promise<void> {
    const due = context.store.deliveriesDue(context.now().getTime())
    const attemptsOf = new Map(due.map(({ attempts, event }) => [event, attempts]))
    for (const id of arranged(due.map(({ event }) => event))) {
      if (held || aborter.signal.aborted) return
      const event = context.store.find('event', id)
      if (!event) continue
      const status = await post(event)
      // A shutdown in the middle is no attempt: the event goes out again after the next start.
      if (aborter.signal.aborted) return
      if (status >= 200 && status < 300) {
        context.store.atomically(() => {
          context.store.recordAttempt(id, null)
          context.store.save({ ...event, pending_webhooks: 0 })
        })
      } else {
        context.store.recordAttempt(id, nextAttempt(attemptsOf.get(id) ?? 0))
      }
    }
  }

  function nextAttempt(attempts: number): number | null {
    if (attempts + 1 >= giveUpAfterAttempts) return null
    const pause = backOffMs[Math.min(attempts, backOffMs.length - 1)] ?? 0
    return context.now().getTime() + pause
  }

  return {
    isBusy: () => running !== undefined,
    /** One round over all that is due, after the round that is running, if one is. */
    async deliverDue(): Promise<void> {
      while (running) await running
      running = deliverAll().finally(() => {
        running = undefined
      })
      await running
    },
    /** Sends one event `times` times at once, whatever was sent before; the statuses, 0 for no answer. */
    async deliverEvent(eventId: string, times: number): Promise<number[]> {
      const event = context.store.find('event', eventId)
      if (!event) throw new Error(`No such event: ${eventId}`)
      return Promise.all(Array.from({ length: times }, () => post(event)))
    },
    hold(on: boolean): void {
      held = on
    },
    setOrder(next: DeliveryOrder): void {
      order = next
    },
    resume(): void {
      if (aborter.signal.aborted) aborter = new AbortController()
    },
    /** Cuts off what is under way; it will be sent again. */
    async abort(): Promise<void> {
      aborter.abort()
      await running
    },
  }
}
