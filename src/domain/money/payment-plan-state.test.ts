import { describe, expect, test } from 'vitest'
import { dateIn } from '../common/dates.ts'
import type { LedgerRow } from './ledger.ts'
import type { Installment } from './payment-plan.ts'
import {
  depositAndRent,
  depositParts,
  openAmounts,
  type PlanDay,
  type PlanMoney,
  planInstallments,
  planMoney,
  planPay,
  planTotals,
  rentError,
} from './payment-plan-state.ts'

const row = (
  id: string,
  amountCents: number,
  dueDate: string | null,
  change: Partial<Installment> = {},
): Installment => ({
  id,
  position: Number(id.slice(1)) || 0,
  kind: 'lease',
  chargeId: null,
  label: id,
  amountCents,
  dueDate,
  createdAt: '2026-11-01T12:00:00.000Z',
  waivedAt: null,
  ...change,
})
const deposit = row('d0', 500, null, { kind: 'deposit' })
const plan = [row('p3', 300, '2027-02-01'), row('p2', 200, '2027-01-01'), deposit, row('p1', 100, null)]
const owedCents = 1100
const money = (change: Partial<PlanMoney> = {}): PlanMoney => {
  const sums = { balanceCents: owedCents, depositDueCents: 500, ...change }
  const onItsWay = change.onItsWay ?? { depositCents: 0, otherCents: 0 }
  const cents = Math.max(0, sums.balanceCents - onItsWay.depositCents - onItsWay.otherCents)
  const depositCents = Math.min(cents, Math.max(0, sums.depositDueCents - onItsWay.depositCents))
  return { ...sums, onItsWay, toPay: { cents, depositCents } }
}
const before: PlanDay = { today: '2026-12-01', signedOn: null }
const signed: PlanDay = { today: '2026-12-01', signedOn: '2026-12-01' }
const paid = (some: PlanMoney, day = signed, rows: readonly Installment[] = plan) =>
  Object.fromEntries(planInstallments(rows, some, day).map(({ id, paidCents }) => [id, paidCents]))
const states = (some: PlanMoney, day: PlanDay, rows: readonly Installment[] = plan) =>
  planInstallments(rows, some, day).map(({ state }) => state)

const payment = (change: Partial<LedgerRow> = {}): LedgerRow => ({
  type: 'rent',
  method: 'card',
  status: 'succeeded',
  amountCents: 100,
  feeCents: 3,
  refundedAmountCents: 0,
  refundedFeeCents: 0,
  lostAmountCents: 0,
  paidAt: '2026-12-01T12:00:00.000Z',
  voidedAt: null,
  ...change,
})
const moneyOf = (...rows: LedgerRow[]) => planMoney({ owedCents, depositCents: 500, rows })

describe('filling', () => {
  test('follows due date, then position; the deposit gets what was credited to it [PLAN-22]', () => {
    expect(paid(money())).toEqual({ d0: 0, p1: 0, p2: 0, p3: 0 })
    expect(paid(moneyOf(payment({ type: 'deposit', amountCents: 200 })))).toEqual({
      d0: 200,
      p1: 0,
      p2: 0,
      p3: 0,
    })
    expect(paid(moneyOf(payment({ amountCents: 250 })))).toEqual({ d0: 0, p1: 100, p2: 150, p3: 0 })
    expect(paid(moneyOf(payment({ type: 'other', amountCents: 250, method: 'manual' })))).toMatchObject({
      p2: 150,
    })
    const sameDay = [row('a9', 50, '2027-01-01'), row('b8', 50, '2027-01-01')]
    expect(paid(money({ balanceCents: 30, depositDueCents: 0 }), signed, sameDay)).toEqual({ b8: 50, a9: 20 })
  })

  test('gives the same result for any order of the rows [PLAN-22, PLAN-23]', () => {
    const same = [row('a', 50, '2027-01-01'), row('b', 50, '2027-01-01')]
    for (const rows of [same, same.toReversed()])
      expect(paid(money({ balanceCents: 30, depositDueCents: 0 }), signed, rows)).toEqual({ a: 50, b: 20 })
    expect(planInstallments(plan, money(), signed).map(({ id }) => id)).toEqual(['d0', 'p1', 'p2', 'p3'])
  })

  test('uses left over money for open installments, and stops when all are paid [PLAN-22]', () => {
    expect(paid(moneyOf(payment({ type: 'deposit', amountCents: 650 })))).toEqual({
      d0: 500,
      p1: 100,
      p2: 50,
      p3: 0,
    })
    expect(paid(moneyOf(payment({ amountCents: 700 })))).toEqual({ d0: 100, p1: 100, p2: 200, p3: 300 })
    expect(paid(moneyOf(payment({ amountCents: 9999 })))).toEqual({ d0: 500, p1: 100, p2: 200, p3: 300 })
    expect(
      planTotals(planInstallments(plan, moneyOf(payment({ amountCents: 9999 })), signed)).openCents,
    ).toBe(0)
  })

  test('counts a returned deposit as paid, and subtracts refunds of other money [PLAN-22, PLAN-23]', () => {
    const held = payment({ type: 'deposit', amountCents: 500 })
    const returned = payment({ type: 'deposit_return', amountCents: -500 })
    expect(paid(moneyOf(held, returned))).toEqual({ d0: 500, p1: 0, p2: 0, p3: 0 })
    const refunded = payment({ amountCents: 250, refundedAmountCents: 100 })
    expect(paid(moneyOf(held, refunded))).toEqual({ d0: 500, p1: 100, p2: 50, p3: 0 })
    for (const gone of ['refunded', 'disputed', 'failed', 'canceled', 'pending'] as const)
      expect(
        paid(moneyOf(payment({ status: gone, refundedAmountCents: gone === 'refunded' ? 100 : 0 }))),
      ).toMatchObject({
        p1: 0,
      })
    expect(paid(moneyOf(payment({ voidedAt: 'then' })))).toMatchObject({ p1: 0 })
  })

  test('takes a refund by hand from the deposit if nothing else was paid, so that the balance is unchanged [PLAN-22]', () => {
    const held = payment({ type: 'deposit', amountCents: 500 })
    const refund = payment({ type: 'refund', amountCents: -300 })
    expect(paid(moneyOf(held, refund))).toEqual({ d0: 200, p1: 0, p2: 0, p3: 0 })
    expect(paid(moneyOf(held, refund, payment({ amountCents: 350 })))).toEqual({
      d0: 500,
      p1: 50,
      p2: 0,
      p3: 0,
    })
  })

  test('treats a credit like a payment, and a deposit credit like a deposit payment [PLAN-21, PLAN-22]', () => {
    const rows = [payment({ amountCents: 100 })]
    expect(paid(planMoney({ owedCents: owedCents - 150, depositCents: 500, rows }))).toEqual({
      d0: 0,
      p1: 100,
      p2: 150,
      p3: 0,
    })
    expect(paid(planMoney({ owedCents: owedCents - 150, depositCents: 350, rows }))).toEqual({
      d0: 150,
      p1: 100,
      p2: 0,
      p3: 0,
    })
  })

  test('applies processing payments after received ones, by the same rules [PLAN-22, PLAN-24]', () => {
    const coming = (change: Partial<LedgerRow>) => payment({ status: 'processing', ...change })
    const filled = (...rows: LedgerRow[]) =>
      planInstallments(plan, moneyOf(...rows), signed).map(({ onItsWayCents, openCents, paidCents }) => [
        paidCents,
        onItsWayCents,
        openCents,
      ])
    expect(filled(payment({ amountCents: 60 }), coming({ amountCents: 90 }))).toEqual([
      [0, 0, 500],
      [60, 40, 0],
      [0, 50, 150],
      [0, 0, 300],
    ])
    expect(filled(coming({ type: 'deposit', amountCents: 550 })).map(([, coming]) => coming)).toEqual([
      500, 50, 0, 0,
    ])
    expect(filled(coming({ amountCents: 9999 })).map(([, , open]) => open)).toEqual([0, 0, 0, 0])
    for (const none of [
      coming({ voidedAt: 'then' }),
      coming({ status: 'pending' }),
      coming({ status: 'failed' }),
    ])
      expect(filled(none).map(([, coming]) => coming)).toEqual([0, 0, 0, 0])
  })
})

describe('states', () => {
  const on = (today: string): PlanDay => ({ today, signedOn: '2026-12-01' })

  test('nothing is due while unsigned [PLAN-24]', () => {
    for (const today of ['2027-01-01', '2027-03-01'])
      expect(states(money(), { today, signedOn: null })).toEqual(Array(4).fill('upcoming'))
    expect(states(moneyOf(payment({ amountCents: 50 })), before)[1]).toBe('partly')
    expect(planInstallments(plan, money(), before).map(({ dueDate }) => dueDate)).toEqual([
      null,
      null,
      '2027-01-01',
      '2027-02-01',
    ])
  })

  test('an installment due at signing is due on the day of signing and overdue on the next [PLAN-20, PLAN-24]', () => {
    expect(states(money(), on('2026-12-01'))).toEqual(['due', 'due', 'upcoming', 'upcoming'])
    expect(states(money(), on('2026-12-02'))).toEqual(['overdue', 'overdue', 'upcoming', 'upcoming'])
    expect(planInstallments(plan, money(), on('2026-12-02'))[0]?.dueDate).toBe('2026-12-01')
  })

  test('take the first match of waived, paid, processing, overdue, due, partly paid, upcoming [PLAN-24]', () => {
    const stateOf = (change: Partial<Installment>, some: Partial<PlanMoney>, today = '2027-01-01') =>
      states(money({ depositDueCents: 0, ...some }), on(today), [row('p1', 100, '2027-01-01', change)])[0]
    const onItsWay = { depositCents: 0, otherCents: 100 }
    const partOnItsWay = { depositCents: 0, otherCents: 40 }
    expect(stateOf({ waivedAt: 'then' }, { balanceCents: 0 })).toBe('waived')
    expect(stateOf({ waivedAt: 'then', amountCents: 0 }, { balanceCents: 0 })).toBe('waived')
    // The payment for its remaining part was taken back.
    expect(stateOf({ waivedAt: 'then' }, { balanceCents: 100 })).toBe('due')
    expect(stateOf({}, { balanceCents: 0 })).toBe('paid')
    expect(stateOf({}, { balanceCents: 100, onItsWay })).toBe('on_its_way')
    expect(stateOf({}, { balanceCents: 100, onItsWay }, '2027-05-01')).toBe('on_its_way')
    expect(stateOf({}, { balanceCents: 100, onItsWay: partOnItsWay }, '2027-01-02')).toBe('overdue')
    expect(stateOf({}, { balanceCents: 60 }, '2027-01-02')).toBe('overdue')
    expect(stateOf({}, { balanceCents: 60 })).toBe('due')
    expect(stateOf({}, { balanceCents: 60 }, '2026-12-31')).toBe('partly')
    expect(stateOf({}, { balanceCents: 100, onItsWay: partOnItsWay }, '2026-12-31')).toBe('upcoming')
    expect(stateOf({}, { balanceCents: 100 }, '2026-12-31')).toBe('upcoming')
  })

  test('include the days overdue, 0 for other states [PLAN-24]', () => {
    const days = (today: string) =>
      planInstallments(plan, money(), on(today)).map(({ daysOverdue }) => daysOverdue)
    expect(days('2026-12-01')).toEqual([0, 0, 0, 0])
    expect(days('2027-01-03')).toEqual([33, 33, 2, 0])
    expect(
      planInstallments(plan, money({ balanceCents: 0, depositDueCents: 0 }), on('2028-01-01'))[0]
        ?.daysOverdue,
    ).toBe(0)
  })

  test.each(['America/New_York', 'Pacific/Kiritimati', 'Asia/Kathmandu'])(
    'change at midnight of the property, in %s [PLAN-25]',
    zone => {
      const stateAt = (moment: number) =>
        states(money(), { today: dateIn(new Date(moment), zone), signedOn: '2026-12-01' })[2]
      const moments = Array.from(
        { length: 4 * 24 * 4 },
        (_, i) => Date.parse('2026-12-31T00:00:00Z') + i * 900_000,
      )
      for (const moment of moments) {
        const day = new Date(moment).toLocaleDateString('sv-SE', { timeZone: zone })
        const expected = day < '2027-01-01' ? 'upcoming' : day === '2027-01-01' ? 'due' : 'overdue'
        expect(stateAt(moment)).toBe(expected)
      }
    },
  )
})

describe('the payable amounts', () => {
  const payOf = (some: PlanMoney, day: PlanDay, rows = plan) =>
    planPay(planInstallments(rows, some, day), some)
  const later = { today: '2027-01-01', signedOn: '2026-12-01' }

  test('next is the first installment with something open; the deposit is paid as a deposit [PLAN-26]', () => {
    expect(payOf(money(), before).next).toEqual({
      instalmentId: 'd0',
      label: 'd0',
      amountCents: 500,
      paymentType: 'deposit',
      dueDate: null,
    })
    const rest = moneyOf(payment({ type: 'deposit', amountCents: 500 }), payment({ amountCents: 130 }))
    expect(payOf(rest, later).next).toEqual({
      instalmentId: 'p2',
      label: 'p2',
      amountCents: 170,
      paymentType: 'rent',
      dueDate: '2027-01-01',
    })
    expect(payOf(money({ balanceCents: 0, depositDueCents: 0 }), later)).toEqual({
      next: null,
      due: null,
      depositAndRent: null,
      depositMaxCents: 0,
      otherMaxCents: 0,
    })
  })

  test('due is everything open up to today without the deposit, and null if zero [PLAN-26]', () => {
    expect(payOf(money(), later).due).toEqual({ amountCents: 300, count: 2 })
    expect(payOf(money(), before).due).toBeNull()
    expect(payOf(moneyOf(payment({ amountCents: 300 })), later).due).toBeNull()
    expect(payOf(moneyOf(payment({ amountCents: 130 })), later).due).toEqual({ amountCents: 170, count: 1 })
  })

  test('deposit and rent are offered together where both are due and at least the minimum [LOOK-80]', () => {
    const both = { depositCents: 500, rentCents: 300 }
    expect(payOf(money(), later).depositAndRent).toEqual(both)
    expect(payOf(money(), signed).depositAndRent).toEqual({ ...both, rentCents: 100 })
    expect(payOf(money(), before).depositAndRent).toBeNull()
    expect(payOf(moneyOf(payment({ amountCents: 1 })), signed).depositAndRent).toBeNull()
    const postponed = [...plan.filter(each => each !== deposit), { ...deposit, dueDate: '2027-01-02' }]
    expect(payOf(money(), later, postponed).depositAndRent).toBeNull()
    const parts = [...plan, { ...deposit, id: 'd5', amountCents: 200, position: 5, dueDate: '2027-02-01' }]
    const all = { balanceCents: owedCents + 200, depositDueCents: 700 }
    expect(payOf(money(all), later, parts).depositAndRent).toEqual(both)
    expect(depositAndRent({ depositCents: 500, rentCents: null })).toBeNull()
  })

  test('another amount is limited to everything open without the deposit [PLAN-26, PLAN-27]', () => {
    const some = moneyOf(payment({ amountCents: 50 }))
    const rows = planInstallments(plan, some, later)
    expect(planPay(rows, some).otherMaxCents).toBe(550)
    expect(rentError(550, rows, some)).toBeUndefined()
    expect(rentError(551, rows, some)).toBe('Only $5.50 is still to be paid.')
    const coming = moneyOf(payment({ amountCents: 550, status: 'processing' }))
    const filled = planInstallments(plan, coming, later)
    expect(rentError(50, filled, coming)).toBeUndefined()
    expect(rentError(51, filled, coming)).toBe('A payment of $5.50 is on its way already.')
  })

  test('the deposit is offered up to what is due, even if more of its installment is open [LOOK-36]', () => {
    // The deposit was paid, and refunds exceed the other money received.
    const some = moneyOf(
      payment({ type: 'deposit', amountCents: 500 }),
      payment({ type: 'refund', amountCents: -400 }),
    )
    const rows = planInstallments(plan, some, before)
    expect(rows[0]).toMatchObject({ kind: 'deposit', openCents: 400 })
    expect(planPay(rows, some)).toMatchObject({
      next: { instalmentId: 'd0', amountCents: 400, paymentType: 'rent' },
      otherMaxCents: 1000,
    })
    expect(depositParts(rows, some)).toEqual([])
    expect(openAmounts(some)).toEqual({ depositCents: 0, rentCents: 1000 })
  })

  test('without a plan, the balance is split into deposit and rent, less processing payments [LOOK-36]', () => {
    const open = (...rows: LedgerRow[]) => openAmounts(moneyOf(...rows))
    expect(open()).toEqual({ depositCents: 500, rentCents: 600 })
    expect(open(payment({ amountCents: 250 }))).toEqual({ depositCents: 500, rentCents: 350 })
    expect(open(payment({ type: 'deposit', amountCents: 500 }))).toEqual({ depositCents: 0, rentCents: 600 })
    expect(open(payment({ type: 'deposit', amountCents: 500, status: 'processing' }))).toEqual({
      depositCents: 0,
      rentCents: 600,
    })
    // Overpaid rent leaves less than the deposit open.
    expect(open(payment({ amountCents: 800 }))).toEqual({ depositCents: 300, rentCents: 0 })
    expect(open(payment({ amountCents: 2000 }))).toEqual({ depositCents: 0, rentCents: 0 })
  })

  test('totals add up, with what is due and overdue [PLAN-22, PLAN-24]', () => {
    const some = moneyOf(payment({ amountCents: 130 }), payment({ amountCents: 40, status: 'processing' }))
    expect(planTotals(planInstallments(plan, some, later))).toEqual({
      owedCents: 1100,
      paidCents: 130,
      onItsWayCents: 40,
      openCents: 930,
      dueCents: 630,
      overdueCents: 500,
    })
    expect(planTotals(planInstallments(plan, some, before))).toMatchObject({ dueCents: 0, overdueCents: 0 })
  })
})
