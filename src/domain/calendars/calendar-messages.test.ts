import { expect, test } from 'vitest'
import { calendarMessages, isOverridableError } from './calendar-messages.ts'

test('recognizes an error that can be overridden [CAL-38]', () => {
  const nights = [{ start: '2027-06-01', end: '2027-06-05' }]
  expect(isOverridableError(calendarMessages.taken('Airbnb', nights))).toBe(true)
  expect(isOverridableError(calendarMessages.release('Airbnb', nights))).toBe(false)
  expect(isOverridableError('These dates overlap row 3.')).toBe(false)
})
