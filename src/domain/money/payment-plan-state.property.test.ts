import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '../common/errors.ts'
import { balance, depositCreditedCents, type LedgerRow, type PaymentType, stateOfPaid } from './ledger.ts'
import {
  chosenPayments,
  offersOf,
  type PaymentChoice,
  type PaymentChoices,
  paymentsOfBoth,
} from './payment-choices.ts'
import type { Installment, NewInstallment } from './payment-plan.ts'
import { postpone, waive } from './payment-plan-change.ts'
import { type PlanCharge, planMismatchCents, syncChargeInstallments } from './payment-plan-charges.ts'
import {
  depositAndRent,
  inPlanOrder,
  openAmounts,
  type PlanInstallment,
  planInstallments,
  planMoney,
  planPay,
  planTotals,
} from './payment-plan-state.ts'

const today = '2026-12-15'
const signedOn = '2026-12-01'
const at = '2026-12-15T12:00:00.000Z'

/** A payment with what refunds sent back and disputes took; each may be more than the payment. */
type Paid = LedgerRow & { sentBack: number; withheld: number; lost: number }

/** A site with a signed plan. Amounts are a few cents, so that sums are often equal. */
class World {
  rows: Paid[] = []
  charges: PlanCharge[] = []
  live: Installment[] = []
  /** For each waiver, the waived charge; null for the lease. */
  waivers = new Map<string, string | null>()
  ids = 0

  constructor(depositCents: number, payments: number[]) {
    this.addCharge({ kind: 'deposit', source: 'lease', amountCents: depositCents })
    this.addCharge({
      kind: 'rent',
      source: 'lease',
      amountCents: payments.reduce((sum, cents) => sum + cents, 0),
    })
    const lease = { kind: 'lease' as const, chargeId: null }
    if (depositCents > 0)
      this.addRow({
        ...lease,
        kind: 'deposit',
        position: 0,
        label: 'D',
        amountCents: depositCents,
        dueDate: null,
      })
    payments.forEach((amountCents, i) => {
      const dueDate = i === 0 ? null : `2026-12-${10 + 3 * i}`
      this.addRow({ ...lease, position: i + 1, label: `P${i + 1}`, amountCents, dueDate })
    })
  }

  addCharge(change: Partial<PlanCharge>) {
    const id = `c${++this.ids}`
    const empty = {
      kind: 'fee' as const,
      source: 'owner' as const,
      label: id,
      amountCents: 1,
      taxRuleId: null,
    }
    this.charges.push({ ...empty, addedOn: today, voidedAt: null, ...change, id })
    return id
  }

  addRow(row: NewInstallment & { waivedAt?: string | null }) {
    this.live.push({ waivedAt: null, ...row, id: `i${++this.ids}`, createdAt: at })
  }

  sync() {
    const { added, supersededIds } = syncChargeInstallments(this.live, this.charges, today)
    this.live = this.live.filter(({ id }) => !supersededIds.includes(id))
    for (const row of added) this.addRow(row)
  }

  /** The charges and installments, without the payments. */
  terms() {
    const { charges, live, waivers } = this
    return structuredClone({ charges, live, waivers })
  }

  get owedCents() {
    return sum(this.charges.filter(isStanding))
  }

  get depositCents() {
    return sum(this.charges.filter(charge => isStanding(charge) && charge.kind === 'deposit'))
  }

  /** The plan as the service computes it, with rows and installments in any order. */
  plan(rows: readonly LedgerRow[] = this.rows, live = this.live): PlanInstallment[] {
    const { depositCents, owedCents } = this
    return planInstallments(live, planMoney({ owedCents, depositCents, rows }), { today, signedOn })
  }
}

const isStanding = ({ voidedAt }: { voidedAt: string | null }) => voidedAt === null
const sum = (items: readonly { amountCents: number }[]) =>
  items.reduce((total, { amountCents }) => total + amountCents, 0)

type Allocation = { paid: number; coming: number }
/**
 * An independent implementation of the plan that allocates single cents from funds instead of using the ledger's sums:
 * one fund for the deposit, one for other money, and one each for processing payments. Each cent goes to the first
 * installment with room for it.
 */
function naivePlan({ charges, live, rows }: World): Map<string, Allocation> {
  const funds = { deposit: 0, other: 0, comingDeposit: 0, comingOther: 0 }
  let returned = 0
  for (const row of rows) {
    if (row.voidedAt) continue
    const isDeposit = row.type === 'deposit' || row.type === 'deposit_transfer'
    if (row.status === 'processing')
      funds[row.type === 'deposit' ? 'comingDeposit' : 'comingOther'] += row.amountCents
    if (row.status === 'processing' || row.status === 'failed') continue
    if (row.type === 'deduction') continue
    const sent = Math.min(row.sentBack, Math.max(0, row.amountCents))
    const kept = Math.min(row.withheld + row.lost, Math.max(0, row.amountCents) - sent)
    if (row.type === 'deposit_return') returned += -row.amountCents
    else if (isDeposit) {
      // Money that a dispute took counts as never paid; a returned deposit was paid and is not owed again.
      funds.deposit += row.amountCents - kept
      returned += sent
    } else funds.other += row.amountCents - sent - kept
  }
  const asked = sum(charges.filter(charge => isStanding(charge) && charge.kind === 'deposit'))
  // If more left the deposit than was credited or is there, the rest came from other money.
  if (funds.deposit < 0) {
    funds.other += funds.deposit
    funds.deposit = 0
  }
  // A deposit that was returned and then lost in a dispute is due again, once.
  funds.other -= Math.max(0, returned - Math.max(asked, funds.deposit))
  // A deposit above what is owed counts as other money, unless it was returned.
  const surplus = Math.max(0, funds.deposit - asked)
  funds.other += Math.max(0, surplus - returned)
  funds.deposit -= surplus
  for (const charge of charges) {
    const isWaiver = charge.source === 'plan' && charge.kind === 'adjustment'
    if (charge.amountCents > 0 || !isStanding(charge) || charge.source === 'lease' || isWaiver) continue
    funds[charge.kind === 'deposit' ? 'deposit' : 'other'] += -charge.amountCents
  }
  while (funds.other < 0 && funds.deposit > 0) {
    funds.other++
    funds.deposit--
  }
  const rowsInOrder = live.toSorted(inPlanOrder).map(row => ({ ...row, paid: 0, coming: 0 }))
  const first = (isDeposit: boolean) =>
    rowsInOrder.find(row => (row.kind === 'deposit') === isDeposit && row.paid + row.coming < row.amountCents)
  if (funds.other < 0) {
    const others = rowsInOrder.filter(({ kind }) => kind !== 'deposit')
    const row = others.find(({ amountCents }) => amountCents > 0) ?? others[0] ?? rowsInOrder[0]
    if (row) row.paid = funds.other
  }
  const allocate = (count: number, isDeposit: boolean, into: 'paid' | 'coming') => {
    for (let cent = 0; cent < count; cent++) {
      const row = first(isDeposit) ?? first(!isDeposit)
      if (row) row[into]++
    }
  }
  allocate(funds.deposit, true, 'paid')
  allocate(funds.other, false, 'paid')
  allocate(funds.comingDeposit, true, 'coming')
  allocate(funds.comingOther, false, 'coming')
  return new Map(rowsInOrder.map(({ coming, id, paid }) => [id, { paid, coming }]))
}

type Step =
  | { do: 'pay' | 'begin'; type: PaymentType; cents: number }
  | {
      do: 'arrive' | 'fail' | 'void' | 'win' | 'lose' | 'back' | 'waive' | 'voidCharge'
      which: number
    }
  | { do: 'refund' | 'dispute' | 'postpone'; which: number; cents: number }
  | { do: 'charge'; kind: 'fee' | 'discount' | 'deposit' | 'late_fee'; cents: number }
  | { do: 'lowerDeposit' | 'tax'; cents: number }
const cents = fc.integer({ min: 1, max: 40 })
const which = fc.nat(30)
const received = fc.constantFrom<PaymentType>(
  'deposit',
  'rent',
  'rent',
  'other',
  'admin_transfer',
  'deposit_transfer',
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('pay' as const), type: received, cents }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      type: fc.constantFrom<PaymentType>(
        'refund',
        'deposit_return',
        'deduction',
        'admin_transfer',
        'deposit_transfer',
      ),
      cents: cents.map(most => -most),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('begin' as const),
      type: fc.constantFrom<PaymentType>('rent', 'deposit'),
      cents,
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constantFrom('arrive', 'fail', 'void', 'win', 'lose', 'back', 'waive', 'voidCharge'),
      which,
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom('refund', 'dispute', 'postpone'), which, cents }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('charge' as const),
      kind: fc.constantFrom('fee', 'discount', 'deposit', 'late_fee'),
      cents,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lowerDeposit' as const), cents }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('tax' as const), cents: fc.integer({ min: 0, max: 40 }) }),
  },
)

const payment = (type: PaymentType, amountCents: number, status: LedgerRow['status']): Paid => ({
  type,
  method: 'card',
  status,
  amountCents,
  feeCents: 0,
  refundedAmountCents: 0,
  refundedFeeCents: 0,
  lostAmountCents: 0,
  paidAt: at,
  voidedAt: null,
  sentBack: 0,
  withheld: 0,
  lost: 0,
})

/** Sets the sums of a received payment, as the service does after each refund and dispute. */
function settle(row: Paid, change: Partial<Pick<Paid, 'sentBack' | 'withheld' | 'lost'>>) {
  Object.assign(row, change)
  const { lost: lostCents, sentBack: refundedTotalCents, withheld: withheldCents } = row
  const state = stateOfPaid(row, { refundedTotalCents, withheldCents, lostCents })
  row.status = state.status
  row.refundedAmountCents = state.refunded.amountCents
  row.lostAmountCents = state.lostAmountCents
}

/** Applies a step to one of the existing items; what the plan rejects changes nothing. */
function act(world: World, step: Step) {
  const pick = <T>(items: T[], at: number): T | undefined => items[at % Math.max(1, items.length)]
  const rowOf = (test: (row: Paid) => boolean) =>
    'which' in step
      ? pick(
          world.rows.filter(row => !row.voidedAt && test(row)),
          step.which,
        )
      : undefined
  const change = (row: LedgerRow | undefined, to: Partial<LedgerRow>) => row && Object.assign(row, to)
  const isHere = ({ amountCents, status }: LedgerRow) => status === 'succeeded' && amountCents > 0
  if (step.do === 'pay') world.rows.push(payment(step.type, step.cents, 'succeeded'))
  if (step.do === 'begin') world.rows.push(payment(step.type, step.cents, 'processing'))
  if (step.do === 'arrive')
    change(
      rowOf(({ status }) => status === 'processing'),
      { status: 'succeeded' },
    )
  if (step.do === 'fail')
    change(
      rowOf(({ status }) => status === 'processing'),
      { status: 'failed' },
    )
  if (step.do === 'void')
    change(
      rowOf(() => true),
      { voidedAt: at },
    )
  if (step.do === 'win' || step.do === 'lose') {
    const row = rowOf(({ withheld }) => withheld > 0)
    if (row) settle(row, { withheld: 0, lost: row.lost + (step.do === 'lose' ? row.withheld : 0) })
  }
  if (step.do === 'dispute' || step.do === 'refund') {
    const row = rowOf(isHere)
    if (!row) return
    const left = row.amountCents - row.refundedAmountCents
    if (step.do === 'refund') settle(row, { sentBack: row.sentBack + Math.min(left, step.cents) })
    else settle(row, { withheld: row.withheld + step.cents })
  }
  if (step.do === 'back') {
    const row = rowOf(({ sentBack }) => sentBack > 0)
    if (row) settle(row, { sentBack: 0 })
  }
  if (step.do === 'charge') {
    world.addCharge({ kind: step.kind, amountCents: step.kind === 'discount' ? -step.cents : step.cents })
    world.sync()
  }
  if (step.do === 'lowerDeposit' && step.cents <= world.depositCents)
    world.addCharge({ kind: 'deposit', source: 'addendum', amountCents: -step.cents })
  if (step.do === 'tax') writeTax(world, step.cents)
  if (step.do === 'voidCharge') voidCharge(world, pick(world.charges.filter(isLater), step.which))
  if (step.do === 'waive' || step.do === 'postpone') changeInstallment(world, step)
}

const isLater = ({ kind, source, voidedAt }: PlanCharge) =>
  source === 'owner' && kind !== 'tax' && voidedAt === null

/** Rewrites the tax on later charges; 0 removes it. Does not try taxes below the waived amount. */
function writeTax(world: World, amountCents: number) {
  const before = world.charges.find(charge => charge.kind === 'tax' && isStanding(charge))
  if (before && amountCents === 0) return voidCharge(world, before)
  if (amountCents === 0) return
  const ofTax = [...world.waivers].filter(([, chargeId]) => before && chargeId === before.id)
  const waived = world.charges.filter(({ id }) => ofTax.some(([waiver]) => waiver === id))
  if (-sum(waived.filter(isStanding)) > amountCents) return
  if (before) before.voidedAt = at
  const id = world.addCharge({ kind: 'tax', taxRuleId: 't', amountCents })
  for (const [waiver] of ofTax) world.waivers.set(waiver, id)
  const dates = before && world.live.filter(row => row.chargeId === before.id).map(({ dueDate }) => dueDate)
  world.sync()
  const now = world.live.filter(row => row.chargeId === id).map(({ dueDate }) => dueDate)
  expect(now.filter(date => dates && !dates.includes(date))).toEqual([])
}

function voidCharge(world: World, charge: PlanCharge | undefined) {
  // A deposit lowered by an addendum must not become negative.
  if (!charge || (charge.kind === 'deposit' && charge.amountCents > world.depositCents)) return
  charge.voidedAt = at
  for (const [id, chargeId] of world.waivers)
    if (chargeId === charge.id)
      Object.assign(world.charges.find(one => one.id === id) ?? {}, { voidedAt: at })
  world.sync()
}

function changeInstallment(world: World, step: Extract<Step, { which: number }>) {
  const before = world.plan()
  const row = before[step.which % Math.max(1, before.length)]
  if (!row) return
  try {
    if (step.do === 'waive') {
      const { amountCents, charge } = waive(row)
      world.live = world.live.map(one => (one.id === row.id ? { ...one, amountCents, waivedAt: at } : one))
      world.waivers.set(world.addCharge({ ...charge, source: 'plan' }), row.chargeId)
    } else if ('cents' in step) {
      const parts = postpone(
        row,
        { dueDate: `2027-0${1 + (step.cents % 9)}-05`, amountCents: step.cents },
        today,
      )
      world.live = world.live.filter(({ id }) => id !== row.id)
      for (const part of parts) world.addRow(part)
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return
  }
  // The other installments keep their money, except what was returned beyond what was paid.
  if (before.some(({ paidCents }) => paidCents < 0)) return
  const after = new Map(world.plan().map(one => [one.id, one]))
  for (const one of before)
    if (one.id !== row.id)
      expect(after.get(one.id)).toMatchObject({ paidCents: one.paidCents, onItsWayCents: one.onItsWayCents })
}

function check(world: World) {
  const plan = world.plan()
  const naive = naivePlan(world)
  const { depositCents, live, owedCents, rows } = world
  const { balanceCents } = balance({ owedCents, depositCents, rows })
  expect(
    plan.map(({ id, onItsWayCents, paidCents }) => [id, { paid: paidCents, coming: onItsWayCents }]),
  ).toEqual(plan.map(({ id }) => [id, naive.get(id)]))
  // The parts add up, open plus processing equals the balance, and only what is owed beyond the plan is negative.
  const beyondCents = Math.max(0, balanceCents - sum(live))
  expect(plan.filter(({ paidCents }) => paidCents < 0).map(({ paidCents }) => -paidCents)).toEqual(
    beyondCents > 0 && live.length > 0 ? [beyondCents] : [],
  )
  for (const { amountCents, onItsWayCents, openCents, paidCents } of plan) {
    expect(Math.min(openCents, onItsWayCents)).toBeGreaterThanOrEqual(0)
    expect(paidCents + onItsWayCents + openCents).toBe(amountCents)
  }
  expect(planMismatchCents(live, world.charges)).toBe(0)
  const totals = planTotals(plan)
  expect(totals.openCents + totals.onItsWayCents).toBe(live.length > 0 ? Math.max(0, balanceCents) : 0)
  const deposits = plan.filter(({ kind }) => kind === 'deposit')
  const depositOpen = deposits.reduce((total, { openCents }) => total + openCents, 0)
  const money = planMoney({ owedCents, depositCents, rows })
  const pay = planPay(plan, money)
  const depositToPay = pay.depositMaxCents
  expect(depositToPay).toBeLessThanOrEqual(depositOpen)
  expect(pay.otherMaxCents).toBeGreaterThanOrEqual(0)
  expect(pay.otherMaxCents).toBe(Math.min(totals.openCents - depositToPay, openAmounts(money).rentCents))
  // All that is open can be paid.
  if (totals.onItsWayCents === 0) expect(pay.otherMaxCents + depositToPay).toBe(totals.openCents)
  if (pay.otherMaxCents + depositToPay === totals.openCents)
    expect(pay.next?.instalmentId).toBe(plan.find(({ openCents }) => openCents > 0)?.id)
  // The deposit's installments contain what was credited to the deposit, unless other money fell short.
  const filled = deposits.reduce((total, { paidCents }) => total + paidCents, 0)
  if (totals.paidCents >= depositCents)
    expect(filled).toBeGreaterThanOrEqual(Math.min(depositCents, depositCreditedCents(rows)))
}

const world = fc.record({
  depositCents: fc.integer({ min: 0, max: 30 }),
  payments: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 5 }),
})

test('any interleaving of payments, charges, postponing and waiving matches an independent cent-by-cent model, also below zero [PLAN-22, PLAN-23, PLAN-24, PLAN-26, PLAN-28, PLAN-29]', () => {
  fc.assert(
    fc.property(world, fc.array(step, { maxLength: 40 }), ({ depositCents, payments }, steps) => {
      const site = new World(depositCents, payments)
      check(site)
      for (const step of steps) {
        const before = site.terms()
        act(site, step)
        // A negative total is rejected and changes nothing.
        if (site.owedCents < 0) Object.assign(site, before)
        check(site)
      }
    }),
    { numRuns: 400 },
  )
}, 60_000)

/** Converts the world's cents to dollars, so that offers are not below the minimum payment. */
function inDollars({ depositCents, live, owedCents, rows }: World, offered: readonly PaymentChoice[]) {
  const all = rows.map(row => ({
    ...row,
    amountCents: row.amountCents * 100,
    refundedAmountCents: row.refundedAmountCents * 100,
    lostAmountCents: row.lostAmountCents * 100,
  }))
  for (const { amountCents, paymentType } of offered) all.push(payment(paymentType, amountCents, 'succeeded'))
  const terms = { owedCents: owedCents * 100, depositCents: depositCents * 100 }
  const arrived = all.map(row =>
    row.status === 'processing' ? { ...row, status: 'succeeded' as const } : row,
  )
  return {
    live: live.map(row => ({ ...row, amountCents: row.amountCents * 100 })),
    money: planMoney({ ...terms, rows: all }),
    /** After all processing payments have arrived. */
    arrived: planMoney({ ...terms, rows: arrived }),
    depositOverpaidCents: Math.max(0, depositCreditedCents(arrived) - terms.depositCents),
  }
}
type Dollars = ReturnType<typeof inDollars>

function offersOfPlan({ live, money }: Dollars): PaymentChoices[] {
  const installments = planInstallments(live, money, { today, signedOn })
  const plan = { instalments: installments, pay: planPay(installments, money) }
  return offersOf(plan).map(({ value }) => chosenPayments(plan, value, plan.pay.otherMaxCents))
}

function offersWithoutPlan({ money }: Dollars): PaymentChoices[] {
  const open = openAmounts(money)
  const both = depositAndRent(open)
  const each = paymentsOfBoth(open).filter(({ amountCents }) => amountCents > 0)
  return [...(both ? [paymentsOfBoth(both)] : []), ...each.map((payment): PaymentChoices => [payment])]
}

test.each([
  ['a plan', offersOfPlan],
  ['no plan', offersWithoutPlan],
])(
  'with %s what is chosen from the offers never overpays deposit or rent [LOOK-36, LOOK-37, LOOK-80]',
  (_, offersIn) => {
    const choices = fc.array(fc.nat(10), { minLength: 8, maxLength: 8 })
    fc.assert(
      fc.property(world, fc.array(step, { maxLength: 30 }), choices, (some, steps, choices) => {
        const site = new World(some.depositCents, some.payments)
        for (const step of steps) {
          const before = site.terms()
          act(site, step)
          if (site.owedCents < 0) Object.assign(site, before)
        }
        const paid: PaymentChoice[] = []
        for (const choice of choices) {
          const before = inDollars(site, paid)
          const offers = offersIn(before)
          const offer = offers[choice % Math.max(1, offers.length)]
          if (!offer) break
          paid.push(...offer)
          const after = inDollars(site, paid)
          expect(after.arrived.balanceCents).toBeGreaterThanOrEqual(0)
          expect(after.depositOverpaidCents).toBe(before.depositOverpaidCents)
          // Rent never uses money that the deposit still needs.
          const { balanceCents, depositDueCents } = before.arrived
          if (offer.every(({ paymentType }) => paymentType === 'rent'))
            expect(after.arrived.balanceCents).toBeGreaterThanOrEqual(Math.min(balanceCents, depositDueCents))
        }
      }),
      { numRuns: 400 },
    )
  },
)

test('the order of payments and refunds, and the order of rows, do not matter [PLAN-23]', () => {
  const events = fc.array(
    fc.record({
      row: fc.record({ type: received, cents }),
      fate: fc.constantFrom('stays', 'void', 'refund', 'dispute', 'disputePart', 'lose', 'losePart', 'fail'),
    }),
    { maxLength: 12 },
  )
  const shuffled = events.chain(all =>
    fc.record({
      all: fc.constant(all),
      order: fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }),
    }),
  )
  /** Either all payments are made before their outcomes, or each outcome follows its payment. */
  const play = (
    some: { depositCents: number; payments: number[] },
    all: readonly { row: { type: PaymentType; cents: number }; fate: string }[],
    isLate: boolean,
  ) => {
    const site = new World(some.depositCents, some.payments)
    const goes: (() => void)[] = []
    for (const {
      fate,
      row: { cents, type },
    } of all) {
      const row = payment(type, cents, 'processing')
      site.rows.push(row)
      const half = Math.ceil(cents / 2)
      const fates: Record<string, () => unknown> = {
        void: () => Object.assign(row, { voidedAt: at }),
        refund: () => settle(row, { sentBack: half }),
        dispute: () => settle(row, { withheld: cents }),
        disputePart: () => settle(row, { withheld: half }),
        lose: () => settle(row, { lost: cents }),
        losePart: () => settle(row, { lost: half }),
        fail: () => Object.assign(row, { status: 'failed' }),
      }
      const go = () => {
        row.status = 'succeeded'
        fates[fate]?.()
      }
      if (isLate) goes.push(go)
      else go()
      site.plan()
    }
    for (const go of goes.toReversed()) go()
    return site.plan(site.rows.toReversed(), site.live.toReversed())
  }
  fc.assert(
    fc.property(world, shuffled, (some, { all, order }) => {
      const wanted = play(some, all, false)
      expect(play(some, order, false)).toEqual(wanted)
      expect(play(some, order, true)).toEqual(wanted)
    }),
    { numRuns: 300 },
  )
})
