import { writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BaselineRoute } from './baseline-server.ts'
import { type BenchSite, seedBenchSite } from './bench-site.ts'
import { compare, load, type Request } from './load.ts'
import { type RunningServer, serve } from './server-process.ts'
import { printTable, show } from './table.ts'

const seconds = 1

type Read = { name: string; goal: number; request: Request }

/** Measures public reads per second, as a ratio to plain node:http that sends the same bytes from memory. */
export async function run(): Promise<void> {
  const benchSite = await seedBenchSite()
  const site = await benchSite.start()
  try {
    const reads = await readsOf(benchSite, site)
    const baseline = await serveBaseline(benchSite, site, reads)
    try {
      const rows = [['reads', 'site /s', 'baseline /s', 'ratio (min–max)', 'goal']]
      for (const { goal, name, request } of reads) {
        const found = await compare(
          async () => (await load(site, request, { seconds })).perSecond,
          async () => (await load(baseline, { path: pathOf(name) }, { seconds })).perSecond,
        )
        rows.push([
          name,
          found.ours.median.toFixed(0),
          found.baseline.median.toFixed(0),
          show(found.ratio),
          `${goal} ${found.ratio.median >= goal ? 'met' : 'missed'}`,
        ])
      }
      printTable(rows)
    } finally {
      await baseline.stop()
    }
  } finally {
    await site.stop()
    await benchSite.close()
  }
}

async function readsOf({ blocked }: BenchSite, { url }: RunningServer): Promise<Read[]> {
  const { startDate, endDate } = blocked
  const calendar = `/api/availability?startDate=${startDate}&endDate=${endDate}`
  const input = encodeURIComponent(JSON.stringify({ 1: { startDate, endDate } }))
  const script = /\/assets\/[\w.-]+\.js/.exec(await (await fetch(url)).text())?.[0]
  if (!script) throw new Error('the home page names no script')
  const headers = { 'accept-encoding': 'gzip' }
  return [
    { name: '12 rate periods', goal: 0.6, request: { path: '/api/rates' } },
    { name: 'calendar of 150 entries', goal: 0.6, request: { path: calendar } },
    {
      name: 'both in a tRPC batch',
      goal: 0.6,
      request: { path: `/trpc/rates.list,availability.range?batch=1&input=${input}` },
    },
    { name: 'home page with 300 reviews', goal: 0.5, request: { path: '/', headers } },
    { name: 'hashed script', goal: 0.5, request: { path: script, headers } },
  ]
}

const pathOf = (name: string) => `/${encodeURIComponent(name)}`

async function serveBaseline(benchSite: BenchSite, site: RunningServer, reads: Read[]) {
  const routes: Record<string, BaselineRoute> = {}
  for (const { name, request } of reads) routes[pathOf(name)] = await record(site, request)
  const file = join(benchSite.folder, 'routes.json')
  await writeFile(file, JSON.stringify(routes))
  return serve(fileURLToPath(new URL('baseline-server.ts', import.meta.url)), {
    env: { ROUTES: file },
    firstPath: Object.keys(routes)[0] ?? '/',
    log: join(benchSite.folder, 'baseline.log'),
  })
}

/** Records the site's response for the baseline, byte for byte, without the headers that node sets itself. */
function record(site: RunningServer, { path, headers = {} }: Request): Promise<BaselineRoute> {
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
