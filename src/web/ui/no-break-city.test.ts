import { expect, test } from 'vitest'
import { noBreakCity } from './no-break-city.ts'

test('keeps city, state and ZIP together, and leaves other texts unchanged [LOOK-30]', () => {
  expect(noBreakCity('120 Ocean Walk, Unit 2B, Seabright Beach, FL 32000')).toBe(
    '120 Ocean Walk, Unit 2B, Seabright\u00a0Beach,\u00a0FL\u00a032000',
  )
  expect(noBreakCity('Bay, FL 32000')).toBe('Bay,\u00a0FL\u00a032000')
  for (const other of ['', '12 Shore Road', 'Shore Road, Bay']) expect(noBreakCity(other)).toBe(other)
})
