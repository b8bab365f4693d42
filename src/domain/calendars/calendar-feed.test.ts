import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addressError,
  addressMessages,
  exportForm,
  feedChange,
  feedForm,
  feedStateOf,
  isDue,
  nextAttemptAt,
} from './calendar-feed.ts'
import { readingErrors } from './calendar-messages.ts'

const problemsOf = (input: unknown) =>
  feedForm.safeParse(input).error?.issues.map(({ message, path }) => `${path.join('.')}: ${message}`) ?? []

test('a feed has a one-line name and an address; webcal becomes https [CAL-02]', () => {
  expect(feedForm.parse({ name: ' Airbnb ', url: ' webcal://example.org/a.ics ' })).toEqual({
    name: 'Airbnb',
    url: 'https://example.org/a.ics',
  })
  const url = 'https://example.org/a.ics'
  expect(problemsOf({ name: ' ', url })).toEqual(['name: A name is required'])
  expect(problemsOf({ name: 'x'.repeat(61), url })).toEqual(['name: Please use at most 60 characters'])
  expect(problemsOf({ name: 'a\nb', url })).toHaveLength(1)
  expect(problemsOf({ name: 'x'.repeat(60), url: `https://example.org/${'x'.repeat(1980)}` })).toEqual([])
  expect(problemsOf({ name: 'a', url: `https://example.org/${'x'.repeat(1981)}` })).toEqual([
    'url: Please use at most 2,000 characters',
  ])
})

test.each([
  'ftp://example.org/a.ics',
  'example.org/a.ics',
  'file:///etc/passwd',
  'javascript:1',
  '',
  'https:',
  '/a.ics',
])('the address %j is rejected for its scheme [CAL-03]', url => {
  expect(problemsOf({ name: 'a', url })).toEqual([`url: ${addressMessages.scheme}`])
  expect(feedChange.safeParse({ url }).success).toBe(false)
})

test.each([
  'https://me:secret@example.org/a.ics',
  'https://me@example.org/a.ics',
  'webcal://:secret@example.org/',
])('the address %j is rejected for its credentials [CAL-03]', url => {
  expect(problemsOf({ name: 'a', url })).toEqual([`url: ${addressMessages.credentials}`])
})

test('http is rejected unless its exact origin is allowed [CAL-03, CAL-06]', () => {
  const allowed = ['http://127.0.0.1:8080']
  expect(addressError('http://127.0.0.1:8080/a.ics')).toBe(addressMessages.scheme)
  expect(addressError('http://127.0.0.1:8080/a.ics', allowed)).toBeNull()
  for (const other of [
    'http://127.0.0.1:8081/a.ics',
    'http://localhost:8080/a.ics',
    'http://127.0.0.1/a.ics',
  ])
    expect(addressError(other, allowed)).toBe(addressMessages.scheme)
  expect(addressError('https://example.org/a.ics', allowed)).toBeNull()
})

test('only an export for a platform has a feed [CAL-53]', () => {
  expect(exportForm.parse({ name: 'For Airbnb', scope: 'platform' })).toMatchObject({ feedId: null })
  expect(exportForm.safeParse({ name: 'a', scope: 'platform', feedId: 'f' }).success).toBe(true)
  expect(exportForm.safeParse({ name: 'a', scope: 'cleaning', feedId: 'f' }).error?.issues[0]?.path).toEqual([
    'feedId',
  ])
})

test.each([
  ['new', { lastSuccessAt: null, createdAt: '2027-05-31T13:00:00.000Z' }],
  ['failing', { lastSuccessAt: null, createdAt: '2027-05-31T12:00:00.000Z' }],
  ['ok', { lastSuccessAt: '2027-06-01T06:00:00.001Z' }],
  ['stale', { lastSuccessAt: '2027-06-01T06:00:00.000Z' }],
  ['stale', { lastSuccessAt: '2027-05-31T12:00:00.001Z' }],
  ['failing', { lastSuccessAt: '2027-05-31T12:00:00.000Z' }],
  ['paused', { lastSuccessAt: '2027-05-31T12:00:00.000Z', active: false }],
  // Read while the clock was ahead, so nobody knows how long ago.
  ['failing', { lastSuccessAt: '2027-06-02T00:00:00.000Z' }],
  ['ok', { lastSuccessAt: '2027-06-01T12:00:30.000Z' }],
] as const)('a feed is %s with %j [CAL-60]', (state, feed) => {
  const now = new Date('2027-06-01T12:00:00.000Z')
  expect(feedStateOf({ active: true, createdAt: '2027-01-01T00:00:00.000Z', ...feed }, now)).toBe(state)
})

const now = new Date('2027-06-01T12:00:00.000Z')
const pause = (options: Partial<Parameters<typeof nextAttemptAt>[1]>) => {
  const next = nextAttemptAt(now, { failures: 0, pollSeconds: 1800, random: 0.5, ...options })
  return next && (next.getTime() - now.getTime()) / 1000
}

test('feeds are fetched at their interval plus or minus a fifth, or never [CAL-10]', () => {
  expect([pause({ random: 0 }), pause({}), pause({ random: 1 })]).toEqual([1440, 1800, 2160])
  expect(pause({ pollSeconds: 0 })).toBeNull()
})

test('failures double the interval up to 6 hours, and Retry-After counts up to that [CAL-11]', () => {
  expect([1, 2, 3, 4, 60].map(failures => pause({ failures }))).toEqual([3600, 7200, 14_400, 21_600, 21_600])
  expect(pause({ failures: 1, retryAfterSeconds: 5000 })).toBe(5000)
  expect(pause({ failures: 1, retryAfterSeconds: 60 })).toBe(3600)
  expect(pause({ failures: 1, retryAfterSeconds: 1e9 })).toBe(21_600)
  fc.assert(
    fc.property(
      fc.nat(5000),
      fc.integer({ min: 1, max: 21_600 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (failures, pollSeconds, random) => {
        const seconds = pause({ failures, pollSeconds, random }) ?? 0
        expect(seconds).toBeGreaterThan(0)
        expect(seconds).toBeLessThanOrEqual(21_600 * 1.2)
      },
    ),
  )
})

test('the messages of failed fetches name the host [CAL-14]', () => {
  expect(readingErrors.timeout('ical.example.org')).toBe('ical.example.org did not answer within 10 seconds.')
  expect(readingErrors.status('ical.example.org', 404)).toBe('ical.example.org answered with 404.')
})

test('a feed is due at its next fetch time, or if that time is further ahead than any interval [CAL-10, CAL-11]', () => {
  const now = new Date('2027-05-01T12:00:00.000Z')
  const due = (nextAttemptAt: string | null, { active = true, pollSeconds = 1800 } = {}) =>
    isDue({ active, nextAttemptAt }, now, pollSeconds)
  expect(due(null)).toBe(true)
  expect(due('2027-05-01T12:00:00.000Z')).toBe(true)
  expect(due('2027-05-01T12:00:00.001Z')).toBe(false)
  expect(due('2027-05-01T18:00:00.000Z')).toBe(false)
  expect(due('2027-05-01T18:00:00.001Z')).toBe(true)
  expect(due('2027-05-01T19:12:00.000Z', { pollSeconds: 21_600 })).toBe(false)
  expect(due(null, { active: false })).toBe(false)
  expect(due(null, { pollSeconds: 0 })).toBe(false)
})
