import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  charges,
  depositItems,
  depositRules,
  events,
  outbox,
  payments,
  refunds,
  returnLegs,
} from '../../../../db/schema.ts'
import { nextStepLabel } from '../../../domain/bookings/next-step.ts'
import { depositApp, noonOf, refused } from '../../../testing/build-deposit.ts'
import { buildCheckout, buildManualPayment } from '../../../testing/build-payment.ts'
import { setSigned } from '../../../testing/build-plan.ts'
import { refusal } from '../../../testing/build-stay.ts'
import { pdfText } from '../../../testing/pdf-text.ts'
import { composeMail } from '../../mail/compose.ts'
import { mailSources } from '../../mail-sources.ts'
import { verifyStore } from '../../operations/backup/verify.ts'
import { sweepPayments } from '../payments/checkout/sweep.ts'
import { letterFile, statementFile } from './statements.ts'
import { depositNotices, tickDeposits } from './watch.ts'

const sums = ['receivedCents', 'movedCents', 'shortCents', 'heldCents', 'returnedCents', 'keptCents'] as const
type Sums = Record<(typeof sums)[number], number>
/** Received, moved, short, held, returned, kept. */
const sumsOf = (deposit: Sums) => sums.map(key => deposit[key] / 100)
const mailKinds = (app: Awaited<ReturnType<typeof depositApp>>['app'], kind: string) =>
  app.deps.db.select().from(outbox).where(eq(outbox.kind, kind)).all()

test('while deposits are not watched there is no card, no list, no notice, and nothing can be changed [DEP-01]', async () => {
  const { addItem, admin, app, guest, id, owner } = await depositApp()
  const { version, body } = await owner().settings.deposit.get()
  await owner().settings.deposit.save({ version, body: { ...body, enabled: false } })
  expect(await owner().deposits.get({ applicationId: id })).toEqual({ deposit: null })
  expect(await guest().deposits.get({ applicationId: id })).toEqual({ deposit: null })
  expect(await owner().deposits.list({})).toEqual({ deposits: [] })
  app.setNow(noonOf('2026-12-01'))
  expect(depositNotices(app.deps)).toEqual([])
  await refused(addItem(1_00), 'Deposits are not watched here.')
  await app
    .as(admin)
    .payments.recordReturn({ applicationId: id, kind: 'deduction', amount: 1_00, reason: 'Cleaning' })
})

test('the text of a rule, which tenants read in statements, asks the owner for a proof [DEP-20, FIX-32]', async () => {
  const { admin, app } = await depositApp()
  const stolen = app.as({ ...admin, sessionId: 'without proof' })
  const form = { name: 'Ours', returnDays: 20, claimDays: 20, objectionDays: 10, restDays: 20 }
  const rule = {
    ...form,
    delivery: 'email' as const,
    noticeText: 'Please pay to DE02 1203 0000 0000 2020 51.',
  }
  const refused = { code: 'FORBIDDEN', message: 'Please confirm that it is you.' }
  expect(await refusal(stolen.deposits.addRule(rule))).toMatchObject(refused)
  expect(app.deps.db.select().from(depositRules).all()).toHaveLength(2)
})

test('a rule never changes, and presets and the usual rule stay [DEP-02, DEP-03]', async () => {
  const { app, id, owner } = await depositApp()
  const form = {
    name: 'Ours',
    returnDays: 20,
    claimDays: 20,
    objectionDays: 10,
    restDays: 20,
    delivery: 'email' as const,
    noticeText: '',
  }
  const { rule } = await owner().deposits.addRule(form)
  expect((await owner().deposits.rules()).rules.map(({ id }) => id)).toEqual(['florida', 'general', rule.id])
  await owner().deposits.change({ applicationId: id, ruleId: rule.id })
  await refused(owner().deposits.archiveRule({ id: 'florida' }), { code: 'CONFLICT' })
  await refused(owner().deposits.archiveRule({ id: 'general' }), 'CONFLICT')
  const usual = async (ruleId: string) => {
    const { body, version } = await owner().settings.deposit.get()
    await owner().settings.deposit.save({ version, body: { ...body, ruleId } })
    return body.ruleId
  }
  const former = await usual(rule.id)
  const keepsUsual = 'This is the usual rule. Please choose another one first.'
  await refused(owner().deposits.archiveRule({ id: rule.id }), keepsUsual)
  await usual(former)
  await owner().deposits.archiveRule({ id: rule.id })
  await refused(owner().deposits.archiveRule({ id: rule.id }), 'NOT_FOUND')
  // A deposit keeps it.
  expect((await owner().deposits.get({ applicationId: id })).deposit?.rule.name).toBe('Ours')
  const { body, version } = await owner().settings.deposit.get()
  expect(
    await refusal(owner().settings.deposit.save({ version, body: { ...body, ruleId: rule.id } })),
  ).toMatchObject({ fields: { 'body.ruleId': 'Please choose a rule' } })
  for (const [field, wrong] of [
    ['name', { name: '' }],
    ['returnDays', { returnDays: 0 }],
    ['claimDays', { claimDays: 19 }],
    ['objectionDays', { objectionDays: 61 }],
    ['noticeText', { noticeText: 'x'.repeat(4001) }],
  ] as const)
    await expect(owner().deposits.addRule({ ...form, ...wrong }), field).rejects.toThrow()
  expect(app.deps.db.select().from(depositRules).all()).toHaveLength(3)
})

test('a deposit follows the usual rule until the tenant has left, and then keeps it; none is chosen after a statement [DEP-04]', async () => {
  const { addItem, app, deposit, id, owner, sendStatement } = await depositApp()
  const chooseFlorida = async () => {
    const { body, version } = await owner().settings.deposit.get()
    await owner().settings.deposit.save({ version, body: { ...body, ruleId: 'florida' } })
  }
  app.setNow(noonOf('2026-06-30'))
  await tickDeposits(app.deps)
  await chooseFlorida()
  expect((await deposit()).rule.id).toBe('florida')
  app.setNow(noonOf('2026-07-01'))
  await tickDeposits(app.deps)
  const { body, version } = await owner().settings.deposit.get()
  await owner().settings.deposit.save({ version, body: { ...body, ruleId: 'general' } })
  expect((await deposit()).rule.id).toBe('florida')
  await owner().deposits.change({ applicationId: id, ruleId: 'general' })
  expect((await deposit()).rule.id).toBe('general')
  await addItem(1_00)
  await sendStatement()
  await refused(owner().deposits.change({ applicationId: id, ruleId: 'florida' }), 'CONFLICT')
})

test('the story of a deposit: left, drafted, claimed, settled, kept, on its way back, closed [DEP-05, DEP-12, DEP-24, DEP-28, DEP-40]', async () => {
  const { addItem, app, deposit, giveBack, guest, id, keep, owner, sendStatement } = await depositApp()
  const state = async () => (await deposit()).state
  app.setNow(noonOf('2026-06-30'))
  expect([await state(), (await deposit()).hasLeft]).toEqual(['held', false])
  app.setNow(noonOf('2026-07-01'))
  expect(await deposit()).toMatchObject({
    state: 'vacated',
    deadline: { kind: 'return', date: '2026-07-31', daysLeft: 30 },
  })
  await addItem(120_00)
  expect(await state()).toBe('drafted')
  // No draft for the tenant.
  expect((await guest().deposits.get({ applicationId: id })).deposit).toMatchObject({
    state: 'vacated',
    items: [],
    claimedCents: 0,
  })
  const { statementId } = await sendStatement()
  expect(await deposit()).toMatchObject({
    state: 'claimed',
    claimedCents: 120_00,
    freeCents: 380_00,
    objectionUntil: '2026-07-16',
  })
  expect((await guest().deposits.get({ applicationId: id })).deposit).toMatchObject({
    state: 'claimed',
    items: [{ amountCents: 120_00 }],
  })
  expect((await deposit()).deadline).toEqual({ kind: 'rest', date: '2026-07-31', daysLeft: 30 })
  await refused(keep(), 'The tenant can object until Jul 16, 2026.')
  // Another amount is a draft again, until the next statement.
  const [item] = (await deposit()).items
  await owner().deposits.changeItem({ itemId: item?.id ?? '', amountCents: 110_00 })
  expect(await state()).toBe('drafted')
  expect((await guest().deposits.get({ applicationId: id })).deposit).toMatchObject({
    state: 'vacated',
    items: [{ amountCents: 120_00 }],
    claimedCents: 120_00,
    freeCents: 380_00,
    deadline: { kind: 'rest' },
  })
  await sendStatement()
  expect(
    (await deposit()).statements.map(({ claimedCents, id, number }) => [
      number,
      claimedCents,
      id === statementId,
    ]),
  ).toEqual([
    [1, 120_00, true],
    [2, 110_00, false],
  ])
  app.setNow(noonOf('2026-07-17'))
  expect(await state()).toBe('settled')
  await refused(keep('', { seenClaimedCents: 120_00 }), 'The items have changed. Please look at them again.')
  await keep('', { seenClaimedCents: 110_00 })
  expect(sumsOf(await deposit())).toEqual([500, 0, 0, 390, 0, 110])
  await refused(keep(), 'Nothing is left to keep.')
  app.provider.setFault({ hangUp: true, only: 'POST /v1/refunds', failNext: 2 })
  await giveBack({ totalCents: 401_70 })
  expect(await deposit()).toMatchObject({
    state: 'returning',
    onItsWayCents: 390_00,
    freeCents: 0,
    legs: [{ state: 'waiting' }],
  })
  await tickDeposits(app.deps)
  expect(await deposit()).toMatchObject({
    state: 'closed',
    deadline: null,
    legs: [{ state: 'done', by: 'card', feeCents: 11_70, totalCents: 401_70 }],
  })
  expect(sumsOf(await deposit())).toEqual([500, 0, 0, 0, 390, 110])
  await tickDeposits(app.deps)
  expect((await deposit()).closedAt).not.toBeNull()
  expect(mailKinds(app, 'deposit-returned')).toHaveLength(1)
})

test('a provider refund is the deposit’s return, unless it is a correction: then it is owed again [DEP-07, DEP-08]', async () => {
  const { app, deposit, id, owner, payByCard, tenant } = await depositApp({ by: 'none' })
  const due = async () => (await owner().charges.list({ applicationId: id })).summary
  const first = await payByCard()
  await owner().payments.refund({ paymentId: first.id, requestId: randomUUID() })
  expect(sumsOf(await deposit())).toEqual([500, 0, 0, 0, 500, 0])
  expect(await due()).toMatchObject({ depositDueCents: 0, balanceCents: 2500_00 })
  await refused(app.checkout(tenant, { applicationId: id }), { code: 'CONFLICT' })
  const [row] = app.deps.db.select().from(refunds).where(eq(refunds.status, 'succeeded')).all()
  expect(row?.purpose).toBe('deposit_return')

  const other = await depositApp({ by: 'none' })
  const paid = await other.payByCard()
  const refund = { paymentId: paid.id, requestId: randomUUID(), purpose: 'refund' as const }
  await other.owner().payments.refund(refund)
  expect(other.app.payment(paid.id)).toMatchObject({ correctedAmountCents: 500_00, status: 'refunded' })
  expect(sumsOf(await other.deposit())).toEqual([0, 0, 0, 0, 0, 0])
  const { summary } = await other.owner().charges.list({ applicationId: other.id })
  expect(summary).toMatchObject({ depositDueCents: 500_00, balanceCents: 3000_00 })
  await other.payByCard()
  expect(sumsOf(await other.deposit())).toEqual([500, 0, 0, 500, 0, 0])
  const rent = await other.payByCard(100_00, 'rent')
  expect(
    await refusal(
      other.owner().payments.refund({
        ...refund,
        paymentId: rent.id,
        requestId: randomUUID(),
        purpose: 'deposit_return' as never,
      }),
    ),
  ).toMatchObject({ fields: { purpose: 'Only a deposit can be returned.' } })
})

test('what is kept for unpaid rent pays it, unless it was paid meanwhile, other items do not, and nothing of it is owed again [DEP-08, DEP-17, DEP-28]', async () => {
  const { addItem, app, deposit, id, keep, owner, payByHand, sendStatement } = await depositApp()
  const balance = async () => (await owner().charges.list({ applicationId: id })).summary.balanceCents
  expect(await balance()).toBe(2500_00)
  await addItem(300_00, 'unpaid')
  await addItem(50_00, 'damage')
  await sendStatement()
  app.setNow(noonOf('2026-08-01'))
  const { id: paymentId } = (await payByHand(2200_01, 'rent')).payment
  await refused(keep(), 'Only $299.99 is unpaid.')
  await owner().payments.remove({ paymentId })
  await keep()
  expect(await balance()).toBe(2200_00)
  expect(sumsOf(await deposit())).toEqual([500, 0, 0, 150, 0, 350])
})

test('nothing takes what is kept or on its way back, in whatever order it comes [DEP-09, DEP-36, DEP-49]', async () => {
  const { app, addItem, deposit, giveBack, id, keep, owner, sendStatement, tenant } = await depositApp()
  await addItem(120_00)
  await sendStatement()
  app.setNow(noonOf('2026-08-01'))
  await keep()
  const paymentId =
    (await owner().payments.adminHistory({ userId: tenant.userId })).payments.find(
      ({ method }) => method === 'card',
    )?.id ?? ''
  const left = 'Only $380.00 is left of the deposit.'
  await refused(owner().payments.refund({ paymentId, requestId: randomUUID() }), left)
  await refused(giveBack({ amountCents: 380_01 }), left)
  expect(
    await refusal(
      owner().payments.recordReturn({ applicationId: id, kind: 'deposit_return', amount: 380_01 }),
    ),
  ).toMatchObject({ message: left })
  await refused(owner().payments.remove({ paymentId }), { code: 'CONFLICT' })
  expect(
    await refusal(owner().payments.recordReturn({ applicationId: id, kind: 'refund', amount: 380_01 })),
  ).toMatchObject({ code: 'CONFLICT' })
  // Two at once: one is refused, and the same request gives the same legs.
  const requestId = randomUUID()
  const answers = await Promise.allSettled([
    giveBack({ requestId }),
    giveBack({ requestId }),
    giveBack({ amountCents: 1_00 }),
  ])
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  expect((await deposit()).legs).toHaveLength(1)
  expect(sumsOf(await deposit())).toEqual([500, 0, 0, 0, 380, 120])
  await refused(giveBack(), 'Only $0.00 is left of the deposit.')
})

test('sending a statement is refused if the claim differs from what the dialog showed [DEP-23]', async () => {
  const { addItem, deposit, sendStatement } = await depositApp()
  await addItem(100_00)
  await addItem(300_00)
  await refused(
    sendStatement({ seenClaimedCents: 100_00 }),
    'The items have changed. Please look at them again.',
  )
  expect((await deposit()).statements).toEqual([])
  await sendStatement({ seenClaimedCents: 400_00 })
})

test('what a deduction keeps is not given back as a refund, also while deposits are not watched [DEP-01, DEP-09]', async () => {
  const { id, owner } = await depositApp()
  await owner().settings.deposit.save({ version: 1, body: { enabled: false } as never })
  const take = (kind: 'deduction' | 'refund') =>
    owner().payments.recordReturn({ applicationId: id, kind, amount: 500_00, reason: 'A lamp' })
  await take('deduction')
  await refused(take('refund'), 'Only $0.00 is not kept.')
  await owner().applications.adminSetStatus({ id, status: 'rejected' })
  await refused(take('refund'), 'Only $0.00 is not kept.')
})

test('a deposit that was moved and is disputed where it came from is disputed here too and due here again, and lost it has no date [DEP-06, DEP-12, DEP-42, FIX-38]', async () => {
  const { app, deposit, id, owner, tenant, payByCard, payByHand } = await depositApp({ by: 'none' })
  app.setNow(noonOf('2026-03-04'))
  await payByHand(2500_00, 'rent')
  const submittedAt = '2026-03-01T17:00:00.000Z'
  const dates = { requestedStartDate: '2026-08-01', requestedEndDate: '2026-09-01' }
  const { id: toApplicationId } = await app.makeApplication(tenant, { submittedAt, ...dates })
  const paid = await payByCard()
  const transfer = { kind: 'deposit' as const, depositAmount: 500_00, transferNotes: '' }
  await owner().payments.transfer({ ...transfer, fromApplicationId: id, toApplicationId })
  await owner().payments.addManual({
    ...buildManualPayment(toApplicationId, { amount: 2500_00 }),
    paymentType: 'rent',
  })
  const there = async () => (await owner().deposits.get({ applicationId: toApplicationId })).deposit
  const dispute = app.provider.openDispute(app.payment(paid.id).stripeChargeId ?? '')
  await app.provider.deliverDue()
  app.setNow(noonOf('2026-09-05'))
  const none = { heldCents: 0, freeCents: 0 }
  expect(await there()).toMatchObject({
    ...none,
    disputedCents: 500_00,
    deadline: { kind: 'return', date: '2026-10-01' },
  })
  app.provider.closeDispute(dispute.id, 'lost')
  await app.provider.deliverDue()
  expect(await there()).toMatchObject({ ...none, disputedCents: 0, deadline: null, state: 'unpaid' })
  // Of another stay, from which nothing came.
  const later = { requestedStartDate: '2026-10-01', requestedEndDate: '2026-11-01' }
  const other = await app.makeApplication(tenant, { submittedAt, ...later })
  const unrelated = await app.checkout(tenant, buildCheckout({ applicationId: other.id }))
  app.provider.pay(unrelated.checkoutSessionId)
  await app.provider.deliverDue()
  app.provider.openDispute(app.payment(unrelated.id).stripeChargeId ?? '')
  await app.provider.deliverDue()
  expect(await there()).toMatchObject({ ...none, disputedCents: 0, deadline: null, state: 'unpaid' })
  expect(sumsOf((await there()) ?? (await deposit()))).toEqual([0, 0, 0, 0, 0, 0])
  const { application } = await owner().applications.adminGet({ id: toApplicationId })
  expect(application.nextStep).toEqual({ kind: 'owed', amountCents: 500_00 })
  const from = await owner().charges.list({ applicationId: id })
  expect(from.summary).toMatchObject({ balanceCents: 500_00, depositDueCents: 500_00 })
})

test('the tenant answers no claim for more than is held or disputed, and none once all went back [DEP-26, DEP-42, DEP-43, LOOK-21]', async () => {
  const { addItem, app, deposit, giveBack, guest, id, owner, sendStatement } = await depositApp()
  await addItem(300_00)
  const { statementId } = await sendStatement()
  const claimed = async () => {
    const { application } = await guest().applications.get({ id })
    const view = (await guest().deposits.get({ applicationId: id })).deposit
    const waiting = 'waiting' in application ? application.waiting : undefined
    return [waiting?.kind === 'claim' ? waiting.amountCents : 0, view?.claimedCents]
  }
  expect(await claimed()).toEqual([300_00, 300_00])
  const charge = app.provider.events().find(({ type }) => type === 'charge.succeeded')?.data.object as {
    id: string
  }
  const dispute = app.provider.openDispute(charge.id)
  await app.provider.deliverDue()
  expect(await claimed()).toEqual([300_00, 300_00])
  app.provider.closeDispute(dispute.id, 'won')
  await app.provider.deliverDue()
  const [item] = (await deposit()).items
  await owner().deposits.removeItem({ itemId: item?.id ?? '' })
  expect(await claimed()).toEqual([300_00, 300_00])
  await giveBack({ amountCents: 400_00, route: 'hand', hand: {} })
  expect(await claimed()).toEqual([100_00, 100_00])
  await giveBack({ route: 'hand', hand: {} })
  expect(await claimed()).toEqual([0, 0])
  await refused(guest().deposits.agree({ applicationId: id, statementId }), 'Nothing is left to keep.')
})

test('a claim is the next step and a task until it is sent, decided and kept [LOOK-17, DEP-24, DEP-26]', async () => {
  const { addItem, giveBack, guest, id, keep, owner, payByHand, sendStatement } = await depositApp()
  await payByHand(2500_00, 'rent')
  const next = async () => {
    const { nextStep } = (await owner().applications.adminGet({ id })).application
    const { tasks } = await owner().notices.ownerDay()
    const task = tasks.find(({ applicationId }) => applicationId === id)
    return [nextStep && nextStepLabel(nextStep), task?.action]
  }
  await owner().applications.adminSetStatus({ id, status: 'completed' })
  const { itemId } = await addItem(120_00)
  const toSend = ['Send statement for $120.00', 'Send statement']
  expect(await next()).toEqual(toSend)
  await giveBack({ route: 'hand', hand: {} })
  expect(await next()).toEqual(toSend)
  const first = await sendStatement()
  expect(await next()).toEqual([null, undefined])
  await guest().deposits.object({ ...first, applicationId: id, text: 'It was broken.' })
  expect(await next()).toEqual(['Decide the claim of $120.00', 'Decide the claim'])
  await owner().deposits.removeItem({ itemId })
  await addItem(120_00)
  expect(await next()).toEqual(toSend)
  await guest().deposits.agree({ ...(await sendStatement()), applicationId: id })
  expect(await next()).toEqual(['Keep $120.00', 'Keep $120.00'])
  await keep()
  expect(await next()).toEqual([null, undefined])
})

test('what a dispute takes after the return is short, and the owner is told [DEP-06, DEP-10, DEP-42]', async () => {
  const { app, deposit, giveBack, owner, payByHand } = await depositApp()
  await payByHand(100_00)
  await giveBack({ amountCents: 100_00, route: 'hand', hand: { checkNumber: '12' } })
  await giveBack({ amountCents: 300_00, route: 'hand', hand: {} })
  const charge = app.provider.events().find(({ type }) => type === 'charge.succeeded')?.data.object as {
    id: string
  }
  const dispute = app.provider.openDispute(charge.id)
  await app.provider.deliverDue()
  expect(await deposit()).toMatchObject({ disputedCents: 500_00, heldCents: 0 })
  await refused(
    giveBack({ amountCents: 1_00 }),
    'A payment of the deposit is on its way or disputed. Please wait for its end.',
  )
  app.provider.closeDispute(dispute.id, 'lost')
  await app.provider.deliverDue()
  expect(sumsOf(await deposit())).toEqual([100, 0, 300, 0, 400, 0])
  const { notices } = await owner().notices.list()
  expect(notices.map(({ title }) => title)).toContainEqual(
    expect.stringContaining('More money went back than came in'),
  )
})

test('the day of leaving is the stay’s last day or the owner’s, and for a declined booking the day of that decision [DEP-11, DEP-13]', async () => {
  const { app, deposit, id, owner } = await depositApp()
  const set = (vacatedOn: string | null) => owner().deposits.change({ applicationId: id, vacatedOn })
  expect((await deposit()).vacatedOn).toBe('2026-07-01')
  await set('2026-06-20')
  expect(await deposit()).toMatchObject({ vacatedOn: '2026-06-20', deadline: { date: '2026-07-20' } })
  for (const wrong of ['2026-05-31', '2026-07-02'])
    await refused(set(wrong), {
      fields: { vacatedOn: expect.stringContaining('first day') },
    })
  await set(null)
  expect((await deposit()).vacatedOn).toBe('2026-07-01')
  // Before deposits were watched.
  const { body, version } = await owner().settings.deposit.get()
  await owner().settings.deposit.save({ version, body: { ...body, since: '2026-07-02' } })
  expect((await deposit()).deadline).toBeNull()
  await set('2026-07-01')
  expect((await deposit()).deadline).not.toBeNull()
  await set(null)
  app.setNow(noonOf('2026-07-09'))
  await owner().applications.adminSetStatus({ id, status: 'rejected' })
  expect((await deposit()).vacatedOn).toBe('2026-07-09')
})

test('a statement sent while the application was declined is void once it is approved again: it is answered no more, fixes no rule, and nothing can be claimed or kept before the stay [DEP-04, DEP-11, DEP-21, DEP-25, DEP-27]', async () => {
  const { addItem, app, deposit, guest, id, keep, owner, sendStatement } = await depositApp()
  const waiting = async () => (await guest().applications.get({ id })).application
  await setSigned(app, id, '2026-03-02T00:00:00.000Z')
  app.setNow(noonOf('2026-04-01'))
  await owner().applications.adminSetStatus({ id, status: 'rejected' })
  await addItem(100_00)
  const { statementId } = await sendStatement()
  expect(await deposit()).toMatchObject({ state: 'claimed', statements: [{ counts: true }] })
  const change = () => owner().deposits.change({ applicationId: id, ruleId: 'florida' })
  await refused(change(), 'A statement was sent. Its rule and its day stay.')
  await owner().applications.adminSetStatus({ id, status: 'approved' })
  expect(await waiting()).not.toHaveProperty('waiting')
  expect(await deposit()).toMatchObject({
    state: 'drafted',
    objectionUntil: null,
    statements: [{ counts: false }],
  })
  for (const answer of [
    guest().deposits.object({ applicationId: id, statementId, text: 'No.' }),
    guest().deposits.agree({ applicationId: id, statementId }),
  ])
    await refused(answer, 'This statement counts no more.')
  expect((await guest().deposits.get({ applicationId: id })).deposit?.statements).toMatchObject([
    { counts: false, objection: null, agreedAt: null },
  ])
  await change()
  expect((await deposit()).rule.id).toBe('florida')
  await owner().deposits.change({ applicationId: id, ruleId: 'general' })
  app.setNow(noonOf('2026-07-20'))
  await refused(keep(), 'Send a statement of these items first.')
  await sendStatement()
  expect(await waiting()).toMatchObject({ waiting: { kind: 'claim', amountCents: 100_00 } })
  expect((await deposit()).statements).toHaveLength(2)
})

test('a statement that counts no more stays so, whatever rule and day are chosen or the application is declined anew [DEP-04, DEP-21, DEP-27]', async () => {
  const { addItem, app, deposit, id, keep, owner, sendStatement } = await depositApp()
  const setStatus = (status: 'approved' | 'rejected') => owner().applications.adminSetStatus({ id, status })
  app.setNow(noonOf('2026-06-20'))
  await setStatus('rejected')
  await addItem(100_00)
  await sendStatement()
  await setStatus('approved')
  await setStatus('rejected')
  expect((await deposit()).statements).toMatchObject([{ counts: false }])
  await setStatus('approved')
  app.setNow(noonOf('2026-07-08'))
  await owner().deposits.change({ applicationId: id, ruleId: 'florida', vacatedOn: '2026-06-19' })
  expect((await deposit()).statements).toMatchObject([{ counts: false }])
  await refused(keep(), 'Send a statement of these items first.')
})

test('a statement of the stay counts whatever becomes of the application: the tenant objects while it is declined, and nothing is kept before a later last day [DEP-21, DEP-25, DEP-27]', async () => {
  const { addItem, app, deposit, guest, id, keep, owner, sendStatement } = await depositApp()
  await addItem(100_00)
  const { statementId } = await sendStatement()
  app.setNow(noonOf('2026-07-05'))
  await owner().applications.adminSetStatus({ id, status: 'rejected' })
  expect(await deposit()).toMatchObject({ state: 'claimed', statements: [{ counts: true }] })
  await guest().deposits.object({ applicationId: id, statementId, text: 'No.' })
  app.setNow(noonOf('2026-07-17'))
  await owner().applications.adminSetStatus({ id, status: 'approved' })
  await refused(keep(), { fields: { note: 'Please note what was agreed or decided' } })
  await owner().applications.adminEdit({ id, requestedEndDate: '2026-08-01' })
  await refused(keep('Agreed by phone.'), 'The tenant has not left yet.')
  app.setNow(noonOf('2026-08-01'))
  await keep('Agreed by phone.')
})

test('for a declined stay, next steps, sums and notice leave out what a valid statement claims [DEP-21, LOOK-72]', async () => {
  const { addItem, deposit, guest, id, keep, owner, sendStatement } = await depositApp()
  await addItem(300_00)
  const { statementId } = await sendStatement()
  await owner().applications.adminSetStatus({ id, status: 'rejected' })
  const said = async () => {
    const application = await guest().applications.get({ id })
    const { notices } = await owner().notices.list()
    return {
      tenant: 'waiting' in application.application ? application.application.waiting : undefined,
      owner: (await owner().applications.adminGet({ id })).application.nextStep?.amountCents,
      preview: (await owner().applications.adminStatusPreview({ id })).paidCents,
      notice: notices.flatMap(({ action }) => (action && 'leftCents' in action ? action.leftCents : [])),
      ended: (await owner().charges.list({ applicationId: id })).summary.ended,
      free: (await deposit()).freeCents,
    }
  }
  const left = {
    owner: 200_00,
    preview: 200_00,
    notice: [206_00],
    ended: { paidCents: 500_00, returnedCents: 0, keptCents: 0, claimedCents: 300_00, toReturnCents: 200_00 },
    free: 200_00,
  }
  const claim = { kind: 'claim', amountCents: 300_00, until: '2026-07-16' }
  expect(await said()).toEqual({ ...left, tenant: claim })
  await guest().deposits.agree({ applicationId: id, statementId })
  expect(await said()).toEqual({ ...left, tenant: { kind: 'refund', amountCents: 200_00 } })
  await keep()
  const ended = { paidCents: 500_00, returnedCents: 0, keptCents: 300_00, toReturnCents: 200_00 }
  expect(await said()).toEqual({ ...left, ended, tenant: { kind: 'refund', amountCents: 200_00 } })
})

test('after the owner removes or lowers a claimed item, the owner’s sums to return go up, and the tenant’s stay as told [DEP-21, LOOK-72]', async () => {
  const { addItem, deposit, guest, id, owner, sendStatement } = await depositApp()
  await addItem(300_00)
  await sendStatement()
  await owner().applications.adminSetStatus({ id, status: 'rejected' })
  const said = async () => ({
    free: (await deposit()).freeCents,
    owner: (await owner().charges.list({ applicationId: id })).summary.ended?.toReturnCents,
    tenant: (await guest().charges.list({ applicationId: id })).summary.ended?.toReturnCents,
    told: (await guest().deposits.get({ applicationId: id })).deposit?.claimedCents,
  })
  // The tenant sees no drafts.
  const toTenant = { tenant: 200_00, told: 300_00 }
  expect(await said()).toEqual({ free: 200_00, owner: 200_00, ...toTenant })
  const [item] = (await deposit()).items
  await owner().deposits.changeItem({ itemId: item?.id ?? '', amountCents: 100_00 })
  expect(await said()).toEqual({ free: 400_00, owner: 400_00, ...toTenant })
  await owner().deposits.removeItem({ itemId: item?.id ?? '' })
  expect(await said()).toEqual({ free: 500_00, owner: 500_00, ...toTenant })
})

test('the tenant can object to the statement in force although a later one is void [DEP-21, DEP-25]', async () => {
  const { addItem, app, deposit, guest, id, keep, owner, sendStatement } = await depositApp()
  const setStatus = (status: 'approved' | 'rejected') => owner().applications.adminSetStatus({ id, status })
  await addItem(100_00)
  const { statementId } = await sendStatement()
  await addItem(50_00)
  app.setNow(noonOf('2026-07-02'))
  await setStatus('rejected')
  await sendStatement()
  await setStatus('approved')
  const later = (await deposit()).items.find(({ amountCents }) => amountCents === 50_00)
  await owner().deposits.removeItem({ itemId: later?.id ?? '' })
  expect((await deposit()).statements).toMatchObject([{ counts: true }, { counts: false }])
  await guest().deposits.object({ applicationId: id, statementId, text: 'No.' })
  app.setNow(noonOf('2026-07-28'))
  await refused(keep(), { fields: { note: 'Please note what was agreed or decided' } })
})

test('items come to what is held and not on its way back at most, for unpaid to what is owed, less what is on its way from a bank [DEP-16, DEP-17]', async () => {
  const { addItem, app, deposit, giveBack, guest, id, keep, owner, sendStatement } = await depositApp()
  await addItem(400_00)
  const [one, two] = await Promise.allSettled([addItem(60_00), addItem(60_00)])
  expect([one.status, two.status].sort()).toEqual(['fulfilled', 'rejected'])
  await refused(addItem(160_00), 'The items come to $620.00, but only $500.00 is held.')
  for (const item of (await deposit()).items) await owner().deposits.removeItem({ itemId: item.id })
  expect((await deposit()).items).toEqual([])
  app.provider.setFault({ hangUp: true, only: 'POST /v1/refunds', failNext: 2 })
  await giveBack({ amountCents: 300_00 })
  await refused(addItem(200_01), 'The items come to $200.01, but only $200.00 is held.')
  await addItem(200_00)
  const { statementId } = await sendStatement()
  await guest().deposits.agree({ applicationId: id, statementId })
  app.provider.refund(app.deps.db.select().from(payments).get()?.stripeChargeId ?? '', 103_00)
  await app.provider.deliverDue()
  await refused(keep(), 'The items come to $200.00, but only $100.00 is held.')
  const paid = await depositApp()
  await paid.payByHand(2200_00, 'rent')
  await refused(paid.addItem(300_01, 'unpaid'), 'Only $300.00 is unpaid.')
  await paid.app.offerBank()
  const bank = { paymentType: 'rent', providerMethod: 'us_bank_account', applicationId: paid.id } as const
  const onItsWay = await paid.app.checkout(paid.tenant, { ...bank, amount: 100_00 })
  paid.app.provider.completeUnpaid(onItsWay.checkoutSessionId)
  await paid.app.provider.deliverDue()
  await refused(paid.addItem(200_01, 'unpaid'), 'Only $200.00 is unpaid.')
  await paid.addItem(200_00, 'unpaid')
})

test('a statement needs an item, a tenant who has left and the time to claim; by post its day and number [DEP-21, DEP-22]', async () => {
  const { addItem, app, deposit, id, owner, sendStatement } = await depositApp({ ruleId: 'florida' })
  const post = { how: 'post', trackingNumber: '9407', sentOn: '2026-07-01' } as const
  await refused(sendStatement(post), { code: 'CONFLICT' })
  await addItem(100_00)
  app.setNow(noonOf('2026-06-30'))
  await refused(sendStatement(post), 'The tenant has not left yet.')
  app.setNow(noonOf('2026-07-01'))
  await refused(sendStatement(), { code: 'CONFLICT' })
  await expect(sendStatement({ ...post, trackingNumber: '' })).rejects.toThrow()
  await expect(sendStatement({ ...post, sentOn: undefined })).rejects.toThrow()
  await refused(sendStatement({ ...post, sentOn: '2026-07-02' }), {
    fields: { sentOn: expect.any(String) },
  })
  await refused(sendStatement({ ...post, sentOn: '2026-06-30' }), {
    fields: { sentOn: expect.any(String) },
  })
  app.setNow(noonOf('2026-08-01'))
  const dayAfter = { ...post, sentOn: '2026-08-01' }
  await refused(sendStatement(dayAfter), 'The time to claim ended on Jul 31, 2026.')
  await sendStatement({ ...dayAfter, late: true })
  // A later one may come, but not above the last.
  const [item] = (await deposit()).items
  await owner().deposits.changeItem({ itemId: item?.id ?? '', amountCents: 100_01 })
  await refused(sendStatement({ ...dayAfter, late: true }), { code: 'CONFLICT' })
  // Sent in time, entered later.
  await sendStatement({ ...post, sentOn: '2026-07-31' })
  expect(await deposit()).toMatchObject({ objectionUntil: '2026-08-20' })
  await owner().deposits.changeItem({ itemId: item?.id ?? '', amountCents: 90_00 })
  // An email is sent today, whatever day is named.
  await sendStatement({ emailAgreed: true, sentOn: '2026-07-31' })
  expect((await deposit()).statements.map(({ sentOn }) => sentOn)).toEqual([
    '2026-08-01',
    '2026-07-31',
    '2026-08-01',
  ])
  expect(
    app.deps.db.select().from(events).where(eq(events.kind, 'deposit.statement_sent')).all(),
  ).toHaveLength(3)
  expect((await owner().deposits.get({ applicationId: id })).deposit?.state).toBe('claimed')
})

test('the same request is one statement and one mail with the PDF, whose hash is answered and never changes [DEP-20, DEP-23]', async () => {
  const { addItem, app, deposit, sendStatement } = await depositApp()
  await addItem(100_00)
  const requestId = randomUUID()
  const answers = await Promise.all([sendStatement({ requestId }), sendStatement({ requestId })])
  const again = await sendStatement({ requestId })
  expect(new Set([...answers, again].map(({ statementId }) => statementId)).size).toBe(1)
  const [mail, ...more] = mailKinds(app, 'deposit-statement')
  expect(more).toEqual([])
  const { text } = await composeMail(app.deps, mailSources, mail ?? expect.unreachable())
  expect(text).toMatch(/1\.\s.+\s−\$100\.00\s+Back to you by .+\s\$400\.00\n/)
  expect((await deposit()).statements).toEqual([
    expect.objectContaining({ number: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }),
  ])
})

test('statement and letter name the whole deposit, also after parts of it went back or were kept [DEP-06, DEP-20, EVID-27]', async () => {
  const { addItem, admin, app, giveBack, guest, id, keep, owner, sendStatement, tenant } = await depositApp()
  const told = async (statementId: string) =>
    sumsIn((await statementFile(app.deps, tenant, id, statementId)).content)
  await addItem(120_00)
  await giveBack({ amountCents: 300_00 })
  await app.provider.deliverDue()
  const { statementId } = await sendStatement()
  expect(await told(statementId)).toEqual(['$500.00', '−$300.00', '−$120.00', '$120.00', '$80.00'])
  await guest().deposits.agree({ applicationId: id, statementId })
  await keep()
  await addItem(50_00)
  const sums = ['$500.00', '−$300.00', '−$120.00', '−$50.00', '$50.00', '$30.00']
  expect(await told((await sendStatement()).statementId)).toEqual(sums)
  const address = '5 New Home Lane'
  const { letter } = await owner().deposits.printLetter({
    applicationId: id,
    address,
    requestId: randomUUID(),
  })
  expect(sumsIn((await letterFile(app.deps, { ...admin, role: 'admin' }, letter.id)).content)).toEqual(sums)
})

/** The amounts from the deposit to the rest. */
function sumsIn(pdf: Uint8Array): string[] {
  const lines = pdfText(pdf).flat()
  const end = lines.findIndex(line => line.startsWith('The rest'))
  return lines.slice(lines.indexOf('Security deposit') - 1, end).filter(line => /^−?\$/.test(line))
}

test('where no email can be sent, the statement goes by post; what is kept for unpaid closes an open checkout of it [DEP-22, DEP-28]', async () => {
  const { addItem, app, deposit, guest, id, keep, sendStatement, tenant } = await depositApp()
  await addItem(300_00, 'unpaid')
  const { mail } = app.deps
  app.deps.mail = undefined
  await refused(sendStatement(), { code: 'CONFLICT', message: expect.stringContaining('by post') })
  app.deps.mail = mail
  const { statementId } = await sendStatement()
  const rest = { paymentType: 'rent' as const, amount: 2500_00, applicationId: id }
  const { checkoutSessionId } = await app.checkout(tenant, rest)
  await guest().deposits.agree({ applicationId: id, statementId })
  await keep()
  expect((await deposit()).keptCents).toBe(300_00)
  expect(() => app.provider.pay(checkoutSessionId)).toThrow()
})

test('the tenant alone objects, once and in time, and after that keeping needs a note [DEP-25, DEP-26, DEP-27]', async () => {
  const { addItem, app, deposit, guest, id, keep, owner, sendStatement } = await depositApp()
  await addItem(100_00)
  const waiting = async () => (await guest().applications.get({ id })).application
  expect(await waiting()).not.toHaveProperty('waiting')
  const { statementId } = await sendStatement()
  const claim = { kind: 'claim', amountCents: 100_00, until: '2026-07-16' }
  expect(await waiting()).toMatchObject({ waiting: claim })
  const object = (text = 'It was clean.', of = statementId) =>
    guest().deposits.object({ applicationId: id, statementId: of, text })
  await refused(owner().deposits.object({ applicationId: id, statementId, text: 'x' }), { code: 'FORBIDDEN' })
  await refused(owner().deposits.agree({ applicationId: id, statementId }), 'FORBIDDEN')
  await expect(object('')).rejects.toThrow()
  await refused(object('x', 'unknown'), 'NOT_FOUND')
  app.setNow('2026-07-17T03:59:00.000Z')
  await object()
  expect(await waiting()).not.toHaveProperty('waiting')
  await refused(object(), 'CONFLICT')
  expect(mailKinds(app, 'owner-deposit-objection')).toHaveLength(1)
  app.setNow(noonOf('2026-09-01'))
  expect((await deposit()).state).toBe('objected')
  await refused(keep(), { fields: { note: expect.any(String) } })
  await keep('We agreed on the phone.')
  expect((await deposit()).keptCents).toBe(100_00)

  const late = await depositApp()
  await late.addItem(100_00)
  const sent = await late.sendStatement()
  late.app.setNow(noonOf('2026-07-17'))
  const say = { applicationId: late.id, statementId: sent.statementId }
  await refused(
    late.guest().deposits.object({ ...say, text: 'x' }),
    'The time to object ended on Jul 16, 2026.',
  )

  const agreed = await depositApp()
  await agreed.addItem(100_00)
  const older = await agreed.sendStatement()
  await agreed.addItem(1_00)
  const told = await agreed.sendStatement()
  const outdated = { applicationId: agreed.id, statementId: older.statementId }
  await refused(agreed.guest().deposits.agree(outdated), 'There is a newer statement.')
  const answer = { applicationId: agreed.id, statementId: told.statementId }
  await agreed.guest().deposits.agree(answer)
  await agreed.guest().deposits.agree(answer)
  await refused(agreed.guest().deposits.object({ ...answer, text: 'x' }), 'You have agreed already.')
  const [mail, ...more] = mailKinds(agreed.app, 'owner-deposit-agreed')
  const { words } = await composeMail(agreed.app.deps, mailSources, mail ?? expect.unreachable())
  expect(words).toMatch(/^Maya Rivers agrees that you keep \$101\.00 of the deposit\.\n\nOpen the booking/)
  expect(more).toEqual([])
  expect((await agreed.deposit()).state).toBe('settled')
  await agreed.keep()
  // A kept item is fixed.
  const [item] = (await agreed.deposit()).items
  await refused(agreed.owner().deposits.removeItem({ itemId: item?.id ?? '' }), {
    code: 'CONFLICT',
  })
})

test('the plan takes the newest card first and the rest by hand, and a changed plan is refused [DEP-29, DEP-31, DEP-32]', async () => {
  const { app, deposit, giveBack, id, owner, payByHand } = await depositApp()
  await payByHand(200_00)
  const plan = await owner().deposits.plan({ applicationId: id })
  expect(plan).toMatchObject({ amountCents: 700_00, feeCents: 15_00, totalCents: 715_00, warnings: [] })
  expect(plan.legs.map(({ by, cardLast4, totalCents }) => [by, cardLast4, totalCents])).toEqual([
    ['card', '4242', 515_00],
    ['hand', null, 200_00],
  ])
  await refused(giveBack({ totalCents: 714_99, hand: {} }), 'The plan has changed. Please look at it again.')
  await refused(giveBack(), { fields: { hand: expect.any(String) } })
  for (const date of ['2026-07-02', '2026-08-01'])
    await refused(giveBack({ hand: { date } }), { fields: { hand: expect.any(String) } })
  await giveBack({ hand: { checkNumber: '1042', date: '2026-06-30' } })
  expect((await deposit()).legs.map(({ by, checkNumber, state }) => [by, checkNumber, state])).toEqual([
    ['card', '', 'done'],
    ['hand', '1042', 'done'],
  ])
  const [mail] = mailKinds(app, 'deposit-returned')
  expect(mail?.props).toHaveProperty('byHand', false)
  expect(mail?.props).toMatchObject({
    ways: [
      ['Visa ending in 4242', 515_00],
      ['Check 1042', 200_00],
    ],
  })
})

test('the mail about a return names the deposit’s part, and leaves out a return that was undone before the mail was sent [DEP-30, DEP-39]', async () => {
  const { app, deposit, giveBack, owner } = await depositApp()
  const mailTexts = async () => {
    const mails = mailKinds(app, 'deposit-returned')
    return Promise.all(mails.map(async mail => (await composeMail(app.deps, mailSources, mail)).text))
  }
  await giveBack({ amountCents: 100_00, route: 'hand', hand: {} })
  await giveBack({ amountCents: 200_00 })
  const [byHand, byCard] = await mailTexts()
  expect(byHand).toContain('$100.00 of your security deposit went back to you.')
  expect(byCard).toContain('$200.00 of your security deposit went back to you, with $6.00 of the card fee.')
  expect(byCard).toMatch(/ending in 4242\s+\$206\.00/)
  const [leg] = (await deposit()).legs
  const entry = app.deps.db
    .select()
    .from(returnLegs)
    .where(eq(returnLegs.id, leg?.id ?? ''))
    .get()
  await owner().payments.remove({ paymentId: entry?.rowId ?? '' })
  expect(await mailTexts()).toEqual([byCard])
  const made = app.provider.events().findLast(({ type }) => type === 'refund.created')
  app.provider.failRefund(((made?.data.object ?? {}) as { id: string }).id)
  await app.provider.deliverDue()
  expect(await mailTexts()).toEqual([])
})

test('neither a statement nor a letter claims more than is held [DEP-16, DEP-23, EVID-27]', async () => {
  const { addItem, app, id, owner, sendStatement } = await depositApp()
  await addItem(400_00)
  const charge = app.deps.db.select().from(payments).get()?.stripeChargeId ?? ''
  app.provider.refund(charge, 309_00)
  await app.provider.deliverDue()
  const tooMuch = 'The items come to $400.00, but only $200.00 is held.'
  await refused(sendStatement({ seenClaimedCents: 400_00 }), tooMuch)
  const address = 'Maya Rivers\n12 Pine Street'
  const letter = { applicationId: id, requestId: randomUUID(), address }
  await refused(owner().deposits.printLetter(letter), tooMuch)
  expect(mailKinds(app, 'deposit-statement')).toEqual([])
})

test('rejects keeping and returning while the payment of a transferred deposit is disputed [DEP-37, DEP-42, FIX-38]', async () => {
  const { addItem, app, giveBack, guest, id, keep, owner, payByHand, sendStatement, tenant } =
    await depositApp({ by: 'none' })
  app.setNow(noonOf('2026-03-04'))
  const other = await app.makeApplication(tenant, {
    submittedAt: '2026-03-01T17:00:00.000Z',
    requestedStartDate: '2026-04-01',
    requestedEndDate: '2026-05-01',
  })
  await payByHand(200_00)
  const paid = await app.checkout(tenant, buildCheckout({ applicationId: other.id }))
  app.provider.pay(paid.checkoutSessionId)
  await app.provider.deliverDue()
  const move = { fromApplicationId: other.id, toApplicationId: id, depositAmount: 500_00, transferNotes: '' }
  await owner().payments.transfer(move)
  app.setNow(noonOf('2026-07-01'))
  app.provider.openDispute(app.payment(paid.id).stripeChargeId ?? '')
  await app.provider.deliverDue()
  await addItem(100_00)
  const { statementId } = await sendStatement()
  await guest().deposits.agree({ applicationId: id, statementId })
  const unsettled = 'A payment of the deposit is on its way or disputed. Please wait for its end.'
  await refused(keep(), unsettled)
  await refused(giveBack({ amountCents: 50_00, route: 'hand', hand: {} }), unsettled)
  const byHand = { applicationId: id, kind: 'deposit_return', amount: 50_00, reason: 'x' } as const
  await refused(owner().payments.recordReturn(byHand), unsettled)
})

const recordedAlready =
  'This was recorded already, with other values, or removed since. Please look before you enter it again.'

test('the requestId of another deposit’s return, or of another amount or way, is refused, and nothing goes back [DEP-36]', async () => {
  const { app, giveBack, owner, tenant } = await depositApp({ by: 'hand' })
  const dates = { requestedStartDate: '2026-08-01', requestedEndDate: '2026-09-01' }
  const submittedAt = '2026-03-01T17:00:00.000Z'
  const { id: applicationId } = await app.makeApplication(tenant, { submittedAt, ...dates })
  await owner().payments.addManual({ ...buildManualPayment(applicationId), paymentType: 'deposit' })
  const request = { requestId: randomUUID(), route: 'hand', hand: {} } as const
  await giveBack(request)
  expect(mailKinds(app, 'deposit-returned')[0]?.props).toHaveProperty('byHand', true)
  await refused(giveBack({ ...request, applicationId }), recordedAlready)
  const changes = [
    { amountCents: 1_00 },
    { hand: { checkNumber: '556' } },
    { hand: { date: '2026-02-28' } },
    { hand: { note: 'Cash' } },
    { route: 'source' as const, hand: undefined },
  ]
  for (const change of changes) await refused(giveBack({ ...request, ...change }), recordedAlready)
  const row = app.deps.db.select().from(payments).where(eq(payments.type, 'deposit_return')).get()
  await owner().payments.remove({ paymentId: row?.id ?? '' })
  await refused(giveBack(request), recordedAlready)
  const { deposit } = await owner().deposits.get({ applicationId })
  expect(deposit).toMatchObject({ returnedCents: 0, legs: [] })
})

test('a refused leg is told with the provider’s sentence, and its money is free again; the others go on [DEP-33, DEP-35]', async () => {
  const { app, deposit, giveBack, payByCard } = await depositApp()
  await app.deps.write(tx =>
    tx.update(charges).set({ amountCents: 700_00 }).where(eq(charges.kind, 'deposit')).run(),
  )
  await payByCard(200_00)
  app.provider.setFault({ status: 402, only: 'POST /v1/refunds', failNext: 1 })
  await giveBack()
  const found = await deposit()
  expect(found.legs.map(({ state }) => state).sort()).toEqual(['done', 'failed'])
  expect(found).toMatchObject({ state: 'returning', onItsWayCents: 0 })
  expect(found.freeCents).toBe(found.heldCents)
  expect(found.attention).toMatchObject({ tone: 'danger', title: expect.stringContaining('did not go back') })
  await giveBack()
  expect(await deposit()).toMatchObject({ state: 'closed', heldCents: 0, attention: null })
})

test.each([
  ['no answer before the work', { hangUp: true }],
  ['no answer after the work', { answerAfterTimeout: true, hangUp: true }],
  ['an error before the work', { failurePoint: 'before-work' }],
  ['an error after the work', { failurePoint: 'after-work' }],
  ['too many requests', { status: 429 }],
] as const)('after %s the leg goes on, and is paid once [DEP-34]', async (_, fault) => {
  const { app, deposit, giveBack } = await depositApp()
  // The SDK itself tries again once when a connection is closed.
  const failNext = 'hangUp' in fault ? 2 : 1
  app.provider.setFault({ ...fault, only: 'POST /v1/refunds', failNext })
  const requestId = randomUUID()
  await giveBack({ requestId })
  expect((await deposit()).legs).toMatchObject([{ state: 'waiting' }])
  await sweepPayments(app.deps)
  await giveBack({ requestId })
  await tickDeposits(app.deps)
  await app.provider.deliverDue()
  expect(await deposit()).toMatchObject({ state: 'closed', legs: [{ state: 'done' }] })
  const refunded = Object.values(app.provider.truth()).map(each => (each as { refunded: number }).refunded)
  expect(refunded.reduce((sum, cents) => sum + cents, 0)).toBe(515_00)
})

test('an unanswered leg fails after 23 hours if the provider has no refund of it, and is found if it has [DEP-34]', async () => {
  const lost = await depositApp()
  lost.app.provider.setFault({ hangUp: true, only: 'POST /v1/refunds' })
  await lost.giveBack()
  lost.app.advance(24 * 3_600_000)
  lost.app.provider.setFault({})
  await tickDeposits(lost.app.deps)
  expect((await lost.deposit()).legs).toMatchObject([
    { state: 'failed', error: 'The card provider has not answered for 23 hours.' },
  ])
  expect((await lost.deposit()).freeCents).toBe(500_00)
  const made = await depositApp()
  made.app.provider.setFault({ answerAfterTimeout: true, hangUp: true, only: 'POST /v1/refunds' })
  await made.giveBack()
  made.app.advance(24 * 3_600_000)
  made.app.provider.setFault({})
  await tickDeposits(made.app.deps)
  expect((await made.deposit()).legs).toMatchObject([{ state: 'done' }])
})

test('a refund that fails later opens the case again [DEP-38]', async () => {
  const { app, deposit, giveBack } = await depositApp()
  await giveBack()
  await tickDeposits(app.deps)
  expect((await deposit()).state).toBe('closed')
  const refund = app.provider.events().find(({ type }) => type === 'refund.created')?.data.object as {
    id: string
  }
  app.provider.failRefund(refund.id)
  await app.provider.deliverDue()
  await tickDeposits(app.deps)
  expect(await deposit()).toMatchObject({
    state: 'returning',
    heldCents: 500_00,
    closedAt: null,
    deadline: { kind: 'return' },
    legs: [{ state: 'failed' }],
  })
  expect(depositNotices(app.deps)).toMatchObject([{ id: expect.stringContaining('deposit-leg-') }])
  app.setNow(noonOf('2026-09-01'))
  expect(depositNotices(app.deps).map(({ id }) => id.split('-').slice(0, 2).join('-'))).toEqual(
    expect.arrayContaining(['deposit-claim', 'deposit-leg']),
  )
})

test('while deposits are watched a deduction by hand is refused, and a return by hand is a leg [DEP-45]', async () => {
  const { deposit, id, owner } = await depositApp({ by: 'hand' })
  const record = (kind: 'deduction' | 'deposit_return' | 'refund', amount: number) =>
    owner().payments.recordReturn({ applicationId: id, kind, amount, reason: 'x' })
  await refused(record('deduction', 1_00), 'Keep it on the card Security Deposit.')
  await record('deposit_return', 100_00)
  expect((await deposit()).legs).toMatchObject([
    { by: 'hand', state: 'done', requestId: null, totalCents: 100_00 },
  ])
})

test('the entry of a return by hand can be removed, what is kept cannot; verify knows both [DEP-06, DEP-28]', async () => {
  const { addItem, app, deposit, giveBack, keep, owner, sendStatement, tenant } = await depositApp({
    by: 'hand',
  })
  await giveBack({ amountCents: 100_00, hand: {} })
  await addItem(50_00)
  await sendStatement()
  app.setNow(noonOf('2026-08-01'))
  await keep()
  const rowOf = async (type: string) =>
    (await owner().payments.adminHistory({ userId: tenant.userId })).payments.find(
      ({ paymentType }) => paymentType === type,
    )?.id ?? ''
  expect(await faultsOf(app)).toEqual([])
  await refused(owner().payments.remove({ paymentId: await rowOf('deduction') }), {
    code: 'CONFLICT',
  })
  await owner().payments.remove({ paymentId: await rowOf('deposit_return') })
  expect(await deposit()).toMatchObject({ legs: [{ state: 'withdrawn' }], freeCents: 450_00 })
  expect(await faultsOf(app)).toEqual([])
  await app.deps.write(tx => {
    tx.update(depositItems).set({ paymentId: null }).run()
    tx.update(returnLegs).set({ state: 'done' }).run()
    tx.update(payments).set({ correctedAmountCents: 1 }).run()
  })
  expect(await faultsOf(app)).toEqual([
    expect.stringContaining('corrected or lost'),
    expect.stringContaining('kept items of deposits without their deduction'),
    expect.stringContaining('returns that are done without'),
  ])
})

const faultsOf = async ({ deps: { config } }: Awaited<ReturnType<typeof depositApp>>['app']) =>
  (await verifyStore(config, () => {})).faults

test('a signed addendum moves the day of leaving, but not one entered by hand, of which its preview warns; a smaller deposit goes back at once, and what a larger one adds is due and has no date until it is paid [DEP-46]', async () => {
  const { app, deposit, giveBack, guest, id, owner, payByHand } = await depositApp()
  await setSigned(app, id, '2026-03-02T00:00:00.000Z')
  app.setNow(noonOf('2026-06-10'))
  const preview = async (terms: object) =>
    (await owner().addenda.preview({ applicationId: id, ...terms })).warnings
  const agree = async (terms: object) => {
    const { addendum } = await owner().addenda.make({ applicationId: id, ...terms })
    const { addendumTextSha256, noticeSha256 } = await guest().addenda.get({ addendumId: addendum.id })
    const hashes = { addendumTextSha256, noticeSha256 }
    await guest().addenda.sign({
      addendumId: addendum.id,
      ...hashes,
      typedName: 'Maya Rivers',
      consent: true,
    })
  }
  const longer = { leaseEndDate: '2026-07-05', rentalAmount: 2500, depositAmount: 400 }
  expect(await preview(longer)).toEqual([])
  await agree(longer)
  expect(await deposit()).toMatchObject({ vacatedOn: '2026-07-05', deadline: { date: '2026-08-04' } })
  await giveBack({ amountCents: 100_00 })
  expect(sumsOf(await deposit())).toEqual([500, 0, 0, 400, 100, 0])
  await giveBack()

  await owner().deposits.change({ applicationId: id, vacatedOn: '2026-06-09' })
  const shorter = { leaseEndDate: '2026-06-20', rentalAmount: 2000, depositAmount: 700 }
  const warning =
    'The day on which the tenant left was entered by hand: Jun 9, 2026. It stays, and the dates of the deposit count from it.'
  expect(await preview(shorter)).toEqual([warning])
  expect(await preview({ depositAmount: 700 })).toEqual([])
  await agree(shorter)
  const { summary } = await owner().charges.list({ applicationId: id })
  expect(summary.depositDueCents).toBe(200_00)
  expect(await deposit()).toMatchObject({ vacatedOn: '2026-06-09', heldCents: 0, deadline: null })
  await payByHand(200_00)
  expect(await deposit()).toMatchObject({ heldCents: 200_00, deadline: { date: '2026-07-09' } })

  const { body, version } = await owner().settings.deposit.get()
  await owner().settings.deposit.save({ version, body: { ...body, enabled: false } })
  expect(await preview({ leaseEndDate: '2026-06-25', rentalAmount: 2000 })).toEqual([])
})

test('a refund of the rest that failed does not end the time to object [DEP-27, DEP-35]', async () => {
  const { addItem, app, deposit, giveBack, keep, sendStatement } = await depositApp()
  await addItem(120_00)
  await sendStatement()
  app.provider.setFault({ status: 402, only: 'POST /v1/refunds', failNext: 1 })
  await giveBack()
  expect((await deposit()).state).toBe('returning')
  await refused(keep(), 'The tenant can object until Jul 16, 2026.')
  app.setNow(noonOf('2026-07-17'))
  await keep()
  expect((await deposit()).keptCents).toBe(120_00)
})

test('of two returns the first that fails after the second is told, too [DEP-38]', async () => {
  const { app, deposit, giveBack } = await depositApp()
  await giveBack({ amountCents: 300_00 })
  const refund = app.provider.events().find(({ type }) => type === 'refund.created')?.data.object as {
    id: string
  }
  await giveBack()
  app.advance(3_600_000)
  app.provider.failRefund(refund.id)
  await app.provider.deliverDue()
  expect(await deposit()).toMatchObject({ state: 'returning', heldCents: 300_00 })
  expect(depositNotices(app.deps)).toMatchObject([{ id: expect.stringContaining('deposit-leg-') }])
  await giveBack()
  expect(await deposit()).toMatchObject({ state: 'closed', attention: null })
})

test('a deposit of which more went back than was held is closed once [DEP-10, DEP-40]', async () => {
  const { app, deposit, giveBack } = await depositApp()
  await giveBack({ amountCents: 400_00, route: 'hand', hand: {} })
  const [payment] = app.deps.db.select().from(payments).where(eq(payments.type, 'deposit')).all()
  // In the dashboard.
  await app.deps.provider?.stripe.refunds.create({ payment_intent: payment?.stripePaymentIntentId ?? '' })
  await app.provider.deliverDue()
  const closed: (string | null)[] = []
  for (let minute = 0; minute < 3; minute++) {
    await tickDeposits(app.deps)
    closed.push((await deposit()).closedAt)
    app.advance(60_000)
  }
  expect((await deposit()).shortCents).toBe(400_00)
  expect(closed).toEqual([expect.any(String), closed[0], closed[0]])
})

test('after the time to claim, what was kept is not claimed a second time [DEP-21]', async () => {
  const { addItem, app, keep, sendStatement } = await depositApp()
  await addItem(300_00)
  await sendStatement()
  app.setNow(noonOf('2026-07-20'))
  await keep()
  app.setNow(noonOf('2026-09-20'))
  await addItem(200_00, 'damage')
  await refused(
    sendStatement(),
    'The time to claim ended on Jul 31, 2026. A later statement cannot claim more.',
  )
})

test('without a card provider a deposit goes back by hand, and a leg that waits for one is told [DEP-29, DEP-34]', async () => {
  const { app, deposit, giveBack, id, owner } = await depositApp()
  const { provider } = app.deps
  app.provider.setFault({ hangUp: true, only: 'POST /v1/refunds', failNext: 2 })
  await giveBack({ amountCents: 100_00 })
  Object.assign(app.deps, { provider: undefined })
  expect((await owner().deposits.plan({ applicationId: id })).legs).toMatchObject([
    { by: 'hand', amountCents: 400_00 },
  ])
  app.setNow(noonOf('2026-07-02'))
  expect(depositNotices(app.deps)).toEqual([])
  app.setNow(noonOf('2026-07-03'))
  expect(depositNotices(app.deps)).toMatchObject([
    { title: expect.stringContaining('has not answered about $103.00 of Maya Rivers’s deposit') },
  ])
  Object.assign(app.deps, { provider })
  await tickDeposits(app.deps)
  expect((await deposit()).legs).toMatchObject([{ state: 'failed' }])
})
