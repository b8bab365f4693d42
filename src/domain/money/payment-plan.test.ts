import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, addMonths } from '../common/dates.ts'
import { chargesOf } from './charge.ts'
import { termRent } from './lease-terms.ts'
import {
  customInstallments,
  customPlanError,
  dueDateOf,
  type GeneratedKind,
  generatedKinds,
  type LateFee,
  leaseTotals,
  makeInstallments,
  type NewInstallment,
  type PlanTerms,
  scalePlan,
  scheduleText,
  shareOf,
  writePlan,
} from './payment-plan.ts'
import { planSection } from './payment-plan-form.ts'

const settings = planSection.body.parse({ kind: 'monthly' })

function buildTerms({
  charges,
  depositCents = 500_00,
  feeCents = 0,
  ...change
}: Partial<PlanTerms> & { feeCents?: number; depositCents?: number } = {}): PlanTerms {
  const terms = {
    start: '2027-01-15',
    end: '2027-04-15',
    monthlyRentCents: 1800_00,
    today: '2026-11-01',
    ...change,
  }
  const rentCents = termRent(terms.start, terms.end, terms.monthlyRentCents).totalCents
  const made = [
    { kind: 'rent' as const, amountCents: rentCents },
    { kind: 'fee' as const, amountCents: feeCents },
    { kind: 'deposit' as const, amountCents: depositCents },
  ]
  return { ...terms, charges: charges ?? made }
}
const told = (installments: readonly NewInstallment[]) =>
  installments.map(({ amountCents, dueDate, label }) => [label, amountCents, dueDate])
const made = (kind: GeneratedKind, terms = buildTerms(), change: Partial<typeof settings> = {}) =>
  told(makeInstallments(kind, terms, { ...settings, ...change }))
const deposit = ['Security deposit', 500_00, null]

describe('making a plan', () => {
  test('the deposit is the first installment, due at signing; none if it is 0 [PLAN-06]', () => {
    for (const kind of generatedKinds) {
      expect(made(kind)[0]).toEqual(deposit)
      expect(makeInstallments(kind, buildTerms(), settings)[0]).toMatchObject({
        kind: 'deposit',
        position: 0,
        chargeId: null,
      })
      expect(made(kind, buildTerms({ depositCents: 0 })).map(([label]) => label)).not.toContain(
        'Security deposit',
      )
    }
  })

  test('a full plan is one payment, due the configured number of days before arrival [PLAN-08, PLAN-11]', () => {
    expect(made('full')).toEqual([deposit, ['Payment', 5400_00, '2026-12-16']])
    expect(made('full', buildTerms(), { daysBeforeArrival: 0 })[1]).toEqual([
      'Payment',
      5400_00,
      '2027-01-15',
    ])
    expect(made('full', buildTerms({ today: '2026-01-01' }), { daysBeforeArrival: 365 })[1]?.[2]).toBe(
      '2026-01-15',
    )
  })

  test('a split plan is the percentage at signing, rounded down, and the rest [PLAN-08, PLAN-11]', () => {
    expect(made('split', buildTerms({ feeCents: 1 }), { splitPercent: 33 })).toEqual([
      deposit,
      ['Payment 1 of 2', 1782_00, null],
      ['Payment 2 of 2', 3618_01, '2026-12-16'],
    ])
  })

  test('a monthly plan follows the months of the rent and the remaining days [PLAN-09, PLAN-11]', () => {
    expect(made('monthly', buildTerms({ end: '2027-04-20', feeCents: 100_00 }))).toEqual([
      deposit,
      // 5,800.00 is split by 18, 18, 18 and 3 parts of 57.
      ['Payment 1 of 4', 1831_57, '2026-12-16'],
      ['Payment 2 of 4', 1831_58, '2027-02-15'],
      ['Payment 3 of 4', 1831_58, '2027-03-15'],
      ['Payment 4 of 4', 305_27, '2027-04-15'],
    ])
  })

  test('a term of up to 31 nights is one monthly payment [PLAN-09, PLAN-11]', () => {
    expect(made('monthly', buildTerms({ end: '2027-02-15' }))).toEqual([
      deposit,
      ['Payment', 1800_00, '2026-12-16'],
    ])
    expect(made('monthly', buildTerms({ end: '2027-01-16' }))).toHaveLength(2)
    expect(made('monthly', buildTerms({ end: '2027-02-16' }))).toHaveLength(3)
  })

  test('months are counted from the first day, so that the 31st comes back [PLAN-09]', () => {
    const dates = made('monthly', buildTerms({ start: '2027-01-31', end: '2027-05-02' })).map(
      ([, , date]) => date,
    )
    expect(dates).toEqual([null, '2027-01-01', '2027-02-28', '2027-03-31', '2027-04-30'])
  })

  test('fees without rent are divided by time [PLAN-07, PLAN-09]', () => {
    expect(
      made('monthly', buildTerms({ monthlyRentCents: 0, feeCents: 70_00, end: '2027-03-25' })).slice(1),
    ).toEqual([
      ['Payment 1 of 3', 30_00, '2026-12-16'],
      ['Payment 2 of 3', 30_00, '2027-02-15'],
      ['Payment 3 of 3', 10_00, '2027-03-15'],
    ])
  })

  test('payments due on or before the day of writing are combined into one at signing [PLAN-10]', () => {
    expect(made('split', buildTerms({ today: '2026-12-15' })).map(([, , date]) => date)).toEqual([
      null,
      null,
      '2026-12-16',
    ])
    expect(made('split', buildTerms({ today: '2026-12-16' }))).toEqual([deposit, ['Payment', 5400_00, null]])
    expect(made('monthly', buildTerms({ today: '2027-02-15' }))).toEqual([
      deposit,
      ['Payment 1 of 2', 3600_00, null],
      ['Payment 2 of 2', 1800_00, '2027-03-15'],
    ])
  })

  test('leaves out payments of zero [PLAN-10]', () => {
    expect(made('full', buildTerms({ monthlyRentCents: 0, depositCents: 0 }))).toEqual([])
    expect(made('split', buildTerms({ monthlyRentCents: 1, end: '2027-01-20' }))).toEqual([
      deposit,
      ['Payment', 1, '2026-12-16'],
    ])
    expect(made('monthly', buildTerms({ monthlyRentCents: 0, feeCents: 1 }))).toEqual([
      deposit,
      ['Payment', 1, '2027-03-15'],
    ])
  })

  test('for any charges, terms and kind, the payments add up and their dates ascend [PLAN-06, PLAN-07, PLAN-09, PLAN-10, PLAN-11]', () => {
    fc.assert(
      fc.property(anyTerms, fc.constantFrom(...generatedKinds), anySettings, (terms, kind, settings) => {
        const installments = makeInstallments(kind, terms, settings)
        checkInstallments(installments, terms)
        const { totalCents } = leaseTotals(terms.charges)
        const payments = installments.filter(({ kind }) => kind === 'lease')
        if (kind !== 'monthly') return
        // An independent check: the cumulated money and rent are compared by cross multiplication.
        const rent = termRent(terms.start, terms.end, terms.monthlyRentCents)
        if (rent.totalCents === 0) return
        let paid = 0n
        for (const { amountCents, dueDate } of payments) {
          paid += BigInt(amountCents)
          const months = Array.from({ length: rent.months }, (_, i) => i + 1)
          const started = months.filter(
            i => i === 1 || addMonths(terms.start, i - 1) <= (dueDate ?? terms.today),
          )
          const isLast = dueDate !== null && dueDate >= addMonths(terms.start, rent.months)
          const rentUpTo = isLast ? rent.totalCents : started.length * rent.monthlyCents
          const difference = BigInt(totalCents) * BigInt(rentUpTo) - paid * BigInt(rent.totalCents)
          if (payments.length > 1) expect(difference >= 0n && difference < BigInt(rent.totalCents)).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })
})

const cents = fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 1_000_000_000 }))
const anySettings = fc
  .record({
    splitPercent: fc.integer({ min: 1, max: 99 }),
    daysBeforeArrival: fc.integer({ min: 0, max: 365 }),
  })
  .map(some => ({ ...settings, ...some }))
const anyTerms = fc
  .record({
    day: fc.integer({ min: 0, max: 2000 }),
    nights: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 1096 })),
    written: fc.integer({ min: -400, max: 400 }),
    monthlyRentCents: cents,
    depositCents: cents,
    feeCents: cents,
    discount: fc.integer({ min: 0, max: 100 }),
    rate: fc.integer({ min: 1, max: 5000 }),
  })
  .map(({ day, depositCents, discount, feeCents, monthlyRentCents, nights, rate, written }): PlanTerms => {
    const start = addDays('2026-01-01', day)
    const end = addDays(start, nights)
    const rentCents = termRent(start, end, monthlyRentCents).totalCents
    const fee = { per: 'stay' as const, basisPoints: null, taxable: true, refundable: false, feeRuleId: null }
    const charges = chargesOf({
      nights,
      guests: 2,
      rentCents,
      depositCents,
      fees: [
        { ...fee, kind: 'fee', name: 'Cleaning', amountCents: feeCents },
        { ...fee, kind: 'discount', name: 'Early', amountCents: Math.floor((rentCents * discount) / 100) },
      ],
      taxes: [{ name: 'Tax', basisPoints: rate, onRent: true, onFees: true, taxRuleId: 't' }],
    })
    return { start, end, monthlyRentCents, charges, today: addDays(start, written) }
  })

/** Checks the invariants of any plan. */
function checkInstallments(installments: readonly NewInstallment[], { charges, end, today }: PlanTerms) {
  const sum = (some: readonly { amountCents: number }[]) =>
    some.reduce((total, { amountCents }) => total + BigInt(amountCents), 0n)
  const depositOf = charges.filter(({ kind }) => kind === 'deposit')
  const [deposits, payments] = [
    installments.filter(({ kind }) => kind === 'deposit'),
    installments.filter(({ kind }) => kind === 'lease'),
  ]
  expect(sum(payments)).toBe(sum(charges) - sum(depositOf))
  expect(sum(deposits)).toBe(sum(depositOf))
  expect(deposits.length).toBeLessThanOrEqual(1)
  expect(installments.every(({ amountCents }) => amountCents > 0 && Number.isSafeInteger(amountCents))).toBe(
    true,
  )
  const dates = payments.map(({ dueDate }) => dueDate)
  expect(dates.slice(1)).not.toContain(null)
  expect(dates.every(date => date === null || (date > today && date <= end))).toBe(true)
  expect(dates).toEqual(
    dates.toSorted((a, b) => ((a ?? '') < (b ?? '') ? -1 : (a ?? '') > (b ?? '') ? 1 : 0)),
  )
  expect(installments.map(({ position }) => position)).toEqual([
    ...deposits.map(() => 0),
    ...payments.map((_, i) => i + 1),
  ])
}

describe('payments entered by the owner', () => {
  const terms = buildTerms({ end: '2027-02-15' })
  const problem = (...rows: [number, string | null][]) =>
    customPlanError(
      rows.map(([amountCents, dueDate]) => ({ amountCents, dueDate })),
      terms,
    )

  test('add up to the charges, dated from today to the departure [PLAN-16]', () => {
    expect(problem([1800_00, null])).toBeUndefined()
    expect(problem([800_00, '2026-11-01'], [1000_00, '2027-02-15'])).toBeUndefined()
    expect(problem([1799_00, null])).toBe('The payments add up to $1,799.00; $1,800.00 is needed.')
    expect(problem([1800_00, null], [1, null])).toBe('The payments add up to $1,800.01; $1,800.00 is needed.')
    expect(problem([1800_00, '2026-10-31'])).toBe('Please choose today or later dates')
    expect(problem([1800_00, '2027-02-16'])).toBe('Please choose dates up to the departure on Feb 15, 2027')
  })

  test('are sorted, and those at signing are combined into one [PLAN-10, PLAN-11, PLAN-16]', () => {
    const rows = [
      { amountCents: 3_00, dueDate: '2027-01-03' },
      { amountCents: 1_00, dueDate: null },
      { amountCents: 2_00, dueDate: '2026-11-01' },
      { amountCents: 4_00, dueDate: '2027-01-02' },
      { amountCents: 5_00, dueDate: '2027-01-03' },
    ]
    expect(told(customInstallments(rows, terms))).toEqual([
      deposit,
      ['Payment 1 of 4', 3_00, null],
      ['Payment 2 of 4', 4_00, '2027-01-02'],
      ['Payment 3 of 4', 3_00, '2027-01-03'],
      ['Payment 4 of 4', 5_00, '2027-01-03'],
    ])
  })
})

describe('rewriting the lease', () => {
  const terms = buildTerms()
  const rows = [
    { amountCents: 2400_00, dueDate: '2026-12-01' },
    { amountCents: 3000_00, dueDate: '2027-04-15' },
  ]
  const custom = { kind: 'custom' as const, installments: customInstallments(rows, terms) }
  const write = (change: Partial<Parameters<typeof writePlan>[0]> = {}) => {
    const { plan, replaced } = writePlan({ before: null, choice: null, settings, terms, ...change })
    return [plan?.kind ?? null, replaced, plan && told(plan.installments).length]
  }

  test('makes the plan of the lease’s choice, else of the settings [PLAN-05, PLAN-18]', () => {
    expect(write()).toEqual(['monthly', false, 4])
    expect(write({ choice: 'full' })).toEqual(['full', false, 2])
    expect(write({ choice: 'off' })).toEqual([null, false, null])
    expect(write({ choice: 'full', chosen: 'split' })).toEqual(['split', false, 3])
    expect(write({ choice: 'full', chosen: 'setup' })).toEqual(['monthly', false, 4])
    const before = { kind: 'full' as const, installments: makeInstallments('full', terms, settings) }
    expect(write({ before })).toEqual(['monthly', false, 4])
  })

  test('makes no plan if none is configured [PLAN-01]', () => {
    expect(write({ settings: planSection.body.parse({}) })).toEqual([null, false, null])
  })

  test('keeps a custom plan while its sum and dates fit [PLAN-18]', () => {
    expect(write({ before: custom, choice: 'full' })).toEqual(['custom', false, 3])
    expect(writePlan({ before: custom, choice: null, settings, terms }).plan?.installments).toEqual(
      custom.installments,
    )
    expect(write({ before: custom, terms: buildTerms({ feeCents: 1 }) })).toEqual(['monthly', true, 4])
    expect(write({ before: custom, choice: 'full', terms: buildTerms({ feeCents: 1 }) })).toEqual([
      'full',
      true,
      2,
    ])
    expect(write({ before: custom, terms: buildTerms({ feeCents: 1 }), choice: 'off' })).toEqual([
      null,
      true,
      null,
    ])
    const [short] = [{ ...terms, end: '2027-04-14' }]
    expect(write({ before: custom, terms: short })).toEqual(['monthly', true, 4])
    // A different deposit, or a date that has passed, does not matter.
    const late = { ...buildTerms({ depositCents: 0 }), today: '2026-12-01' }
    expect(
      told(writePlan({ before: custom, choice: null, settings, terms: late }).plan?.installments ?? []),
    ).toEqual([
      ['Payment 1 of 2', 2400_00, null],
      ['Payment 2 of 2', 3000_00, '2027-04-15'],
    ])
  })

  test('replaces a custom plan by a newly chosen one without reporting it [PLAN-05, PLAN-18]', () => {
    expect(write({ before: custom, chosen: 'monthly' })).toEqual(['monthly', false, 4])
    expect(write({ before: custom, chosen: 'off' })).toEqual([null, false, null])
  })

  test('uses the late fee of the settings', () => {
    const lateFee = { kind: 'percent' as const, cents: 0, basisPoints: 500, graceDays: 3 }
    expect(
      writePlan({ before: custom, choice: null, terms, settings: { ...settings, lateFee } }).plan?.lateFee,
    ).toEqual(lateFee)
    expect(writePlan({ before: null, choice: null, terms, settings }).plan?.lateFee).toBeNull()
  })

  test('keeps the invariants of every plan, for any terms [PLAN-07, PLAN-18]', () => {
    fc.assert(
      fc.property(
        anyTerms,
        anyTerms,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }),
        (one, other, cuts) => {
          const { totalCents } = leaseTotals(one.charges)
          const marks = [
            0,
            ...cuts.map(cut => Math.floor(totalCents * cut)).toSorted((a, b) => a - b),
            totalCents,
          ]
          const rows = marks.slice(1).map((mark, i) => ({
            amountCents: mark - (marks[i] ?? 0),
            dueDate: i === 0 ? null : addDays(one.end, -i),
          }))
          const before = { kind: 'custom' as const, installments: customInstallments(rows, one) }
          checkInstallments(before.installments, one)
          const fits =
            totalCents === leaseTotals(other.charges).totalCents &&
            before.installments.every(({ dueDate }) => dueDate === null || dueDate <= other.end)
          const { plan, replaced } = writePlan({ before, choice: null, settings, terms: other })
          expect([plan?.kind, replaced]).toEqual(fits ? ['custom', false] : ['monthly', true])
          checkInstallments(plan?.installments ?? [], other)
        },
      ),
    )
  })
})

test('rounds a share of a large amount down exactly [PLAN-09, PLAN-12]', () => {
  // With floating point, the first would be a cent off in one direction, the second in the other.
  expect(shareOf(35_999_999_010, 2_400_000_001, 36_000_000_000)).toBe(2_399_999_934)
  expect(shareOf(30_000_000_127, 30_000_000_139, 30_000_000_140)).toBe(30_000_000_126)
})

test('what is due at or before signing is due on the day of signing [PLAN-20]', () => {
  const on = (dueDate: string | null, signedOn: string | null) => dueDateOf({ dueDate }, signedOn)
  expect([on(null, null), on('2026-12-01', null)]).toEqual([null, '2026-12-01'])
  expect(on(null, '2026-12-05')).toBe('2026-12-05')
  expect(on('2026-12-04', '2026-12-05')).toBe('2026-12-05')
  expect(on('2026-12-05', '2026-12-05')).toBe('2026-12-05')
  expect(on('2026-12-06', '2026-12-05')).toBe('2026-12-06')
})

describe('scaling a plan', () => {
  const lateFee = { kind: 'fixed' as const, cents: 50_00, basisPoints: 0, graceDays: 3 }

  test('adds up to the new total, keeps kind, late fee and dates, and shifts no cents when a change is undone [PLAN-18]', () => {
    const cents = fc.integer({ min: 0, max: 9_000_00 })
    const kind = fc.constantFrom(...generatedKinds)
    fc.assert(
      fc.property(kind, cents, cents, (kind, feeCents, otherCents) => {
        const [terms, other] = [buildTerms({ feeCents }), buildTerms({ feeCents: otherCents })]
        const first = { kind, lateFee, installments: makeInstallments(kind, terms, settings) }
        const there = scalePlan(first, other)
        expect(there).toMatchObject({ kind, lateFee })
        expect(there.installments.map(({ dueDate, label }) => [label, dueDate])).toEqual(
          first.installments.map(({ dueDate, label }) => [label, dueDate]),
        )
        expect(leaseTotals(there.installments.map(row => ({ ...row, kind: 'rent' }))).totalCents).toBe(
          leaseTotals(other.charges).totalCents + 500_00,
        )
        const back = scalePlan(there, terms)
        if (otherCents >= feeCents) expect(back).toEqual(first)
        expect(scalePlan(scalePlan(back, other), terms)).toEqual(back)
      }),
    )
  })

  test('if every payment was waived, the whole total is due at signing [PLAN-18]', () => {
    const terms = buildTerms({ depositCents: 0 })
    const installments = makeInstallments('full', terms, settings).map(row => ({ ...row, amountCents: 0 }))
    const waived = { kind: 'full' as const, lateFee, installments }
    expect(told(scalePlan(waived, terms).installments)).toEqual([['Payment', 5400_00, null]])
    const nothing = buildTerms({ depositCents: 0, monthlyRentCents: 0 })
    expect(scalePlan(waived, nothing).installments).toEqual([])
  })
})

const base = { position: 1, kind: 'lease', chargeId: null, dueDate: null } as const
const installments: NewInstallment[] = [
  { ...base, kind: 'deposit', position: 0, label: 'Security deposit', amountCents: 500_00 },
  { ...base, label: 'Payment 1 of 2', amountCents: 600_00 },
  { ...base, position: 2, label: 'Payment 2 of 2', amountCents: 1800_00, dueDate: '2026-12-01' },
]
const fixed: LateFee = { kind: 'fixed', cents: 50_00, basisPoints: 0, graceDays: 3 }
const passed = 'A date that has passed when this Agreement is first signed means the day of that signature.'

test('the lease prints a line for each payment, and what a passed date means [PLAN-13]', () => {
  expect(scheduleText(installments, null)).toBe(
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
  const last = (lateFee: LateFee) => scheduleText(installments, lateFee).split('\n').slice(-2)
  expect(last(fixed)).toEqual([
    passed,
    'If a payment is more than 3 days late, the Landlord may charge a late fee of $50.00, once for each payment.',
  ])
  expect(last({ ...fixed, kind: 'percent', basisPoints: 550, graceDays: 1 })[1]).toBe(
    'If a payment is more than 1 day late, the Landlord may charge a late fee of 5.5% of what is still open, once for each payment.',
  )
})

test('later charges are not printed, and without payments the text is empty [PLAN-13]', () => {
  const later: NewInstallment = { ...base, kind: 'charge', chargeId: 'c', label: 'Damage', amountCents: 1 }
  expect(scheduleText([...installments, later], null)).toBe(scheduleText(installments, null))
  expect(scheduleText([later], fixed)).toBe('')
})
