import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { applications, events, outbox, payments, returnLegs } from '../../../../db/schema.ts'
import { depositApp, noonOf, refused } from '../../../testing/build-deposit.ts'
import { buildManualPayment } from '../../../testing/build-payment.ts'
import { selectRecords } from '../../bookings/records.ts'
import { readDeposit } from './records.ts'
import { depositDueMails, depositFacts, depositNotices, tickDeposits } from './watch.ts'

type App = Awaited<ReturnType<typeof depositApp>>['app']
const titlesDue = ({ deps }: App) =>
  (depositDueMails.due(deps)?.mails ?? []).map(({ props }) => (props as { title: string }).title)

test('the owner is mailed 5, 2 and 0 days before a date, from nine on and to the end of that day [DEP-14]', async () => {
  const { app, id } = await depositApp()
  const found: Record<string, string[]> = {}
  for (let day = 1; day <= 31; day++) {
    const date = `2026-07-${String(day).padStart(2, '0')}`
    app.setNow(noonOf(date))
    const titles = titlesDue(app)
    if (titles.length > 0) found[date] = titles
  }
  expect(found).toEqual({
    '2026-07-26': ['Maya Rivers’s deposit: 5 days left'],
    '2026-07-29': ['Maya Rivers’s deposit: 2 days left'],
    '2026-07-31': ['Maya Rivers’s deposit: last day today'],
  })
  app.setNow('2026-07-31T12:59:00.000Z')
  expect(titlesDue(app)).toEqual([])
  app.setNow('2026-07-31T13:00:00.000Z')
  const [mail] = depositDueMails.due(app.deps)?.mails ?? []
  expect(mail).toMatchObject({
    dedupeKey: `deposit-due:${id}:return:2026-07-31:0`,
    validUntil: '2026-08-01T04:00:00.000Z',
  })
})

test('for a booking that was declined before the stay, the owner’s mail does not say that the tenant left [DEP-11, DEP-14]', async () => {
  const { app, id, owner } = await depositApp()
  await owner().applications.adminSetStatus({ id, status: 'rejected' })
  const record = selectRecords(app.deps.db).where(eq(applications.id, id)).get()
  const facts = record && readDeposit(app.deps, app.deps.db, record)
  expect(facts?.hasLeft).toBe(false)
})

test('a missed date has its own mail with its title and is a danger that the day’s mail leaves out; done, both go [DEP-15]', async () => {
  const { app, deposit, giveBack, id } = await depositApp({ ruleId: 'florida' })
  app.setNow(noonOf('2026-07-17'))
  const title = 'Maya Rivers’s deposit: it was to be returned by Jul 16, 2026'
  expect(titlesDue(app)).toContain(title)
  expect(depositNotices(app.deps)).toContainEqual(
    expect.objectContaining({
      ...{ id: `deposit-return-${id}`, tone: 'danger', title, ownMail: true },
      action: { kind: 'application', applicationId: id, returnCents: 500_00 },
    }),
  )
  expect((await deposit()).attention).toMatchObject({ tone: 'danger', title })
  const mail = { applicationId: id, deadline: 'return' as const, date: '2026-07-16' }
  expect(depositFacts(app.deps, mail)).toEqual({
    tenantName: 'Maya Rivers',
    hasLeft: true,
    heldCents: 500_00,
    vacatedOn: '2026-07-01',
    claimedCents: 0,
  })
  expect(depositFacts(app.deps, { ...mail, date: '2026-07-15' })).toBeUndefined()
  await giveBack()
  expect(depositFacts(app.deps, mail)).toBeUndefined()
  expect([titlesDue(app), depositNotices(app.deps)]).toEqual([[], []])
})

test('notices of overdue deposits are sorted by date, not by booking', async () => {
  const { app, admin, id, tenant } = await depositApp()
  const submittedAt = '2026-03-02T17:00:00.000Z'
  const may = { requestedStartDate: '2026-05-01', requestedEndDate: '2026-05-31' }
  const { id: earlier } = await app.makeApplication(tenant, { submittedAt, ...may })
  await app
    .as(admin)
    .payments.addManual({ ...buildManualPayment(earlier, { amount: 500_00 }), paymentType: 'deposit' })
  app.setNow(noonOf('2026-08-02'))
  expect(depositNotices(app.deps).map(notice => notice.id)).toEqual([
    `deposit-claim-${earlier}`,
    `deposit-claim-${id}`,
  ])
})

test('a deposit that is held for a deleted application is a warning [DEP-40]', async () => {
  const { app, id, owner } = await depositApp({ by: 'hand' })
  await owner().applications.adminDelete({ id })
  expect(depositNotices(app.deps)).toEqual([
    expect.objectContaining({
      id: `deposit-deleted-${id}`,
      tone: 'warning',
      title: expect.stringContaining('$500.00'),
    }),
  ])
  await owner().payments.recordReturn({ applicationId: id, kind: 'deposit_return', amount: 500_00 })
  expect(depositNotices(app.deps)).toEqual([])
})

/** A deposit that was paid from a bank account and arrived. */
async function byBank() {
  const site = await depositApp({ by: 'none' })
  const { app, id, tenant } = site
  await app.offerBank()
  const row = await app.checkout(tenant, { applicationId: id, providerMethod: 'us_bank_account' })
  app.provider.completeUnpaid(row.checkoutSessionId)
  await app.provider.deliverDue()
  return { ...site, row }
}

test('while a bank payment of the deposit is pending, nothing can be returned or kept; a recent bank payment is a warning, and an old one is returned by hand [DEP-29, DEP-37, DEP-44]', async () => {
  const { addItem, app, giveBack, guest, id, keep, owner, payByHand, row, sendStatement } = await byBank()
  await payByHand(100_00)
  await addItem(50_00)
  const { statementId } = await sendStatement()
  await guest().deposits.agree({ applicationId: id, statementId })
  const unsettled = {
    message: 'A payment of the deposit is on its way or disputed. Please wait for its end.',
  }
  await refused(giveBack({ amountCents: 1_00, route: 'hand', hand: {} }), unsettled)
  await refused(owner().deposits.plan({ applicationId: id }), unsettled)
  const record = { applicationId: id, kind: 'deposit_return' as const, amount: 1_00 }
  await refused(owner().payments.recordReturn(record), unsettled)
  await refused(keep(), unsettled)
  app.provider.settle(row.checkoutSessionId, true)
  await app.provider.deliverDue()
  const planned = () => owner().deposits.plan({ applicationId: id, amountCents: 500_00 })
  expect((await planned()).warnings).toEqual(['The bank can still take back $500.00 until Aug 30, 2026.'])
  app.setNow(noonOf('2026-08-31'))
  expect(await planned()).toMatchObject({ legs: [{ by: 'bank' }], warnings: [] })
  app.setNow(noonOf('2026-12-29'))
  expect((await planned()).legs).toMatchObject([{ by: 'hand' }])
})

test('a bank that takes the deposit back after the statement: it is due again, nothing can be kept, and the notice says what was gone [DEP-43]', async () => {
  const { addItem, app, deposit, giveBack, id, keep, owner, row, sendStatement } = await byBank()
  app.provider.settle(row.checkoutSessionId, true)
  await app.provider.deliverDue()
  await addItem(120_00)
  await sendStatement()
  await giveBack({ amountCents: 200_00, route: 'hand', hand: {} })
  app.setNow(noonOf('2026-07-20'))
  const charge = app.provider.events().find(({ type }) => type === 'charge.succeeded')?.data.object as {
    id: string
  }
  app.provider.openDispute(charge.id)
  await app.provider.deliverDue()
  expect(await deposit()).toMatchObject({
    receivedCents: 0,
    heldCents: 0,
    shortCents: 200_00,
    items: [{}],
    statements: [{}],
  })
  expect((await owner().charges.list({ applicationId: id })).summary.depositDueCents).toBe(500_00)
  await refused(keep(), 'The items come to $120.00, but only $0.00 is held.')
  const { notices } = await owner().notices.list()
  expect(notices.find(({ id }) => id === `bank-returned-${row.id}`)?.detail).toContain(
    '$200.00 of it had been returned or kept.',
  )
})

test('legs of a cancellation count as this deposit’s return, and the tenant is mailed once about a request of several ways [DEP-39, DEP-47]', async () => {
  const { app, deposit, giveBack, payByHand } = await depositApp()
  await payByHand(100_00)
  await giveBack({ amountCents: 300_00, hand: {} })
  await giveBack({ amountCents: 300_00, hand: { checkNumber: '7' } })
  const mails = app.deps.db.select().from(outbox).where(eq(outbox.kind, 'deposit-returned')).all()
  expect(mails.map(({ props }) => (props as { ways: unknown[] }).ways.length)).toEqual([1, 2])
  await app.deps.write(tx => tx.update(returnLegs).set({ cause: 'cancellation' }).run())
  const { heldCents, legs, returnedCents } = await deposit()
  expect([heldCents, returnedCents, legs.map(({ cause, requestId }) => [cause, requestId])]).toEqual([
    0,
    600_00,
    [1, 2, 3].map(() => ['cancellation', null]),
  ])
})

test('returning, keeping and refunds need a proof, without it nothing is written or asked for; strangers find nothing [DEP-41, DEP-48]', async () => {
  const { addItem, admin, app, deposit, guest, id, sendStatement } = await depositApp()
  await addItem(10_00)
  const { statementId } = await sendStatement()
  const before = app.snapshotState()
  const { deposits, payments: pay } = app.as({ ...admin, sessionId: 'not proven' })
  const paymentId = app.deps.db.select().from(payments).all()[0]?.id ?? ''
  const requestId = randomUUID()
  for (const call of [
    deposits.return({ applicationId: id, requestId }),
    deposits.keep({ applicationId: id }),
    pay.refund({ paymentId, requestId }),
    pay.recordReturn({ applicationId: id, kind: 'deposit_return', amount: 1 }),
  ])
    await refused(call, { code: 'FORBIDDEN' })
  expect(app.snapshotState()).toEqual(before)

  const stranger = app.as(await app.makeTenant())
  for (const call of [
    stranger.deposits.get({ applicationId: id }),
    stranger.deposits.agree({ applicationId: id, statementId }),
    stranger.deposits.object({ applicationId: id, statementId, text: 'x' }),
  ])
    await refused(call, 'NOT_FOUND')
  await refused(guest().deposits.keep({ applicationId: id }), 'FORBIDDEN')
  await deposit()
  const kinds = app.deps.db
    .select()
    .from(events)
    .where(eq(events.subjectId, id))
    .all()
    .map(({ kind }) => kind)
  expect(kinds).toEqual(expect.arrayContaining(['deposit.item_added', 'deposit.statement_sent']))
})

test('a printed letter becomes the statement by its number and day, and printing stops no clock [EVID-27]', async () => {
  const { addItem, app, deposit, id, owner, sendStatement } = await depositApp({ ruleId: 'florida' })
  const print = (requestId = randomUUID()) =>
    owner().deposits.printLetter({
      applicationId: id,
      requestId,
      address: '12 Pine Street\nMobile, AL 36602',
    })
  await refused(print(), 'CONFLICT')
  await addItem(100_00)
  for (const address of ['', '1\n2\n3\n4\n5\n6', 'x'.repeat(61)])
    await expect(
      owner().deposits.printLetter({ applicationId: id, requestId: randomUUID(), address }),
    ).rejects.toThrow()
  const requestId = randomUUID()
  const [{ letter }, other] = await Promise.all([print(requestId), print(requestId)])
  expect([other, await print(requestId)].map(again => again.letter)).toEqual([letter, letter])
  await refused(print(), 'CONFLICT')
  app.setNow(noonOf('2026-07-28'))
  expect((await deposit()).deadline).toMatchObject({ kind: 'claim', date: '2026-07-31' })
  expect(depositNotices(app.deps).map(({ id }) => id)).toContain(`deposit-letter-${letter.id}`)
  const post = { how: 'post', trackingNumber: '9407', sentOn: '2026-07-28', letterId: letter.id }
  const [item] = (await deposit()).items
  await owner().deposits.changeItem({ itemId: item?.id ?? '', amountCents: 90_00 })
  await refused(sendStatement(post), 'The items have changed since the letter was printed.')
  await owner().deposits.voidLetter({ letterId: letter.id })
  await refused(sendStatement(post), { code: 'NOT_FOUND' })
  const { renderer } = app.deps
  const depositLetterPdf: typeof renderer.depositLetterPdf = async text => {
    await addItem(5_00)
    return renderer.depositLetterPdf(text)
  }
  app.deps.renderer = { ...renderer, depositLetterPdf }
  await refused(print(), 'The items have changed. Please look at them again.')
  app.deps.renderer = renderer
  const [, added] = (await deposit()).items
  await owner().deposits.removeItem({ itemId: added?.id ?? '' })
  const { letter: second } = await print()
  expect(second).toMatchObject({ number: 2, claimedCents: 90_00 })
  await refused(sendStatement({ ...post, letterId: second.id, sentOn: '2026-07-27' }), {
    fields: { sentOn: expect.any(String) },
  })
  await sendStatement({ ...post, letterId: second.id })
  expect((await deposit()).statements).toMatchObject([
    { letterId: second.id, sha256: second.sha256, how: 'post' },
  ])
  await refused(owner().deposits.voidLetter({ letterId: second.id }), {
    code: 'CONFLICT',
  })
  await refused(sendStatement({ ...post, letterId: second.id }), 'CONFLICT')
  await tickDeposits(app.deps)
})

test('presets say that they are not reviewed, and an upgrade changes none of them [EVID-28]', async () => {
  const { owner } = await depositApp()
  const { rules } = await owner().deposits.rules()
  expect(
    rules.map(({ claimDays, delivery, name, objectionDays, preset, restDays, returnDays }) => [
      ...[name, preset, delivery, returnDays, claimDays, objectionDays, restDays],
    ]),
  ).toEqual([
    ['Florida, s. 83.49 (not reviewed)', true, 'post', 15, 30, 15, 30],
    ['General, 30 days (not reviewed)', true, 'email', 30, 30, 15, 30],
  ])
})

test('while a letter is printed, the rule and the day that it tells stay [DEP-04, EVID-27]', async () => {
  const { addItem, deposit, id: applicationId, owner } = await depositApp()
  await addItem(100_00)
  const printed = { applicationId, requestId: randomUUID(), address: '12 Pine Street' }
  const { letter } = await owner().deposits.printLetter(printed)
  const change = () => owner().deposits.change({ applicationId, vacatedOn: '2026-06-20', ruleId: 'florida' })
  await refused(change(), 'A letter with this rule and day is printed. Please void it first.')
  await owner().deposits.voidLetter({ letterId: letter.id })
  await change()
  expect(await deposit()).toMatchObject({ vacatedOn: '2026-06-20', rule: { id: 'florida' } })
})
