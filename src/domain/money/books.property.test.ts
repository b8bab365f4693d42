import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dateIn } from '../common/dates.ts'
import { bridgeLabels } from './book-lines.ts'
import { accountMovements, type BookAccount, type BookCharge, type BookPayment, yearTables } from './books.ts'

const rules = ['state', 'county']
const years = [2025, 2026, 2027]
const firstMs = Date.parse('2025-12-20T00:00:00Z')
/** Often the same second, often a month's end somewhere. */
const time = fc
  .oneof(
    fc.constantFrom(0, 12 * 86_400, 12 * 86_400 - 1, 43 * 86_400 + 5 * 3600),
    fc.integer({ min: 0, max: 400 * 86_400 }),
  )
  .chain(seconds => fc.nat(999).map(ms => new Date(firstMs + seconds * 1000 + ms).toISOString()))
const cents = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 2_000_00 }))

const charge = (id: number): fc.Arbitrary<BookCharge> =>
  fc
    .record({
      what: fc.constantFrom(
        'rent',
        'fee',
        'late_fee',
        'damage',
        'discount',
        'adjustment',
        'deposit',
        ...rules,
      ),
      amountCents: cents,
      isWaiver: fc.boolean(),
      since: fc.option(time),
      voidedAt: fc.option(time, { freq: 2 }),
      pauses: fc.array(time, { maxLength: 4 }),
    })
    .map(({ amountCents, isWaiver, pauses, since, voidedAt, what }) => {
      const isTax = rules.includes(what)
      const isBelowZero = what === 'discount' || (what === 'adjustment' && isWaiver)
      return {
        id: String(id),
        kind: isTax ? 'tax' : (what as BookCharge['kind']),
        taxRuleId: isTax ? what : null,
        amountCents: isBelowZero ? -amountCents : amountCents,
        baseCents: isTax ? amountCents * 17 : null,
        since,
        voidedAt,
        pauses: pairsOf(
          pauses.filter(at => at >= (since ?? '') && (voidedAt === null || at <= voidedAt)).toSorted(),
        ),
      }
    })

function pairsOf([from, until, ...others]: readonly string[]): { from: string; until: string }[] {
  return from && until ? [{ from, until }, ...pairsOf(others)] : []
}

const money = { amountCents: cents, feeCents: fc.constantFrom(0, 3, 450), paidAt: time }
const plain = {
  providerMethod: null,
  feeCents: 0,
  providerFeeCents: 0,
  paysBill: false,
  returns: [],
  returnedAt: null,
}
const payment = (id: number): fc.Arbitrary<BookPayment> =>
  fc.oneof(
    fc
      .record({
        ...money,
        type: fc.constantFrom('deposit' as const, 'rent' as const, 'other' as const),
        providerMethod: fc.constantFrom('card' as const, 'us_bank_account' as const, null),
        providerFeeCents: fc.constantFrom(0, 77),
        isReturned: fc.boolean(),
        returns: fc.array(
          fc.record({
            at: time,
            what: fc.constantFrom('refund' as const, 'dispute' as const),
            totalCents: cents,
          }),
          { maxLength: 3 },
        ),
        returnedAt: time,
      })
      .map(({ isReturned, returnedAt, returns, ...row }) => ({
        ...plain,
        ...row,
        id: String(id),
        returns: row.providerMethod === null ? [] : returns,
        returnedAt: isReturned && row.providerMethod === 'us_bank_account' ? returnedAt : null,
      })),
    fc
      .record({
        ...money,
        type: fc.constantFrom(
          ...(['deduction', 'deposit_return', 'refund', 'admin_transfer', 'deposit_transfer'] as const),
        ),
        paysBill: fc.boolean(),
        isIn: fc.boolean(),
      })
      .map(({ isIn, ...row }) => ({
        ...plain,
        ...row,
        id: String(id),
        feeCents: 0,
        paysBill: row.paysBill && row.type === 'deduction',
        amountCents: isIn && row.type.endsWith('transfer') ? row.amountCents : -row.amountCents,
      })),
  )

const story: fc.Arbitrary<BookAccount> = fc.record({
  charges: fc.nat(8).chain(count => fc.tuple(...Array.from({ length: count }, (_, i) => charge(i)))),
  payments: fc.nat(10).chain(count => fc.tuple(...Array.from({ length: count }, (_, i) => payment(i)))),
})
const zone = fc.constantFrom(
  'UTC',
  'America/New_York',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Asia/Kathmandu',
)

// The second model: replays everything up to a moment into plain counters. A month is what two of them differ by.

type Totals = Record<string, number>

function replayUntil(account: BookAccount, isBefore: (at: string) => boolean): Totals {
  const steps: { at: string; rank: number; run: () => unknown }[] = []
  const totals: Totals = {}
  const count = (key: string, amount: number) => {
    totals[key] = (totals[key] ?? 0) + amount
  }
  const parts = [
    'rent',
    'fees',
    ...rules.filter(rule => account.charges.some(each => each.taxRuleId === rule)),
  ]
  const got = new Map(parts.map(part => [part, 0]))
  let due = new Map(parts.map(part => [part, 0]))
  const bases = new Map(parts.map(part => [part, 0]))
  const live: BookCharge[] = []
  let extra = 0
  let inDeposit = 0

  const book = (part: string, amount: number, way: string) => {
    if (rules.includes(part)) {
      count(`${part} ${amount > 0 ? 'collected' : 'given back'}`, Math.abs(amount))
      return
    }
    count('gross', amount)
    count(way === 'kept' ? 'keptDeposits' : way === 'back' ? 'refunds' : part, amount)
  }
  const put = (amount: number, way: string) => {
    extra += amount
    book('rent', amount, way)
    const open = parts.map(part => (due.get(part) ?? 0) - (got.get(part) ?? 0))
    const all = open.reduce((sum, each) => sum + each, 0)
    const usable = Math.min(Math.max(extra, 0), all)
    if (usable === 0) return
    let upTo = 0
    for (const [k, part] of parts.entries()) {
      const from = Math.floor((usable * upTo) / all)
      upTo += open[k] ?? 0
      const share = Math.floor((usable * upTo) / all) - from
      got.set(part, (got.get(part) ?? 0) + share)
      extra -= share
      book('rent', -share, way)
      book(part, share, way)
    }
  }
  const take = (amount: number, way: string) => {
    const first = Math.min(amount, Math.max(extra, 0))
    extra -= first
    book('rent', -first, way)
    const all = [...got.values()].reduce((sum, each) => sum + each, 0)
    const rest = Math.min(amount - first, all)
    let upTo = 0
    for (const part of parts) {
      const from = all === 0 ? 0 : Math.floor((rest * upTo) / all)
      const had = got.get(part) ?? 0
      upTo += had
      const share = all === 0 ? 0 : Math.floor((rest * upTo) / all) - from
      got.set(part, had - share)
      book(part, -share, way)
    }
    extra -= amount - first - rest
    book('rent', -(amount - first - rest), way)
  }
  const recharge = () => {
    due = new Map(parts.map(part => [part, 0]))
    for (const part of parts) bases.set(part, 0)
    for (const each of live) {
      const part =
        each.taxRuleId ?? (['rent', 'discount', 'adjustment'].includes(each.kind) ? 'rent' : 'fees')
      due.set(part, (due.get(part) ?? 0) + each.amountCents)
      bases.set(part, (bases.get(part) ?? 0) + (each.baseCents ?? 0))
    }
    let missing = 0
    for (const part of parts) {
      const cents = (due.get(part) ?? 0) - missing
      missing = cents < 0 ? -cents : 0
      due.set(part, Math.max(cents, 0))
      const over = (got.get(part) ?? 0) - (due.get(part) ?? 0)
      if (over <= 0) continue
      got.set(part, due.get(part) ?? 0)
      book(part, -over, 'moved')
      extra += over
      book('rent', over, 'moved')
    }
    put(0, 'moved')
  }
  const at = (moment: string, rank: number, run: () => unknown) => steps.push({ at: moment, rank, run })

  for (const each of account.charges) {
    const { kind, since, voidedAt } = each
    // The clock was set back: the charge was never in force.
    if (kind === 'deposit' || (voidedAt !== null && voidedAt < (since ?? ''))) continue
    at(each.since ?? '2000', 0, () => live.push(each))
    for (const { from, until } of each.pauses) {
      at(from, 0.5, () => live.splice(live.indexOf(each), 1))
      at(until, 0, () => live.push(each))
    }
    if (each.voidedAt) at(each.voidedAt, 0.5, () => live.splice(live.indexOf(each), 1))
  }
  for (const row of account.payments) {
    const { amountCents, feeCents, paidAt, type } = row
    const isDeposit = type.startsWith('deposit')
    const leave = (moment: string, total: number, fee: number) =>
      at(moment, 3, () => {
        count('money', -total - fee)
        count('refunds', -fee)
        if (isDeposit) {
          inDeposit -= total
          count('returned', total)
        } else take(total, 'back')
      })
    if (type.endsWith('transfer'))
      at(paidAt, amountCents > 0 ? 1 : 3, () => {
        count('transferred', amountCents)
        if (isDeposit) {
          inDeposit += amountCents
          count('moved', amountCents)
        } else if (amountCents > 0) put(amountCents, 'moved')
        else take(-amountCents, 'moved')
      })
    else if (type === 'deduction')
      at(paidAt, 2, () => {
        inDeposit += amountCents
        count('kept', -amountCents)
        if (row.paysBill) put(-amountCents, 'kept')
        else count('keptDeposits', -amountCents)
      })
    else if (amountCents < 0) leave(paidAt, -amountCents, 0)
    else {
      at(paidAt, 1, () => {
        count('money', amountCents + feeCents)
        count('cardFees', feeCents)
        count('providerFees', -row.providerFeeCents)
        if (isDeposit) {
          inDeposit += amountCents
          count('received', amountCents)
        } else put(amountCents, 'in')
      })
      const whole = amountCents + feeCents
      let gone = 0
      let feeGone = 0
      for (const each of [...row.returns].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))) {
        const now = Math.min(each.totalCents, whole - gone)
        gone += now
        const fee = Math.floor((2 * gone * feeCents + whole) / (2 * whole)) - feeGone
        feeGone += fee
        leave(each.at, now - fee, fee)
      }
      if (row.returnedAt) leave([row.returnedAt, paidAt].toSorted()[1] ?? paidAt, amountCents, feeCents)
    }
  }
  const second = (moment: string) => moment.slice(0, 19)
  steps.sort((a, b) =>
    second(a.at) !== second(b.at)
      ? second(a.at) < second(b.at)
        ? -1
        : 1
      : a.rank !== b.rank
        ? a.rank - b.rank
        : a.at < b.at
          ? -1
          : a.at > b.at
            ? 1
            : 0,
  )
  for (const [k, step] of steps.entries()) {
    if (!isBefore(step.at)) continue
    step.run()
    const next = steps[k + 1]
    const isSameMoment = next && second(next.at) === second(step.at) && next.rank < 1
    if (step.rank < 1 && !isSameMoment) recharge()
  }
  const short = Math.max(0, -inDeposit)
  count('returned', -short)
  count('refunds', -short)
  totals.held = Math.max(0, inDeposit)
  for (const rule of rules) {
    const owed = due.get(rule) ?? 0
    totals[`${rule} taxable`] =
      owed === 0 ? 0 : Math.floor(((got.get(rule) ?? 0) * (bases.get(rule) ?? 0)) / owed)
  }
  return totals
}

const tablesOf = (accounts: readonly BookAccount[], timeZone: string, year: number) => {
  const movements = accounts
    .flatMap(account => accountMovements(account, rules))
    .map(each => ({ ...each, date: dateIn(new Date(each.at), timeZone) }))
  const card = accounts
    .flatMap(({ payments }) => payments)
    .filter(({ providerMethod }) => providerMethod === 'card')
  const inYear = (zone: string) =>
    card
      .filter(({ paidAt }) => dateIn(new Date(paidAt), zone).startsWith(String(year)))
      .reduce((sum, row) => sum + row.amountCents + row.feeCents, 0)
  return yearTables(movements, {
    year,
    taxes: rules.map(taxRuleId => ({ taxRuleId })),
    cardCents: { utc: inYear('UTC'), property: inYear(timeZone) },
  })
}

test('each month of any story is what a second model says; deposits and taxes add up, and so does all money [BOOK-02, BOOK-04, BOOK-09, BOOK-10, BOOK-11, BOOK-15]', () => {
  fc.assert(
    fc.property(story, zone, (account, timeZone) => {
      let before: Totals = {}
      let [held, untaxed] = [0, [0, 0]]
      for (const year of years) {
        const tables = tablesOf([account], timeZone, year)
        for (let month = 1; month <= 12; month++) {
          const until = replayUntil(
            account,
            at => dateIn(new Date(at), timeZone).slice(0, 7) <= `${year}-${String(month).padStart(2, '0')}`,
          )
          const earlier = before
          const inMonth = (key: string) => (until[key] ?? 0) - (earlier[key] ?? 0)
          before = until
          const line = (rows: readonly { key: string; months: number[] }[], key: string) =>
            rows.find(each => each.key === key)?.months[month - 1]
          const lines = (key: string) => line(tables.lines, key) ?? Number.NaN
          for (const key of ['rent', 'fees', 'cardFees', 'keptDeposits', 'refunds', 'providerFees'])
            expect([key, lines(key)]).toEqual([key, inMonth(key)])
          const deposits = (key: string) => line(tables.deposits, key) ?? Number.NaN
          for (const key of ['received', 'moved', 'returned', 'kept'])
            expect([key, deposits(key)]).toEqual([key, inMonth(key)])
          expect(deposits('opening')).toBe(held)
          expect(deposits('closing')).toBe(until.held)
          expect(deposits('closing')).toBeGreaterThanOrEqual(0)
          let taxes = 0
          for (const [k, { lines: rows }] of tables.taxes.entries()) {
            const [collected = 0, givenBack = 0] = [line(rows, 'collected'), line(rows, 'givenBack')]
            // Within an event of the first model, one tax only rises or falls; the second may do both.
            expect(collected - givenBack).toBe(
              inMonth(`${rules[k]} collected`) - inMonth(`${rules[k]} given back`),
            )
            expect(line(rows, 'opening')).toBe(untaxed[k])
            untaxed = untaxed.with(k, line(rows, 'closing') ?? Number.NaN)
            expect(untaxed[k]).toBe((line(rows, 'opening') ?? 0) + collected - givenBack)
            taxes += collected - givenBack
            const report = tables.taxReport[k]?.months[month - 1]
            expect(report?.grossCents).toBe(inMonth('gross'))
            expect(report?.taxableCents).toBe(inMonth(`${rules[k]} taxable`))
            expect(report?.taxCents).toBe(collected - givenBack)
          }
          expect(lines('income') + deposits('closing') - held + taxes).toBe(
            inMonth('money') + inMonth('transferred'),
          )
          held = deposits('closing')
        }
      }
    }),
    { numRuns: 400 },
  )
})

test('months add up to the year, and years to the same sum in any zone; the bridge leads from cards to the income [BOOK-01, BOOK-05, BOOK-18]', () => {
  fc.assert(
    fc.property(fc.array(story, { maxLength: 3 }), zone, (accounts, timeZone) => {
      const sums = (zone: string) => {
        const tables = years.map(year => tablesOf(accounts, zone, year))
        for (const { bridge, lines } of tables) {
          for (const { months, yearCents } of lines)
            expect(months.reduce((sum, cents) => sum + cents, 0)).toBe(yearCents)
          expect(bridge.map(({ key }) => key)).toEqual(Object.keys(bridgeLabels))
          const income = lines.find(({ key }) => key === 'income')?.yearCents
          expect(bridge.at(-1)?.cents).toBe(income)
          expect(bridge.slice(0, -1).reduce((sum, { cents }) => sum + cents, 0)).toBe(income)
        }
        return {
          lines: tables[0]?.lines.map((_, k) =>
            tables.reduce((sum, each) => sum + (each.lines[k]?.yearCents ?? 0), 0),
          ),
          deposits: tables.at(-1)?.deposits.at(-1)?.yearCents,
          taxes: tables.at(-1)?.taxes.map(({ lines }) => lines.at(-1)?.yearCents),
        }
      }
      expect(sums(timeZone)).toEqual(sums('UTC'))
    }),
    { numRuns: 200 },
  )
})

test('a transfer changes the lines of two applications, never the sum of both [BOOK-08]', () => {
  fc.assert(
    fc.property(story, story, fc.boolean(), cents, time, (from, to, isDeposit, amountCents, paidAt) => {
      const type = isDeposit ? ('deposit_transfer' as const) : ('admin_transfer' as const)
      const row = (amountCents: number) => ({ ...plain, id: 'transfer', type, amountCents, paidAt })
      const sumOf = (accounts: readonly BookAccount[]) =>
        years.map(year => {
          const { deposits, lines, taxes } = tablesOf(accounts, 'UTC', year)
          const of = (rows: readonly { key: string; yearCents: number }[], key: string) =>
            rows.find(each => each.key === key)?.yearCents ?? Number.NaN
          const net = taxes.map(({ lines }) => of(lines, 'closing') - of(lines, 'opening'))
          return (
            of(lines, 'income') +
            of(deposits, 'closing') -
            of(deposits, 'opening') +
            (net[0] ?? 0) +
            (net[1] ?? 0)
          )
        })
      expect(
        sumOf([
          { ...from, payments: [...from.payments, row(-amountCents)] },
          { ...to, payments: [...to.payments, row(amountCents)] },
        ]),
      ).toEqual(sumOf([from, to]))
    }),
    { numRuns: 200 },
  )
})

test('a later charge, cancellation or reinstatement does not change earlier months [BOOK-04]', () => {
  fc.assert(
    fc.property(story, time, (account, now) => {
      const isPast = (at: string) => at.slice(0, 19) < now.slice(0, 19)
      const known = ({ pauses, voidedAt, ...each }: BookCharge): BookCharge => {
        const open = pauses.find(({ from, until }) => isPast(from) && !isPast(until))
        const isVoided = voidedAt !== null && isPast(voidedAt)
        return {
          ...each,
          pauses: pauses.filter(({ until }) => isPast(until)),
          voidedAt: open?.from ?? (isVoided ? voidedAt : null),
        }
      }
      const charges = account.charges.filter(({ since }) => since === null || isPast(since)).map(known)
      const before = (each: BookAccount) => accountMovements(each, rules).filter(({ at }) => isPast(at))
      expect(before({ ...account, charges })).toEqual(before(account))
    }),
    { numRuns: 400 },
  )
})
