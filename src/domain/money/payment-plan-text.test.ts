import { expect, test } from 'vitest'
import type { LateFee, NewInstalment } from './payment-plan.ts'
import { scheduleText } from './payment-plan-text.ts'

const base = { position: 1, kind: 'lease', chargeId: null, dueDate: null } as const
const instalments: NewInstalment[] = [
  { ...base, kind: 'deposit', position: 0, label: 'Security deposit', amountCents: 500_00 },
  { ...base, label: 'Payment 1 of 2', amountCents: 600_00 },
  { ...base, position: 2, label: 'Payment 2 of 2', amountCents: 1800_00, dueDate: '2026-12-01' },
]
const fixed: LateFee = { kind: 'fixed', cents: 50_00, basisPoints: 0, graceDays: 3 }
const passed = 'A date that has passed when this Agreement is first signed means the day of that signature.'

test('the lease prints a line for each payment, and what a passed date means [PLAN-13]', () => {
  expect(scheduleText(instalments, null)).toBe(
    [
      '- Security deposit: $500.00, due when this Agreement is signed',
      '- Payment 1 of 2: $600.00, due when this Agreement is signed',
      '- Payment 2 of 2: $1,800.00, due on December 1, 2026',
      '',
      passed,
    ].join('\n'),
  )
})

test('the late fee follows, as amount or percentage, with its grace period [PLAN-13]', () => {
  const last = (lateFee: LateFee) => scheduleText(instalments, lateFee).split('\n').slice(-2)
  expect(last(fixed)).toEqual([
    passed,
    'If a payment is more than 3 days late, the Landlord may charge a late fee of $50.00, once for each payment.',
  ])
  expect(last({ ...fixed, kind: 'percent', basisPoints: 550, graceDays: 1 })[1]).toBe(
    'If a payment is more than 1 day late, the Landlord may charge a late fee of 5.5% of what is still open, once for each payment.',
  )
})

test('later charges are not printed, and without payments the text is empty [PLAN-13]', () => {
  const later: NewInstalment = { ...base, kind: 'charge', chargeId: 'c', label: 'Damage', amountCents: 1 }
  expect(scheduleText([...instalments, later], null)).toBe(scheduleText(instalments, null))
  expect(scheduleText([later], fixed)).toBe('')
})
