import { expect, test } from 'vitest'
import type { PlanTerms } from '../../../../domain/money/payment-plan.ts'
import { planSettingsForm } from '../../../../domain/money/payment-plan-form.ts'
import { type PlanChangeValues, planChangeForm, previewOf } from './plan-change-form.ts'

const terms: PlanTerms = {
  start: '2027-03-01',
  end: '2027-05-01',
  monthlyRentCents: 1000_00,
  charges: [
    { kind: 'rent', amountCents: 2000_00 },
    { kind: 'deposit', amountCents: 500_00 },
  ],
  today: '2026-12-01',
}
const settings = planSettingsForm.parse({ kind: 'monthly' })
const preview = (values: PlanChangeValues) => previewOf(values, terms, settings)?.text.split('\n')

test('previews what the lease will print, or nothing while the payments do not add up [PLAN-13, PLAN-16]', () => {
  const passed = [
    '',
    'A date that has passed when this Agreement is first signed means the day of that signature.',
  ]
  const deposit = '- Security deposit: $500.00, due when this Agreement is signed'
  expect(preview({ choice: 'setup', instalments: [] })).toEqual([
    deposit,
    '- Payment 1 of 2: $1,000.00, due on January 30, 2027',
    '- Payment 2 of 2: $1,000.00, due on April 1, 2027',
    ...passed,
  ])
  expect(preview({ choice: 'off', instalments: [] })).toEqual([''])
  const own = (amount: string, dueDate = '2027-02-01') =>
    preview({
      choice: 'custom',
      instalments: [
        { amount: '500', dueDate: '' },
        { amount, dueDate },
      ],
    })
  expect(own('1500')).toEqual([
    deposit,
    '- Payment 1 of 2: $500.00, due when this Agreement is signed',
    '- Payment 2 of 2: $1,500.00, due on February 1, 2027',
    ...passed,
  ])
  expect([own('1499.99'), own('1500', '2027-05-02')]).toEqual([undefined, undefined])
})

test('sends custom payments in cents, and validates only them [PLAN-15]', () => {
  const instalments = [{ amount: '12.50', dueDate: '' }]
  expect(planChangeForm.parse({ choice: 'custom', instalments }).instalments).toEqual([
    { amountCents: 1250, dueDate: null },
  ])
  const wrong = [{ amount: '', dueDate: '' }]
  expect(planChangeForm.safeParse({ choice: 'split', instalments: wrong }).success).toBe(true)
  expect(
    planChangeForm.safeParse({ choice: 'custom', instalments: wrong }).error?.issues.map(({ path }) => path),
  ).toEqual([['instalments', 0, 'amount']])
})
