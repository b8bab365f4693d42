import { expect, test } from 'vitest'
import { dueFilters } from './payment-plan.ts'
import { dueRows, dueTotals, isInFilter, overdueNotice } from './payment-plan-due.ts'
import { type InstallmentState, installmentStates, type PlanInstallment } from './payment-plan-state.ts'

const today = '2026-12-01'
const installment = (
  state: InstallmentState,
  dueDate: string | null,
  change: Partial<PlanInstallment> = {},
): PlanInstallment => ({
  id: `${state} ${dueDate}`,
  position: 1,
  kind: 'lease',
  chargeId: null,
  label: 'Payment',
  amountCents: 100,
  dueDate,
  createdAt: '2026-11-01T12:00:00.000Z',
  waivedAt: null,
  paidCents: 0,
  onItsWayCents: 0,
  openCents: 100,
  state,
  daysOverdue: 0,
  ...change,
})
const booking = (applicationNumber: string, ...installments: PlanInstallment[]) => ({
  applicationNumber,
  installments,
})

test('lists what is neither paid nor waived, up to 30 days ahead [PLAN-35]', () => {
  const rows = (...installments: PlanInstallment[]) =>
    dueRows([booking('A', ...installments)], today).map(({ installment }) => installment.id)
  for (const state of ['upcoming', 'partly', 'due', 'overdue', 'on_its_way'] as const)
    expect(rows(installment(state, '2026-12-31'))).toHaveLength(1)
  for (const state of ['paid', 'waived'] as const) expect(rows(installment(state, '2026-12-01'))).toEqual([])
  expect(rows(installment('upcoming', '2027-01-01'))).toEqual([])
  expect(rows(installment('overdue', '2020-01-01'))).toHaveLength(1)
  expect(rows(installment('upcoming', null))).toEqual([])
})

test('sorts the list by due date, application number and position [PLAN-35]', () => {
  const [first, second] = ['2026-12-01', '2026-12-02']
  const bookings = [
    booking(
      'APP-2',
      installment('due', second, { position: 2 }),
      installment('due', second),
      installment('due', first),
    ),
    booking('APP-1', installment('due', second)),
  ]
  const order = dueRows(bookings, today).map(({ booking, installment }) => [
    installment.dueDate,
    booking.applicationNumber,
    installment.position,
  ])
  expect(order).toEqual([
    [first, 'APP-2', 1],
    [second, 'APP-1', 1],
    [second, 'APP-2', 1],
    [second, 'APP-2', 2],
  ])
})

test('a filter selects the rows of its state; upcoming includes partly paid ones [PLAN-35]', () => {
  const inFilters = installmentStates.map(state => [
    state,
    dueFilters.filter(filter => isInFilter(filter, state)),
  ])
  expect(Object.fromEntries(inFilters)).toEqual({
    upcoming: ['upcoming'],
    partly: ['upcoming'],
    due: ['due'],
    overdue: ['overdue'],
    on_its_way: ['on_its_way'],
    paid: [],
    waived: [],
  })
})

test('the totals sum what is open and what is processing [PLAN-35]', () => {
  expect(
    dueTotals([
      installment('overdue', '2026-11-01', { openCents: 1, onItsWayCents: 1000 }),
      installment('due', '2026-12-01', { openCents: 20 }),
      installment('upcoming', '2026-12-02', { openCents: 300 }),
      installment('partly', '2026-12-03', { openCents: 4000 }),
      installment('on_its_way', '2026-12-03', { openCents: 0, onItsWayCents: 50_000 }),
    ]),
  ).toEqual({ overdueCents: 1, dueCents: 20, next30Cents: 4300, onItsWayCents: 51_000 })
})

test('reports what is overdue after the grace period in a notice with number, amount and oldest date [PLAN-36]', () => {
  const of = { applicationId: 'a', applicationNumber: 'APP-2026-0001' }
  const late = (daysOverdue: number, dueDate: string) =>
    installment('overdue', dueDate, { daysOverdue, openCents: 500_00 })
  const fee = { kind: 'fixed' as const, cents: 1, basisPoints: 0, graceDays: 2 }
  expect(overdueNotice(of, [late(5, '2026-12-01')], null)).toBeUndefined()
  expect(
    overdueNotice(of, [late(6, '2026-12-02'), late(7, '2026-12-01'), late(5, '2026-12-03')], null),
  ).toEqual({
    id: 'plan-overdue-a',
    title: 'APP-2026-0001: $1,000.00 has been overdue since Dec 1, 2026',
    amountCents: 1000_00,
    dueDate: '2026-12-01',
  })
  expect(overdueNotice(of, [late(2, '2026-12-01')], fee)).toBeUndefined()
  expect(overdueNotice(of, [late(3, '2026-12-01')], fee)).toMatchObject({ amountCents: 500_00 })
  expect(overdueNotice(of, [], null)).toBeUndefined()
})
