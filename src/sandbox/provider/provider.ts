import type Stripe from 'stripe'
import { answerApi, type ProviderRequest, type ProviderResponse } from './api.ts'
import { type Attempt, advanceTime, attemptPayment, settle } from './checkout.ts'
import { createDeliverer, type DeliveryOrder } from './delivery.ts'
import type { SandboxContext } from './events.ts'
import { createFaults, type Fault } from './faults.ts'
import { closeDispute, createRefund, openDispute, withdrawnCents } from './money-back.ts'
import { answerPage } from './pages.tsx'
import { openStore } from './store.ts'
import { bankMethod, cardMethod } from './test-methods.ts'

export type { ProviderRequest, ProviderResponse } from './api.ts'
export type { Attempt } from './checkout.ts'
export type { DeliveryOrder } from './delivery.ts'
export type { Fault } from './faults.ts'

export type SandboxProviderOptions = {
  /** The provider's own SQLite file, or ':memory:'. */
  file: string
  /** Where a browser reaches the checkout pages, without a trailing slash. */
  publicOrigin: string
  webhookUrl: () => string
  /** `whsec_…` */
  webhookSecret: string
  now: () => Date
  fetch?: typeof fetch
  /** Named on the pages. */
  merchantName?: string
}

export type SessionTruth = {
  amount_total: number
  /** Cents that arrived, before any refund. */
  paid: number
  refunded: number
  /** Cents held back by an open dispute or lost in one. */
  disputed: number
}

export type SandboxProvider = ReturnType<typeof createSandboxProvider>

const tickMs = 250

/**
 * The embedded card provider of demo mode and of the tests: Stripe's API, hosted checkout page and webhooks,
 * with no money behind it. Its state is in its own file and survives a restart.
 */
export function createSandboxProvider(options: SandboxProviderOptions) {
  const { file, merchantName = 'Demo merchant', now, publicOrigin, webhookSecret, webhookUrl } = options
  const store = openStore(file)
  const context: SandboxContext = { store, now, publicOrigin }
  const deliverer = createDeliverer(context, { fetch: options.fetch ?? fetch, webhookSecret, webhookUrl })
  const faults = createFaults()
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function act<T>(work: () => T): T {
    advanceTime(context)
    return store.atomically(work)
  }

  function pathname(path: string): string {
    return path.split('?', 1)[0] ?? path
  }

  function isPage(path: string): boolean {
    return /^\/sandbox\/(pay|receipts)\//.test(pathname(path))
  }

  async function deliverDue(): Promise<void> {
    if (closed) return
    advanceTime(context)
    await deliverer.deliverDue()
  }

  function stop(): Promise<void> {
    clearInterval(timer)
    timer = undefined
    return deliverer.abort()
  }

  return {
    owns: (path: string): boolean => pathname(path).startsWith('/v1/') || isPage(path),

    async handle(request: ProviderRequest): Promise<ProviderResponse> {
      if (isPage(request.path)) {
        advanceTime(context)
        return answerPage({ ...context, merchantName }, request)
      }
      return faults.apply(request, breakOff => {
        advanceTime(context)
        return answerApi(context, request, breakOff)
      })
    },

    /** Lets time pass (sessions run out, transfers settle), then sends every event that is due, once. */
    deliverDue,
    /** Delivers in the background from now on. */
    start(): void {
      deliverer.resume()
      timer ??= setInterval(() => {
        if (deliverer.isBusy()) return
        deliverDue().catch(error =>
          console.error('The sandbox provider could not deliver its events:', error),
        )
      }, tickMs).unref()
    },
    /** Ends background delivery; what was under way is sent again after the next start. */
    stop,
    /** Stops, and closes the file; the last call. */
    async close(): Promise<void> {
      closed = true
      faults.abort()
      await stop()
      store.close()
    },

    // What a payer, a bank or the network would do; for tests and the demo.
    /** Pays an open session with a test card (4242… unless named), as the page's Pay button does. */
    pay(sessionId: string, { card = '4242424242424242' }: { card?: string } = {}): Attempt {
      const method = cardMethod(card)
      if (!method) throw new Error(`No such test card: ${card}`)
      return act(() => attemptPayment(context, sessionId, method))
    },
    decline(sessionId: string): Attempt {
      const method = cardMethod('4000000000000002')
      if (!method) throw new Error('The declined test card is missing')
      return act(() => attemptPayment(context, sessionId, method))
    },
    /** Pays by bank transfer: complete but unpaid until `settle`. */
    completeUnpaid(sessionId: string): Attempt {
      const method = bankMethod('000123456789')
      if (!method) throw new Error('The test account is missing')
      return act(() => attemptPayment(context, sessionId, method, { settlesByItself: false }))
    },
    settle(sessionId: string, ok: boolean): void {
      act(() => settle(context, sessionId, ok))
    },
    /** Refunds a charge as its owner would at the provider; all that is left unless `amount` cents are named. */
    refund(chargeId: string, amount?: number): Stripe.Refund {
      return act(() => createRefund(context, { charge: chargeId, amount, metadata: {} }))
    },
    openDispute(chargeId: string, details?: { amount?: number; reason?: string }): Stripe.Dispute {
      return act(() => openDispute(context, chargeId, details))
    },
    closeDispute(disputeId: string, outcome: 'won' | 'lost'): Stripe.Dispute {
      return act(() => closeDispute(context, disputeId, outcome))
    },

    // The webhook's far end.
    /** While held nothing is delivered by itself; `deliverEvent` still delivers. */
    holdDeliveries: (held: boolean): void => deliverer.hold(held),
    setDeliveryOrder: (order: DeliveryOrder): void => deliverer.setOrder(order),
    /** Sends one event `times` times at once, whether due or not; answers the statuses, 0 for no answer. */
    deliverEvent: (eventId: string, times = 1): Promise<number[]> => deliverer.deliverEvent(eventId, times),
    /** All events, oldest first. */
    events: (): Stripe.Event[] => store.all('event'),
    /** Events that still have to be delivered, with the attempts so far and the next one's time (ms). */
    waitingDeliveries: () => store.deliveriesWaiting(),

    /** How the API misbehaves from now on; `{}` ends it. Pages and deliveries are not affected. */
    setFault: (fault: Fault): void => faults.set(fault),

    /** What really happened to the money, by session id. */
    truth(): Record<string, SessionTruth> {
      advanceTime(context)
      const charges = new Map(store.all('charge').map(charge => [charge.id, charge]))
      const intents = new Map(store.all('payment_intent').map(intent => [intent.id, intent]))
      return Object.fromEntries(
        store.all('checkout.session').map(session => {
          const charge = charges.get(String(intents.get(String(session.payment_intent))?.latest_charge))
          const truth: SessionTruth = {
            amount_total: session.amount_total ?? 0,
            paid: charge?.amount_captured ?? 0,
            refunded: charge?.amount_refunded ?? 0,
            disputed: charge ? withdrawnCents(context, charge) : 0,
          }
          return [session.id, truth]
        }),
      )
    },
  }
}
