import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import Stripe from 'stripe'
import {
  createSandboxProvider,
  type SandboxProvider,
  type SandboxProviderOptions,
} from '../sandbox/provider/provider.ts'

type Options = Omit<SandboxProviderOptions, 'publicOrigin' | 'file'> & {
  /** ':memory:' by default; a file keeps the state across restarts. */
  file?: string
  /** Any free port by default. */
  port?: number
}

export type RunningProvider = {
  url: string
  port: number
  provider: SandboxProvider
  /** Stops the server and the provider without waiting for hanging calls. */
  close: () => Promise<void>
}

/** Starts the sandbox provider behind an HTTP server on a separate port. */
export async function startProvider({
  file = ':memory:',
  port = 0,
  ...rest
}: Options): Promise<RunningProvider> {
  let provider: SandboxProvider
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
    )
    const { method = 'GET', url = '/' } = request
    const { body, hangUp, ...head } = await provider.handle({
      method,
      path: url,
      headers,
      body: await text(request),
    })
    if (hangUp) request.socket.destroy()
    else response.writeHead(head.status, head.headers).end(body)
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // If the caller has disconnected, there is nobody to respond to; any other error must be visible.
      if (request.socket.destroyed) return
      console.error(error)
      response.writeHead(500).end()
    })
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The provider has no port')
  const url = `http://127.0.0.1:${address.port}`
  provider = createSandboxProvider({ file, publicOrigin: url, ...rest })
  return {
    url,
    port: address.port,
    provider,
    async close() {
      const closed = new Promise(resolve => server.close(resolve))
      server.closeAllConnections()
      await provider.close()
      await closed
    },
  }
}

/** The real SDK, pointed at a running provider. */
export function stripeFor({ port }: { port: number }, { timeout = 5000 }: { timeout?: number } = {}): Stripe {
  return new Stripe('sk_test_sandbox', {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    telemetry: false,
    timeout,
    maxNetworkRetries: 0,
  })
}

/** The minimal session parameters of a checkout. */
export function buildSessionParams(
  overrides: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'payment',
    success_url: 'http://localhost:3000/payment/success?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://localhost:3000/payment/cancel',
    line_items: [
      {
        quantity: 1,
        price_data: { currency: 'usd', unit_amount: 50_000, product_data: { name: 'Security deposit' } },
      },
      {
        quantity: 1,
        price_data: { currency: 'usd', unit_amount: 1_500, product_data: { name: 'Card fee' } },
      },
    ],
    ...overrides,
  }
}
