import { expect, test } from 'vitest'
import { townOf } from './town.ts'

test('the town of an address has neither street nor ZIP code [OPEN-01]', () => {
  expect(townOf('120 Ocean Walk, Unit 2B, Seabright Beach, FL 32000-1234')).toBe('Seabright Beach, FL')
  expect(townOf('12 Shore Road, Bay')).toBe('Bay')
  expect(townOf('12 Shore Road')).toBe('')
})
