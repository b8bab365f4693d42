import { Agent, get } from 'node:http'
import { cpuSecondsOf, memoryMibOf, type Served } from './served.ts'
import { percentile, printTable } from './table.ts'
import { openWorld, type Person } from './world.ts'

const seconds = 60
/** The polling request of an open dashboard (src/web/pages/tenant/dashboard-page.tsx). */
const path = '/trpc/applications.status?batch=1&input=%7B%7D'
const pollIntervalMs = 10_000

/** 500 tenants keep their dashboard open for a minute, and each polls every ten seconds. */
export async function run(): Promise<void> {
  const world = await openWorld()
  const site = await world.start()
  try {
    const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
    const answers: Answer[] = []
    const until = performance.now() + seconds * 1000
    const cpuBefore = cpuSecondsOf(site.pid)
    await Promise.all(world.tenants.map(tenant => keepOpen(site, agent, tenant, until, answers)))
    const cpuAfter = cpuSecondsOf(site.pid)
    agent.destroy()
    const times = answers.map(({ ms }) => ms).sort((a, b) => a - b)
    const of = (status: number) => answers.filter(answer => answer.status === status).length
    const cpu =
      cpuBefore === undefined || cpuAfter === undefined
        ? '?'
        : `${(((cpuAfter - cpuBefore) / seconds) * 100).toFixed(1)} %`
    printTable([
      ['500 open dashboards, a minute', ''],
      ['answers', String(answers.length)],
      ['of these unchanged (304)', String(of(304))],
      ['errors', String(answers.length - of(200) - of(304))],
      ['p50 ms', percentile(times, 0.5).toFixed(1)],
      ['p99 ms', percentile(times, 0.99).toFixed(1)],
      ['processor, of one core', cpu],
      ['memory MiB', memoryMibOf(site.pid)?.toFixed(0) ?? '?'],
    ])
  } finally {
    await site.stop()
    await world.close()
  }
}

type Answer = { ms: number; status: number }

async function keepOpen(site: Served, agent: Agent, { token }: Person, until: number, answers: Answer[]) {
  let etag: string | undefined
  // The dashboards were not all opened at the same time.
  await pause(Math.random() * pollIntervalMs)
  while (performance.now() < until) {
    const startedAt = performance.now()
    const { status, etag: given } = await ask(site.url, agent, {
      authorization: `Bearer ${token}`,
      ...(etag && { 'if-none-match': etag }),
    })
    etag = given ?? etag
    answers.push({ ms: performance.now() - startedAt, status })
    await pause(pollIntervalMs)
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

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
