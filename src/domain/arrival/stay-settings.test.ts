import { expect, test } from 'vitest'
import { checkInAt, checkOutAt, staySection } from './stay-settings.ts'

const stay = { startDate: '2026-03-07', endDate: '2026-11-01' }

test('a stay begins and ends at the settings’ times in the property’s zone, on both days of the clock change', () => {
  const times = { checkIn: '16:00', checkOut: '10:15' }
  expect(checkInAt(stay, times, 'America/New_York').toISOString()).toBe('2026-03-07T21:00:00.000Z')
  expect(checkInAt({ startDate: '2026-03-08' }, times, 'America/New_York').toISOString()).toBe(
    '2026-03-08T20:00:00.000Z',
  )
  expect(checkOutAt(stay, times, 'America/New_York').toISOString()).toBe('2026-11-01T15:15:00.000Z')
})

test('times are quarter hours, and everything has a default', () => {
  expect(staySection.body.parse({})).toMatchObject({ enabled: false, checkIn: '16:00', hoursBefore: 48 })
  for (const wrong of [{ checkIn: '16:10' }, { checkOut: '24:00' }, { hoursBefore: 0 }, { hoursBefore: 337 }])
    expect(staySection.body.safeParse(wrong).error?.issues[0]?.path).toEqual(Object.keys(wrong))
})
