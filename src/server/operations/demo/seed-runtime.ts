import Stripe from 'stripe'
import type { Deps } from '../../kernel/deps.ts'
import { createLimits } from '../../kernel/limits.ts'
import { receiveEvent } from '../../money/payments/reconcile/provider-events.ts'
import { openProvider } from './embedded.ts'

/** The site's services with an adjustable clock and an in-process card provider. */
export type SeedRuntime = {
  deps: Deps
  setNow: (moment: Date) => void
  /** Pays an open checkout and delivers the webhooks. Undefined without a sandbox. */
  payCheckout: ((sessionId: string, outcome: CheckoutOutcome) => Promise<void>) | undefined
  close: () => Promise<void>
}

/** How a checkout is paid; `bank on its way` is a debit that is still processing. */
export type CheckoutOutcome = 'card' | 'bank' | 'bank on its way'

const webhookSecret = 'whsec_of_the_demo_data'

/** Uses the running demo's provider file, so that these payments can be refunded later. */
export function openSeedRuntime(siteDeps: Deps): SeedRuntime {
  let now = siteDeps.clock.now()
  const clock = { now: () => new Date(now) }
  const setNow = (moment: Date) => {
    now = moment
  }
  const sandbox = openProvider(siteDeps.config, {
    webhookSecret,
    now: clock.now,
    fetch: async (url, init) => {
      const request = new Request(url, init)
      const body = Buffer.from(await request.arrayBuffer())
      await receiveEvent(deps, body, request.headers.get('stripe-signature') ?? undefined)
      return Response.json({ received: true })
    },
  })
  // All guests share a password, which is hashed once.
  const hashes = new Map<string, Promise<string>>()
  const hash = (password: string): Promise<string> => {
    const known = hashes.get(password) ?? siteDeps.passwords.hash(password)
    hashes.set(password, known)
    return known
  }
  const deps: Deps = {
    ...siteDeps,
    passwords: { ...siteDeps.passwords, hash },
    clock,
    limits: createLimits(false),
    provider: sandbox && connect(sandbox),
  }
  return {
    deps,
    setNow,
    payCheckout:
      sandbox &&
      (async (sessionId, outcome) => {
        if (outcome === 'card') sandbox.pay(sessionId)
        else sandbox.completeUnpaid(sessionId)
        await sandbox.deliverDue()
        if (outcome !== 'bank') return
        sandbox.settle(sessionId, true)
        await sandbox.deliverDue()
      }),
    close: async () => sandbox?.close(),
  }
}

function connect(sandbox: NonNullable<ReturnType<typeof openProvider>>) {
  const httpClient = Stripe.createFetchHttpClient(async (url: string | URL | Request, init?: RequestInit) => {
    const request = new Request(url, init)
    const { pathname, search } = new URL(request.url)
    const { body, headers, status } = await sandbox.handle({
      method: request.method,
      path: pathname + search,
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
    })
    return new Response(body, { headers, status })
  })
  const stripe = new Stripe('sk_test_sandbox', { httpClient, telemetry: false, maxNetworkRetries: 0 })
  return { stripe, webhookSecret }
}
