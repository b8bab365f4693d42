import { compare } from '../common/compare.ts'
import type { CalendarDate } from '../common/dates.ts'
import {
  type BookRow,
  type DepositFlow,
  depositFlows,
  incomeKeys,
  keysOf,
  type lineLabels,
  type MovementWhat,
  type TaxFlow,
  taxFlows,
} from './book-lines.ts'
import { type Bill, change, giveBack, newBill, receive } from './book-split.ts'
import type { ChargeKind } from './charge.ts'
import { type PaymentType, type ProviderMethod, shareRefund } from './ledger.ts'

// The yearly books: what happened becomes movements, and every figure of every table is a sum of movements.

/** The key of a tax's line, such as `taxes.{taxRuleId}.collected`. */
export type TaxLine = `taxes.${string}.${TaxFlow | 'taxable'}`
/** The lines of the three tables, then what only the tax report and the bridge to the 1099-K add up. */
export type BookLine =
  | (typeof incomeKeys)[number]
  | 'providerFees'
  | `deposits.${DepositFlow}`
  | TaxLine
  | 'gross'
  | 'cardDeposits'
  | 'notCard'
  | 'taxesMoved'

/** A charge, voided ones too. Cents; `since` is null where it counts from the start. */
export type BookCharge = {
  id: string
  kind: ChargeKind
  taxRuleId: string | null
  amountCents: number
  baseCents: number | null
  since: string | null
  voidedAt: string | null
  /** When it was voided by a cancellation, and stood again because the stay was reinstated. */
  pauses: readonly { from: string; until: string }[]
}

/** Money that went back at the provider, of the total charged. */
export type BookReturn = { at: string; what: 'refund' | 'dispute'; totalCents: number }

/** A ledger row whose money has moved, without voided ones. Times are UTC ISO timestamps, amounts cents. */
export type BookPayment = {
  id: string
  type: PaymentType
  providerMethod: ProviderMethod | null
  amountCents: number
  feeCents: number
  /** What the provider kept; 0 on all rows of a checkout but one. */
  providerFeeCents: number
  paysBill: boolean
  paidAt: string
  /** Refunds and lost disputes. */
  returns: readonly BookReturn[]
  /** When the payer's bank took all of it back. */
  returnedAt: string | null
}

/** The charges and payments of one application, also a deleted one. */
export type BookAccount = { charges: readonly BookCharge[]; payments: readonly BookPayment[] }

/** What one event adds to a line. */
export type Movement = {
  at: string
  line: BookLine
  cents: number
  what: MovementWhat
  paymentId: string | null
}

/** How money of the bill changes the lines: it comes in, moves within, is kept of a deposit, or goes back (BOOK-05 to -08). */
type BillWay = 'in' | 'moved' | 'kept' | 'back'

type BookEvent = Pick<Movement, 'at' | 'what' | 'paymentId'> & { rank: number; apply: (add: Add) => void }
type Add = (line: BookLine, cents: number) => void

/**
 * What the charges and payments of an application add to the books, in order of time; within one second charges, money
 * in, what is kept, money out (BOOK-01).
 * @param taxRuleIds all tax rules in the order they were made
 */
export function accountMovements(account: BookAccount, taxRuleIds: readonly string[]): Movement[] {
  const state = accountState(account, taxRuleIds)
  const events = [
    ...chargeEvents(account, state),
    ...account.payments.flatMap(payment => paymentEvents(payment, state)),
  ]
  return events
    .map(event => ({ event, second: secondOf(event.at) }))
    .sort(
      (a, b) => compare(a.second, b.second) || a.event.rank - b.event.rank || compare(a.event.at, b.event.at),
    )
    .flatMap(({ event: { apply, at, paymentId, what } }) => {
      const sums = new Map<BookLine, number>()
      apply((line, cents) => sums.set(line, (sums.get(line) ?? 0) + cents))
      return [...sums].flatMap(([line, cents]) => (cents === 0 ? [] : [{ at, line, cents, what, paymentId }]))
    })
}

type AccountState = ReturnType<typeof accountState>

function accountState({ charges }: BookAccount, taxRuleIds: readonly string[]) {
  const ruleIds = taxRuleIds.filter(id => charges.some(({ taxRuleId }) => taxRuleId === id))
  const bill = newBill(2 + ruleIds.length)
  const active = new Set<BookCharge>()
  /** The base of each tax, and what of it is taxed by what was received (BOOK-15). */
  const taxed = ruleIds.map(() => ({ baseCents: 0, taxableCents: 0 }))
  let deposit = 0
  let short = 0

  /** The first part is rent, then fees, then the taxes. */
  const partOf = ({ kind, taxRuleId }: BookCharge) => {
    if (kind === 'tax' && taxRuleId !== null) return 2 + ruleIds.indexOf(taxRuleId)
    return kind === 'rent' || kind === 'discount' || kind === 'adjustment' ? 0 : 1
  }
  const billChange = (add: Add, way: BillWay, run: (bill: Bill) => void) => {
    const { advance, received } = bill
    run(bill)
    const [rent = 0, fees = 0, ...taxes] = bill.received.map((cents, k) => cents - (received[k] ?? 0))
    const rentAndAdvance = rent + bill.advance - advance
    add('gross', rentAndAdvance + fees)
    if (way === 'kept') add('keptDeposits', rentAndAdvance + fees)
    else if (way === 'back') add('refunds', rentAndAdvance + fees)
    else {
      add('rent', rentAndAdvance)
      add('fees', fees)
    }
    for (const [k, cents] of taxes.entries()) {
      const ruleId = ruleIds[k] ?? ''
      add(`taxes.${ruleId}.${cents > 0 ? 'collected' : 'givenBack'}`, Math.abs(cents))
      if (cents < 0 && way !== 'back') add('taxesMoved', -cents)
      addTaxable(add, ruleId, k)
    }
  }
  const addTaxable = (add: Add, ruleId: string, k: number) => {
    const [owed = 0, received = 0, tax] = [bill.owed[2 + k], bill.received[2 + k], taxed[k]]
    if (!tax) return
    const taxableCents = owed === 0 ? 0 : Number((BigInt(received) * BigInt(tax.baseCents)) / BigInt(owed))
    add(`taxes.${ruleId}.taxable`, taxableCents - tax.taxableCents)
    tax.taxableCents = taxableCents
  }
  return {
    charge(add: Add, { made, voided }: ChargeChange) {
      for (const charge of made) active.add(charge)
      for (const charge of voided) active.delete(charge)
      const amounts = bill.owed.map(() => 0)
      for (const tax of taxed) tax.baseCents = 0
      for (const each of active) {
        const part = partOf(each)
        amounts[part] = (amounts[part] ?? 0) + each.amountCents
        const tax = taxed[part - 2]
        if (tax) tax.baseCents += each.baseCents ?? 0
      }
      billChange(add, 'moved', () => change(bill, amounts))
    },
    /** Money of the bill; below 0 it goes out. */
    billed(add: Add, way: BillWay, cents: number) {
      billChange(add, way, () => (cents < 0 ? giveBack(bill, -cents) : receive(bill, cents)))
    },
    /** Money of the deposit; where more goes out than is held, the rest is short (BOOK-07, BOOK-09). */
    deposit(add: Add, flow: DepositFlow, cents: number) {
      add(`deposits.${flow}`, flow === 'received' || flow === 'moved' ? cents : -cents)
      deposit += cents
      const shortNow = Math.max(0, -deposit)
      add('deposits.returned', short - shortNow)
      add('refunds', short - shortNow)
      short = shortNow
    },
  }
}

const secondOf = (at: string) => at.slice(0, 19)

type ChargeChange = { made: BookCharge[]; voided: BookCharge[] }

/** One event for all that changed within a second, as when a tax is voided and made anew. */
function chargeEvents({ charges }: BookAccount, state: AccountState): BookEvent[] {
  const changes = new Map<string, ChargeChange & { at: string }>()
  const changeAt = (at: string) => {
    const known = changes.get(secondOf(at)) ?? { at, made: [], voided: [] }
    changes.set(secondOf(at), known)
    return known
  }
  for (const charge of charges) {
    const { kind, pauses, since, voidedAt } = charge
    const [start, end] = [secondOf(since ?? ''), secondOf(voidedAt ?? '~')]
    // If the clock was set back, an end can be dated before its start; such a period is ignored.
    if (kind === 'deposit' || start > end) continue
    changeAt(since ?? '').made.push(charge)
    for (const { from, until } of pauses) {
      if (secondOf(from) >= secondOf(until)) continue
      changeAt(from).voided.push(charge)
      if (secondOf(until) <= end) changeAt(until).made.push(charge)
    }
    if (voidedAt !== null) changeAt(voidedAt).voided.push(charge)
  }
  return [...changes.values()].map(({ at, ...change }) => ({
    at,
    rank: 0,
    what: 'charge',
    paymentId: null,
    apply: add => state.charge(add, change),
  }))
}

const [moneyIn, keptRank, moneyOut] = [1, 2, 3]

function paymentEvents(payment: BookPayment, state: AccountState): BookEvent[] {
  const { amountCents, feeCents, id, paidAt, providerFeeCents, returnedAt, returns, type } = payment
  const isOut = amountCents < 0
  const at = (moment: string, what: MovementWhat, rank: number, apply: BookEvent['apply']): BookEvent => ({
    at: moment,
    rank,
    what,
    paymentId: id,
    apply,
  })
  if (type === 'admin_transfer' || type === 'deposit_transfer')
    return [
      at(paidAt, 'transfer', isOut ? moneyOut : moneyIn, add => {
        if (type === 'deposit_transfer') return state.deposit(add, 'moved', amountCents)
        state.billed(add, 'moved', amountCents)
        add('notCard', amountCents)
      }),
    ]
  if (type === 'deduction')
    return [
      at(paidAt, 'kept', keptRank, add => {
        state.deposit(add, 'kept', amountCents)
        if (payment.paysBill) state.billed(add, 'kept', -amountCents)
        else add('keptDeposits', -amountCents)
      }),
    ]
  if (type === 'refund' || type === 'deposit_return')
    return [at(paidAt, 'return', moneyOut, add => goesBack(add, payment, state, -amountCents))]

  const isCard = payment.providerMethod === 'card'
  const arrives = at(paidAt, 'payment', moneyIn, add => {
    if (type === 'deposit') {
      state.deposit(add, 'received', amountCents)
      if (isCard) add('cardDeposits', amountCents)
    } else state.billed(add, 'in', amountCents)
    add('cardFees', feeCents)
    add('providerFees', -providerFeeCents)
    if (!isCard) add('notCard', feeCents + (type === 'deposit' ? 0 : amountCents))
  })
  let goneCents = 0
  const back = returns
    .toSorted((a, b) => compare(a.at, b.at))
    .map(({ at: moment, totalCents, what }) => {
      const before = shareRefund(payment, goneCents)
      goneCents += totalCents
      const after = shareRefund(payment, goneCents)
      return at(moment, what, moneyOut, add => {
        goesBack(add, payment, state, after.amountCents - before.amountCents)
        add('refunds', before.feeCents - after.feeCents)
      })
    })
  if (returnedAt === null) return [arrives, ...back]
  // A bank takes all of it back, also what was refunded before; it may report that before the payment.
  const latest = compare(returnedAt, paidAt) > 0 ? returnedAt : paidAt
  const takenBack = at(latest, 'bankReturn', moneyOut, add => {
    goesBack(add, payment, state, amountCents)
    add('refunds', -feeCents)
  })
  return [arrives, ...back, takenBack]
}

function goesBack(add: Add, { type }: BookPayment, state: AccountState, cents: number): void {
  if (type === 'deposit' || type === 'deposit_return') state.deposit(add, 'returned', -cents)
  else state.billed(add, 'back', -cents)
}

/** A movement with its date at the property. */
export type DatedMovement = Pick<Movement, 'line' | 'cents'> & { date: CalendarDate }

/** The sums of each line: of the months of a year, and of all time before it. */
function lineSums(movements: readonly DatedMovement[], year: number) {
  const sums = new Map<string, { before: number; months: number[] }>()
  for (const { cents, date, line } of movements) {
    const movedIn = Number(date.slice(0, 4))
    if (movedIn > year) continue
    let sum = sums.get(line)
    if (!sum) {
      sum = { before: 0, months: noMonths() }
      sums.set(line, sum)
    }
    const month = Number(date.slice(5, 7)) - 1
    if (movedIn < year) sum.before += cents
    else sum.months[month] = (sum.months[month] ?? 0) + cents
  }
  return {
    before: (line: BookLine) => sums.get(line)?.before ?? 0,
    months: (line: BookLine) => sums.get(line)?.months ?? noMonths(),
  }
}

const noMonths = (): number[] => Array.from({ length: 12 }, () => 0)
const total = (amounts: readonly number[]) => amounts.reduce((sum, cents) => sum + cents, 0)
const added = (rows: readonly number[][]) =>
  noMonths().map((_, month) => total(rows.map(months => months[month] ?? 0)))
const negative = (months: readonly number[]) => months.map(cents => 0 - cents)
const row = <Key extends string>(key: Key, months: number[]): BookRow<Key> => ({
  key,
  months,
  yearCents: total(months),
})

/**
 * The tables of a year: income, deposits, taxes, the tax report, and what leads from card payments to the income, in
 * integer cents (BOOK-05 to BOOK-11, BOOK-15, BOOK-18).
 * @param cardCents by card alone in the UTC year, and in the year at the property
 */
export function yearTables<Tax extends { taxRuleId: string }>(
  movements: readonly DatedMovement[],
  of: { year: number; taxes: readonly Tax[]; cardCents: { utc: number; property: number } },
) {
  const { cardCents, taxes, year } = of
  const { before, months } = lineSums(movements, year)
  /** Opening, the flows, and closing, which is the next month's opening. */
  const balance = <Flow extends string>(
    keys: readonly Flow[],
    isOut: (key: Flow) => boolean,
    line: (key: Flow) => BookLine,
  ): BookRow<Flow | 'opening' | 'closing'>[] => {
    const signed = (key: Flow) => (cents: number) => (isOut(key) ? 0 - cents : cents)
    const opening = total(keys.map(key => signed(key)(before(line(key)))))
    const change = added(keys.map(key => months(line(key)).map(signed(key))))
    const closing = change.map((_, month) => opening + total(change.slice(0, month + 1)))
    return [
      { key: 'opening', months: [opening, ...closing.slice(0, -1)], yearCents: opening },
      ...keys.map(key => row(key, months(line(key)))),
      { key: 'closing', months: closing, yearCents: closing.at(-1) ?? opening },
    ]
  }
  const incomes = incomeKeys.map(key => months(key))
  const income = row('income', added(incomes))
  const lines: BookRow<keyof typeof lineLabels>[] = [
    ...incomeKeys.map(key => row(key, months(key))),
    income,
    row('providerFees', months('providerFees')),
    row('net', added([...incomes, months('providerFees')])),
  ]
  const taxLine = (ruleId: string, key: TaxFlow | 'taxable') => months(`taxes.${ruleId}.${key}`)
  const collected = taxes.map(({ taxRuleId }) => total(taxLine(taxRuleId, 'collected')))
  const bridge = {
    gross: cardCents.utc,
    zone: cardCents.property - cardCents.utc,
    deposits: -total(months('cardDeposits')),
    notCard: total(months('notCard')),
    kept: total(months('deposits.kept')),
    // Tax that goes back with a refund is not in the line refunds; what leaves a tax otherwise is income again.
    taxes: total(months('taxesMoved')) - total(collected),
    refunds: total(months('refunds')),
    income: income.yearCents,
  }
  return {
    lines,
    deposits: balance(
      depositFlows,
      key => key === 'returned' || key === 'kept',
      key => `deposits.${key}`,
    ),
    taxes: taxes.map(tax => ({
      ...tax,
      lines: balance(
        taxFlows,
        key => key !== 'collected',
        key => `taxes.${tax.taxRuleId}.${key}`,
      ),
    })),
    taxReport: taxes.map(rule => {
      const { taxRuleId } = rule
      const [gross, taxable] = [months('gross'), taxLine(taxRuleId, 'taxable')]
      const tax = added([taxLine(taxRuleId, 'collected'), negative(taxLine(taxRuleId, 'givenBack'))])
      const paidOver = taxLine(taxRuleId, 'paidOver')
      const figures = (of: (months: readonly number[]) => number) => ({
        grossCents: of(gross),
        exemptCents: of(gross) - of(taxable),
        taxableCents: of(taxable),
        taxCents: of(tax),
        paidOverCents: of(paidOver),
      })
      return {
        ...rule,
        months: noMonths().map((_, i) => ({ month: i + 1, ...figures(each => each[i] ?? 0) })),
        total: figures(total),
      }
    }),
    bridge: keysOf(bridge).map(key => ({ key, cents: 0 + bridge[key] })),
  }
}

/** What is collected of a tax and not paid over, of all time; below 0 where more was paid over (BOOK-16, BOOK-27). */
export function notPaidOverCents(movements: readonly DatedMovement[], taxRuleId: string): number {
  const signs: Partial<Record<BookLine, number>> = {
    [`taxes.${taxRuleId}.collected`]: 1,
    [`taxes.${taxRuleId}.givenBack`]: -1,
    [`taxes.${taxRuleId}.paidOver`]: -1,
  }
  return movements.reduce((sum, { cents, line }) => sum + cents * (signs[line] ?? 0), 0)
}
