import { expect, test } from 'vitest'
import { type PlanSettingsValues, planSettingsForm } from '../../../../domain/money/payment-plan-form.ts'
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
    reminderDays: '-7, tomorrow',
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

test('parses reminder days with any separator and minus sign, and sorts them', () => {
  expect(planFormSchema.parse({ ...typed({ kind: 'full' }), reminderDays: '5 −1;-7' }).reminderDays).toEqual([
    -7, -1, 5,
  ])
})
