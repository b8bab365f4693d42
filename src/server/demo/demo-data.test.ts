import { expect, test } from 'vitest'
import { applications, payments, rates } from '../../../db/schema.ts'
import { addMonths, overlaps, startOfMonth } from '../../domain/dates.ts'
import { buildRate } from '../../testing/build-rate.ts'
import { type TestApp, testApp, visitor } from '../../testing/test-app.ts'
import { isMarkedAsDemo } from '../demo-mark.ts'
import { seedDemo } from './demo-data.ts'

const rows = ({ deps }: TestApp) => deps.db.select().from(applications).all()

async function demo(env: Record<string, string> = {}) {
  const app = await testApp({ env: { DEMO_SEED: 'on', ...env } })
  const owner = await app.makeAdmin()
  return { app, owner, logins: await seedDemo(app.deps) }
}

test('an empty demo is filled once, with every state that there is to see', async () => {
  const { app, logins } = await demo()
  expect(logins).toHaveLength(3)
  expect(isMarkedAsDemo(app.deps.db)).toBe(true)
  const made = rows(app)
  expect(new Set(made.map(({ status }) => status))).toEqual(
    new Set(['pending', 'approved', 'rejected', 'completed']),
  )
  expect(made.some(({ leaseGeneratedAt, leaseSignedAt }) => leaseGeneratedAt && !leaseSignedAt)).toBe(true)
  expect(await seedDemo(app.deps)).toBeUndefined()
  expect(rows(app)).toHaveLength(made.length)
})

test('no night of the demo is booked twice, and past stays are paid in full', async () => {
  const { app } = await demo()
  const booked = rows(app).filter(({ status }) => status === 'approved' || status === 'completed')
  const stays = booked.map(row => ({ start: row.stayStartDate ?? '', end: row.stayEndDate ?? '' }))
  for (const [index, stay] of stays.entries()) {
    expect(stays.slice(index + 1).filter(other => overlaps(stay, other))).toEqual([])
  }
  const paid = app.deps.db.select().from(payments).all()
  for (const row of booked.filter(({ status }) => status === 'completed')) {
    const sum = paid
      .filter(({ applicationId }) => applicationId === row.id)
      .reduce((total, { amountCents }) => total + amountCents, 0)
    expect(sum).toBe(row.totalCents)
  }
})

test.each(['2026-01-31', '2026-02-28', '2028-02-29', '2026-08-31', '2026-12-31'])(
  'the demo can begin on %s',
  async day => {
    const app = await testApp({ env: { DEMO_SEED: 'on' } })
    app.setNow(`${day}T17:00:00.000Z`)
    await app.makeAdmin()
    expect(await seedDemo(app.deps)).toHaveLength(3)
    const month = startOfMonth(addMonths(day, 1))
    const { availability } = await app
      .as(visitor)
      .availability.range({ startDate: month, endDate: addMonths(month, 1) })
    expect(availability.some(({ reason }) => reason === 'Booked')).toBe(true)
  },
)

test('nothing is seeded where it is turned off, or over other data', async () => {
  const off = await demo({ DEMO_SEED: 'off' })
  expect(off.logins).toBeUndefined()
  expect(rows(off.app)).toEqual([])

  const used = await testApp({ env: { DEMO_SEED: 'on' } })
  const owner = await used.makeAdmin()
  await used.as(owner).rates.create(buildRate({ period: 'Mine' }))
  expect(await seedDemo(used.deps)).toBeUndefined()
  expect(used.deps.db.select().from(rates).all()).toHaveLength(1)
})
