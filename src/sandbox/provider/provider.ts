import type Stripe from 'stripe'
import { handleApi } from './api.ts'
import { type Attempt, advanceTime, attemptPayment, settle } from './checkout.ts'
import { createDeliveries } from './delivery.ts'
import { createFaults } from './faults.ts'
import type { ProviderRequest, ProviderResponse } from './http.ts'
import type { Dispute, Refund, Session } from './objects.ts'
import { handlePage } from './pages.tsx'
import {
  advanceDispute,
  closeDispute,
  createRefund,
  failRefund,
  openDispute,
  withdrawnCents,
} from './refunds-and-disputes.ts'
import { openStore, type SandboxContext } from './store.ts'
import { findMethod, type Method } from './test-numbers.ts'

export type SandboxProviderOptions = {
  /** The provider's own SQLite file, or ':memory:'. */
  file: string
  /** The origin of the checkout pages, without a trailing slash. */
  publicOrigin: string
  webhookUrl: () => string
  /** `whsec_…` */
  webhookSecret: string
  now: () => Date
  fetch?: typeof fetch
  /** Shown on the pages. */
  merchantName?: string
}

type SessionTruth = {
  amount_total: number
  /** Cents received, before refunds. */
  paid: number
  refunded: number
  /** Cents withheld by an open dispute, or lost in one. */
  disputed: number
}

export type SandboxProvider = ReturnType<typeof createSandboxProvider>

/**
 * The embedded payment provider of the demo and the tests: Stripe's API, hosted checkout page and webhooks, without
 * real money. Its state is stored in a separate file and survives restarts.
 */
export function createSandboxProvider(options: SandboxProviderOptions) {
  const { file, merchantName = 'Demo merchant', now, publicOrigin, webhookSecret, webhookUrl } = options
  const store = openStore(file)
  const context: SandboxContext = { store, now, publicOrigin }
  const deliveries = createDeliveries(context, { fetch: options.fetch ?? fetch, webhookSecret, webhookUrl })
  const faults = createFaults()

  return {
    ...deliveries,

    async handle(request: ProviderRequest): Promise<ProviderResponse> {
      if (request.path.startsWith('/sandbox/'))
        return act(context, () => handlePage({ ...context, merchantName }, request))
      return faults.apply(request, failurePoint => {
        advanceTime(context)
        return handleApi(context, request, failurePoint)
      })
    },

    /** Stops everything and closes the file. Must be the last call. */
    async close(): Promise<void> {
      faults.abort()
      await deliveries.close()
      store.close()
    },

    ...createActions(context),

    /** All events, oldest first. */
    events: (): Stripe.Event[] => store.all('event'),
    /** Undelivered events, with the number of attempts so far. */
    waitingDeliveries: store.deliveriesWaiting,
    /** Sets how the API misbehaves; `{}` resets it. Does not affect pages and deliveries. */
    setFault: faults.set,
    /** The actual state of the money, by session id. */
    truth(): Record<string, SessionTruth> {
      advanceTime(context)
      return Object.fromEntries(
        store.all('checkout.session').map(session => [session.id, truthOf(context, session)]),
      )
    },
  }
}

/** Actions of payers, banks and the owner, for tests and the demo. */
function createActions(context: SandboxContext) {
  function attempt(sessionId: string, type: Method['type'], number: string, autoSettle = false): Attempt {
    const method = findMethod(type, number)
    if (!method) throw new Error(`No such test number: ${number}`)
    return act(context, () => attemptPayment(context, sessionId, method, { autoSettle }))
  }

  return {
    /** Pays an open session with a test card (default 4242…), like the page's Pay button. */
    pay: (sessionId: string, { card = '4242424242424242' }: { card?: string } = {}) =>
      attempt(sessionId, 'card', card),
    decline: (sessionId: string) => attempt(sessionId, 'card', '4000000000000002'),
    /** Pays by bank transfer: complete but unpaid until `settle`; with `account`, it settles or fails automatically. */
    completeUnpaid: (sessionId: string, { account }: { account?: string } = {}) =>
      attempt(sessionId, 'us_bank_account', account ?? '000123456789', account !== undefined),
    settle: (sessionId: string, ok: boolean): void => act(context, () => settle(context, sessionId, ok)),
    /** Refunds a charge as if from the provider's dashboard: `amount` cents, or everything that is left. */
    refund: (charge: string, amount?: number): Refund =>
      act(context, () => createRefund(context, { charge, amount, metadata: {} })),
    failRefund: (refundId: string): Refund => act(context, () => failRefund(context, refundId)),
    openDispute: (chargeId: string, details?: { amount?: number; status?: Dispute['status'] }): Dispute =>
      act(context, () => openDispute(context, chargeId, details)),
    advanceDispute: (disputeId: string): Dispute => act(context, () => advanceDispute(context, disputeId)),
    closeDispute: (disputeId: string, outcome: 'won' | 'lost'): Dispute =>
      act(context, () => closeDispute(context, disputeId, outcome)),
  }
}

/** Runs an action after bringing the state up to date with the clock. */
function act<T>(context: SandboxContext, work: () => T): T {
  advanceTime(context)
  return context.store.atomically(work)
}

function truthOf(context: SandboxContext, session: Session): SessionTruth {
  const intent = context.store.find('payment_intent', session.payment_intent)
  const charge = intent && context.store.find('charge', intent.latest_charge)
  return {
    amount_total: session.amount_total,
    paid: charge?.amount_captured ?? 0,
    refunded: charge?.amount_refunded ?? 0,
    disputed: charge ? withdrawnCents(context, charge) : 0,
  }
}
