import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  applications,
  availability,
  bookClosings,
  charges,
  leases,
  payments,
  taxRemittances,
} from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { makeEvent, makeFeed } from '../../../testing/build-calendar.ts'
import { buildTaxRule } from '../../../testing/build-charge-rule.ts'
import { buildEntry } from '../../../testing/build-entry.ts'
import {
  buildCheckout,
  buildManualPayment,
  type PaymentApp,
  paymentApp,
} from '../../../testing/build-payment.ts'
import { pdfText } from '../../../testing/pdf-text.ts'
import { proven, testOrigin } from '../../../testing/test-app.ts'
import { sha256 } from '../../lib/sha256.ts'
import { sweepPayments } from '../payments/checkout/sweep.ts'
import { booksCsv, booksPdf } from './files.ts'

const env = { PROPERTY_TIMEZONE: 'America/New_York' }
type Rows = readonly { key: string; months: number[]; yearCents: number }[]

/** A site with an owner, and a booking with rent of $2,500.00, a deposit of $500.00 and $150.00 of State tax. */
async function books() {
  const app = await paymentApp({ env })
  const admin = await app.makeAdmin()
  const owner = app.as(admin)
  const tenant = await app.makeTenant({ firstName: '=Maya', lastName: 'Rivers' })
  const booking = await app.makeApplication(tenant, {
    firstName: '=Maya',
    submittedAt: '2026-03-01T00:00:00.000Z',
  })
  const { tax } = await owner.chargeRules.createTax(buildTaxRule())
  await app.deps.write(tx =>
    tx
      .insert(charges)
      .values({
        id: randomUUID(),
        applicationId: booking.id,
        kind: 'tax',
        name: 'State tax',
        label: 'State tax (6% of $2,500.00)',
        amountCents: 150_00,
        baseCents: 2500_00,
        rateBasisPoints: 600,
        taxRuleId: tax.id,
        source: 'lease',
        createdAt: '2026-03-01T00:00:00.000Z',
      })
      .run(),
  )
  const year = async (of = 2026) => {
    const { deposits, lines, taxes, ...others } = await owner.books.year({ year: of })
    const sums = (rows: Rows) =>
      Object.fromEntries(rows.flatMap(({ key, yearCents }) => (yearCents === 0 ? [] : [[key, yearCents]])))
    return { ...others, lines: sums(lines), deposits: sums(deposits), tax: sums(taxes[0]?.lines ?? []) }
  }
  return { app, admin, owner, tenant, booking, taxId: tax.id, year }
}

async function payByCard(app: PaymentApp, tenant: SignedIn, overrides: Parameters<typeof app.checkout>[1]) {
  const row = await app.checkout(tenant, overrides)
  app.provider.pay(row.checkoutSessionId)
  await app.provider.deliverDue()
  return row
}

const cents = (rows: Rows, key: string) => rows.find(row => row.key === key)

test('the books count a deposit when it is kept, revenue when it comes; a card and a check are rent, tax and fees [BOOK-05, BOOK-06, BOOK-25]', async () => {
  const { app, booking, owner, tenant, year } = await books()
  await payByCard(app, tenant, { applicationId: booking.id, rentCents: 1325_00 })
  await owner.payments.addManual(buildManualPayment(booking.id, { amount: 1325_00 }))
  const revenue = await owner.payments.revenueSummary()
  await owner.payments.recordReturn({
    applicationId: booking.id,
    kind: 'deduction',
    amount: 120_00,
    reason: 'Lamp',
  })
  expect(await year()).toMatchObject({
    years: [2026],
    lines: {
      rent: 2500_00,
      cardFees: 15_00 + 39_75,
      keptDeposits: 120_00,
      income: 2674_75,
      providerFees: -(Math.round(0.029 * 1879_75) + 30),
    },
    deposits: { received: 500_00, kept: 120_00, closing: 380_00 },
    tax: { collected: 150_00, closing: 150_00 },
    unknownFees: 0,
    inDisputeCents: 0,
    closing: null,
  })
  const after = await owner.payments.revenueSummary()
  expect(after).toMatchObject({ summary: revenue.summary, monthlyRevenue: revenue.monthlyRevenue })
  expect(after.summary.netRevenue).toBe(3150_00)
})

test('the provider’s fee of a card and of a bank debit is asked for, of older payments by the sweep, at most once a day [BOOK-12]', async () => {
  const { app, booking, owner, tenant, year } = await books()
  await owner.settings.bank.save({ version: 0, body: { enabled: true } })
  const card = await payByCard(app, tenant, { applicationId: booking.id })
  const bank = await app.checkout(tenant, {
    applicationId: booking.id,
    paymentType: 'rent',
    amount: 1000_00,
    providerMethod: 'us_bank_account',
  })
  app.provider.completeUnpaid(bank.checkoutSessionId)
  app.provider.settle(bank.checkoutSessionId, true)
  await app.provider.deliverDue()
  const fees = [1524, 500]
  const feesOf = () => [card, bank].map(({ id }) => app.payment(id).providerFeeCents)
  app.advance(5 * 60_000)
  await sweepPayments(app.deps)
  expect(feesOf()).toEqual(fees)
  await app.deps.write(tx => tx.update(payments).set({ providerFeeCents: null }).run())
  expect((await year()).unknownFees).toBe(2)
  app.provider.setFault({ failurePoint: 'before-work', only: 'GET /v1/payment_intents' })
  await sweepPayments(app.deps)
  app.provider.setFault({})
  await sweepPayments(app.deps)
  expect(feesOf()).toEqual([null, null])
  app.advance(25 * 60 * 60_000)
  await sweepPayments(app.deps)
  expect(feesOf()).toEqual(fees)
  expect(await year()).toMatchObject({ unknownFees: 0, lines: { providerFees: -(1524 + 500) } })
})

test('an open dispute stays counted; lost, it counts in the month in which it ended; won and reopened, it has no end; a bank takes its payment back in the month of its dispute [BOOK-01, BOOK-13]', async () => {
  const { app, booking, owner, tenant, year } = await books()
  const row = await payByCard(app, tenant, {
    applicationId: booking.id,
    paymentType: 'rent',
    amount: 1000_00,
  })
  await sweepPayments(app.deps)
  const dispute = app.provider.openDispute(app.payment(row.id).stripeChargeId ?? '')
  await app.provider.deliverDue()
  const open = await year()
  expect(open).toMatchObject({ inDisputeCents: 1030_00, lines: { cardFees: 30_00 } })
  expect(open.lines).not.toHaveProperty('refunds')
  app.advance(40 * 24 * 60 * 60_000)
  app.provider.closeDispute(dispute.id, 'lost')
  await app.provider.deliverDue()
  const { lines } = await owner.books.year({ year: 2026 })
  expect(cents(lines, 'refunds')?.months).toEqual([0, 0, 0, -973_39, 0, 0, 0, 0, 0, 0, 0, 0])
  expect((await year()).inDisputeCents).toBe(0)
  await app.offerBank()
  const rent = { applicationId: booking.id, paymentType: 'rent', amount: 500_00 } as const
  const debit = await app.checkout(tenant, { ...rent, providerMethod: 'us_bank_account' })
  app.provider.completeUnpaid(debit.checkoutSessionId)
  app.provider.settle(debit.checkoutSessionId, true)
  await app.provider.deliverDue()
  app.advance(40 * 24 * 60 * 60_000)
  app.provider.openDispute(app.payment(debit.id).stripeChargeId ?? '')
  await app.provider.deliverDue()
  const { lines: after } = await owner.books.year({ year: 2026 })
  expect(cents(after, 'rent')?.months.slice(2, 5)).toEqual([943_39, 471_70, 0])
  expect(cents(after, 'refunds')?.months.slice(2, 5)).toEqual([0, -973_39, -471_70])
})

test('the rent of a booking without a lease counts from the start, also when it is changed later [BOOK-02]', async () => {
  const app = await paymentApp({ env })
  const owner = app.as(await app.makeAdmin())
  const entry = buildEntry({ rentalAmount: 1000, generateLease: false })
  const { id } = (await owner.manualBookings.create(entry)).application
  await owner.charges.add({ applicationId: id, kind: 'fee', label: 'Parking', amountCents: 300_00 })
  app.advance(40 * 24 * 60 * 60_000)
  const paid = { ...buildManualPayment(id, { amount: 750_00 }), paymentDate: '2026-03-20' }
  await owner.payments.addManual(paid)
  await owner.applications.adminEdit({ id, rentalAmount: 1200 })
  const { lines } = await owner.books.year({ year: 2026 })
  const inMarch = (key: string) => cents(lines, key)?.months[2]
  expect([inMarch('rent'), inMarch('fees')]).toEqual([600_00, 150_00])
})

test('a deleted application changes no figure, and a voided payment is in no month [BOOK-14]', async () => {
  const { app, booking, owner, year } = await books()
  const { payment } = await owner.payments.addManual(buildManualPayment(booking.id, { amount: 2650_00 }))
  const other = await owner.payments.addManual(buildManualPayment(booking.id, { amount: 70_00 }))
  await owner.payments.remove({ paymentId: other.payment.id })
  const { occupancy: _, ...before } = await year()
  expect(before).toMatchObject({ lines: { rent: 2500_00 }, tax: { collected: 150_00 } })
  await owner.applications.adminDelete({ id: booking.id })
  expect(app.payment(payment.id).formerApplicationId).toBe(booking.id)
  expect(await year()).toMatchObject(before)
  const { movements } = await owner.books.lines({ year: 2026, line: 'rent' })
  expect(movements).toMatchObject([{ applicationId: null, applicationNumber: booking.number }])
})

test('a tax is paid over once per request, never beyond what is collected, and can be removed [BOOK-16]', async () => {
  const { app, booking, owner, taxId, year } = await books()
  await owner.payments.addManual(buildManualPayment(booking.id, { amount: 1325_00 }))
  const paid = { taxRuleId: taxId, amountCents: 60_00, paidOn: '2026-03-04', requestId: randomUUID() }
  const { remittance } = await owner.books.noteRemittance({ ...paid, reference: 'DR-15' })
  expect(await owner.books.noteRemittance(paid)).toEqual({ remittance })
  for (const change of [{ amountCents: 59_00 }, { paidOn: '2026-03-03' }])
    await expect(owner.books.noteRemittance({ ...paid, ...change })).rejects.toThrow(
      'This was recorded already',
    )
  expect(remittance).toMatchObject({ amountCents: 60_00, paidOn: '2026-03-04', reference: 'DR-15' })
  const more = { ...paid, requestId: randomUUID() }
  const refused = (input: object) => owner.books.noteRemittance({ ...more, ...input })
  await expect(refused({ amountCents: 15_01 })).rejects.toThrow(
    'Only $15.00 is collected and not yet paid over.',
  )
  await expect(refused({ paidOn: '2026-03-05', amountCents: 1 })).rejects.toThrow('cannot be in the future')
  await expect(refused({ taxRuleId: 'none', amountCents: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await year()).tax).toEqual({ collected: 75_00, paidOver: 60_00, closing: 15_00 })
  const { remittances, rules } = await owner.books.tax({ year: 2026 })
  expect(remittances).toEqual([remittance])
  expect(rules).toMatchObject([
    {
      name: 'State tax',
      basisPoints: 600,
      total: {
        grossCents: 1250_00,
        exemptCents: 0,
        taxableCents: 1250_00,
        taxCents: 75_00,
        paidOverCents: 60_00,
      },
    },
  ])
  await owner.books.removeRemittance({ id: remittance.id })
  await expect(owner.books.removeRemittance({ id: remittance.id })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  expect((await year()).tax).toEqual({ collected: 75_00, closing: 75_00 })
  expect(app.deps.db.select().from(taxRemittances).all()).toHaveLength(1)
})

test('a tax that was paid over and is given back is a warning, and no more can be paid over [BOOK-10, BOOK-27]', async () => {
  const { booking, owner, taxId, year } = await books()
  await owner.payments.addManual(buildManualPayment(booking.id, { amount: 2650_00 }))
  const paid = { taxRuleId: taxId, amountCents: 150_00, paidOn: '2026-03-04', requestId: randomUUID() }
  await owner.books.noteRemittance(paid)
  const taxNotices = async () =>
    (await owner.notices.list()).notices.filter(({ id }) => id === `tax-over-${taxId}`)
  expect(await taxNotices()).toEqual([])
  await owner.payments.recordReturn({ applicationId: booking.id, kind: 'refund', amount: 1484_00 })
  expect((await year()).tax).toMatchObject({ givenBack: 84_00, closing: -84_00 })
  expect(await taxNotices()).toMatchObject([
    {
      tone: 'warning',
      detail: '$84.00 of State tax was paid over and is no longer collected. Take it off the next return.',
      action: { kind: 'books' },
    },
  ])
  await expect(
    owner.books.noteRemittance({ ...paid, amountCents: 1, requestId: randomUUID() }),
  ).rejects.toThrow('Only $0.00 is collected and not yet paid over.')
})

test('the 1099-K has cards alone by UTC, a checkout as one, and its bridge adds up to the income [BOOK-17, BOOK-18]', async () => {
  const { app, booking, owner, tenant } = await books()
  app.setNow('2027-01-01T03:00:00.000Z')
  await payByCard(app, tenant, { applicationId: booking.id, rentCents: 1325_00 })
  await owner.payments.addManual({
    ...buildManualPayment(booking.id, { amount: 1325_00 }),
    paymentDate: '2026-12-30',
  })
  const card = await owner.books.card({ year: 2026 })
  expect(card).toMatchObject({ grossCents: 0, count: 0 })
  const income = cents((await owner.books.year({ year: 2026 })).lines, 'income')?.yearCents
  expect(income).toBe(2500_00 + 54_75)
  expect(card.bridge.filter(({ cents }) => cents !== 0)).toEqual([
    { key: 'zone', cents: 1879_75 },
    { key: 'deposits', cents: -500_00 },
    { key: 'notCard', cents: 1325_00 },
    { key: 'taxes', cents: -150_00 },
    { key: 'income', cents: income },
  ])
  app.setNow('2027-01-05T12:00:00.000Z')
  const next = await owner.books.card({ year: 2027 })
  expect(next.months[0]).toEqual({ month: 1, grossCents: 1879_75, count: 1 })
})

test('nights of bookings, here and on other platforms, and blocks are the year’s occupancy [BOOK-19]', async () => {
  const { app, owner } = await books()
  const feedId = await makeFeed(app)
  await makeEvent(app, feedId, { start: '2026-07-20', end: '2026-07-23' })
  await makeEvent(app, feedId, { start: '2026-07-25', end: '2026-07-27' }, { kind: 'block' })
  await app.deps.write(tx =>
    tx
      .insert(availability)
      .values({
        date: '2026-07-10',
        isAvailable: false,
        reason: 'Painting',
        updatedAt: '2026-03-01T00:00:00.000Z',
      })
      .run(),
  )
  const { occupancy } = await owner.books.year({ year: 2026 })
  expect(occupancy.months[5]).toMatchObject({ nights: 30, booked: 30, open: 30, percent: 100, arrivals: 1 })
  expect(occupancy.months[6]).toMatchObject({ booked: 0, elsewhere: 3, blocked: 1, open: 30, percent: 10 })
  expect(occupancy.year).toMatchObject({ nights: 365, booked: 30, blocked: 1, open: 364, percent: 9.1 })
})

test('every figure is the sum of its movements, which name tenant, way and line; only years with books can be read [BOOK-20, BOOK-22]', async () => {
  const { app, booking, owner, taxId, tenant } = await books()
  await owner.payments.addManual({
    ...buildManualPayment(booking.id, { amount: 1325_00 }),
    paymentDate: '2025-12-31',
  })
  const row = await payByCard(app, tenant, { applicationId: booking.id })
  await owner.payments.refund({ paymentId: row.id, totalCents: 103_00, requestId: randomUUID() })
  await owner.books.noteRemittance({
    taxRuleId: taxId,
    amountCents: 5_00,
    paidOn: '2026-03-01',
    requestId: randomUUID(),
  })
  for (const year of [2025, 2026]) {
    const { deposits, lines, taxes, years } = await owner.books.year({ year })
    expect(years).toEqual([2025, 2026])
    const named = [
      ...lines
        .filter(({ key }) => key !== 'income' && key !== 'net')
        .map(line => ({ ...line, line: line.key as string })),
      ...deposits.map(line => ({ ...line, line: `deposits.${line.key}` })),
      ...taxes.flatMap(({ lines, taxRuleId }) =>
        lines.map(line => ({ ...line, line: `taxes.${taxRuleId}.${line.key}` })),
      ),
    ].filter(({ key }) => key !== 'opening' && key !== 'closing')
    for (const { line, months, yearCents } of named) {
      const all = await owner.books.lines({ year, line })
      expect(all.sumCents).toBe(yearCents)
      expect(all.movements.reduce((sum, { cents }) => sum + cents, 0)).toBe(yearCents)
      expect((await owner.books.lines({ year, line, month: 3 })).sumCents).toBe(months[2])
    }
  }
  const { movements } = await owner.books.lines({ year: 2026, line: 'deposits.returned' })
  expect(movements).toEqual([
    {
      at: expect.any(String),
      date: '2026-03-04',
      applicationId: booking.id,
      applicationNumber: booking.number,
      tenantName: '=Maya Rivers',
      what: 'Refund',
      method: 'Card',
      reference: app.payment(row.id).stripePaymentIntentId,
      description: '',
      line: 'deposits.returned',
      cents: 100_00,
    },
  ])
  for (const year of [2024, 2027, 2026.5, Number.NaN])
    await expect(owner.books.year({ year })).rejects.toThrow('Please choose a year')
  for (const line of [
    'income',
    'net',
    'deposits.closing',
    'gross',
    `taxes.${taxId}.taxable`,
    'taxes.none.collected',
  ])
    await expect(owner.books.lines({ year: 2026, line })).rejects.toThrow('Please choose a line')
})

test('files have dollars and no formula; the one with names needs a step-up, and the PDF has no names [BOOK-21, BOOK-26]', async () => {
  const { app, admin, booking, owner, tenant } = await books()
  await owner.payments.addManual({ ...buildManualPayment(booking.id, { amount: 1325_00 }), notes: '=1+1' })
  const csv = (table: 'books' | 'taxes' | 'card' | 'lines', actor: SignedIn = proven(app.deps, admin)) => {
    const { content, fileName } = booksCsv(app.deps, actor, { year: 2026, table })
    return { fileName, lines: content.toString().split('\r\n') }
  }
  const { fileName, lines } = csv('books')
  expect(fileName).toBe('books-2026.csv')
  expect(lines[0]).toBe('\uFEFFLine,Jan,Feb,Mar,Apr,May,Jun,Jul,Aug,Sep,Oct,Nov,Dec,Year')
  expect(lines).toContain('Rent,0.00,0.00,1250.00,0.00,0.00,0.00,0.00,0.00,0.00,0.00,0.00,0.00,1250.00')
  expect(lines.find(line => line.startsWith('State tax: Collected'))).toMatch(/,75\.00$/)
  expect(csv('taxes').lines[3]).toBe('State tax,Florida,2026-03,1250.00,0.00,1250.00,75.00,0.00')
  expect(csv('card').lines.slice(0, 2)).toEqual(['\uFEFFMonth,Gross,Count', '2026-01,0.00,0'])
  expect(csv('lines').lines[1]).toBe(
    `2026-03-02,${booking.number},'=Maya Rivers,Rent,By hand,1042,'=1+1,Rent,1250.00`,
  )
  const unproven = { ...admin, sessionId: undefined }
  expect(csv('books', unproven).lines).toEqual(lines)
  expect(() => csv('lines', unproven)).toThrow('Please confirm that it is you.')
  expect(() => csv('books', tenant)).toThrow(expect.objectContaining({ status: 403 }))
  const text = pdfText((await booksPdf(app.deps, admin, 2026)).content).flat()
  expect(text).toEqual(
    expect.arrayContaining(['Books 2026', 'Income', 'State tax, Florida: report', '1,250.00', 'Occupancy']),
  )
  expect(text.join(' ')).not.toMatch(/Maya|Rivers|APP-/)
  const guest = { role: 'guest' as const, requestOrigin: testOrigin }
  await expect(app.as(guest).books.year({ year: 2026 })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  await expect(app.as(tenant).books.year({ year: 2026 })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await expect(app.as(tenant).books.close({ year: 2026 })).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

test('a year that is over is closed with its hash, version by version; later differences are shown, nothing is locked [BOOK-23, BOOK-24]', async () => {
  const { app, admin, booking, owner } = await books()
  await expect(owner.books.close({ year: 2026 })).rejects.toThrow('The year 2026 is not over yet.')
  await owner.payments.addManual(buildManualPayment(booking.id, { amount: 1325_00 }))
  app.setNow('2027-01-10T12:00:00.000Z')
  const { closing } = await owner.books.close({ year: 2026 })
  expect(closing).toMatchObject({ year: 2026, version: 1, closedAt: '2027-01-10T12:00:00.000Z' })
  const [stored] = app.deps.db.select().from(bookClosings).all()
  expect(sha256(JSON.stringify(stored?.totals))).toBe(closing.sha256)
  const read = async () => (await owner.books.year({ year: 2026 })).closing
  expect(await read()).toMatchObject({ version: 1, sha256: closing.sha256, differences: [] })
  await owner.payments.addManual({
    ...buildManualPayment(booking.id, { amount: 106_00 }),
    paymentDate: '2026-05-02',
  })
  expect((await read())?.differences).toEqual(
    expect.arrayContaining([
      { table: 'lines', key: 'rent', month: 5, thenCents: 0, nowCents: 100_00 },
      { table: 'lines', key: 'income', month: 5, thenCents: 0, nowCents: 100_00 },
    ]),
  )
  const pdf = pdfText((await booksPdf(app.deps, admin, 2026)).content)
    .flat()
    .join(' ')
  expect(pdf).toContain(`version 1, SHA-256 ${closing.sha256}`)
  const again = await owner.books.close({ year: 2026 })
  expect(again.closing.version).toBe(2)
  expect(await read()).toMatchObject({ version: 2, differences: [] })
  expect(app.deps.db.select().from(bookClosings).where(eq(bookClosings.version, 1)).all()).toEqual([stored])
})

test('kept money of a cancelled stay carries no tax: what was collected of it is kept or goes back [CHANGE-39]', async () => {
  const { app, booking, owner, tenant, year } = await books()
  await app.deps.write(tx => tx.update(applications).set({ totalCents: 3150_00 }).run())
  await payByCard(app, tenant, buildCheckout({ applicationId: booking.id }))
  await owner.payments.addManual(buildManualPayment(booking.id, { amount: 2650_00 }))
  expect(await year()).toMatchObject({ lines: { rent: 2500_00 }, tax: { collected: 150_00 } })
  await owner.cancellations.cancel({
    applicationId: booking.id,
    side: 'owner',
    reason: 'A pipe burst.',
    refundCents: 2150_00,
  })
  const byHand = (await owner.cancellations.adminGet({ applicationId: booking.id })).cancellation?.refunds[1]
  await owner.cancellations.refundByHand({ refundId: byHand?.id ?? '' })
  const { deposits, lines, tax } = await year()
  expect(deposits).toMatchObject({ received: 500_00, returned: 500_00 })
  // Of $2,650.00 without the deposit $1,650.00 went back.
  expect(lines.income).toBe(1000_00)
  expect(tax.closing ?? 0).toBe(0)
})

test('however often a stay is cancelled and reinstated, each month of the books stays as it was when it ended [BOOK-04, CHANGE-16]', async () => {
  const months = ['2026-04', '2026-05', '2026-06', '2026-07', '2026-08', '2026-09']
  const step = fc.constantFrom('turn', 'turn', 'turn back', 'pay', 'fee', 'none')
  const story = async (steps: string[][]) => {
    const { app, booking, owner } = await books()
    const applicationId = booking.id
    await app.deps.write(tx => {
      tx.update(leases).set({ signedAt: '2026-03-01T00:00:00.000Z' }).run()
      tx.update(applications)
        .set({ totalCents: 3150_00, stayStartDate: '2027-06-01', stayEndDate: '2027-07-01' })
        .run()
    })
    await owner.payments.addManual({
      ...buildManualPayment(applicationId, { amount: 2650_00 }),
      paymentDate: '2026-03-04',
    })
    const isCancelled = () => app.deps.db.select().from(applications).get()?.status === 'cancelled'
    const turn = () =>
      isCancelled()
        ? owner.applications.adminSetStatus({ id: applicationId, status: 'approved' })
        : owner.cancellations.cancel({ applicationId, side: 'tenant', reason: 'Ill.', refundCents: 0 })
    const run = async (step: string) => {
      app.advance(1_000)
      if (step.startsWith('turn')) await turn()
      if (step === 'turn back') await turn()
      if (step === 'pay' && !isCancelled())
        await owner.payments.addManual({
          ...buildManualPayment(applicationId, { amount: 100_00 }),
          paymentDate: app.deps.clock.now().toISOString().slice(0, 10),
        })
      if (step === 'fee' && !isCancelled())
        await owner.charges.add({
          applicationId,
          kind: 'fee',
          label: 'Kayak',
          amountCents: 12_34,
          taxable: true,
          requestId: randomUUID(),
        })
    }
    const monthsOf = async () => {
      const { deposits, lines, taxes } = await owner.books.year({ year: 2026 })
      return [...lines, ...deposits, ...(taxes[0]?.lines ?? [])].map(({ months }) => months)
    }
    const ended: number[][][] = []
    for (const [k, month] of months.entries()) {
      app.setNow(`${month}-10T16:00:00.000Z`)
      for (const each of steps[k] ?? []) await run(each)
      const rows = await monthsOf()
      const until = (count: number) => rows.map(row => row.slice(0, count))
      for (const earlier of ended) expect(until(earlier[0]?.length ?? 0)).toEqual(earlier)
      ended.push(until(4 + k))
    }
  }
  const steps = fc.array(fc.array(step, { maxLength: 3 }), { minLength: 6, maxLength: 6 })
  await fc.assert(fc.asyncProperty(steps, story), { numRuns: 6 })
})
