import { get } from 'node:http'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { pino } from 'pino'
import { openExisting } from '../../../db/open.ts'
import * as schema from '../../../db/schema.ts'
import { resolveSession } from '../../server/auth/sessions/sessions.ts'
import { createDeps } from '../../server/create-deps.ts'
import { readConfig } from '../../server/kernel/config.ts'
import type { Context } from '../../server/kernel/context.ts'
import { createCaller } from '../../server/root-router.ts'
import { productionEnv } from '../production-env.ts'
import type { BaselineRoute } from './baseline-server.ts'
import { type BenchSite, seedBenchSite, serveBaseline } from './bench-site.ts'
import { compare, load, type Request } from './load.ts'
import type { RunningServer } from './server-process.ts'
import { printTable, show } from './table.ts'

const roundSeconds = 1

/** A read of the site and its baseline: the same bytes from memory, or the same queries. */
type Read = {
  name: string
  goal: number | undefined
  request: Request
  baseline: { path: string; route: BaselineRoute }
}

/** Measures reads per second, as a ratio to plain node:http that does only the necessary work. */
export async function run(): Promise<void> {
  const benchSite = await seedBenchSite()
  const site = await benchSite.start()
  try {
    const reads = await readsOf(benchSite, site)
    const baselineServer = await serveBaseline(
      benchSite,
      Object.fromEntries(reads.map(({ baseline }) => [baseline.path, baseline.route])),
    )
    try {
      const rows = [['reads', 'site /s', 'baseline /s', 'ratio (min–max)', 'goal', 'cores site, baseline']]
      for (const read of reads) rows.push(await measure(read, site, baselineServer))
      printTable(rows)
    } finally {
      await baselineServer.stop()
    }
  } finally {
    await site.stop()
    await benchSite.close()
  }
}

async function measure(
  { name, goal, request, baseline }: Read,
  site: RunningServer,
  baselineServer: RunningServer,
): Promise<string[]> {
  const shares: [number[], number[]] = [[], []]
  const ask = async (server: RunningServer, what: Request, which: 0 | 1) => {
    const { perSecond, cpuShare } = await load(server, what, { seconds: roundSeconds })
    if (cpuShare !== undefined) shares[which].push(cpuShare)
    return perSecond
  }
  const {
    ours,
    baseline: most,
    ratio,
  } = await compare(
    () => ask(site, request, 0),
    () => ask(baselineServer, { path: baseline.path, expect: baseline.route.status }, 1),
  )
  const mean = (figures: number[]) =>
    figures.length === 0 ? '?' : (figures.reduce((sum, one) => sum + one, 0) / figures.length).toFixed(2)
  return [
    name,
    ours.median.toFixed(0),
    most.median.toFixed(0),
    show(ratio),
    goal === undefined ? '' : `${goal} ${ratio.median >= goal ? 'met' : 'missed'}`,
    shares.map(mean).join(', '),
  ]
}

async function readsOf(benchSite: BenchSite, site: RunningServer): Promise<Read[]> {
  const { startDate, endDate } = benchSite.blocked
  const rates = '/api/rates'
  const calendar = `/api/availability?startDate=${startDate}&endDate=${endDate}`
  const input = encodeURIComponent(JSON.stringify({ 1: { startDate, endDate } }))
  const batch = `/trpc/rates.list,availability.range?batch=1&input=${input}`
  const asset = await firstAsset(site)
  const tenant = benchSite.tenants[0]
  const applicationId = tenant?.applicationIds[0]
  if (!tenant || !applicationId) throw new Error('there is no tenant with an application')
  const signedIn = { authorization: `Bearer ${tenant.token}` }
  const traced = await traceQueries(benchSite, tenant.token)
  const poll = '/trpc/applications.status?batch=1&input=%7B%7D'
  const zipped = { 'accept-encoding': 'gzip' }
  const read = async (
    name: string,
    goal: number | undefined,
    request: Request,
    route?: Partial<BaselineRoute>,
  ): Promise<Read> => {
    const recorded = await record(site, request)
    return {
      name,
      goal,
      request,
      baseline: { path: `/${encodeURIComponent(name)}`, route: { ...recorded, ...route } },
    }
  }
  const named = async (path: string, headers: Record<string, string>): Promise<Request> => {
    const { headers: sent } = await record(site, { path, headers })
    return { path, headers: { ...headers, 'if-none-match': sent.etag ?? '' }, expect: 304 }
  }
  return [
    await read('rates, against memory', 0.6, { path: rates }),
    await read('calendar, against memory', 0.6, { path: calendar }),
    await read('rates + calendar in a tRPC batch, against memory', 0.6, { path: batch }),
    await read('rates, against a query', 1, { path: rates }, { query: rateQuery }),
    await read(
      'calendar, against a query',
      1,
      { path: calendar },
      { query: calendarQuery(startDate, endDate) },
    ),
    await read(
      'rates + calendar in a tRPC batch, against one query',
      1,
      { path: batch },
      {
        query: calendarQuery(startDate, endDate),
      },
    ),
    await read('rates unchanged: 304, against memory', undefined, await named(rates, {})),
    await read('home page, against memory', 0.5, { path: '/', headers: zipped }),
    await read('hashed asset, against memory', 0.5, { path: asset, headers: zipped }),
    await read(
      'dashboard status, against its queries',
      0.5,
      { path: '/api/application/status', headers: signedIn },
      await traced(ask => ask.applications.status()),
    ),
    await read(
      'application, against its queries',
      0.5,
      { path: `/api/application/${applicationId}`, headers: signedIn },
      await traced(ask => ask.applications.get({ id: applicationId })),
    ),
    await read(
      'lease status, against its queries',
      0.5,
      { path: '/api/lease/status', headers: signedIn },
      await traced(ask => ask.leases.status()),
    ),
    await read(
      'dashboard as polled: tRPC, changed, against its queries',
      0.5,
      { path: poll, headers: signedIn },
      await traced(ask => ask.applications.status()),
    ),
    await read(
      'dashboard as polled: tRPC, unchanged, against its queries',
      0.5,
      await named(poll, signedIn),
      { status: 200, ...(await traced(ask => ask.applications.status())) },
    ),
  ]
}

const rateQuery = {
  name: 'rates',
  sql: `select id as _id, id, period, start_date as startDate, end_date as endDate, monthly_cents / 100.0 as monthly,
    weekly_cents / 100.0 as weekly, nightly_cents / 100.0 as nightly, weekend_night_cents / 100.0 as weekendNight,
    min_stay as minStay, is_active as isActive from rates where is_active = 1 order by start_date, end_date, id`,
}
const calendarQuery = (startDate: string, endDate: string) => ({
  name: 'availability',
  sql: `select date, is_available as isAvailable, reason from availability
    where date >= '${startDate}' and date <= '${endDate}' order by date`,
})

/** Records the site's response for the baseline, byte for byte, without the headers that node sets itself. */
async function record(site: RunningServer, { path, headers = {} }: Request): Promise<BaselineRoute> {
  // fetch would decompress the body.
  return new Promise((resolve, reject) => {
    get(`${site.url}${path}`, { headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () => {
        const own = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])
        const sent = Object.entries(response.headers).filter(([name]) => !own.has(name))
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(sent.map(([name, value]) => [name, String(value)])),
          body: Buffer.concat(chunks).toString('base64'),
        })
      })
    }).on('error', reject)
  })
}

async function firstAsset(site: RunningServer): Promise<string> {
  const page = await (await fetch(`${site.url}/`)).text()
  const path = /\/assets\/[\w.-]+\.js/.exec(page)?.[0]
  if (!path) throw new Error('the home page names no script')
  return path
}

/** The queries of a signed-in read in order, including those that resolve the session. */
async function traceQueries(benchSite: BenchSite, token: string) {
  const { deps, close } = await createDeps(
    readConfig({
      ...productionEnv,
      DATABASE_FILE: benchSite.databaseFile,
      UPLOADS_DIR: join(benchSite.folder, 'uploads'),
    }),
    { log: pino({ level: 'silent' }) },
  )
  close()
  const sqlite = openExisting(benchSite.databaseFile, { readonly: true })
  let statements: { sql: string; params: unknown[] }[] = []
  const logQuery = (sql: string, params: unknown[]) => void statements.push({ sql, params })
  const db = drizzle(sqlite, { schema, logger: { logQuery } })
  let asked = 0
  // A new version for each read, so that nothing comes from a cache.
  const tracedDeps = { ...deps, db, dataVersion: () => String(asked++) }
  const requestOrigin = { address: '127.0.0.1', userAgent: '' }

  return async (
    ask: (caller: ReturnType<typeof createCaller>) => Promise<unknown>,
  ): Promise<Partial<BaselineRoute>> => {
    statements = []
    const session = await resolveSession(tracedDeps, token, requestOrigin)
    if (!session) throw new Error('the session is over')
    const context: Context = {
      deps: tracedDeps,
      requestId: 'bench',
      actor: session.actor,
      sessionId: session.id,
    }
    const response = await ask(createCaller(context))
    return { statements, response }
  }
}
