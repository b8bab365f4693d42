import { expect, test } from 'vitest'
import { stayDayState, unavailableReasons } from './stay-days.ts'

const reasons = unavailableReasons([
  { date: '2026-06-10', isAvailable: false, reason: 'Booked' },
  { date: '2026-06-11', isAvailable: false, reason: '' },
  { date: '2026-06-12', isAvailable: true, reason: 'Available' },
])
const days = {
  today: '2026-06-02',
  reasons,
  isFree: (day: string) => day >= '2026-06-02' && !reasons.has(day),
}

test('shows a day as past, available, booked or unavailable, with the reason', () => {
  expect(stayDayState('2026-06-01', undefined, days)).toEqual({ tone: 'past', disabled: true })
  expect(stayDayState('2026-06-12', undefined, days)).toEqual({ tone: 'available' })
  expect(stayDayState('2026-06-10', undefined, days)).toEqual({
    tone: 'booked',
    label: 'Booked',
    disabled: true,
  })
  expect(stayDayState('2026-06-11', undefined, days)).toMatchObject({ tone: 'unavailable', disabled: true })
})

test('offers a day whose own night is taken as the departure', () => {
  const selection = { start: '2026-06-08' }
  expect(stayDayState('2026-06-10', selection, days)).toEqual({
    tone: 'departure',
    label: 'Booked from tonight on',
  })
  expect(stayDayState('2026-06-11', selection, days)).toMatchObject({ tone: 'unavailable', disabled: true })
  expect(stayDayState('2026-06-12', selection, days)).toEqual({ tone: 'unreachable', disabled: true })
  expect(stayDayState('2026-06-12', { ...selection, end: '2026-06-09' }, days).tone).toBe('available')
  expect(stayDayState('2026-06-12', { start: '2026-06-01' }, days).tone).toBe('available')
})

test('shows a taken night within typed dates as taken, also as their arrival, but not the departure', () => {
  const selection = { start: '2026-06-08', end: '2026-06-11' }
  expect(stayDayState('2026-06-09', selection, days).tone).toBe('selected')
  expect(stayDayState('2026-06-10', selection, days).tone).toBe('booked')
  expect(stayDayState('2026-06-11', selection, days).tone).toBe('selected')
  const taken = { tone: 'booked', label: 'Booked', disabled: false }
  expect(stayDayState('2026-06-10', { start: '2026-06-10' }, days)).toEqual(taken)
})

test('shows why a free day cannot be the arrival, unless it can be the departure [RULE-12]', () => {
  const reason = 'Arrivals are possible on Saturday.'
  const ruled = { ...days, arrivalError: (day: string) => (day === '2026-06-06' ? undefined : reason) }
  const noArrival = { tone: 'noArrival', label: reason, disabled: true }
  expect(stayDayState('2026-06-05', undefined, ruled)).toEqual(noArrival)
  expect(stayDayState('2026-06-06', undefined, ruled)).toEqual({ tone: 'available' })
  const arrived = { start: '2026-06-06' }
  expect(stayDayState('2026-06-08', arrived, ruled)).toEqual({ tone: 'available' })
  expect(stayDayState('2026-06-05', arrived, ruled)).toEqual(noArrival)
  expect(stayDayState('2026-06-12', arrived, ruled)).toEqual(noArrival)
  expect(stayDayState('2026-06-10', arrived, ruled).tone).toBe('departure')
})
