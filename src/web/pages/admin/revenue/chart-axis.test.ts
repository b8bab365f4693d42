import fc from 'fast-check'
import { expect, test } from 'vitest'
import { axisTicks } from './chart-axis.ts'

test('uses round steps that cover zero and all values', () => {
  expect(axisTicks([4914_20, 2987_00, -511_00])).toEqual([-2000_00, 0, 2000_00, 4000_00, 6000_00])
  expect(axisTicks([0, 0])).toEqual([0, 50_00, 100_00])
})

test('covers zero and any values with three to six ticks', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -1_000_000_00, max: 1_000_000_00 }), { maxLength: 12 }),
      values => {
        const ticks = axisTicks(values)
        expect(ticks.length).toBeGreaterThanOrEqual(3)
        expect(ticks.length).toBeLessThanOrEqual(6)
        expect(ticks).toContain(0)
        expect(ticks[0]).toBeLessThanOrEqual(Math.min(0, ...values))
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(0, ...values))
      },
    ),
  )
})
