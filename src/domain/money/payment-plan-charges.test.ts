import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Installment } from './payment-plan.ts'
import {
  type PlanCharge,
  planMismatchCents,
  portionsOf,
  syncChargeInstallments,
} from './payment-plan-charges.ts'

const today = '2026-12-10'
const charge = (change: Partial<PlanCharge> = {}): PlanCharge => ({
  id: 'c',
  kind: 'damage',
  source: 'owner',
  label: 'A broken lamp',
  amountCents: 80_00,
  taxRuleId: null,
  addedOn: today,
  voidedAt: null,
  ...change,
})
const row = (change: Partial<Installment> = {}): Installment => ({
  id: 'i',
  position: 100,
  kind: 'charge',
  chargeId: 'c',
  label: 'A broken lamp',
  amountCents: 80_00,
  dueDate: '2026-12-17',
  createdAt: '2026-12-10T12:00:00.000Z',
  waivedAt: null,
  ...change,
})
const lease = row({ id: 'l', position: 1, kind: 'lease', chargeId: null, label: 'Payment', dueDate: null })
const nothing = { supersededIds: [], added: [] }
const voidedAt = '2026-12-11T12:00:00.000Z'

test('a later charge is a separate installment, due 7 days after it was added [PLAN-21]', () => {
  expect(syncChargeInstallments([lease], [charge()], today)).toEqual({
    supersededIds: [],
    added: [
      {
        position: 100,
        kind: 'charge',
        chargeId: 'c',
        label: 'A broken lamp',
        amountCents: 80_00,
        dueDate: '2026-12-17',
        waivedAt: null,
      },
    ],
  })
  const two = [charge(), charge({ id: 'd', kind: 'deposit', label: 'Pet deposit', addedOn: '2026-12-30' })]
  expect(syncChargeInstallments([lease, row({ position: 104 })], two, today).added).toMatchObject([
    { position: 105, kind: 'deposit', chargeId: 'd', dueDate: '2027-01-06' },
  ])
})

test('only later charges above 0 that are not voided get an installment, and only one each [PLAN-21]', () => {
  expect(syncChargeInstallments([lease], [charge({ source: 'lease' })], today)).toEqual(nothing)
  expect(syncChargeInstallments([lease], [charge({ amountCents: -5 })], today)).toEqual(nothing)
  expect(syncChargeInstallments([lease], [charge({ voidedAt })], today)).toEqual(nothing)
  expect(syncChargeInstallments([lease, row()], [charge()], today)).toEqual(nothing)
  expect(
    syncChargeInstallments([row({ id: 'a', amountCents: 1 }), row({ id: 'b' })], [charge()], today),
  ).toEqual(nothing)
  for (const source of ['owner', 'plan', 'addendum'] as const)
    expect(syncChargeInstallments([], [charge({ source })], today).added).toHaveLength(1)
})

test('a charge from before the plan whose date has passed is due at signing [PLAN-10, PLAN-21]', () => {
  const dueOf = (addedOn: string) =>
    syncChargeInstallments([], [charge({ addedOn })], today).added[0]?.dueDate
  expect([dueOf('2026-12-03'), dueOf('2026-12-04')]).toEqual([null, '2026-12-11'])
})

test('removes the installments of a voided charge [PLAN-21]', () => {
  const rows = [lease, row({ id: 'a' }), row({ id: 'b' }), row({ id: 'x', chargeId: 'other' })]
  const charges = [charge({ voidedAt }), charge({ id: 'other' })]
  expect(syncChargeInstallments(rows, charges, today)).toEqual({ supersededIds: ['a', 'b'], added: [] })
})

test('a rewritten tax keeps its due date [PLAN-21]', () => {
  const tax = charge({ kind: 'tax', label: 'Tax, old', taxRuleId: 't', voidedAt })
  const rewritten = charge({
    ...tax,
    id: 'n',
    label: 'Tax, new',
    amountCents: 90_00,
    voidedAt: null,
    addedOn: '2026-12-20',
  })
  expect(syncChargeInstallments([lease, row()], [tax, rewritten], today)).toEqual({
    supersededIds: ['i'],
    added: [
      {
        position: 100,
        kind: 'charge',
        chargeId: 'n',
        label: 'Tax, new',
        amountCents: 90_00,
        dueDate: '2026-12-17',
        waivedAt: null,
      },
    ],
  })
  // A different tax, a different source, or a charge that is not a tax gets a new date.
  const begins = (before: Partial<PlanCharge>, after: Partial<PlanCharge>) =>
    syncChargeInstallments(
      [row()],
      [
        { ...tax, ...before },
        { ...rewritten, ...after },
      ],
      today,
    ).added.map(({ dueDate }) => dueDate)
  expect(begins({}, {})).toEqual(['2026-12-17'])
  expect(begins({}, { taxRuleId: 'u' })).toEqual(['2026-12-27'])
  expect(begins({ taxRuleId: null }, { taxRuleId: null })).toEqual(['2026-12-27'])
  expect(begins({}, { source: 'addendum' })).toEqual(['2026-12-27'])
  // Each new charge replaces only one old charge.
  const two = [tax, rewritten, { ...rewritten, id: 'm' }]
  expect(syncChargeInstallments([row()], two, today).added.map(({ dueDate }) => dueDate)).toEqual([
    '2026-12-17',
    '2026-12-27',
  ])
})

test('the parts of a rewritten tax keep their dates, and the last parts absorb the difference [PLAN-21, PLAN-28]', () => {
  const tax = charge({ kind: 'tax', taxRuleId: 't', voidedAt })
  const parts = [
    row({ id: 'b', amountCents: 30_00, dueDate: '2026-12-31' }),
    row({ id: 'a', amountCents: 50_00 }),
  ]
  const rewrite = (amountCents: number, rows = parts) =>
    syncChargeInstallments(rows, [tax, { ...tax, id: 'n', amountCents, voidedAt: null }], today).added.map(
      ({ amountCents, dueDate, waivedAt }) => [amountCents, dueDate, waivedAt],
    )
  expect(rewrite(85_00)).toEqual([
    [50_00, '2026-12-17', null],
    [35_00, '2026-12-31', null],
  ])
  expect(rewrite(50_01)).toEqual([
    [50_00, '2026-12-17', null],
    [1, '2026-12-31', null],
  ])
  expect(rewrite(20_00)).toEqual([[20_00, '2026-12-17', null]])
  // Of 80.00, 60.00 were waived.
  const waived = [row({ amountCents: 20_00, waivedAt: 'then' })]
  expect(rewrite(90_00, waived)).toEqual([[30_00, '2026-12-17', null]])
  expect(rewrite(70_00, waived)).toEqual([[10_00, '2026-12-17', 'then']])
  expect(rewrite(50_00, waived)).toEqual([[0, '2026-12-17', 'then']])
})

test('live installments add up to what is owed plus the credits [PLAN-21, PLAN-29]', () => {
  const ofLease = charge({ id: 'r', kind: 'rent', source: 'lease' })
  const discount = charge({ id: 'x', kind: 'discount', amountCents: -10_00 })
  const waiver = charge({ id: 'w', kind: 'adjustment', source: 'plan', amountCents: -30_00 })
  expect(planMismatchCents([lease, row()], [ofLease, charge(), discount])).toBe(0)
  expect(planMismatchCents([lease, row({ amountCents: 50_00 })], [ofLease, charge(), discount, waiver])).toBe(
    0,
  )
  expect(planMismatchCents([lease], [ofLease, charge({ voidedAt })])).toBe(0)
  expect(planMismatchCents([lease, row()], [ofLease, charge(), waiver])).toBe(30_00)
  // A discount of the lease is already part of its payments.
  expect(
    planMismatchCents(
      [lease],
      [
        { ...ofLease, amountCents: 90_00 },
        { ...discount, source: 'lease' },
      ],
    ),
  ).toBe(0)
})

const leaseCharge = (id: string, amountCents: number) => ({ id, label: id, amountCents })
const amounts = (installments: number[], charges: number[]) =>
  portionsOf(
    installments.map(amountCents => ({ amountCents })),
    charges.map((cents, k) => leaseCharge(`c${k}`, cents)),
  ).map(parts => parts.map(({ amountCents }) => amountCents))

test('the portions of an installment list its part of each charge [PLAN-12]', () => {
  expect(
    portionsOf(
      [{ amountCents: 100 }, { amountCents: 50 }],
      [leaseCharge('rent', 140), leaseCharge('tax', 10)],
    ),
  ).toEqual([
    [
      { chargeId: 'rent', label: 'rent', amountCents: 93 },
      { chargeId: 'tax', label: 'tax', amountCents: 7 },
    ],
    [
      { chargeId: 'rent', label: 'rent', amountCents: 47 },
      { chargeId: 'tax', label: 'tax', amountCents: 3 },
    ],
  ])
  expect(amounts([1, 1, 1], [2, 2, -1])).toEqual([
    [0, 1, 0],
    [1, 0, 0],
    [1, 1, -1],
  ])
  expect(amounts([], [5])).toEqual([])
  expect(amounts([5], [0])).toEqual([[]])
})

const cents = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 900_000_000_000 }))

test('for any installments and charges with the same sum, portions add up both ways and match the formula [PLAN-12]', () => {
  fc.assert(
    fc.property(
      fc.array(cents, { minLength: 1, maxLength: 12 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
      fc.integer({ min: 0, max: 100 }),
      (installments, cuts, discount) => {
        const total = installments.reduce((sum, part) => sum + part, 0)
        const marks = cuts.map(cut => Math.floor(total * cut)).toSorted((a, b) => a - b)
        const ends = [...marks, total]
        // One charge is raised, and a discount cancels the increase.
        const less = Math.floor((total * discount) / 100)
        const charges = [...ends.map((mark, k) => mark - (ends[k - 1] ?? 0) + (k === 0 ? less : 0)), -less]
        const parts = amounts(installments, charges)
        const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
        expect(parts.map(sum)).toEqual(installments)
        expect(charges.map((_, k) => sum(parts.map(row => row[k] ?? 0)))).toEqual(
          charges.map(cents => cents + 0),
        )
        // The formula, term by term.
        const upTo = (values: readonly number[], count: number) => BigInt(sum(values.slice(0, count)))
        const f = (i: number, k: number) => (upTo(installments, i) * upTo(charges, k)) / BigInt(total)
        const formula = installments.map((_, i) =>
          charges.map((_, k) => Number(f(i + 1, k + 1) - f(i, k + 1) - f(i + 1, k) + f(i, k))),
        )
        expect(parts.map(row => row.map(cents => cents + 0))).toEqual(formula)
      },
    ),
    { numRuns: 500 },
  )
})
