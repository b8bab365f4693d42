import { expect, test } from 'vitest'
import { calendarMessages, isTakenMessage } from './calendar-messages.ts'

test('recognizes an error that can be overridden [CAL-38]', () => {
  const nights = [{ start: '2027-06-01', end: '2027-06-05' }]
  expect(isTakenMessage(calendarMessages.taken('Airbnb', nights))).toBe(true)
  expect(isTakenMessage(calendarMessages.release('Airbnb', nights))).toBe(false)
  expect(isTakenMessage('These dates overlap row 3.')).toBe(false)
})
