import { expect, test } from 'vitest'
import { cameraSentence, formatReceived, isTakenLongBefore } from './evidence.ts'

const zone = 'America/New_York'

test('says when a photo was received, to the second, in the property’s time zone [EVID-01]', () => {
  expect(formatReceived('2027-06-01T19:12:04.000Z', zone)).toBe('Jun 1, 2027, 3:12:04 PM')
})

test.each([
  [null, undefined],
  ['2027-06-01T15:11:00', 'The camera says Jun 1, 2027, 3:11 PM. Not checked.'],
  ['2027-06-01T21:11:00+02:00', 'The camera says Jun 1, 2027, 3:11 PM. Not checked.'],
  ['2027-06-01T09:11:00-10:00', 'The camera says Jun 1, 2027, 3:11 PM. Not checked.'],
  ['9999-12-31T23:59:59-12:00', 'The camera says Jan 1, 10000, 6:59 AM. Not checked.'],
])('tells what the camera says, %s, as not checked [EVID-03]', (takenAt, sentence) => {
  expect(cameraSentence(takenAt, zone)).toBe(sentence)
})

test.each([
  [null, false],
  ['2027-05-31T15:12:04', false],
  ['2027-05-31T15:12:03', true],
  ['2027-05-31T19:13:00+00:00', false],
  ['2027-05-31T19:11:00+00:00', true],
  ['9999-12-31T23:59:59', false],
])('a camera’s time of %s is more than a day before Jun 1, 3:12:04 PM: %s [EVID-03]', (takenAt, isLong) => {
  expect(isTakenLongBefore({ receivedAt: '2027-06-01T19:12:04.000Z', takenAt }, zone)).toBe(isLong)
})
