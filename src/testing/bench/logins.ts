import { createPasswords, type Passwords } from '../../server/kernel/passwords.ts'
import { type BenchSite, password, seedBenchSite, serveBaseline } from './bench-site.ts'
import { compare, load, type Request } from './load.ts'
import { percentile, printTable, show } from './table.ts'

const concurrency = 20
const loginsARound = 200
const readsMs = 4000

/** Measures logins against password hashing alone, and how long public reads take while twenty logins wait. */
export async function run(): Promise<void> {
  const benchSite = await seedBenchSite()
  const site = await benchSite.start()
  const passwords = createPasswords()
  const stored = await passwords.hash(password)
  const baselineServer = await serveBaseline(benchSite, {
    '/': { status: 200, headers: {}, body: '' },
    '/login': { status: 200, headers: {}, body: '', login: { stored, password } },
  })
  try {
    const logins = loginOf(benchSite)
    const baselineLogins: Request = { ...logins, path: '/login' }
    const many = { connections: concurrency, requests: loginsARound }
    const { ours, baseline, ratio } = await compare(
      async () => (await load(site, logins, many)).perSecond,
      async () => (await load(baselineServer, baselineLogins, many)).perSecond,
    )
    const hashes = await compare(
      async () => (await load(site, logins, many)).perSecond,
      () => hashesPerSecond(passwords, stored),
    )
    printTable([
      [`logins, ${concurrency} at once`, 'site /s', 'baseline /s', 'ratio (min–max)', 'goal'],
      [
        'against argon2id behind node:http',
        ours.median.toFixed(1),
        baseline.median.toFixed(1),
        show(ratio),
        `0.85 ${ratio.median >= 0.85 ? 'met' : 'missed'}`,
      ],
      [
        'against argon2id, no client on the machine',
        hashes.ours.median.toFixed(1),
        hashes.baseline.median.toFixed(1),
        show(hashes.ratio),
      ],
    ])

    const alone = await readTimes(site.url)
    const busy = load(site, logins, { connections: concurrency, seconds: readsMs / 1000 + 1 })
    await new Promise(resolve => setTimeout(resolve, 500))
    const meanwhile = await readTimes(site.url)
    await busy
    const row = (name: string, times: number[]) => [
      name,
      percentile(times, 0.5).toFixed(2),
      percentile(times, 0.99).toFixed(2),
    ]
    const p99 = percentile(meanwhile, 0.99)
    printTable([
      ['public reads, one after another', 'p50 ms', 'p99 ms', 'goal'],
      row('nobody logs in', alone),
      [...row(`${concurrency} logins wait`, meanwhile), `p99 < 25 ${p99 < 25 ? 'met' : 'missed'}`],
    ])
  } finally {
    await baselineServer.stop()
    await site.stop()
    await benchSite.close()
  }
}

/** Password hashes per second while nothing else uses the cores. */
async function hashesPerSecond(passwords: Passwords, stored: string): Promise<number> {
  const startedAt = performance.now()
  for (let left = loginsARound; left > 0; left -= concurrency)
    await Promise.all(Array.from({ length: concurrency }, () => passwords.verify(stored, password)))
  return loginsARound / ((performance.now() - startedAt) / 1000)
}

/** Logins, each from a new client address to stay below the rate limits. */
function loginOf({ tenants }: BenchSite): Request {
  let count = 0
  return {
    method: 'POST',
    path: '/api/auth/login',
    next: () => {
      count++
      const email = tenants[count % tenants.length]?.email
      const address = `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`
      return { headers: { 'x-forwarded-for': address }, body: { email, password } }
    },
  }
}

async function readTimes(url: string): Promise<number[]> {
  const timesMs: number[] = []
  const until = performance.now() + readsMs
  while (performance.now() < until) {
    const startedAt = performance.now()
    const response = await fetch(`${url}/api/rates`)
    await response.arrayBuffer()
    timesMs.push(performance.now() - startedAt)
    if (!response.ok) throw new Error(`rates: ${response.status}`)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  return timesMs.toSorted((a, b) => a - b)
}
