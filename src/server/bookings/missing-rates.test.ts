import { expect, test } from 'vitest'
import { buildRate } from '../../testing/build-rate.ts'
import { productionEnv } from '../../testing/production-env.ts'
import { testApp } from '../../testing/test-app.ts'

test('the owner is told which free nights of the next half year have no rate [LOOK-58]', async () => {
  const app = await testApp({ env: { ...productionEnv, BACKUPS: 'off' } })
  const owner = app.as(await app.makeAdmin())
  const missing = async () => (await owner.notices.list()).notices.filter(({ id }) => id === 'missing-rates')
  expect(await missing()).toMatchObject([
    {
      tone: 'warning',
      title: 'There are no rates yet',
      detail: 'Nobody can apply for nights from Mar 4, 2026 on: guests can only ask for a price.',
      action: { kind: 'rates' },
    },
  ])
  await owner.rates.create(buildRate({ startDate: '2026-03-01', endDate: '2026-05-31' }))
  await owner.rates.create(buildRate({ startDate: '2026-06-03', endDate: '2026-12-31' }))
  expect(await missing()).toMatchObject([
    { title: 'Rates are missing', detail: expect.stringContaining('from Jun 1, 2026 to Jun 2, 2026:') },
  ])
  await owner.availability.setDates({
    dates: ['2026-06-01', '2026-06-02'],
    isAvailable: false,
    reason: 'Unavailable',
  })
  expect(await missing()).toEqual([])
})
