import { expect, test } from 'vitest'
import { sampleAvailability } from './availability-section.tsx'

test('covers the next 90 days with free and taken days, the same on server and browser [HOME-20]', () => {
  const sample = sampleAvailability('2026-11-21')
  expect(sample).toHaveLength(90)
  expect([sample[0]?.date, sample[89]?.date]).toEqual(['2026-11-21', '2027-02-18'])
  const taken = sample.filter(day => !day.isAvailable).length
  expect(taken).toBeGreaterThan(10)
  expect(taken).toBeLessThan(60)
  expect(sampleAvailability('2026-11-21')).toEqual(sample)
})
