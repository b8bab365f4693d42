import autocannon from 'autocannon'
import type { RunningServer } from './server-process.ts'
import { type Spread, spreadOf } from './table.ts'

export type Request = {
  path: string
  method?: 'GET' | 'POST' | 'PUT'
  headers?: Record<string, string>
  /** Returns the options of each single request. */
  next?: () => { headers?: Record<string, string>; path?: string; body?: unknown }
  expect?: number
}
export type Options = { connections?: number } & ({ seconds: number } | { requests: number })

/** Sends requests as fast as the connections allow. @throws if a response has an unexpected status */
export async function load(
  server: RunningServer,
  request: Request,
  options: Options,
): Promise<{ perSecond: number; p99Ms: number }> {
  const { path, method = 'GET', headers = {}, next, expect = 200 } = request
  const startedAt = performance.now()
  let lastAt = startedAt
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(
      {
        url: server.url,
        connections: options.connections ?? 16,
        setupClient: skipBodies,
        timeout: 30,
        ...('seconds' in options ? { duration: options.seconds } : { amount: options.requests }),
        requests: [
          {
            method,
            path,
            headers,
            ...(next && {
              setupRequest: (one: autocannon.Request) => {
                const { body, ...rest } = next()
                return {
                  ...one,
                  ...rest,
                  headers: {
                    ...one.headers,
                    ...rest.headers,
                    ...(body !== undefined && { 'content-type': 'application/json' }),
                  },
                  ...(body !== undefined && { body: JSON.stringify(body) }),
                }
              },
            }),
          },
        ],
      },
      (error, done) => (error ? reject(error) : resolve(done)),
    )
    // autocannon ends a fraction of a second after the last response.
    instance.on('response', () => {
      lastAt = performance.now()
    })
  })
  const seconds = (lastAt - startedAt) / 1000
  const statuses = Object.entries(result.statusCodeStats ?? {}).map(([status, { count = 0 }]) => [
    Number(status),
    count,
  ])
  const wrong = statuses.filter(([status]) => status !== expect)
  if (wrong.length > 0 || result.errors > 0)
    throw new Error(
      `${method} ${path}: ${result.errors} errors, ${JSON.stringify(wrong)} instead of ${expect}`,
    )
  const responses = statuses[0]?.[1] ?? 0
  return { perSecond: responses / seconds, p99Ms: result.latency.p99 }
}

/** Keeps autocannon from decoding every body as text, which takes longer than serving a compressed body. */
function skipBodies(client: autocannon.Client): void {
  const { pipelinedRequests } = client as unknown as { pipelinedRequests: { addBody: () => void } }
  pipelinedRequests.addBody = () => undefined
}

const rounds = 5

/** Runs both in turn, round by round, so that changes in the machine's speed affect both. */
export async function compare(
  ours: () => Promise<number>,
  baseline: () => Promise<number>,
): Promise<{ ours: Spread; baseline: Spread; ratio: Spread }> {
  const pairs: [number, number][] = []
  // The first round is a warm-up and is not counted.
  for (let i = 0; i <= rounds; i++) pairs.push([await ours(), await baseline()])
  const counted = pairs.slice(1)
  return {
    ours: spreadOf(counted.map(([one]) => one)),
    baseline: spreadOf(counted.map(([, one]) => one)),
    ratio: spreadOf(counted.map(([one, other]) => one / other)),
  }
}
