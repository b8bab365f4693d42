import { expect, test } from 'vitest'
import { type PlanSettingsValues, planSettingsForm } from '../../../../domain/money/payment-plan-form.ts'
import { describeDaysAround } from '../../../forms/days-around-field.tsx'
import { type PlanFormValues, planFormSchema, toPlanFormValues } from './plan-form.ts'

const typed = (change: PlanSettingsValues = {}) => toPlanFormValues(planSettingsForm.parse(change))
const errors = (values: PlanFormValues) =>
  planFormSchema.safeParse(values).error?.issues.map(({ path }) => path.join('.')) ?? []

test("parses the form's values back to the same settings [PLAN-03]", () => {
  const lateFee = { kind: 'percent', cents: 0, basisPoints: 550, graceDays: 3 } as const
  const settings = { kind: 'split', splitPercent: 30, daysBeforeArrival: 0, reminderDays: [-7, 2], lateFee }
  for (const values of [{}, settings] as PlanSettingsValues[])
    expect(planFormSchema.parse(typed(values))).toEqual(planSettingsForm.parse(values))
})

test('reports an invalid visible field at that field [PLAN-03]', () => {
  const wrong = {
    ...typed({ kind: 'split' }),
    splitPercent: '100',
    daysBeforeArrival: '',
    reminderDays: { before: '7', after: 'tomorrow' },
    lateFee: { kind: 'percent', cents: 'x', basisPoints: '25.001', graceDays: '61' },
  } as const
  expect(errors(wrong)).toEqual([
    'splitPercent',
    'daysBeforeArrival',
    'reminderDays',
    'lateFee.basisPoints',
    'lateFee.graceDays',
  ])
})

test('uses the default for an invalid hidden field, and keeps a valid one [PLAN-03]', () => {
  const hidden = {
    ...typed({ kind: 'off', reminderDays: [-3] }),
    splitPercent: '0',
    lateFee: { kind: 'fixed', cents: '', basisPoints: '5', graceDays: '2' },
  } as const
  expect(planFormSchema.parse(hidden)).toEqual(planSettingsForm.parse({ kind: 'off', reminderDays: [-3] }))
  const monthly = { ...typed({ kind: 'monthly' }), splitPercent: '20' }
  expect(planFormSchema.parse(monthly).splitPercent).toBe(20)
})

test('reminder days are typed and read as days before and after, with any separator [LOOK-54]', () => {
  const reminderDays = { before: '1;7', after: '5 0' }
  expect(planFormSchema.parse({ ...typed({ kind: 'full' }), reminderDays }).reminderDays).toEqual([
    -7, -1, 0, 5,
  ])
  expect(describeDaysAround([-7, -1, 1, 5])).toBe('Before: 7 days, 1 day · After: 1 day, 5 days')
})
