import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { applications, events, outbox, payments, users } from '../../../../db/schema.ts'
import { addDays } from '../../../domain/common/dates.ts'
import { buildCsv, buildRow } from '../../../testing/build-entry.ts'
import { testApp, visitor } from '../../../testing/test-app.ts'

const first = '2030-01-01'
const rowOf = (n: number) =>
  buildRow({
    email: `guest${n}@guest.example`,
    start_date: addDays(first, n),
    end_date: addDays(first, n + 1),
    monthly_rent: '1250',
    rent_paid: '100',
    lease: 'yes',
  })
const csvOf = (count: number, ...more: ReturnType<typeof rowOf>[]) =>
  buildCsv([...Array.from({ length: count }, (_, n) => rowOf(n)), ...more])

async function importApp() {
  const app = await testApp()
  const admin = await app.makeAdmin()
  const { deps } = app
  const counts = () =>
    [users, applications, payments, outbox, events].map(table => deps.db.select().from(table).all().length)
  return {
    ...app,
    admin,
    entry: app.as(admin).manualBookings,
    counts,
    taken: async () =>
      (await app.as(visitor).availability.range({ startDate: first, endDate: addDays(first, 100) }))
        .availability.length,
    /** What others see, again and again, while this runs. */
    watch: async <T>(work: Promise<T>): Promise<{ result: T; seen: string[] }> => {
      const seen: string[] = []
      const timer = setInterval(() => seen.push(counts().join(' ')), 1)
      const result = await work.finally(() => clearInterval(timer))
      return { result, seen }
    },
  }
}

test('an import is invisible to others, who are answered meanwhile, until all of it counts [FIX-34]', async () => {
  const { counts, entry, taken, watch } = await importApp()
  const before = counts().join(' ')
  const { result, seen } = await watch(entry.import({ csv: csvOf(60), dryRun: false, invite: true }))
  expect(result.imported).toBe(60)
  expect(seen.length).toBeGreaterThan(3)
  expect(new Set(seen)).toEqual(new Set([before]))
  expect(counts().slice(0, 4)).toEqual([61, 60, 60, 60])
  expect(await taken()).toBe(60)
}, 60_000)

test('an import with an error in its last row leaves nothing [FIX-34, OWN-22]', async () => {
  const { counts, entry, taken, watch } = await importApp()
  const before = counts()
  const csv = csvOf(30, rowOf(0))
  await expect(watch(entry.import({ csv, dryRun: false }))).rejects.toThrow(
    'Nothing was imported: 1 row has errors.',
  )
  expect(counts()).toEqual(before)
  expect(await taken()).toBe(0)
}, 60_000)

test('two tabs that import the same file at once import it once [FIX-34, OWN-09]', async () => {
  const { counts, entry } = await importApp()
  const csv = csvOf(20)
  const [one, other] = await Promise.allSettled([
    entry.import({ csv, dryRun: false }),
    entry.import({ csv, dryRun: false }),
  ])
  expect([one.status, other.status]).toEqual(['fulfilled', 'rejected'])
  expect(other).toMatchObject({ reason: { message: 'Nothing was imported: 20 rows have errors.' } })
  expect(counts()[1]).toBe(20)
  const again = { csv: csv.replaceAll('2030', '2031'), dryRun: false, requestId: randomUUID() }
  const [first, second] = await Promise.all([entry.import(again), entry.import(again)])
  expect(second).toEqual(first)
  expect(counts()[1]).toBe(40)
}, 60_000)

test('a dry run is answered in parts, which let other writes through and change nothing [FIX-34]', async () => {
  const { admin, as, counts, deps, entry } = await importApp()
  const before = counts()
  const version = deps.dataVersion()
  let running = true
  const dry = entry.import({ csv: csvOf(60), dryRun: true }).finally(() => {
    running = false
  })
  let writes = 0
  await new Promise(setImmediate)
  expect(deps.dataVersion()).toBe(version)
  while (running) {
    const date = addDays(first, 500 + writes)
    await Promise.race([
      as(admin).availability.setDate({ date, isAvailable: false, reason: 'Painting' }),
      dry,
    ])
    writes++
  }
  expect(writes).toBeGreaterThan(3)
  expect((await dry).counts).toEqual({ ready: 60, errors: 0, duplicates: 0 })
  expect(counts().slice(0, 4)).toEqual(before.slice(0, 4))
}, 60_000)
