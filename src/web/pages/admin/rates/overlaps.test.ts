import { expect, test } from 'vitest'
import type { Rate } from '../../../../domain/money/rate.ts'
import { overlapsOf } from './rates-table.tsx'

const rate = (id: string, startDate: string, endDate: string, isActive = true): Rate => ({
  _id: id,
  id,
  period: id,
  startDate,
  endDate,
  monthly: 3000,
  weekly: null,
  nightly: null,
  weekendNight: null,
  minStay: 30,
  maxStay: null,
  isActive,
})

const summer = rate('summer', '2026-06-01', '2026-08-31')
const holiday = rate('holiday', '2026-07-01', '2026-07-07')
const autumn = rate('autumn', '2026-08-31', '2026-11-30')
const old = rate('old', '2026-06-01', '2026-06-30', false)
const all = [summer, holiday, autumn, old]
const found = (period: Parameters<typeof overlapsOf>[0]) =>
  overlapsOf(period, all).map(({ rate, from, to }) => `${rate.id} ${from} ${to}`)

test('finds active periods that share days, and those days, including both ends', () => {
  expect(found(summer)).toEqual(['holiday 2026-07-01 2026-07-07', 'autumn 2026-08-31 2026-08-31'])
  expect(found(holiday)).toEqual(['summer 2026-07-01 2026-07-07'])
  expect(found(rate('winter', '2026-12-01', '2027-02-28'))).toEqual([])
})

test('finds no overlap for inactive, incomplete or reversed periods', () => {
  expect(found(old)).toEqual([])
  expect(found({ startDate: '', endDate: '', isActive: true })).toEqual([])
  expect(found({ startDate: '2026-07-03', endDate: '', isActive: true })).toEqual([])
  expect(found({ startDate: '2026-07-05', endDate: '2026-07-03', isActive: true })).toEqual([])
})
