import { expect, test } from 'vitest'
import type { z } from 'zod'
import {
  bankSection,
  lateFeeCharge,
  planChange,
  planSection,
  postponeForm,
  waiveForm,
} from './payment-plan-form.ts'

/** The first message of each field, by the field names of responses. */
function faults(schema: z.ZodType, value: unknown): Record<string, string> {
  const { error } = schema.safeParse(value)
  const fields: Record<string, string> = {}
  for (const { message, path } of error?.issues ?? []) fields[path.join('.')] ??= message
  return fields
}
const settingErrors = (body: unknown) => Object.keys(faults(planSection.body, body))
const row = { amountCents: 100_00, dueDate: '2026-12-01' }

test('the default is no plan, with reminders, five days of grace, and no bank payments [PLAN-01]', () => {
  expect(planSection).toMatchObject({ name: 'plan' })
  expect(planSection.body.parse({})).toEqual({
    kind: 'off',
    splitPercent: 50,
    daysBeforeArrival: 30,
    reminderDays: [-7, -1, 1, 5],
    lateFee: { kind: 'none', cents: 0, basisPoints: 0, graceDays: 5 },
  })
  expect(bankSection).toMatchObject({ name: 'bank' })
  expect(bankSection.body.parse({})).toEqual({ enabled: false })
})

test('a plan is off, full, split or monthly; missing fields get their defaults [PLAN-01]', () => {
  for (const kind of ['off', 'full', 'split', 'monthly'])
    expect(planSection.body.parse({ kind })).toMatchObject({ kind, splitPercent: 50 })
  for (const kind of ['custom', 'setup', 'weekly', '', null, 1])
    expect(settingErrors({ kind })).toEqual(['kind'])
  expect(planSection.body.parse({ lateFee: { kind: 'fixed', cents: 50_00 } }).lateFee).toEqual({
    kind: 'fixed',
    cents: 50_00,
    basisPoints: 0,
    graceDays: 5,
  })
})

test.each([
  ['splitPercent', [1, 50, 99], [0, 100, 1.5, '50', null]],
  ['daysBeforeArrival', [0, 30, 365], [-1, 366, 0.5, '30', null]],
  [
    'reminderDays',
    [[], [-60, 60], [0], [1, 2, 3, 4, 5, 6, 7, 8]],
    [[-61], [61], [1, 1], [1.5], [1, 2, 3, 4, 5, 6, 7, 8, 9], 5, null],
  ],
] as const)('%s has limits [PLAN-03]', (field, good, bad) => {
  for (const value of good) expect(settingErrors({ [field]: value })).toEqual([])
  for (const value of bad) expect([value, settingErrors({ [field]: value })]).toEqual([value, [field]])
})

test('a late fee is 100 to 100,000 cents or 1 to 2,500 basis points, after 0 to 60 days [PLAN-03]', () => {
  const of = (lateFee: object) => settingErrors({ lateFee })
  for (const cents of [100, 100_000]) expect(of({ kind: 'fixed', cents })).toEqual([])
  for (const cents of [0, 99, 100_001, 100.5, '500'])
    expect(of({ kind: 'fixed', cents })).toEqual(['lateFee.cents'])
  for (const basisPoints of [1, 2500]) expect(of({ kind: 'percent', basisPoints })).toEqual([])
  for (const basisPoints of [0, 2501, 0.5, '5'])
    expect(of({ kind: 'percent', basisPoints })).toEqual(['lateFee.basisPoints'])
  for (const graceDays of [0, 60]) expect(of({ graceDays })).toEqual([])
  for (const graceDays of [-1, 61, 1.5, '5']) expect(of({ graceDays })).toEqual(['lateFee.graceDays'])
  expect(of({ kind: 'weekly' })).toEqual(['lateFee.kind'])
  // Values left over from another kind of late fee are ignored.
  expect(of({ kind: 'none', cents: 50, basisPoints: 7 })).toEqual([])
  expect(settingErrors({ lateFee: 5 })).toEqual(['lateFee'])
})

test('a change requires the version, and either a kind or payments [PLAN-15]', () => {
  for (const kind of ['setup', 'off', 'full', 'split', 'monthly'])
    expect(planChange.parse({ version: 0, kind })).toEqual({ version: 0, kind })
  expect(planChange.parse({ version: 3, instalments: [row] })).toEqual({ version: 3, instalments: [row] })
  expect(faults(planChange, { version: 0 })).toEqual({ kind: 'Please choose a plan, or enter the payments' })
  expect(Object.keys(faults(planChange, { version: 0, kind: 'full', instalments: [row] }))).toEqual(['kind'])
  expect(Object.keys(faults(planChange, { version: 0, kind: 'custom' }))).toEqual(['kind'])
  for (const version of [-1, 0.5, '0', null, undefined])
    expect(Object.keys(faults(planChange, { version, kind: 'off' }))).toEqual(['version'])
})

test('reports every error in the payments at the list [PLAN-15, PLAN-16]', () => {
  const named = (instalments: unknown) => Object.keys(faults(planChange, { version: 0, instalments }))
  const rows = (count: number) => Array.from({ length: count }, () => row)
  for (const good of [rows(1), rows(60), [{ ...row, dueDate: null }], [{ ...row, amountCents: 1 }]])
    expect(named(good)).toEqual([])
  for (const bad of [[], rows(61), 'monthly', null, [4], [null]]) expect(named(bad)).toEqual(['instalments'])
  for (const amountCents of [0, -1, 0.5, '100', null, undefined, Number.NaN, 2 ** 53])
    expect([amountCents, named([row, { ...row, amountCents }])]).toEqual([amountCents, ['instalments']])
  for (const dueDate of ['2026-02-30', '12/1/2026', '', 5, undefined])
    expect([dueDate, named([row, { ...row, dueDate }])]).toEqual([dueDate, ['instalments']])
})

test('postponing requires a date and a reason, and at least a cent [PLAN-28]', () => {
  const good = { dueDate: '2026-12-01', reason: ' Moved house ' }
  expect(postponeForm.parse(good)).toEqual({ dueDate: '2026-12-01', reason: 'Moved house' })
  expect(postponeForm.parse({ ...good, amountCents: 1 })).toMatchObject({ amountCents: 1 })
  expect(Object.keys(faults(postponeForm, {}))).toEqual(['dueDate', 'reason'])
  for (const dueDate of ['2026-02-30', '', null])
    expect(faults(postponeForm, { ...good, dueDate })).toHaveProperty('dueDate')
  for (const amountCents of [0, -1, 0.5, '1'])
    expect(Object.keys(faults(postponeForm, { ...good, amountCents }))).toEqual(['amountCents'])
})

test('a reason has 1 to 500 characters [PLAN-28, PLAN-29]', () => {
  const forms = [waiveForm, postponeForm] as const
  for (const form of forms) {
    const named = (reason: unknown) => Object.keys(faults(form, { dueDate: '2026-12-01', reason }))
    expect(named('x'.repeat(500))).toEqual([])
    for (const reason of ['', '  ', 'x'.repeat(501), null, undefined, 5])
      expect(named(reason)).toEqual(['reason'])
  }
})

test('a late fee can be reduced to as little as a cent [PLAN-33]', () => {
  expect(lateFeeCharge.parse({})).toEqual({})
  expect(lateFeeCharge.parse({ amountCents: 1 })).toEqual({ amountCents: 1 })
  for (const amountCents of [0, -1, 0.5, '1', null])
    expect(Object.keys(faults(lateFeeCharge, { amountCents }))).toEqual(['amountCents'])
})
