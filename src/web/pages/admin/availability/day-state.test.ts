import { expect, test } from 'vitest'
import { daysByDate, selectionState } from './day-state.ts'

test('a selection is available or unavailable if all of its days are, else mixed [LOOK-23]', () => {
  const blocked = ['2026-12-02', '2026-12-03'].map(date => ({
    date,
    isAvailable: false,
    reason: 'Unavailable',
    applicationId: null,
    applicationNumber: null,
  }))
  const data = {
    days: daysByDate(blocked),
    loaded: { startDate: '2026-12-01', endDate: '2026-12-31' },
  }
  const stateOf = (...dates: string[]) => selectionState(new Set(dates), data)
  expect(stateOf('2026-12-01', '2026-12-31')).toBe('available')
  expect(stateOf('2026-12-02', '2026-12-03')).toBe('unavailable')
  expect(stateOf('2026-12-01', '2026-12-02')).toBe('mixed')
  expect(stateOf('2026-12-01', '2027-01-01')).toBe('mixed')
})
