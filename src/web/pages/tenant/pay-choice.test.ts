import { expect, test } from 'vitest'
import { chosenPayment, offersOf, paymentProblem } from './pay-choice.ts'

const deposit = {
  ...{ instalmentId: 'd', label: 'Security deposit', amountCents: 50_000 },
  ...{ paymentType: 'deposit' as const, dueDate: null },
}
const rent = {
  ...{ instalmentId: 'a', label: 'Payment 1 of 3', amountCents: 180_000 },
  ...{ paymentType: 'rent' as const, dueDate: '2026-12-01' },
}
const offered = (pay: Parameters<typeof offersOf>[0]) =>
  offersOf(pay).map(({ hint, label }) => [label, ...hint].join(' | '))

test('the next instalment, all that is due and another amount are offered [PLAN-26]', () => {
  const due = { amountCents: 360_000, count: 2 }
  expect(offered({ next: rent, due, otherMaxCents: 470_000 })).toEqual([
    'Next instalment | Payment 1 of 3: $1,800.00 | Due December 1, 2026',
    'All that is due | $3,600.00 for 2 payments',
    'Another amount | Up to $4,700.00',
  ])
})

test('what is due is offered by itself only where it is more than the next instalment [PLAN-26]', () => {
  const labels = (pay: Parameters<typeof offersOf>[0]) => offersOf(pay).map(({ value }) => value)
  const due = { amountCents: rent.amountCents, count: 1 }
  expect(labels({ next: rent, due, otherMaxCents: 470_000 })).toEqual(['next', 'other'])
  expect(labels({ next: rent, due: null, otherMaxCents: 470_000 })).toEqual(['next', 'other'])
  expect(labels({ next: deposit, due: null, otherMaxCents: 0 })).toEqual(['next'])
  expect(labels({ next: null, due: null, otherMaxCents: 0 })).toEqual([])
  expect(offered({ next: deposit, due, otherMaxCents: 470_000 }).slice(0, 2)).toEqual([
    'Next instalment | Security deposit: $500.00 | Due when you sign',
    'All that is due | $1,800.00 for 1 payment | Besides the deposit',
  ])
})

test('only the deposit itself is paid as deposit [PLAN-26]', () => {
  const pay = { next: deposit, due: { amountCents: 180_000, count: 1 }, otherMaxCents: 470_000 }
  expect(chosenPayment(pay, 'next', 7)).toMatchObject({ paymentType: 'deposit', amountCents: 50_000 })
  expect(chosenPayment(pay, 'due', 7)).toEqual({ paymentType: 'rent', amountCents: 180_000 })
  expect(chosenPayment(pay, 'other', 7)).toEqual({ paymentType: 'rent', amountCents: 7 })
})

test('more than what is open is refused in the words of the server [PLAN-27, BANK-07]', () => {
  const sums = { owedCents: 540_000, paidCents: 0, openCents: 470_000, dueCents: 0, overdueCents: 0 }
  const plan = (onItsWayCents: number) => ({
    pay: { next: rent, due: null, otherMaxCents: 470_000 },
    totals: { ...sums, onItsWayCents },
  })
  const tooMuch = { paymentType: 'rent' as const, amountCents: 470_001 }
  expect(paymentProblem(tooMuch, 470_001, plan(0))).toBe('Only $4,700.00 is still to be paid.')
  expect(paymentProblem(tooMuch, 470_001, plan(70_000))).toBe('A payment of $700.00 is on its way already.')
  expect(paymentProblem(tooMuch, 470_001, undefined)).toBeUndefined()
  expect(paymentProblem({ ...tooMuch, amountCents: 470_000 }, 470_000, plan(0))).toBeUndefined()
  expect(paymentProblem({ ...tooMuch, amountCents: 99 }, 102, plan(0))).toBe('Please enter a valid amount')
})
