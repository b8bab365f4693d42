import type Stripe from 'stripe'
import { answerApi } from './api.ts'
import { type Attempt, advanceTime, attemptPayment, settle } from './checkout.ts'
import { createDeliveries } from './delivery.ts'
import type { SandboxContext } from './events.ts'
import { createFaults } from './faults.ts'
import type { ProviderRequest, ProviderResponse } from './http.ts'
import type { Dispute, Refund, Session } from './objects.ts'
import { answerPage } from './pages.tsx'
import { closeDispute, createRefund, openDispute, withdrawnCents } from './refunds-and-disputes.ts'
import { openStore } from './store.ts'
import { findMethod, type Method } from './test-numbers.ts'

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

type SessionTruth = {
  amount_total: number
  /** Cents that arrived, before any refund. */
  paid: number
  refunded: number
  /** Cents held back by an open dispute or lost in one. */
  disputed: number
}

export type SandboxProvider = ReturnType<typeof createSandboxProvider>

/**
 * The embedded card provider of demo mode and of the tests: Stripe's API, hosted checkout page and webhooks,
 * with no money behind it. Its state is in its own file and survives a restart.
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
        return act(context, () => answerPage({ ...context, merchantName }, request))
      return faults.apply(request, breakOff => {
        advanceTime(context)
        return answerApi(context, request, breakOff)
      })
    },

    /** Stops, and closes the file; the last call. */
    async close(): Promise<void> {
      faults.abort()
      await deliveries.close()
      store.close()
    },

    ...createActions(context),

    /** All events, oldest first. */
    events: (): Stripe.Event[] => store.all('event'),
    /** Events that still have to be delivered, with the attempts so far. */
    waitingDeliveries: store.deliveriesWaiting,
    /** How the API misbehaves from now on; `{}` ends it. Pages and deliveries are not affected. */
    setFault: faults.set,
    /** What really happened to the money, by session id. */
    truth(): Record<string, SessionTruth> {
      advanceTime(context)
      return Object.fromEntries(
        store.all('checkout.session').map(session => [session.id, truthOf(context, session)]),
      )
    },
  }
}

/** What a payer, a bank or the owner would do; for tests and the demo. */
function createActions(context: SandboxContext) {
  function attempt(
    sessionId: string,
    type: Method['type'],
    number: string,
    settlesByItself = false,
  ): Attempt {
    const method = findMethod(type, number)
    if (!method) throw new Error(`No such test number: ${number}`)
    return act(context, () => attemptPayment(context, sessionId, method, { settlesByItself }))
  }

  return {
    /** Pays an open session with a test card (4242… unless named), as the page's Pay button does. */
    pay: (sessionId: string, { card = '4242424242424242' }: { card?: string } = {}) =>
      attempt(sessionId, 'card', card),
    decline: (sessionId: string) => attempt(sessionId, 'card', '4000000000000002'),
    /** Pays by bank transfer: complete but unpaid until `settle`, or until the account does by itself what it is for. */
    completeUnpaid: (sessionId: string, { account }: { account?: string } = {}) =>
      attempt(sessionId, 'us_bank_account', account ?? '000123456789', account !== undefined),
    settle: (sessionId: string, ok: boolean): void => act(context, () => settle(context, sessionId, ok)),
    /** Refunds a charge as its owner would at the provider; all that is left unless `amount` cents are named. */
    refund: (charge: string, amount?: number): Refund =>
      act(context, () => createRefund(context, { charge, amount, metadata: {} })),
    openDispute: (chargeId: string, details?: { amount?: number; status?: Dispute['status'] }): Dispute =>
      act(context, () => openDispute(context, chargeId, details)),
    closeDispute: (disputeId: string, outcome: 'won' | 'lost'): Dispute =>
      act(context, () => closeDispute(context, disputeId, outcome)),
  }
}

/** Changes the provider's state once it has caught up with the clock. */
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
