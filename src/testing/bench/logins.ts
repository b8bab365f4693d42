import { createPasswords } from '../../server/accounts/passwords.ts'
import { compare, load, type Request } from './load.ts'
import { percentile, printTable, show } from './table.ts'
import { openWorld, password, type World } from './world.ts'

const atOnce = 20
const loginsARound = 200
const readsMs = 4000

/** Logins against nothing but their hashes, and how long public reads take while twenty logins wait. */
export async function run(): Promise<void> {
  const world = await openWorld()
  const site = await world.start()
  const passwords = await createPasswords()
  try {
    const stored = await passwords.hash(password)
    const logins = loginOf(world)
    const { ours, limit, ratio } = await compare(
      async () => (await load(site, logins, { connections: atOnce, requests: loginsARound })).perSecond,
      async () => {
        const startedAt = performance.now()
        for (let left = loginsARound; left > 0; left -= atOnce)
          await Promise.all(Array.from({ length: atOnce }, () => passwords.verify(stored, password)))
        return loginsARound / ((performance.now() - startedAt) / 1000)
      },
    )
    printTable([
      ['logins', 'site /s', 'argon2id /s', 'ratio (min–max)', 'goal'],
      [
        `${atOnce} at once`,
        ours.median.toFixed(1),
        limit.median.toFixed(1),
        show(ratio),
        `0.85 ${ratio.median >= 0.85 ? 'met' : 'missed'}`,
      ],
    ])

    const alone = await readTimes(site.url)
    const busy = load(site, logins, { connections: atOnce, seconds: readsMs / 1000 + 1 })
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
      [...row(`${atOnce} logins wait`, meanwhile), `p99 < 25 ${p99 < 25 ? 'met' : 'missed'}`],
    ])
  } finally {
    await site.stop()
    await world.close()
  }
}

/** Each from another address, as the limits would end it soon otherwise. */
function loginOf({ tenants }: World): Request {
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
