import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SignedInUser, seedBenchSite } from './bench-site.ts'
import { cpuSecondsOf, memoryMibOf, type RunningServer } from './server-process.ts'
import { percentile, printTable } from './table.ts'

const seconds = 60
/** The polling request of an open dashboard (src/web/pages/tenant/dashboard-page.tsx). */
const path = '/trpc/applications.status?batch=1&input=%7B%7D'
const pollIntervalMs = 10_000

/** 500 tenants keep their dashboard open for a minute, and each polls every ten seconds. */
export async function run(): Promise<void> {
  const benchSite = await seedBenchSite()
  const site = await benchSite.start()
  try {
    const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
    const responses: TimedResponse[] = []
    const until = performance.now() + seconds * 1000
    const cpuBefore = cpuSecondsOf(site.pid)
    await Promise.all(benchSite.tenants.map(tenant => keepOpen(site, agent, tenant, until, responses)))
    const cpuAfter = cpuSecondsOf(site.pid)
    agent.destroy()
    const times = responses.map(({ ms }) => ms).sort((a, b) => a - b)
    const of = (status: number) => responses.filter(response => response.status === status).length
    const cpu =
      cpuBefore === undefined || cpuAfter === undefined
        ? '?'
        : `${(((cpuAfter - cpuBefore) / seconds) * 100).toFixed(1)} %`
    printTable([
      ['500 open dashboards, a minute', ''],
      ['responses', String(responses.length)],
      ['of these unchanged (304)', String(of(304))],
      ['errors', String(responses.length - of(200) - of(304))],
      ['p50 ms', percentile(times, 0.5).toFixed(1)],
      ['p99 ms', percentile(times, 0.99).toFixed(1)],
      ['processor, of one core', cpu],
      ['memory MiB', memoryMibOf(site.pid)?.toFixed(0) ?? '?'],
    ])
  } finally {
    await site.stop()
    await benchSite.close()
  }
}

type TimedResponse = { ms: number; status: number }

async function keepOpen(
  site: RunningServer,
  agent: Agent,
  { token }: SignedInUser,
  until: number,
  responses: TimedResponse[],
) {
  let etag: string | undefined
  // The dashboards were not all opened at the same time.
  await sleep(Math.random() * pollIntervalMs)
  while (performance.now() < until) {
    const startedAt = performance.now()
    const { status, etag: given } = await ask(site.url, agent, {
      authorization: `Bearer ${token}`,
      ...(etag && { 'if-none-match': etag }),
    })
    etag = given ?? etag
    responses.push({ ms: performance.now() - startedAt, status })
    await sleep(pollIntervalMs)
  }
}

function ask(url: string, agent: Agent, headers: Record<string, string>) {
  return new Promise<{ status: number; etag: string | undefined }>(resolve => {
    get(`${url}${path}`, { agent, headers }, response => {
      response.resume()
      response.once('end', () => resolve({ status: response.statusCode ?? 0, etag: response.headers.etag }))
    }).once('error', () => resolve({ status: 0, etag: undefined }))
  })
}
