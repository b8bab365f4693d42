import { expect, test } from 'vitest'
import { cardFeeCents } from '../common/money.ts'
import { maxCheckoutTotalCents } from './payment.ts'
import {
  amountHint,
  chosenPayments,
  maxPaymentCents,
  offersOf,
  overpaymentWarning,
  paymentError,
} from './payment-choices.ts'

type Pay = Parameters<typeof offersOf>[0]['pay']
type Installment = Parameters<typeof offersOf>[0]['instalments'][number]

const deposit = {
  instalmentId: 'd',
  label: 'Security deposit',
  amountCents: 50_000,
  paymentType: 'deposit' as const,
  dueDate: null,
}
const rent = {
  instalmentId: 'a',
  label: 'Payment 1 of 3',
  amountCents: 180_000,
  paymentType: 'rent' as const,
  dueDate: '2026-12-01',
}
type SomePay = Omit<Pay, 'depositMaxCents' | 'depositAndRent'> & Partial<Pay>
/** The whole open deposit can be paid. */
const withDeposit = (pay: SomePay, instalments: Installment[]) => {
  const deposits = instalments.filter(({ kind }) => kind === 'deposit')
  const depositMaxCents = deposits.reduce((sum, { openCents }) => sum + openCents, 0)
  return { instalments, pay: { depositAndRent: null, ...pay, depositMaxCents } }
}
const offered = (pay: SomePay, ...instalments: Installment[]) =>
  offersOf(withDeposit(pay, instalments)).map(({ hint, label }) => [label, ...hint].join(' | '))

test('offers the next installment, everything due, and another amount [PLAN-26]', () => {
  const due = { amountCents: 360_000, count: 2 }
  expect(offered({ next: rent, due, otherMaxCents: 470_000 })).toEqual([
    'Next installment | Payment 1 of 3: $1,800.00 | Due Dec 1, 2026',
    'All that is due | $3,600.00 for 2 payments',
    'Another amount | Up to $4,700.00',
  ])
})

test('names an installment that is late instead of calling it the next one [LOOK-73]', () => {
  const { dueDate, instalmentId: id, label } = rent
  const late = { id, label, dueDate, kind: 'lease' as const, openCents: 180_000, daysOverdue: 3 }
  expect(offered({ next: rent, due: null, otherMaxCents: 0 }, late)).toEqual([
    'Payment 1 of 3, overdue | $1,800.00 | Was due Dec 1, 2026',
  ])
})

test('offers everything due only if it is more than the next installment [PLAN-26]', () => {
  const labels = (pay: SomePay) => offersOf(withDeposit(pay, [])).map(({ value }) => value)
  const due = { amountCents: rent.amountCents, count: 1 }
  expect(labels({ next: rent, due, otherMaxCents: 470_000 })).toEqual(['next', 'other'])
  expect(labels({ next: rent, due: null, otherMaxCents: 470_000 })).toEqual(['next', 'other'])
  expect(labels({ next: deposit, due: null, otherMaxCents: 0 })).toEqual(['next'])
  expect(labels({ next: null, due: null, otherMaxCents: 0 })).toEqual([])
  expect(offered({ next: deposit, due, otherMaxCents: 470_000 }).slice(0, 2)).toEqual([
    'Next installment | Security deposit: $500.00 | Due when you sign',
    'All that is due | $1,800.00 for 1 payment | Besides the deposit',
  ])
})

test('only the deposit is paid as a deposit [PLAN-26]', () => {
  const pay = { next: deposit, due: { amountCents: 180_000, count: 1 }, otherMaxCents: 470_000 }
  const plan = withDeposit(pay, [])
  expect(chosenPayments(plan, 'next', 7)).toEqual([{ paymentType: 'deposit', amountCents: 50_000 }])
  expect(chosenPayments(plan, 'due', 7)).toEqual([{ paymentType: 'rent', amountCents: 180_000 }])
  expect(chosenPayments(plan, 'other', 7)).toEqual([{ paymentType: 'rent', amountCents: 7 }])
})

test('offers deposit and rent in one payment first, and each below [LOOK-80]', () => {
  const depositAndRent = { depositCents: 50_000, rentCents: 180_000 }
  const due = { amountCents: 180_000, count: 1 }
  const pay = { next: deposit, due, depositAndRent, otherMaxCents: 470_000 }
  expect(offered(pay)).toEqual([
    'Deposit and rent | $2,300.00 in one payment | Deposit $500.00, rent $1,800.00',
    'Next installment | Security deposit: $500.00 | Due when you sign',
    'All that is due | $1,800.00 for 1 payment | Besides the deposit',
    'Another amount | Up to $4,700.00',
  ])
  expect(chosenPayments(withDeposit(pay, []), 'both', 7)).toEqual([
    { paymentType: 'deposit', amountCents: 50_000 },
    { paymentType: 'rent', amountCents: 180_000 },
  ])
})

test('offers a postponed deposit next to the next installment [PLAN-26]', () => {
  const pay = { next: rent, due: { amountCents: 360_000, count: 2 }, otherMaxCents: 470_000 }
  const paid = { kind: 'deposit', label: 'Security deposit', openCents: 0, dueDate: '2026-12-01' } as const
  const moved = { ...paid, openCents: 20_000, dueDate: '2026-12-20' }
  expect(offered(pay, paid)).toHaveLength(3)
  expect(offered(pay, paid, moved)).toEqual([
    'Next installment | Payment 1 of 3: $1,800.00 | Due Dec 1, 2026',
    'Security deposit | $200.00 | Due Dec 20, 2026',
    'All that is due | $3,600.00 for 2 payments | Besides the deposit',
    'Another amount | Up to $4,700.00',
  ])
  const plan = withDeposit(pay, [paid, moved])
  expect(chosenPayments(plan, 'deposit', 7)).toEqual([{ paymentType: 'deposit', amountCents: 20_000 }])
  expect(offered({ ...pay, next: deposit }, moved)[1]).toContain('All that is due')
})

test("does not offer amounts below the provider's minimum [PLAN-26]", () => {
  const values = (pay: SomePay) => offersOf(withDeposit(pay, [])).map(({ value }) => value)
  const next = { ...rent, amountCents: 99 }
  expect(values({ next, due: null, otherMaxCents: 470_000 })).toEqual(['other'])
  expect(values({ next, due: null, otherMaxCents: 99 })).toEqual([])
})

test("rejects more than what is open with the server's message, and more than the payment limit with the limit [PLAN-27, BANK-07, LOOK-38]", () => {
  const plan = (onItsWayCents: number) => ({
    pay: { otherMaxCents: 470_000 },
    totals: { onItsWayCents },
  })
  const problem = (amountCents: number, limits: Parameters<typeof paymentError>[1]) =>
    paymentError({ paymentType: 'rent', amountCents }, limits, 5_000_000)
  expect(problem(470_001, plan(0))).toBe('Only $4,700.00 is still to be paid.')
  expect(problem(470_001, plan(70_000))).toBe('A payment of $700.00 is on its way already.')
  expect(problem(470_001, undefined)).toBeUndefined()
  expect(problem(470_000, plan(0))).toBeUndefined()
  expect(problem(99, plan(0))).toBe('Please enter a valid amount')
  expect(problem(5_000_001, undefined)).toBe('At most $50,000.00')
})

test('explains why a typed amount is invalid, with the limits [LOOK-38]', () => {
  const hint = (text: string, cents?: number) => amountHint(text, cents, 5_000_000)
  expect([hint('1', 100), hint('50000', 5_000_000)]).toEqual([undefined, undefined])
  expect(hint('')).toBe('Enter an amount to see the total.')
  expect([hint('50000.01', 5_000_001), hint('20000000')]).toEqual(Array(2).fill('At most $50,000.00'))
  expect([hint('0', 0), hint('0.99', 99), hint('-5')]).toEqual(Array(3).fill('At least $1.00'))
  expect(hint('10.005')).toBe('Enter dollars and cents, such as 1250.50.')
  for (const basisPoints of [0, 1, 290, 300, 5000]) {
    const max = maxPaymentCents(basisPoints)
    expect(max + cardFeeCents(max, basisPoints)).toBeLessThanOrEqual(maxCheckoutTotalCents)
    // At most a cent below the provider's maximum, because the fee is rounded.
    expect(max + 2 + cardFeeCents(max + 2, basisPoints)).toBeGreaterThan(maxCheckoutTotalCents)
  }
})

test('reports by how much rent exceeds what is open [LOOK-37]', () => {
  const warning = (amountCents: number, rentCents: number | null, depositCents = 0) =>
    overpaymentWarning({ paymentType: 'rent', amountCents }, { depositCents, rentCents })
  expect(warning(270_001, 1)).toBe('This is $2,700.00 more than you owe.')
  expect(warning(200_000, 150_000, 50_000)).toBe('This is $500.00 more than you owe besides the deposit.')
  expect([warning(150_000, 150_000), warning(150_000, null)]).toEqual([undefined, undefined])
  const all = { paymentType: 'deposit' as const, amountCents: 50_000 }
  expect(overpaymentWarning(all, { depositCents: 50_000, rentCents: 0 })).toBeUndefined()
})
