import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { payments } from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import type { RevenueInput } from '../../../domain/money/payment-input.ts'
import { makePending } from '../../../testing/build-application.ts'
import { tokenOf } from '../../../testing/build-lease.ts'
import { proven, type TestApp, testApp } from '../../../testing/test-app.ts'
import { textOf } from '../../../testing/text-of.ts'
import { revenueCsv } from './revenue.ts'

type Row = Partial<typeof payments.$inferInsert>

async function people() {
  const app = await testApp({ env: { PROPERTY_TIMEZONE: 'America/New_York' } })
  const tenant = await app.makeUser({ firstName: '=HYPERLINK("http://evil.example")', lastName: 'Núñez' })
  return { app, admin: await app.makeAdmin(), tenant: tenant.actor, email: tenant.user.email }
}

async function exported(app: TestApp, admin: SignedIn, input: RevenueInput = {}) {
  const { fileName, parts } = revenueCsv(app.deps, proven(app.deps, admin), input)
  return { fileName, csv: await textOf(parts) }
}

async function addRows(app: TestApp, userId: string, rows: readonly Row[]) {
  await app.deps.write(tx => {
    tx.delete(payments).run()
    for (const row of rows)
      tx.insert(payments)
        .values({
          id: randomUUID(),
          userId,
          type: 'rent',
          method: 'manual',
          status: 'succeeded',
          amountCents: 100_00,
          createdAt: '2026-01-01T00:00:00.000Z',
          paidAt: '2026-02-10T17:00:00.000Z',
          ...row,
        })
        .run()
  })
}

/** A strict RFC 4180 parser, to read the export as any CSV reader would. */
function parse(csv: string): string[][] {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  const text = csv.replace(/^\uFEFF/, '')
  const rows: string[][] = [[]]
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex
    const match = cell.exec(text)
    if (!match) throw new Error(`no CSV at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`)
    rows.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] === '\r\n' && cell.lastIndex < text.length) rows.push([])
  }
  return rows
}

test('exports the payments of the selected period to the cent, with formulas escaped [REV-14]', async () => {
  const { app, admin, tenant, email } = await people()
  const { id, applicationNumber } = await makePending(app, tenant)
  await addRows(app, tenant.userId, [
    {
      applicationId: id,
      method: 'card',
      type: 'deposit',
      amountCents: 500_01,
      feeCents: 15_00,
      refundedAmountCents: 100_00,
      refundedFeeCents: 3_00,
      stripePaymentIntentId: 'pi_123',
      description: '@SUM(A1), "quoted"\r\nsecond line',
    },
    {
      type: 'refund',
      amountCents: -33_33,
      paidAt: '2026-02-09T17:00:00.000Z',
      notes: '+1',
      checkNumber: '-7',
    },
    { paidAt: '2026-01-01T04:59:59.000Z', description: '\t=1' },
    { method: 'transfer', type: 'admin_transfer' },
    { status: 'failed' },
  ])
  const head =
    'Date,Application,Customer,Email,Type,Method,Check number,Reference,Description,Notes,Amount,Card fee,Refunded or disputed,Total revenue,Net revenue\r\n'
  const who = `"'=HYPERLINK(""http://evil.example"") Núñez",${email}`
  expect(await exported(app, admin, { period: 'month', year: 2026, month: 2 })).toEqual({
    fileName: 'revenue-2026-02.csv',
    csv:
      `\uFEFF${head}` +
      `2026-02-10,${applicationNumber},${who},Deposit,Card,,pi_123,"'@SUM(A1), ""quoted""\r\nsecond line",,500.01,15.00,103.00,412.01,400.01\r\n` +
      `2026-02-09,Unlinked,${who},Refund,By hand,'-7,,,'+1,-33.33,0.00,0.00,-33.33,-33.33\r\n`,
  })
  const lastYear = await exported(app, admin, { period: 'year', year: 2025 })
  expect(lastYear.fileName).toBe('revenue-2025.csv')
  expect(parse(lastYear.csv).slice(1)).toMatchObject([{ 0: '2025-12-31', 8: "'\t=1", 10: '100.00' }])
  const all = await exported(app, admin)
  expect(all.fileName).toBe('revenue-all-time.csv')
  expect(parse(all.csv)).toHaveLength(4)
})

test('any text survives the export, starts no formula, and the columns add up to the totals [REV-14, MONEY-01]', async () => {
  const { app, admin, tenant } = await people()
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.string({
      unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', ',', '"', "'", 'a', '1'),
      maxLength: 8,
    }),
  )
  const row = fc.record({
    amountCents: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).filter(cents => cents !== 0),
    feeCents: fc.nat({ max: 30_000_000 }),
    description: text,
    notes: text,
    checkNumber: text,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), async rows => {
      await addRows(app, tenant.userId, rows)
      const { csv } = await exported(app, admin)
      const [, ...found] = parse(csv)
      expect(found).toHaveLength(rows.length)
      const texts = found.map(cells => [cells[8], cells[9], cells[6]].map(cell => cell?.replace(/^'/, '')))
      expect(texts.toSorted()).toEqual(
        rows.map(r => [r.description, r.notes, r.checkNumber].map(cell => cell.replace(/^'/, ''))).toSorted(),
      )
      for (const cell of found.flatMap(cells => cells.slice(0, 10))) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
      const { summary } = await app.as(admin).payments.revenueSummary()
      const sum = (column: number) =>
        found.reduce((cents, cells) => cents + BigInt(String(cells[column]).replace('.', '')), 0n)
      expect([sum(13), sum(14)]).toEqual([BigInt(summary.totalRevenue), BigInt(summary.netRevenue)])
    }),
    { numRuns: 40 },
  )
})

test('reads and sends the export in slices, with other requests in between, and omits no payment [FIX-19]', async () => {
  const { app, admin, tenant } = await people()
  // Many with the same timestamp, also across the border of two slices.
  const rows = Array.from({ length: 1300 }, (_, at) => ({
    amountCents: 100 + at,
    paidAt: `2026-02-${String(10 + (at % 3)).padStart(2, '0')}T17:00:00.000Z`,
  }))
  await addRows(app, tenant.userId, rows)
  const { parts } = revenueCsv(app.deps, proven(app.deps, admin), {})
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  const found: string[] = []
  const turnsBefore: number[] = []
  for await (const part of parts) {
    turnsBefore.push(turns)
    found.push(part)
  }
  clearInterval(timer)
  expect(found.length).toBeGreaterThan(5)
  expect(turnsBefore.at(-1)).toBeGreaterThan(0)
  const cells = parse(found.join('')).slice(1)
  expect(cells.map(row => row[10]).toSorted()).toEqual(
    rows.map(row => (row.amountCents / 100).toFixed(2)).toSorted(),
  )
  const days = cells.map(row => String(row[0]))
  expect(days).toEqual(days.toSorted().reverse())

  const headers = { authorization: `Bearer ${await tokenOf(app, admin)}` }
  const reply = await app.http.inject({ url: '/api/payment/admin/revenue.csv?period=&year=2026', headers })
  expect(reply.body).toBe(found.join(''))
  expect(reply.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': expect.stringContaining('attachment; filename="revenue-all-time.csv"'),
    'cache-control': 'no-store',
  })
  expect(
    (await app.http.inject({ url: '/api/payment/admin/revenue.csv?period=year', headers })).statusCode,
  ).toBe(400)
})
