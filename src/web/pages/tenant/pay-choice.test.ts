import { expect, test } from 'vitest'
import { chosenPayment, offersOf, paymentProblem } from './pay-choice.ts'

type Pay = Parameters<typeof offersOf>[0]['pay']
type Instalment = Parameters<typeof offersOf>[0]['instalments'][number]

const deposit = {
  ...{ instalmentId: 'd', label: 'Security deposit', amountCents: 50_000 },
  ...{ paymentType: 'deposit' as const, dueDate: null },
}
const rent = {
  ...{ instalmentId: 'a', label: 'Payment 1 of 3', amountCents: 180_000 },
  ...{ paymentType: 'rent' as const, dueDate: '2026-12-01' },
}
const offered = (pay: Pay, ...instalments: Instalment[]) =>
  offersOf({ pay, instalments }).map(({ hint, label }) => [label, ...hint].join(' | '))

test('the next instalment, all that is due and another amount are offered [PLAN-26]', () => {
  const due = { amountCents: 360_000, count: 2 }
  expect(offered({ next: rent, due, otherMaxCents: 470_000 })).toEqual([
    'Next instalment | Payment 1 of 3: $1,800.00 | Due December 1, 2026',
    'All that is due | $3,600.00 for 2 payments',
    'Another amount | Up to $4,700.00',
  ])
})

test('what is due is offered by itself only where it is more than the next instalment [PLAN-26]', () => {
  const labels = (pay: Pay) => offersOf({ pay, instalments: [] }).map(({ value }) => value)
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
  const plan = { pay, instalments: [] }
  expect(chosenPayment(plan, 'next', 7)).toMatchObject({ paymentType: 'deposit', amountCents: 50_000 })
  expect(chosenPayment(plan, 'due', 7)).toEqual({ paymentType: 'rent', amountCents: 180_000 })
  expect(chosenPayment(plan, 'other', 7)).toEqual({ paymentType: 'rent', amountCents: 7 })
})

test('a deposit that was postponed is offered beside the next instalment [PLAN-26]', () => {
  const pay = { next: rent, due: { amountCents: 360_000, count: 2 }, otherMaxCents: 470_000 }
  const paid = { kind: 'deposit', label: 'Security deposit', openCents: 0, dueDate: '2026-12-01' } as const
  const moved = { ...paid, openCents: 20_000, dueDate: '2026-12-20' }
  expect(offered(pay, paid)).toHaveLength(3)
  expect(offered(pay, paid, moved)).toEqual([
    'Next instalment | Payment 1 of 3: $1,800.00 | Due December 1, 2026',
    'Security deposit | $200.00 | Due December 20, 2026',
    'All that is due | $3,600.00 for 2 payments | Besides the deposit',
    'Another amount | Up to $4,700.00',
  ])
  const plan = { pay, instalments: [paid, moved] }
  expect(chosenPayment(plan, 'deposit', 7)).toEqual({ paymentType: 'deposit', amountCents: 20_000 })
  expect(offered({ ...pay, next: deposit }, moved)[1]).toContain('All that is due')
})

test('what is below the least payment of the provider is not offered by itself [PLAN-26]', () => {
  const values = (pay: Pay) => offersOf({ pay, instalments: [] }).map(({ value }) => value)
  const next = { ...rent, amountCents: 99 }
  expect(values({ next, due: null, otherMaxCents: 470_000 })).toEqual(['other'])
  expect(values({ next, due: null, otherMaxCents: 99 })).toEqual([])
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
