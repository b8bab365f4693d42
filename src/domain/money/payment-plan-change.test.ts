import { describe, expect, test } from 'vitest'
import { AppError } from '../common/errors.ts'
import type { Installment, LateFee } from './payment-plan.ts'
import { chargedLateFee, postpone, proposedLateFee, waive } from './payment-plan-change.ts'
import type { PlanInstallment } from './payment-plan-state.ts'

const row: Installment = {
  id: 'p2',
  position: 2,
  kind: 'lease',
  chargeId: null,
  label: 'Payment 2 of 3',
  amountCents: 1000_00,
  dueDate: '2026-12-20',
  createdAt: '2026-11-01T12:00:00.000Z',
  waivedAt: null,
}
const installment = (change: Partial<PlanInstallment> = {}): PlanInstallment => {
  const filled = {
    ...row,
    paidCents: 0,
    onItsWayCents: 0,
    state: 'upcoming' as const,
    daysOverdue: 0,
    ...change,
  }
  return { ...filled, openCents: filled.amountCents - filled.paidCents - filled.onItsWayCents }
}
const partly = installment({ paidCents: 300_00, onItsWayCents: 200_00, state: 'partly' })
const today = '2026-12-15'
const refusal = (act: () => unknown) => {
  try {
    act()
  } catch (error) {
    if (error instanceof AppError) return [error.code, error.message, Object.keys(error.fields ?? {})[0]]
    throw error
  }
  return undefined
}

test('an installment that includes what was returned beyond what was paid changes only by its own amount [FIX-33]', () => {
  const late = { paidCents: -300_00, daysOverdue: 9, state: 'overdue' as const }
  const overdrawn = installment(late)
  expect(overdrawn.openCents).toBe(1300_00)
  expect(waive(overdrawn)).toMatchObject({ amountCents: 0, charge: { amountCents: -1000_00 } })
  const moved = postpone(overdrawn, { dueDate: '2027-02-01', amountCents: undefined }, today)
  expect(moved.map(({ amountCents }) => amountCents)).toEqual([1000_00])
  const tooMuch = () => postpone(overdrawn, { dueDate: '2027-02-01', amountCents: 1000_01 }, today)
  expect(refusal(tooMuch)?.slice(0, 1)).toEqual(['bad_request'])
  const percent: LateFee = { kind: 'percent', cents: 0, basisPoints: 500, graceDays: 5 }
  expect(proposedLateFee(percent, overdrawn, false)).toBe(50_00)
  const waived = installment({ ...late, amountCents: 0, waivedAt: '2026-12-01T12:00:00.000Z' })
  expect(refusal(() => waive(waived))?.[0]).toBe('conflict')
})

test('a change is refused if the open amount or the late fee differs from what the dialog showed [PLAN-30]', () => {
  const percent: LateFee = { kind: 'percent', cents: 0, basisPoints: 500, graceDays: 5 }
  const late = installment({ daysOverdue: 9, state: 'overdue' })
  const all = (seenCents: number | undefined, feeSeenCents = seenCents) => [
    refusal(() => postpone(late, { dueDate: '2027-02-01', amountCents: undefined, seenCents }, today)),
    refusal(() => waive(late, seenCents)),
    refusal(() => chargedLateFee(percent, late, false, { seenCents: feeSeenCents })),
  ]
  for (const seen of [all(undefined), all(1000_00, 50_00)])
    expect(seen).toEqual([undefined, undefined, undefined])
  const changed = ['conflict', 'This payment was changed meanwhile.', undefined]
  expect(all(100_00, 5_00)).toEqual([changed, changed, changed])
})

describe('postponing', () => {
  const to = (dueDate: string, amountCents?: number, of = partly) =>
    postpone(of, { dueDate, amountCents }, today)

  test('moves everything open; what is paid or processing stays [PLAN-28]', () => {
    expect(to('2027-02-01')).toEqual([
      {
        position: 2,
        kind: 'lease',
        chargeId: null,
        label: 'Payment 2 of 3',
        amountCents: 500_00,
        dueDate: '2026-12-20',
      },
      {
        position: 2,
        kind: 'lease',
        chargeId: null,
        label: 'Payment 2 of 3',
        amountCents: 500_00,
        dueDate: '2027-02-01',
      },
    ])
    expect(to('2027-02-01', undefined, installment())).toMatchObject([
      { amountCents: 1000_00, dueDate: '2027-02-01' },
    ])
    const ofCharge = installment({ kind: 'charge', chargeId: 'c', paidCents: 1 })
    expect(to('2027-02-01', undefined, ofCharge)).toMatchObject([
      { chargeId: 'c' },
      { chargeId: 'c', kind: 'charge' },
    ])
  })

  test('moves a part of what is open [PLAN-28]', () => {
    expect(to('2027-02-01', 1).map(({ amountCents }) => amountCents)).toEqual([999_99, 1])
    expect(to('2027-02-01', 500_00).map(({ amountCents }) => amountCents)).toEqual([500_00, 500_00])
    expect(refusal(() => to('2027-02-01', 500_01))).toEqual([
      'bad_request',
      'Only $500.00 is open.',
      'amountCents',
    ])
  })

  test('moves to a later date, from today to a year ahead [PLAN-28]', () => {
    const problem = (dueDate: string, of = partly) => refusal(() => to(dueDate, undefined, of))?.slice(1)
    expect(problem('2026-12-20')).toEqual(['Please choose a date after Dec 20, 2026', 'dueDate'])
    expect(problem('2026-12-21')).toBeUndefined()
    const overdue = installment({ dueDate: '2026-12-01', state: 'overdue' })
    expect(problem('2026-12-02', overdue)).toEqual(['Please choose today or a later date', 'dueDate'])
    expect(problem('2026-12-15', overdue)).toBeUndefined()
    expect(problem('2027-12-15')).toBeUndefined()
    expect(problem('2027-12-16')).toEqual(['Please choose a date up to Dec 15, 2027', 'dueDate'])
  })

  test('is rejected if nothing is open [PLAN-30]', () => {
    const changed = ['conflict', 'This payment was changed meanwhile.', undefined]
    for (const state of ['paid', 'waived'] as const)
      expect(refusal(() => to('2027-02-01', undefined, installment({ paidCents: 1000_00, state })))).toEqual(
        changed,
      )
    const coming = installment({ onItsWayCents: 1000_00, state: 'on_its_way' })
    expect(refusal(() => to('2027-02-01', undefined, coming))?.[1]).toBe(
      'A payment of $1,000.00 is on its way already.',
    )
  })
})

describe('waiving', () => {
  test('keeps what is paid and removes what is open [PLAN-29]', () => {
    expect(waive(installment({ paidCents: 300_00, state: 'overdue' }))).toEqual({
      amountCents: 300_00,
      charge: { kind: 'adjustment', label: 'Waived: Payment 2 of 3', amountCents: -700_00 },
    })
    expect(waive(installment({ kind: 'charge' }))).toMatchObject({
      amountCents: 0,
      charge: { amountCents: -1000_00 },
    })
  })

  test('is rejected for the deposit, while a payment is processing, and if nothing is open [PLAN-29, PLAN-30]', () => {
    expect(refusal(() => waive(installment({ kind: 'deposit' })))?.slice(0, 2)).toEqual([
      'conflict',
      'The deposit cannot be waived here.',
    ])
    expect(refusal(() => waive(partly))?.slice(0, 2)).toEqual([
      'conflict',
      'A payment of $200.00 is on its way already.',
    ])
    for (const state of ['paid', 'waived'] as const)
      expect(refusal(() => waive(installment({ paidCents: 1000_00, state })))?.[1]).toBe(
        'This payment was changed meanwhile.',
      )
  })
})

describe('late fees', () => {
  const fixed: LateFee = { kind: 'fixed', cents: 50_00, basisPoints: 0, graceDays: 3 }
  const percent: LateFee = { kind: 'percent', cents: 0, basisPoints: 500, graceDays: 3 }
  const overdue = installment({ state: 'overdue', daysOverdue: 4 })
  const proposed = (lateFee: LateFee | null, change: Partial<PlanInstallment> = {}, decided = false) =>
    proposedLateFee(lateFee, installment({ state: 'overdue', daysOverdue: 4, ...change }), decided)

  test('are proposed for a payment of the lease after the grace period [PLAN-32]', () => {
    expect(proposed(fixed)).toBe(50_00)
    expect(proposed(fixed, { daysOverdue: 3 })).toBeNull()
    expect(proposed({ ...fixed, graceDays: 0 }, { daysOverdue: 1 })).toBe(50_00)
    expect(proposed({ ...fixed, graceDays: 0 }, { daysOverdue: 0, state: 'due' })).toBeNull()
    expect(proposed(null)).toBeNull()
    for (const kind of ['deposit', 'charge'] as const) expect(proposed(fixed, { kind })).toBeNull()
    expect(proposed(fixed, { onItsWayCents: 1 })).toBe(50_00)
    expect(proposed(fixed, { onItsWayCents: 1000_00 })).toBeNull()
  })

  test('are a percentage of what is open, rounded half up, and never zero [PLAN-32]', () => {
    expect(proposed(percent)).toBe(50_00)
    expect(proposed(percent, { paidCents: 999_90 })).toBe(1)
    expect(proposed(percent, { paidCents: 999_91 })).toBeNull()
    expect(proposed({ ...percent, basisPoints: 333 }, { paidCents: 0 })).toBe(33_30)
  })

  test('are charged as proposed, or less, and only once [PLAN-33, PLAN-34]', () => {
    expect(chargedLateFee(fixed, overdue, false)).toBe(50_00)
    expect(chargedLateFee(fixed, overdue, false, { amountCents: 50_00 })).toBe(50_00)
    expect(chargedLateFee(fixed, overdue, false, { amountCents: 1 })).toBe(1)
    expect(refusal(() => chargedLateFee(fixed, overdue, false, { amountCents: 50_01 }))).toEqual([
      'bad_request',
      'At most $50.00 can be charged.',
      'amountCents',
    ])
    expect(refusal(() => chargedLateFee(fixed, installment(), false))?.slice(0, 2)).toEqual([
      'conflict',
      'No late fee is proposed for this payment.',
    ])
    for (const of of [overdue, installment()])
      expect(refusal(() => chargedLateFee(fixed, of, true))?.slice(0, 2)).toEqual([
        'conflict',
        'A late fee for this payment has been decided already.',
      ])
    expect(proposed(fixed, {}, true)).toBeNull()
  })
})
