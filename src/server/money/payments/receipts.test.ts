import { expect, test } from 'vitest'
import { buildContent } from '../../../testing/build-content.ts'
import { buildCheckout, buildManualPayment, paymentApp } from '../../../testing/build-payment.ts'
import { makePlan } from '../../../testing/build-plan.ts'
import { pdfText } from '../../../testing/pdf-text.ts'
import { publishContent } from '../../../testing/site-pages.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { nowIso } from '../../kernel/deps.ts'
import { createLimits } from '../../kernel/limits.ts'
import { sha256 } from '../../lib/sha256.ts'
import { startMailWorker } from '../../mail/worker.ts'
import { mailSources } from '../../mail-sources.ts'
import { type Receipt, renderReceiptPdf } from '../../workers/pdf/receipt-pdf.ts'
import { receiptData, receiptForMail, receiptPdf } from './receipts.ts'

async function paid() {
  const app = await paymentApp()
  const tenant = await app.makeTenant({ email: 'maya@guest.example' })
  const application = await app.makeApplication(tenant)
  const row = await app.checkout(tenant, { applicationId: application.id })
  app.provider.pay(row.checkoutSessionId)
  return { app, tenant, application, row }
}

const isPdf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 5)).toString() === '%PDF-'

test('a receipt shows amount, fee, total, date, transaction and card, and includes its PDF', async () => {
  const { app, application, row } = await paid()
  await app.provider.deliverDue()
  const { facts, pdf } = await receiptData(app.deps, row.id)
  expect(facts).toEqual({
    firstName: 'Maya',
    email: 'maya@guest.example',
    applicationNumber: application.number,
    paymentTypeLabel: 'Deposit',
    amountCents: 500_00,
    feeCents: 15_00,
    totalCents: 515_00,
    refundedCents: 0,
    isDisputed: false,
    paidAt: app.deps.clock.now().toISOString(),
    transactionId: app.payment(row.id).stripePaymentIntentId,
    cardBrand: 'Visa',
    cardLast4: '4242',
  })
  expect(isPdf(pdf)).toBe(true)
  const text = pdfText(pdf).flat()
  for (const told of [
    'Maya Rivers',
    application.number,
    'Deposit',
    '$500.00',
    '$15.00',
    '$515.00',
    'Visa ending in 4242',
  ])
    expect(text).toContain(told)
})

test('mails about money name what is on its way, and have no button to pay once nothing else is left [LOOK-64]', async () => {
  const app = await paymentApp()
  await app.offerBank()
  const { admin, id, tenant } = await makePlan(app)
  const of = { applicationId: id, userId: tenant.userId }
  const bank = { amount: 2500_00, paymentType: 'rent', providerMethod: 'us_bank_account', ...of } as const
  const debit = await app.checkout(tenant, buildCheckout(bank))
  app.provider.completeUnpaid(debit.checkoutSessionId)
  await app.provider.deliverDue()
  const lamp = { label: 'Lamp', kind: 'adjustment', taxable: false, applicationId: id } as const
  await app.as(admin).charges.add({ ...lamp, amountCents: 100_00 })
  const { checkoutSessionId } = await app.checkout(tenant, { applicationId: id })
  app.provider.pay(checkoutSessionId)
  await app.provider.deliverDue()
  await app.as(admin).charges.add({ ...lamp, amountCents: -100_00 })
  const worker = startMailWorker(app.deps, mailSources)
  await worker.deliverDue()
  await worker.stop()
  const textsOf = (subject: RegExp) =>
    app.sentMails.filter(mail => subject.test(mail.subject)).map(({ text }) => text)
  const [added = '', taken = ''] = textsOf(/charge was added/i)
  expect(added).toMatch(/Balance +\$3,100\.00\s+On its way +−\$2,500\.00\s+Left to pay +\$600\.00/)
  expect(added).toContain('Proceed to Payment')
  expect(taken).toMatch(/Balance +\$2,500\.00\s+On its way +−\$2,500\.00\s+Left to pay +\$0\.00/)
  expect(taken).not.toContain('Proceed to Payment')
  expect(textsOf(/./).join()).toMatch(/On its way +−\$2,500\.00\s+Left to pay +Nothing/)
})

test('fetches missing card details when the receipt is sent; without a response, sends it without them', async () => {
  const { app, row } = await paid()
  app.provider.setFault({ hangUp: true })
  await app.provider.deliverDue()
  expect((await receiptData(app.deps, row.id)).facts).toMatchObject({ cardBrand: null, cardLast4: null })
  app.provider.setFault({})
  expect((await receiptData(app.deps, row.id)).facts).toMatchObject({ cardBrand: 'Visa', cardLast4: '4242' })
})

test.each(['removed', 'returned by the bank'])(
  'a receipt that was queued before its payment was %s is not sent [MONEY-07, BANK-11]',
  async how => {
    const app = await paymentApp()
    const admin = await app.offerBank()
    const tenant = await app.makeTenant({ email: 'maya@guest.example' })
    const { id: applicationId } = await app.makeApplication(tenant)
    const row = await app.checkout(tenant, { applicationId, providerMethod: 'us_bank_account' })
    app.provider.completeUnpaid(row.checkoutSessionId)
    app.provider.settle(row.checkoutSessionId, true)
    await app.provider.deliverDue()
    app.advance(120_000)
    await app.as(admin).payments.resendReceipt({ paymentId: row.id })
    expect(app.receipts()).toHaveLength(2)
    if (how === 'removed') await app.as(admin).payments.remove({ paymentId: row.id })
    else app.provider.openDispute(app.payment(row.id).stripeChargeId ?? '')
    await app.provider.deliverDue()
    const worker = startMailWorker(app.deps, mailSources)
    await worker.deliverDue()
    await worker.stop()
    expect(app.receipts().map(({ status }) => status)).toEqual(['withdrawn', 'withdrawn'])
    expect(
      app.sentMails.map(({ subject }) => subject).filter(subject => subject.includes('receipt')),
    ).toEqual([])
  },
)

test("gives a receipt only to the payment's tenant and the owner, and only for received money", async () => {
  const { app, tenant, application, row } = await paid()
  const [stranger, admin] = [await app.makeTenant(), await app.makeAdmin()]
  await expect(receiptPdf(app.deps, tenant, row.id)).rejects.toMatchObject({ code: 'conflict' })
  await app.provider.deliverDue()
  const own = await receiptPdf(app.deps, tenant, row.id)
  expect(own.filename).toBe('receipt-2026-03-04.pdf')
  expect(isPdf(own.content)).toBe(true)
  expect((await receiptPdf(app.deps, admin, row.id)).content).toEqual(own.content)
  await expect(receiptPdf(app.deps, stranger, row.id)).rejects.toMatchObject({ code: 'not_found' })
  await expect(receiptPdf(app.deps, tenant, 'nowhere')).rejects.toMatchObject({ code: 'not_found' })
  const { payment } = await app.as(admin).payments.addManual(buildManualPayment(application.id))
  expect(isPdf((await receiptPdf(app.deps, tenant, payment.id)).content)).toBe(true)
})

test('a receipt keeps the company name from the day of payment, however often it is rendered [SITE-22]', async () => {
  const { app, tenant, application, row } = await paid()
  await app.provider.deliverDue()
  const before = await receiptPdf(app.deps, tenant, row.id)
  app.advance(60_000)
  await publishContent(app, { identity: { ...buildContent().identity, companyName: 'Dune Rentals' } })
  app.advance(60_000)
  const again = await receiptPdf(app.deps, tenant, row.id)
  expect(sha256(again.content)).toBe(sha256(before.content))
  const asOwner = app.as(await app.makeAdmin())
  const { payment } = await asOwner.payments.addManual(buildManualPayment(application.id))
  const later = await receiptPdf(app.deps, tenant, payment.id)
  expect(pdfText(later.content).flat().join('\n')).toContain('Dune Rentals')
  expect(pdfText(before.content).flat().join('\n')).not.toContain('Dune Rentals')
})

test('content published while the clock was ahead is on receipts of later payments, and not on earlier ones [SITE-22]', async () => {
  const { app, tenant, application, row } = await paid()
  await app.provider.deliverDue()
  const before = await receiptPdf(app.deps, tenant, row.id)
  app.advance(365 * 24 * 60 * 60_000)
  await publishContent(app, { identity: { ...buildContent().identity, companyName: 'Dune Rentals' } })
  const owner = await app.makeAdmin()
  await app.deps.write(tx => recordEvent(tx, nowIso(app.deps), owner, 'site.published', '1'))
  app.advance(60_000 - 365 * 24 * 60 * 60_000)
  const asOwner = app.as(owner)
  const { payment } = await asOwner.payments.addManual(buildManualPayment(application.id))
  const later = await receiptPdf(app.deps, tenant, payment.id)
  expect(pdfText(later.content).flat().join('\n')).toContain('Dune Rentals')
  expect(sha256((await receiptPdf(app.deps, tenant, row.id)).content)).toBe(sha256(before.content))
})

test('limits receipts by user and by address before rendering them [FIX-19]', async () => {
  const { app, tenant, row } = await paid()
  await app.provider.deliverDue()
  let drawn = 0
  const receiptPdfJob = async () => new Uint8Array(++drawn)
  const deps = {
    ...app.deps,
    limits: createLimits(true),
    renderer: { ...app.deps.renderer, receiptPdf: receiptPdfJob },
  }
  const tooMany = { code: 'too_many', retryAfterSeconds: expect.any(Number) }
  const elsewhere = (address: string) => ({ ...tenant.requestOrigin, address })
  for (let at = 0; at < 30; at++) await receiptPdf(deps, tenant, row.id)
  await expect(receiptPdf(deps, tenant, row.id)).rejects.toMatchObject(tooMany)
  const moved = { ...tenant, requestOrigin: elsewhere('198.51.100.9') }
  await expect(receiptPdf(deps, moved, row.id)).rejects.toMatchObject(tooMany)
  expect(drawn).toBe(30)

  // 30 from this address were the tenant's; the rejected one does not count.
  const admins = await Promise.all([1, 2].map(() => app.makeAdmin()))
  for (const admin of admins) for (let at = 0; at < 15; at++) await receiptPdf(deps, admin, row.id)
  for (const admin of admins) await expect(receiptPdf(deps, admin, row.id)).rejects.toMatchObject(tooMany)
  expect(drawn).toBe(60)
  const away = { ...(admins[0] ?? tenant), requestOrigin: elsewhere('198.51.100.9') }
  await receiptPdf(deps, away, row.id)
  expect(drawn).toBe(61)
})

const receipt: Receipt = {
  site: {
    companyName: 'Seaglass Shore Rentals',
    propertyName: 'Seaglass Shore Condo',
    propertyAddress: '120 Ocean Walk, Unit 2B, Seabright Beach, FL 32000',
    ownerEmail: 'owner@condo.example',
    timeZone: 'America/New_York',
  },
  tenantName: 'Maya Rivers',
  email: 'maya@guest.example',
  applicationNumber: 'APP-2026-0007',
  paymentTypeLabel: 'Rent',
  method: 'card',
  checkNumber: '',
  amountCents: 2500_00,
  feeCents: 75_00,
  refundedCents: 0,
  isDisputed: false,
  paidAt: '2026-03-04T17:00:00.000Z',
  transactionId: 'pi_3SaOfTheTests',
  cardBrand: 'Visa',
  cardLast4: '4242',
}

test('a receipt says what is left to pay only while nothing was paid after it [LOOK-90]', async () => {
  const { app, application, row } = await paid()
  await app.provider.deliverDue()
  const leftOf = async (id: string) => (await receiptForMail(app.deps, id))?.facts.left?.leftCents
  const before = (await leftOf(row.id)) ?? 0
  expect(before).toBeGreaterThan(0)
  app.setNow('2026-03-06T17:00:00.000Z')
  const asOwner = app.as(await app.makeAdmin())
  const check = { ...buildManualPayment(application.id), paymentDate: '2026-03-06' }
  const { payment } = await asOwner.payments.addManual(check)
  expect(await leftOf(row.id)).toBeUndefined()
  expect(await leftOf(payment.id)).toBe(before - 1000_00)
})

test('renders the same payment to the same bytes and another to different ones; unusual and long names fit', () => {
  expect(renderReceiptPdf(receipt)).toEqual(renderReceiptPdf({ ...receipt }))
  expect(renderReceiptPdf({ ...receipt, refundedCents: 1 })).not.toEqual(renderReceiptPdf(receipt))
  const odd = renderReceiptPdf({ ...receipt, tenantName: `<img onerror> Ölga Ш ${'name '.repeat(80)}🏖` })
  expect(isPdf(odd)).toBe(true)
})
