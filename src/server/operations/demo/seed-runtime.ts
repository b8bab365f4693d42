import { encode } from 'fast-png'
import Stripe from 'stripe'
import type { Admin } from '../../../domain/accounts/access.ts'
import { storeProof } from '../../auth/sessions/session-proof.ts'
import { beginSession, endSession } from '../../auth/sessions/sessions.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { createLimits } from '../../kernel/limits.ts'
import { sha256 } from '../../lib/sha256.ts'
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

const width = 300
const height = 90

/** Draws a fake handwritten signature: a PNG as data URL that depends on the name. */
export function drawSignature(name: string): string {
  const data = new Uint8Array(width * height * 4)
  const shape = [...name].map(letter => (letter.codePointAt(0) ?? 0) % 17)
  const letters = shape.length
  for (let step = 0; step < 6000; step++) {
    const along = step / 6000
    const letter = shape[Math.floor(along * letters)] ?? 0
    const turn = along * letters * Math.PI * 2
    const x = 20 + along * (width - 50) + Math.sin(turn) * 7
    const y = height / 2 - Math.cos(turn) * (8 + letter) + Math.sin(along * 9) * 6
    dot(data, Math.round(x), Math.round(y))
  }
  return `data:image/png;base64,${Buffer.from(encode({ width, height, data, channels: 4 })).toString('base64')}`
}

/** Draws two by two pixels of ink. */
function dot(data: Uint8Array, x: number, y: number): void {
  for (const [dx, dy] of [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const) {
    if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue
    data.set([20, 32, 74, 255], ((y + dy) * width + x + dx) * 4)
  }
}

/** Runs work that requires a step-up, in a session that ends with it. */
export async function withProof(
  deps: Deps,
  admin: Admin,
  work: (proven: Admin) => Promise<unknown>,
): Promise<void> {
  const sessionId = await deps.write(tx => {
    const id = sha256(beginSession(deps, tx, admin, { id: admin.userId, role: admin.role }, 'registration'))
    const at = nowIso(deps)
    storeProof(tx, id, { factorAt: at, stepUpAt: at })
    return id
  })
  await work({ ...admin, sessionId })
  await endSession(deps, sessionId)
}

export type Random = ReturnType<typeof createRandom>

/** A seeded pseudorandom generator (mulberry32). */
export function createRandom(seed: number) {
  let state = seed >>> 0
  /** [0, 1) */
  function unit(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  /** An integer in [0, limit). */
  const below = (limit: number): number => Math.floor(unit() * limit)
  function pick<T>(items: readonly T[]): T {
    const item = items[below(items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  return { unit, below, pick }
}
