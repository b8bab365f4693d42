import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { events } from '../../../db/schema.ts'
import { buildRate } from '../../testing/build-rate.ts'
import { testApp, visitor } from '../../testing/test-app.ts'

test('a saved rate is visible to the next visitor, in dollars and cents [REST-13]', async () => {
  const app = await testApp()
  const asOwner = app.as(await app.makeAdmin()).rates
  const { rate } = await asOwner.create(buildRate({ monthly: 3500, weekly: null, nightly: '0.29' }))
  expect(rate).toEqual({
    _id: rate.id,
    id: expect.any(String),
    period: 'Summer',
    startDate: '2026-06-01',
    endDate: '2026-08-31',
    monthly: 3500,
    weekly: null,
    nightly: 0.29,
    weekendNight: 190,
    minStay: 7,
    maxStay: null,
    isActive: true,
    updatedAt: app.deps.clock.now().toISOString(),
  })
  await asOwner.update({ ...rate, monthly: 3650.5 })
  const { updatedAt: _, ...shown } = rate
  expect((await app.as(visitor).rates.list()).rates).toEqual([{ ...shown, monthly: 3650.5 }])
  expect(await asOwner.remove({ id: rate.id })).toEqual({ message: 'Rate deleted successfully' })
  expect((await app.as(visitor).rates.list()).rates).toEqual([])
  const log = app.deps.db.select().from(events).where(eq(events.subjectId, rate.id)).all()
  expect(log.map(event => event.kind)).toEqual(['rate.created', 'rate.updated', 'rate.removed'])
})

test('visitors see only active periods, by start date; the owner sees all [HOME-12]', async () => {
  const app = await testApp()
  const asOwner = app.as(await app.makeAdmin()).rates
  for (const [period, startDate, isActive] of [
    ['Fall', '2026-09-01', true],
    ['Old', '2025-01-01', false],
    ['Spring', '2026-03-01', true],
  ] as const)
    await asOwner.create(buildRate({ period, startDate, endDate: '2026-12-01', isActive }))
  const names = (answer: { rates: { period: string }[] }) => answer.rates.map(rate => rate.period)
  expect(names(await app.as(visitor).rates.list())).toEqual(['Spring', 'Fall'])
  expect(names(await asOwner.listAll())).toEqual(['Old', 'Spring', 'Fall'])
})

test('returns 404 for an unknown rate and 400 for a reversed one [RATES-16]', async () => {
  const app = await testApp()
  const admin = await app.makeAdmin()
  const { rate } = await app.as(admin).rates.create(buildRate())
  const asOwner = app.as(admin).rates
  await expect(asOwner.update({ ...rate, id: 'nobody' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(asOwner.remove({ id: 'nobody' })).rejects.toMatchObject({ message: 'Rate not found' })
  await expect(asOwner.update({ ...rate, endDate: '2026-05-31' })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  })
  expect((await asOwner.listAll()).rates).toEqual([rate])
})

test('saving a rate from a form that is out of date is refused [SITE-17]', async () => {
  const app = await testApp()
  const asOwner = app.as(await app.makeAdmin()).rates
  const { rate } = await asOwner.create(buildRate({ monthly: 2500 }))
  app.advance(1000)
  await asOwner.update({ ...rate, monthly: 3000 })
  await expect(asOwner.update({ ...rate, minStay: 5 })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'This part was changed by somebody else meanwhile.',
  })
  const [now] = (await asOwner.listAll()).rates
  expect(now?.monthly).toBe(3000)
  expect((await asOwner.update({ ...rate, ...now, minStay: 5 })).rate).toMatchObject({
    monthly: 3000,
    minStay: 5,
  })
})

test('a rate can limit the nights of a stay, but not below its minimum stay', async () => {
  const app = await testApp()
  const asOwner = app.as(await app.makeAdmin()).rates
  const { rate } = await asOwner.create(buildRate({ minStay: 7, maxStay: '60' }))
  expect(rate.maxStay).toBe(60)
  expect((await app.as(visitor).rates.list()).rates).toMatchObject([{ minStay: 7, maxStay: 60 }])
  const refused = async (maxStay: unknown) => {
    const attempt = asOwner.update({ id: rate.id, ...buildRate({ minStay: 7, maxStay: maxStay as number }) })
    await expect(attempt).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  }
  for (const maxStay of [6, 0, 1097, 30.5, 'long', true]) await refused(maxStay)
  for (const maxStay of [7, 1096])
    expect((await asOwner.update({ id: rate.id, ...buildRate({ minStay: 7, maxStay }) })).rate.maxStay).toBe(
      maxStay,
    )
  const { maxStay: _, ...without } = buildRate()
  expect((await asOwner.update({ id: rate.id, ...without })).rate.maxStay).toBeNull()
})
