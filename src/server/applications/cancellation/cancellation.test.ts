import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { expect, test, vi } from 'vitest'
import { cancellations, charges, events, outbox, returnLegs } from '../../../../db/schema.ts'
import { addDays } from '../../../domain/common/dates.ts'
import { buildCheckout, buildManualPayment, paymentApp } from '../../../testing/build-payment.ts'
import { refusal } from '../../../testing/build-stay.ts'
import { testRandom } from '../../../testing/random.ts'
import { composeMail } from '../../mail/compose.ts'
import { mailSources } from '../../mail-sources.ts'
import { sweepPayments } from '../../money/payments/checkout/sweep.ts'
import { runLegs } from '../../money/payments/returns/run-legs.ts'
import { listUnexpectedPayments, tickDismissed } from '../../money/payments/unexpected-payments.ts'
import { verifyStore } from '../../operations/backup/verify.ts'

/** A signed stay from June 1 to July 1 for $2,500 and a deposit of $500, 89 nights ahead. */
async function bookedApp() {
  const app = await paymentApp()
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const { id } = await app.makeApplication(tenant, { submittedAt: '2026-03-01T17:00:00.000Z' })
  const owner = app.as(admin)
  const guest = app.as(tenant)
  const payByCard = async (amount: number, paymentType: 'deposit' | 'rent' = 'rent') => {
    const row = await app.checkout(tenant, buildCheckout({ amount, paymentType, applicationId: id }))
    app.provider.pay(row.checkoutSessionId)
    await app.provider.deliverDue()
    return row
  }
  const payByHand = (amount: number, paymentType: 'deposit' | 'rent' = 'rent') =>
    owner.payments.addManual({ ...buildManualPayment(id, { amount }), paymentType })
  const ask = (reason = 'We cannot come.') => guest.cancellations.request({ applicationId: id, reason })
  const cancel = (more: object = {}) =>
    owner.cancellations.cancel({ applicationId: id, side: 'owner', reason: 'A pipe burst.', ...more })
  const show = (side?: 'tenant' | 'owner') => owner.cancellations.adminGet({ applicationId: id, side })
  const status = async () => (await owner.applications.adminGet({ id })).application.status
  const summary = async () => (await owner.charges.list({ applicationId: id })).summary
  const refunds = async () => (await show()).cancellation?.refunds ?? []
  const mails = (kind: string) => app.deps.db.select().from(outbox).where(eq(outbox.kind, kind)).all()
  const setTiers = (tiers: { daysBefore: number; refundPercent: number }[]) =>
    owner.settings.cancellation.save({ version: 0, body: { tiers } })
  const site = { app, admin, tenant, id, owner, guest, payByCard, payByHand, ask, cancel, show, status }
  return { ...site, summary, refunds, mails, setTiers }
}

const setStatus = (owner: Awaited<ReturnType<typeof bookedApp>>['owner'], id: string, status = 'approved') =>
  owner.applications.adminSetStatus({ id, status: status as 'approved' })

test('a tenant sees what would come back, asks, and takes it back; nothing changes by asking [CHANGE-04, CHANGE-05, CHANGE-06, CHANGE-09]', async () => {
  const { admin, app, ask, guest, id, mails, owner, payByHand, status, tenant } = await bookedApp()
  await payByHand(500_00, 'deposit')
  await payByHand(1000_00)
  expect(await guest.cancellations.get({ applicationId: id })).toMatchObject({
    cancellation: null,
    proposal: {
      side: 'tenant',
      daysBefore: 89,
      refundPercent: 100,
      paidCents: 1500_00,
      refundCents: 1500_00,
    },
  })
  expect(
    await refusal(app.as(admin).cancellations.request({ applicationId: id, reason: 'x' })),
  ).toMatchObject({
    code: 'FORBIDDEN',
  })
  expect(await refusal(ask(' '))).toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining('Please enter a reason'),
  })
  const [first, second] = await Promise.all([refusal(ask()), refusal(ask())])
  expect([first.message, second.message].sort()).toEqual(['', 'You have asked for this already.'])
  expect(await status()).toBe('approved')
  expect(mails('cancellation-requested')).toEqual([
    expect.objectContaining({ replyTo: expect.stringContaining('@') }),
  ])
  const [mail] = mails('cancellation-requested')
  const { text = '' } = mail ? await composeMail(app.deps, mailSources, mail) : {}
  expect(text).toMatch(/^Phone +850-555-0142 .*\nPaid +\$1,500\.00\nWould go back +\$1,500\.00$/m)
  const notice = { id: `cancellation-${id}`, tone: 'warning' }
  expect((await owner.notices.list()).notices).toContainEqual(expect.objectContaining(notice))
  const { cancellation } = await guest.cancellations.takeBack({ applicationId: id })
  expect(cancellation).toMatchObject({
    state: 'taken_back',
    requestedAt: expect.any(String),
    paidCents: null,
  })
  expect(await refusal(guest.cancellations.takeBack({ applicationId: id }))).toMatchObject({
    code: 'CONFLICT',
  })
  expect((await owner.notices.list()).notices.map(({ id }) => id)).not.toContain(notice.id)
  const stranger = app.as(await app.makeTenant())
  expect(await refusal(stranger.cancellations.get({ applicationId: id }))).toMatchObject({
    code: 'NOT_FOUND',
  })
  expect(tenant.userId).not.toBe(admin.userId)
})

test('an open request is the next step of the booking, and nothing else is a task of it [LOOK-17]', async () => {
  const { ask, id, owner } = await bookedApp()
  const kind = async () => (await owner.applications.adminGet({ id })).application.nextStep?.kind
  const before = await kind()
  expect([await ask(), await kind()]).toEqual([expect.anything(), 'cancel_request'])
  const { tasks } = await owner.notices.ownerDay()
  expect(tasks.filter(({ applicationId }) => applicationId === id)).toEqual([])
  await owner.cancellations.decline({ applicationId: id, note: 'It is too late.' })
  expect(await kind()).toBe(before)
})

test('the owner keeps the booking and tells why; without a request it is 409, and a note is needed [CHANGE-06]', async () => {
  const { app, ask, id, mails, owner, status } = await bookedApp()
  const decline = (note: string) => owner.cancellations.decline({ applicationId: id, note })
  expect(await refusal(decline('No.'))).toMatchObject({ code: 'CONFLICT' })
  await ask()
  expect(await refusal(decline(''))).toMatchObject({ message: expect.stringContaining('Please write why') })
  const { cancellation } = await decline('It is too late.')
  expect(cancellation).toMatchObject({ state: 'declined', note: 'It is too late.' })
  expect(await status()).toBe('approved')
  const [mail, another] = mails('cancellation-declined')
  expect(mail && (await composeMail(app.deps, mailSources, mail)).words).toContain('It is too late.')
  expect(another).toBeUndefined()
})

test('declining or deleting an application closes its request [CHANGE-06, CHANGE-43]', async () => {
  const [declined, deleted] = [await bookedApp(), await bookedApp()]
  await declined.ask()
  await setStatus(declined.owner, declined.id, 'rejected')
  expect((await declined.show()).cancellation?.state).toBe('declined')
  await deleted.ask()
  await deleted.owner.applications.adminDelete({ id: deleted.id })
  const { db } = deleted.app.deps
  expect(db.select().from(cancellations).all()).toMatchObject([{ state: 'declined' }])
  expect((await deleted.owner.notices.list()).notices.map(({ id }) => id)).not.toContain(
    `cancellation-${deleted.id}`,
  )
})

test('an application is deleted once its refunds are done, by hand too; what was kept stays kept [CHANGE-43]', async () => {
  const { app, cancel, id, owner, payByHand, refunds, tenant } = await bookedApp()
  await payByHand(500_00, 'deposit')
  await payByHand(1000_00)
  await cancel({ refundCents: 1200_00 })
  const remove = () => owner.applications.adminDelete({ id })
  for (const { id: refundId } of await refunds()) {
    expect(await refusal(remove())).toMatchObject({
      code: 'CONFLICT',
      message: 'A refund is under way. Please wait for its end.',
    })
    await owner.cancellations.refundByHand({ refundId })
  }
  await remove()
  expect(await refusal(owner.applications.adminGet({ id }))).toMatchObject({ code: 'NOT_FOUND' })
  expect(listUnexpectedPayments(app.deps, 50)).toEqual([])
  expect((await app.as(tenant).payments.history()).payments).toHaveLength(4)
  expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
})

test('what a tenant gets back counts from the day of the request, for the owner’s side all of it [CHANGE-08, CHANGE-09]', async () => {
  const { app, ask, payByHand, setTiers, show } = await bookedApp()
  await setTiers([
    { daysBefore: 60, refundPercent: 80 },
    { daysBefore: 10, refundPercent: 50 },
  ])
  await payByHand(500_00, 'deposit')
  await payByHand(1000_01)
  await ask()
  app.setNow('2026-05-10T17:00:00.000Z')
  expect((await show()).proposal).toMatchObject({
    side: 'tenant',
    receivedOn: '2026-03-04',
    daysBefore: 89,
    refundPercent: 80,
    paidCents: 1500_01,
    depositCents: 500_00,
    refundCents: 1300_01,
    keptCents: 200_00,
  })
  expect((await show('owner')).proposal).toMatchObject({
    side: 'owner',
    receivedOn: '2026-05-10',
    daysBefore: 22,
    refundPercent: 100,
    keptCents: 0,
  })
})

test('cancelling is refused if the refund differs from what the dialog showed, after midnight or with new rules [CHANGE-09, CHANGE-10]', async () => {
  const { app, cancel, guest, id, payByHand, setTiers, show, status } = await bookedApp()
  await payByHand(500_00, 'deposit')
  await payByHand(1000_00)
  app.setNow('2026-05-03T03:59:00.000Z')
  const seen = (await guest.cancellations.get({ applicationId: id })).proposal
  expect(seen).toMatchObject({ refundPercent: 100, refundCents: 1500_00 })
  app.setNow('2026-05-03T04:01:00.000Z')
  const changed = { code: 'CONFLICT', message: 'What goes back has changed. Please look again.' }
  const stale = { seenRefundCents: seen?.refundCents, reason: 'We are ill.' }
  const staleCancel = { ...stale, side: 'tenant', paidCents: 1500_00 }
  expect(await refusal(guest.cancellations.request({ applicationId: id, ...stale }))).toMatchObject(changed)
  expect(await refusal(cancel(staleCancel))).toMatchObject(changed)
  expect(await refusal(cancel({ ...staleCancel, refundCents: 700_00 }))).toMatchObject(changed)
  await setTiers([{ daysBefore: 20, refundPercent: 60 }])
  expect(await refusal(cancel({ ...staleCancel, seenRefundCents: 500_00 }))).toMatchObject(changed)
  expect([await status(), (await show()).cancellation]).toEqual(['approved', null])
  const { cancellation } = await cancel({ ...staleCancel, seenRefundCents: 1100_00 })
  expect(cancellation).toMatchObject({ refundCents: 1100_00, keptCents: 400_00 })
})

test('a waiting request counts with the lines that the tenant saw, whatever the rules are by then [CHANGE-08, CHANGE-09]', async () => {
  const { app, cancel, guest, id, payByHand, setTiers, show } = await bookedApp()
  await payByHand(1000_00)
  const reason = 'We cannot come.'
  await guest.cancellations.request({ applicationId: id, reason, seenRefundCents: 1000_00 })
  await setTiers([{ daysBefore: 120, refundPercent: 100 }])
  const { proposal } = await show('tenant')
  expect(proposal).toMatchObject({ refundPercent: 100, refundCents: 1000_00 })
  const { cancellation } = await cancel({ side: 'tenant', seenRefundCents: proposal?.refundCents })
  expect(cancellation).toMatchObject({ refundCents: 1000_00, keptCents: 0 })
  const [row] = app.deps.db.select().from(cancellations).all()
  expect(row?.policy).toEqual([{ daysBefore: 30, refundPercent: 100 }])
})

test('cancelling frees the nights, voids the charges but for what is kept, and the tenant is mailed once [CHANGE-01, CHANGE-10, CHANGE-11, CHANGE-12, CHANGE-17]', async () => {
  const { app, ask, cancel, guest, id, mails, owner, payByHand, status, summary } = await bookedApp()
  await payByHand(500_00, 'deposit')
  await payByHand(1000_00)
  await ask()
  expect(await refusal(cancel({ refundCents: 499_99 }))).toMatchObject({
    fields: { refundCents: 'The deposit of $500.00 goes back in any case.' },
  })
  expect(await refusal(cancel({ refundCents: 1500_01 }))).toMatchObject({
    fields: { refundCents: 'At most $1,500.00 was paid.' },
  })
  const deducted = await bookedApp()
  await deducted.payByHand(500_00, 'deposit')
  const deduction = { kind: 'deduction', amount: 100_00, reason: 'Cleaning' } as const
  await deducted.owner.payments.recordReturn({ applicationId: deducted.id, ...deduction })
  expect(await refusal(deducted.cancel({ refundCents: 450_00 }))).toMatchObject({
    fields: { refundCents: 'At most $400.00 is not kept of the deposit.' },
  })
  expect(await refusal(cancel({ paidCents: 1400_00 }))).toMatchObject({
    code: 'CONFLICT',
    message: 'What was paid has changed. Please look again.',
  })
  const { application, cancellation } = await cancel({
    side: 'tenant',
    refundCents: 1300_00,
    paidCents: 1500_00,
  })
  expect([application.status, await status()]).toEqual(['cancelled', 'cancelled'])
  expect(cancellation).toMatchObject({
    state: 'cancelled',
    side: 'tenant',
    receivedOn: '2026-03-04',
    requestedAt: expect.any(String),
    paidCents: 1500_00,
    refundCents: 1300_00,
    keptCents: 200_00,
    refunds: [
      { by: 'hand', kind: 'deposit', amountCents: 500_00, state: 'waiting', doneAt: null },
      { by: 'hand', kind: 'other', amountCents: 800_00, state: 'waiting', doneAt: null },
    ],
  })
  expect(await summary()).toMatchObject({ owedCents: 200_00, balanceCents: -1300_00, label: 'Overpaid' })
  const { charges: listed } = await guest.charges.list({ applicationId: id })
  expect(listed.map(({ amountCents, label }) => [label, amountCents])).toEqual([
    ['Kept after cancellation', 200_00],
  ])
  expect(mails('stay-cancelled')).toHaveLength(1)
  expect(await refusal(cancel())).toMatchObject({ message: 'This stay is cancelled already.' })
  expect(
    await refusal(app.as({ ...(await app.makeTenant()) }).cancellations.get({ applicationId: id })),
  ).toMatchObject({ code: 'NOT_FOUND' })
  // The nights are free for somebody else.
  const other = await app.makeApplication(await app.makeTenant(), {
    status: 'pending',
    submittedAt: '2026-03-02T17:00:00.000Z',
    lease: null,
    rentCents: null,
    depositCents: null,
    totalCents: 0,
  })
  await setStatus(owner, other.id)
  const notice = async () =>
    (await owner.notices.list()).notices.find(({ id: found }) => found === `rebooked-${id}`)
  const rebooked = {
    title: expect.stringContaining('30 nights of the cancelled stay'),
    detail: expect.stringContaining('$200.00'),
  }
  expect(await notice()).toMatchObject(rebooked)
  app.setNow('2026-08-29T17:00:00.000Z')
  expect(await notice()).toMatchObject(rebooked)
  app.setNow('2026-08-30T17:00:00.000Z')
  expect(await notice()).toBeUndefined()
  app.setNow('2026-03-04T17:00:00.000Z')
  for (const { id: refundId } of cancellation?.refunds ?? [])
    await owner.cancellations.refundByHand({ refundId })
  const back = { applicationId: id, kind: 'refund' as const }
  await owner.payments.recordReturn({ ...back, amount: 199_99 })
  expect(await notice()).toMatchObject(rebooked)
  await owner.payments.recordReturn({ ...back, amount: 1 })
  expect(await notice()).toBeUndefined()
  expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
})

test('nothing is paid, charged, waived or reminded for a cancelled stay, whose unsent mails are withdrawn, and the status row cannot name it [CHANGE-03, CHANGE-11, CHANGE-12]', async () => {
  const { app, cancel, id, mails, owner, tenant } = await bookedApp()
  await setStatus(owner, id, 'completed')
  expect(mails('booking-complete')).toHaveLength(1)
  await cancel()
  expect(mails('booking-complete')).toEqual([])
  expect(await refusal(app.checkout(tenant, buildCheckout({ applicationId: id })))).toMatchObject({
    code: 'CONFLICT',
    message: 'This stay was cancelled. Nothing can be paid for it.',
  })
  const charge = { kind: 'fee' as const, label: 'Towels', amountCents: 10_00, taxable: false }
  expect(await refusal(owner.charges.add({ applicationId: id, ...charge }))).toMatchObject({
    message: 'This stay was cancelled. Nothing can be added to it.',
  })
  expect(await refusal(owner.leases.adminRemove({ id }))).toMatchObject({
    message: 'This stay was cancelled. Approve it again to change it.',
  })
  expect(await refusal(setStatus(owner, id, 'cancelled'))).toMatchObject({ code: 'BAD_REQUEST' })
  expect(await refusal(setStatus(owner, id, 'rejected'))).toMatchObject({
    message: 'This stay is cancelled already.',
  })
  expect((await app.as(tenant).payments.options()).applications).toEqual([])
})

test('it is listed with the submitted ones, found by its status, and counted beside the spec’s four [CHANGE-02]', async () => {
  const { cancel, id, owner } = await bookedApp()
  const counts = async () => (await owner.applications.adminCounts()).counts
  expect(await counts()).toEqual({ total: 1, pending: 0, approved: 1, rejected: 0, completed: 0 })
  await cancel()
  expect(await counts()).toMatchObject({ total: 1, approved: 0, cancelled: 1 })
  const listed = async (query: object) =>
    (await owner.applications.adminList(query)).applications.map(({ id }) => id)
  expect([await listed({}), await listed({ status: 'cancelled' }), await listed({ search: 'maya' })]).toEqual(
    [[id], [id], [id]],
  )
  expect(await listed({ status: 'rejected' })).toEqual([])
})

test('a refund needs a proof, else nothing is written or asked for; cancelling without one, asking and keeping need none [CHANGE-42]', async () => {
  const { admin, app, ask, cancel, id, payByCard, refunds } = await bookedApp()
  const unproven = app.as({ ...admin, sessionId: 'not proven' }).cancellations
  await payByCard(500_00, 'deposit')
  await ask()
  const before = app.snapshotState()
  const form = { applicationId: id, side: 'owner' as const, reason: 'A pipe burst.' }
  expect(await refusal(unproven.cancel(form))).toMatchObject({ code: 'FORBIDDEN' })
  expect(app.snapshotState()).toEqual(before)
  await cancel()
  const [refund] = await refunds()
  const refundId = refund?.id ?? ''
  expect(await refusal(unproven.retryRefund({ refundId }))).toMatchObject({ code: 'FORBIDDEN' })
  expect(await refusal(unproven.refundByHand({ refundId }))).toMatchObject({ code: 'FORBIDDEN' })
  const unpaid = await bookedApp()
  await unpaid.ask()
  const open = unpaid.app.as({ ...unpaid.admin, sessionId: 'not proven' }).cancellations
  await open.decline({ applicationId: unpaid.id, note: 'No.' })
  expect((await open.cancel({ ...form, applicationId: unpaid.id })).cancellation).toMatchObject({
    state: 'cancelled',
    refundCents: 0,
  })
})

test('the tenant sees the reason they gave, but not the owner’s, which was entered without a step-up [CHANGE-42]', async () => {
  const { ask, cancel, guest, id, show } = await bookedApp()
  const reason = async () => (await guest.cancellations.get({ applicationId: id })).cancellation?.reason
  await ask('We cannot come.')
  expect(await reason()).toBe('We cannot come.')
  await cancel({ side: 'tenant' })
  expect((await show()).cancellation?.reason).toBe('A pipe burst.')
  expect(await reason()).toBe('')
})

test('the deposit’s payments go back first, then others, the newest first, to the card with its fee, the rest by hand [CHANGE-14, CHANGE-15]', async () => {
  const { app, cancel, payByCard, payByHand, refunds, summary } = await bookedApp()
  const rent = await payByCard(1000_00)
  app.advance(60_000)
  await payByHand(300_00)
  const deposit = await payByCard(500_00, 'deposit')
  app.advance(60_000)
  const newest = await payByCard(200_00)
  await cancel({ refundCents: 1900_00, paidCents: 2000_00 })
  expect(
    (await refunds()).map(({ amountCents, by, feeCents, kind, paymentId, state }) => [
      ...[by, kind, paymentId, amountCents, feeCents, state],
    ]),
  ).toEqual([
    ['card', 'deposit', deposit.id, 500_00, 15_00, 'done'],
    ['card', 'other', newest.id, 200_00, 6_00, 'done'],
    ['card', 'other', rent.id, 1000_00, 30_00, 'done'],
    ['hand', 'other', null, 200_00, 0, 'waiting'],
  ])
  expect(await summary()).toMatchObject({ owedCents: 100_00, paidCents: 300_00, balanceCents: -200_00 })
  const [, , , byHand] = await refunds()
  const refundId = byHand?.id ?? ''
  expect(await refusal(app.as(await app.makeAdmin()).cancellations.retryRefund({ refundId }))).toMatchObject({
    code: 'CONFLICT',
  })
})

test('what waits to be given back by hand is reserved, is recorded once, and its notice ends [CHANGE-15, CHANGE-41]', async () => {
  const { app, cancel, id, owner, payByHand, refunds, summary, tenant } = await bookedApp()
  await payByHand(500_00, 'deposit')
  await payByHand(1000_00)
  const other = await app.makeApplication(tenant, {
    requestedStartDate: '2026-09-01',
    requestedEndDate: '2026-10-01',
  })
  await cancel({ refundCents: 1400_00 })
  const move = (depositAmount: number) =>
    owner.payments.transfer({
      fromApplicationId: id,
      toApplicationId: other.id,
      depositAmount,
      transferNotes: '',
    })
  expect(await refusal(move(1))).toMatchObject({
    fields: { depositAmount: expect.stringContaining('At most $0.00') },
  })
  const record = { applicationId: id, kind: 'deposit_return' as const, amount: 1_00 }
  expect(await refusal(owner.payments.recordReturn(record))).toMatchObject({ code: 'CONFLICT' })
  const [deposit, rest] = await refunds()
  expect((await owner.notices.list()).notices.map(({ id }) => id)).toEqual(
    expect.arrayContaining([`cancellation-refund-${deposit?.id}`, `cancellation-refund-${rest?.id}`]),
  )
  const byHand = (refundId = '', seenCents = 500_00) =>
    owner.cancellations.refundByHand({ refundId, date: '2026-03-03', checkNumber: '7', seenCents })
  expect(await refusal(byHand(deposit?.id, 499_99))).toMatchObject({
    message: 'What goes back has changed. Please look again.',
  })
  expect((await byHand(deposit?.id)).refund).toMatchObject({ state: 'done', doneAt: expect.any(String) })
  expect(await refusal(byHand(deposit?.id))).toMatchObject({ code: 'CONFLICT' })
  await byHand(rest?.id, 900_00)
  expect(await summary()).toMatchObject({ owedCents: 100_00, paidCents: 100_00, balanceCents: 0 })
  const { notices } = await owner.notices.list()
  expect(notices.filter(({ id }) => id.startsWith('cancellation-'))).toEqual([])
  expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
})

test('the next step of a cancelled stay is the refund that is still open; its deposit closes after its own return [CHANGE-15, DEP-47]', async () => {
  const { cancel, guest, id, owner, payByHand, refunds, summary } = await bookedApp()
  const body = { amountCents: 500_00, enabled: true, ruleId: 'general', since: '2026-01-01' }
  await owner.settings.deposit.save({ version: 0, body })
  await payByHand(500_00, 'deposit')
  await payByHand(1000_00)
  await cancel({ refundCents: 1400_00 })
  const nextStep = async () => (await owner.applications.adminGet({ id })).application.nextStep
  expect(await nextStep()).toEqual({ kind: 'give_back', amountCents: 1400_00 })
  const [deposit, rest] = await refunds()
  await owner.cancellations.refundByHand({ refundId: deposit?.id ?? '' })
  expect(await nextStep()).toEqual({ kind: 'give_back', amountCents: 900_00 })
  const waiting = async () => (await guest.applications.status()).applications[0]?.waiting
  expect(await waiting()).toEqual({ kind: 'refund', amountCents: 900_00 })
  expect((await summary()).ended).toEqual({
    paidCents: 1500_00,
    returnedCents: 500_00,
    keptCents: 100_00,
    toReturnCents: 900_00,
  })
  expect((await owner.deposits.get({ applicationId: id })).deposit?.state).toBe('closed')
  expect((await owner.notices.list()).notices).toContainEqual(
    expect.objectContaining({ title: expect.stringMatching(/^Return \$900\.00 to /) }),
  )
  await owner.cancellations.refundByHand({ refundId: rest?.id ?? '' })
  expect([await nextStep(), await waiting()]).toEqual([null, undefined])
})

test('a refused refund is a danger notice, can be asked for again or given back by hand; without an answer it is 502 [CHANGE-15]', async () => {
  const { app, cancel, id, owner, payByCard, refunds } = await bookedApp()
  await payByCard(500_00, 'deposit')
  await payByCard(1000_00)
  app.provider.setFault({ status: 402, only: 'POST /v1/refunds', failNext: 2 })
  await cancel()
  expect((await refunds()).map(({ state }) => state)).toEqual(['failed', 'failed'])
  const [deposit, rent] = await refunds()
  expect((await owner.notices.list()).notices).toContainEqual(
    expect.objectContaining({
      id: `cancellation-refund-${deposit?.id}`,
      tone: 'danger',
      title: '$515.00 did not go back to Maya Rivers',
      detail: expect.stringContaining(
        'Try again, or give $500.00, without the card fee of $15.00, back by hand.',
      ),
    }),
  )
  const retry = (refundId = '') => owner.cancellations.retryRefund({ refundId })
  app.provider.setFault({ hangUp: true, only: 'POST /v1/refunds', failNext: 3 })
  expect(await refusal(retry(deposit?.id))).toMatchObject({
    code: expect.stringMatching(/GATEWAY|PROVIDER/i),
  })
  expect(await refusal(owner.applications.adminDelete({ id }))).toMatchObject({
    message: 'A refund is under way. Please wait for its end.',
  })
  app.provider.setFault({})
  expect(await refusal(retry(deposit?.id))).toMatchObject({ code: 'CONFLICT' })
  app.advance(24 * 60 * 60_000)
  expect((await owner.cancellations.refundByHand({ refundId: rent?.id ?? '' })).refund).toMatchObject({
    state: 'done',
    by: 'hand',
    feeCents: 0,
    totalCents: 1000_00,
  })
  expect(await refusal(retry(rent?.id))).toMatchObject({ code: 'CONFLICT' })
})

test('a failed refund goes back at the second try, under another key [CHANGE-15]', async () => {
  const { app, cancel, owner, payByCard, refunds } = await bookedApp()
  await payByCard(500_00, 'deposit')
  app.provider.setFault({ status: 402, only: 'POST /v1/refunds', failNext: 1 })
  await cancel()
  const [failed] = await refunds()
  app.advance(3 * 24 * 60 * 60_000)
  const { refund } = await owner.cancellations.retryRefund({ refundId: failed?.id ?? '' })
  expect(refund).toMatchObject({ state: 'done', error: null, totalCents: 515_00 })
  expect(app.deps.db.select().from(returnLegs).all()).toMatchObject([{ attempts: 2 }])
})

test('open checkouts are closed; a payment that arrives nevertheless counts, and its notice gives back that and no more [CHANGE-13, CHANGE-33]', async () => {
  const { app, cancel, id, mails, owner, payByHand, show, summary, tenant } = await bookedApp()
  await app.offerBank()
  await payByHand(1000_00)
  const onItsWay = await app.checkout(tenant, {
    amount: 800_00,
    paymentType: 'rent',
    applicationId: id,
    providerMethod: 'us_bank_account',
  })
  app.provider.completeUnpaid(onItsWay.checkoutSessionId)
  await app.provider.deliverDue()
  const open = await app.checkout(tenant, buildCheckout({ applicationId: id }))
  expect((await show()).proposal).toMatchObject({ paidCents: 1000_00, onItsWayCents: 800_00 })
  await cancel({ refundCents: 600_00 })
  expect(app.payment(open.id).status).toBe('canceled')
  const [mail] = mails('stay-cancelled')
  expect(mail?.props).toMatchObject({ onItsWayCents: 800_00, keptCents: 400_00 })
  expect(mail && (await composeMail(app.deps, mailSources, mail)).words).toContain(
    'A bank payment of $800.00 is still on its way. It is given back after it has arrived.',
  )
  const titled = async () =>
    (await owner.notices.list()).notices.filter(({ id }) => id.startsWith('payment-'))
  expect(await titled()).toEqual([])
  app.provider.settle(onItsWay.checkoutSessionId, true)
  await app.provider.deliverDue()
  expect(await titled()).toMatchObject([
    {
      title: 'A payment arrived for a cancelled stay',
      tone: 'danger',
      action: { kind: 'unexpected_payment', paymentId: onItsWay.id, leftCents: 800_00 },
    },
  ])
  expect(await summary()).toMatchObject({ owedCents: 400_00, paidCents: 1800_00 })
  await owner.payments.refund({ paymentId: onItsWay.id, requestId: crypto.randomUUID() })
  expect([await titled(), (await summary()).paidCents]).toEqual([[], 1000_00])
})

test('a disputed payment is no source and in no sum; won afterwards, it is told [CHANGE-34]', async () => {
  const { app, cancel, owner, payByCard, refunds, show } = await bookedApp()
  const disputed = await payByCard(1000_00)
  const charge = app.provider.events().find(({ type }) => type === 'charge.succeeded')?.data.object
  const dispute = app.provider.openDispute((charge as { id: string }).id)
  await app.provider.deliverDue()
  expect((await show()).proposal).toMatchObject({ paidCents: 0, disputedCents: 1000_00, refunds: [] })
  await cancel()
  expect(await refunds()).toEqual([])
  app.provider.closeDispute(dispute.id, 'won')
  await app.provider.deliverDue()
  expect((await owner.notices.list()).notices).toContainEqual(
    expect.objectContaining({
      id: `payment-${disputed.id}`,
      title: 'A payment arrived for a cancelled stay',
    }),
  )
})

/** $500, paid by card for another stay and moved to this one. */
async function movedApp(paymentType: 'deposit' | 'rent' = 'deposit') {
  const site = await bookedApp()
  const { app, id, owner, tenant } = site
  const submittedAt = '2026-03-01T17:00:00.000Z'
  const dates = { requestedStartDate: '2026-08-01', requestedEndDate: '2026-09-01' }
  const { id: from } = await app.makeApplication(tenant, { submittedAt, ...dates })
  const paid = buildCheckout({ applicationId: from, amount: 500_00, paymentType })
  const row = await app.checkout(tenant, paid)
  app.provider.pay(row.checkoutSessionId)
  await app.provider.deliverDue()
  const transfer = { fromApplicationId: from, toApplicationId: id, transferNotes: '' }
  await owner.payments.transfer({ ...transfer, depositAmount: 500_00 })
  const dispute = async () => {
    const { id } = app.provider.openDispute(app.payment(row.id).stripeChargeId ?? '')
    await app.provider.deliverDue()
    return async (end: 'won' | 'lost') => {
      app.provider.closeDispute(id, end)
      await app.provider.deliverDue()
    }
  }
  /** What the owner and the tenant are told is still to go back. */
  const told = async () => {
    const { application } = await site.guest.applications.get({ id })
    return {
      ended: (await site.summary()).ended?.toReturnCents,
      step: (await owner.applications.adminGet({ id })).application.nextStep,
      waiting: 'waiting' in application ? application.waiting : undefined,
      refunds: (await site.refunds()).map(({ amountCents, state }) => [amountCents, state]),
      notices: (await owner.notices.list()).notices.map(({ title }) => title).filter(isOfRefund),
    }
  }
  return { ...site, from, dispute, told }
}
const isOfRefund = (title: string) => /^Return|did not go back|cancelled stay/.test(title)
const nothing = { ended: 0, step: null, waiting: undefined, refunds: [], notices: [] }
const givenBack = (amountCents: number, state = 'waiting') => ({
  ended: amountCents,
  step: { kind: 'give_back', amountCents },
  waiting: { kind: 'refund', amountCents },
  refunds: [[amountCents, state]],
})

test.each(['open', 'lost'])(
  'what was moved to a stay, and disputed where it came from, is in no sum of its cancellation: %s [CHANGE-34, FIX-38]',
  async end => {
    const { app, cancel, dispute, guest, id, mails, show, told } = await movedApp()
    const close = await dispute()
    if (end === 'lost') await close('lost')
    const none = { paidCents: 0, depositCents: 0, refundCents: 0, refunds: [] }
    expect((await show()).proposal).toMatchObject(none)
    expect((await guest.cancellations.get({ applicationId: id })).proposal).toMatchObject(none)
    await cancel()
    expect(mails('stay-cancelled')).toMatchObject([{ props: { paidCents: 0, refundCents: 0, ways: [] } }])
    expect(await told()).toEqual(nothing)
    expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
    if (end === 'lost') return
    await close('won')
    const { notices, step } = await told()
    expect([notices, step]).toEqual([
      ['A payment arrived for a cancelled stay'],
      { kind: 'give_back', amountCents: 500_00 },
    ])
  },
)

test('a dispute where the money came from, after the stay was cancelled, withdraws its refund by hand until it is won [CHANGE-15, CHANGE-34, FIX-38]', async () => {
  const { cancel, dispute, id, owner, refunds, told } = await movedApp()
  await cancel()
  const asked = { ...givenBack(500_00), notices: ['Return $500.00 to Maya Rivers'] }
  expect(await told()).toEqual(asked)
  const close = await dispute()
  expect(await told()).toEqual({ ...nothing, refunds: [[500_00, 'withdrawn']] })
  const [refund] = await refunds()
  const record = () => owner.cancellations.refundByHand({ refundId: refund?.id ?? '' })
  expect(await refusal(record())).toMatchObject({ message: 'This refund is not open any more.' })
  await close('won')
  expect(await told()).toEqual(asked)
  await record()
  expect(await told()).toMatchObject({ ended: 0, step: null, refunds: [[500_00, 'done']] })
  await owner.applications.adminDelete({ id })
})

test.each([
  ['deposit', { refundCents: 500_00 }, { owedCents: 1000_00, balanceCents: -500_00 }],
  ['rent', { refundCents: 0 }, { owedCents: 1500_00, balanceCents: 0 }],
] as const)(
  'the amount kept of a cancelled stay, and its balance, exclude transferred %s that was lost at its source [CHANGE-12, CHANGE-17, FIX-38]',
  async (type, refund, before) => {
    const { cancel, dispute, guest, id, owner, payByHand, summary, tenant } = await movedApp(type)
    await payByHand(1000_00)
    await cancel(refund)
    expect(await summary()).toMatchObject(before)
    await dispute()
    const left = { owedCents: 1000_00, paidCents: 1000_00, balanceCents: 0, label: 'Paid in full' }
    expect(await summary()).toMatchObject(left)
    const ofGuest = await guest.charges.list({ applicationId: id })
    expect(ofGuest).toMatchObject({ charges: [{ amountCents: 1000_00 }], summary: left })
    const { applications } = await owner.payments.availableDeposits({ userId: tenant.userId })
    expect(applications.find(one => one.applicationId === id)).toMatchObject({ totalBalance: 0 })
  },
)

test.each(['no', 'an open'])(
  'a failed card refund raises one notice although rent was transferred here: %s dispute at its source [CHANGE-13, CHANGE-34]',
  async which => {
    const { app, cancel, dispute, owner, payByCard, told } = await movedApp('rent')
    const close = which === 'no' ? undefined : await dispute()
    await payByCard(1000_00)
    app.provider.setFault({ status: 402, only: 'POST /v1/refunds', failNext: 1 })
    await cancel()
    const failed = '$1,030.00 did not go back to Maya Rivers'
    const byHand = 'Return $500.00 to Maya Rivers'
    expect((await told()).notices.toSorted()).toEqual(close ? [failed] : [failed, byHand])
    if (!close) return
    await close('won')
    const arrived = { title: 'A payment arrived for a cancelled stay', action: { leftCents: 500_00 } }
    const { notices } = await owner.notices.list()
    expect(notices.filter(({ id }) => id.startsWith('payment-'))).toMatchObject([arrived])
  },
)

test('deleting a cancelled stay with a failed refund raises a notice for the money, less the amount kept, and it can be returned [CHANGE-43, FIX-01]', async () => {
  const { app, cancel, id, owner, payByCard } = await bookedApp()
  const { id: paymentId } = await payByCard(1000_00)
  app.provider.setFault({ status: 402, only: 'POST /v1/refunds', failNext: 1 })
  app.advance(60_000)
  await cancel({ refundCents: 600_00 })
  await owner.applications.adminDelete({ id })
  const unexpected = async () =>
    (await owner.notices.list()).notices.filter(({ id }) => id.startsWith('payment-'))
  const title = 'A deleted application still holds a payment'
  expect(await unexpected()).toMatchObject([{ title, action: { paymentId, leftCents: 618_00 } }])
  await owner.payments.refund({ paymentId, totalCents: 618_00, requestId: crypto.randomUUID() })
  expect(await unexpected()).toEqual([])
})

test('money that is entered for a cancelled stay or moved to it has a notice until the stay is reinstated; earlier transfers have none [CHANGE-13, FIX-37]', async () => {
  const { app, cancel, from, id, owner, payByHand, told } = await movedApp('rent')
  const notices = async () =>
    (await owner.notices.list()).notices.flatMap(({ action }) =>
      action?.kind === 'unexpected_payment' ? action.leftCents : [],
    )
  app.advance(60_000)
  await cancel()
  await payByHand(100_00)
  expect((await told()).notices).toEqual([
    'A payment arrived for a cancelled stay',
    'Return $500.00 to Maya Rivers',
  ])
  expect(await notices()).toEqual([100_00])
  await owner.payments.addManual({ ...buildManualPayment(from, { amount: 40_00 }), paymentType: 'rent' })
  const moved = { fromApplicationId: from, toApplicationId: id, transferNotes: '' }
  await owner.payments.transfer({ ...moved, depositAmount: 40_00 })
  expect((await notices()).toSorted((a, b) => a - b)).toEqual([40_00, 100_00])
  expect((await told()).step).toEqual({ kind: 'give_back', amountCents: 640_00 })
  await setStatus(owner, id)
  expect(await notices()).toEqual([])
})

test('removing the entry of a manual refund after the stay was deleted raises a notice, and the money can be returned [CHANGE-15, CHANGE-43]', async () => {
  const { app, cancel, id, owner, payByHand, refunds, tenant } = await bookedApp()
  await payByHand(1000_00)
  await cancel()
  await owner.cancellations.refundByHand({ refundId: (await refunds()).at(-1)?.id ?? '' })
  const { payments } = await owner.payments.adminHistory({ userId: tenant.userId, applicationId: id })
  app.advance(60_000)
  await owner.applications.adminDelete({ id })
  await owner.payments.remove({ paymentId: payments.find(({ amount }) => amount === -1000_00)?.id ?? '' })
  const { notices } = await owner.notices.list()
  expect(notices).toMatchObject([{ action: { kind: 'unexpected_payment', leftCents: 1000_00 } }])
  await owner.payments.recordReturn({ applicationId: id, kind: 'refund', amount: 1000_00 })
})

test('a notice is raised when transferred money comes back after its refund was reduced [CHANGE-15]', async () => {
  const { app, cancel, id, owner, payByCard, payByHand, refunds, summary, tenant } = await bookedApp()
  const submittedAt = '2026-03-01T17:00:00.000Z'
  const dates = { requestedStartDate: '2026-08-01', requestedEndDate: '2026-09-01' }
  const { id: toApplicationId } = await app.makeApplication(tenant, { submittedAt, ...dates })
  await payByCard(1000_00)
  await payByHand(300_00)
  app.provider.setFault({ status: 402, only: 'POST /v1/refunds', failNext: 1 })
  await cancel()
  const transfer = { fromApplicationId: id, toApplicationId, transferNotes: '' }
  await owner.payments.transfer({ ...transfer, depositAmount: 1000_00 })
  app.advance(60_000)
  const failed = (await refunds()).find(({ state }) => state === 'failed')
  await owner.cancellations.retryRefund({ refundId: failed?.id ?? '' }).catch(() => {})
  await app.provider.deliverDue()
  const { payments } = await owner.payments.adminHistory({ userId: tenant.userId, applicationId: id })
  await owner.payments.remove({ paymentId: payments.find(({ amount }) => amount === -1000_00)?.id ?? '' })
  const left = (await summary()).ended?.toReturnCents ?? 0
  expect(left).toBeGreaterThan(0)
  const unexpected = async () =>
    (await owner.notices.list()).notices.filter(({ action }) => action?.kind === 'unexpected_payment')
  expect(await unexpected()).not.toEqual([])
  // Once it is reinstated, its money is good.
  app.advance(60_000)
  await setStatus(owner, id)
  expect(await unexpected()).toEqual([])
})

/** What the notices say of money that a cancelled stay holds. */
const heldNotices = async ({ owner }: Pick<Awaited<ReturnType<typeof bookedApp>>, 'owner'>) =>
  (await owner.notices.list()).notices.flatMap(({ action, title }) =>
    action?.kind === 'unexpected_payment' ? [[title, action.leftCents, action.paymentId]] : [],
  )
const heldTitle = 'A cancelled stay still holds a payment'
const arrived = ['A payment arrived for a cancelled stay', 300_00, expect.any(String)]

test.each(['returned', 'moved', 'refunded by hand'])(
  'the owner is told when a stay gets back what was %s before it was cancelled, as its entry is removed [CHANGE-13]',
  async way => {
    const site = await bookedApp()
    const { app, cancel, id, owner, payByHand, refunds, tenant } = site
    await payByHand(1000_00)
    app.advance(60_000)
    const submittedAt = '2026-03-01T17:00:00.000Z'
    const dates = { requestedStartDate: '2026-08-01', requestedEndDate: '2026-09-01' }
    const { id: to } = await app.makeApplication(tenant, { submittedAt, ...dates })
    if (way === 'returned')
      await owner.payments.recordReturn({ applicationId: id, kind: 'refund', amount: 400_00 })
    else if (way === 'moved')
      await owner.payments.transfer({
        fromApplicationId: id,
        toApplicationId: to,
        depositAmount: 400_00,
        transferNotes: '',
      })
    else {
      await cancel({ refundCents: 400_00 })
      await owner.cancellations.refundByHand({ refundId: (await refunds()).at(-1)?.id ?? '' })
      app.advance(60_000)
      await setStatus(owner, id)
      app.advance(60_000)
    }
    await cancel({ refundCents: 0 })
    expect(await heldNotices(site)).toEqual([])
    const { payments } = await owner.payments.adminHistory({ userId: tenant.userId, applicationId: id })
    await owner.payments.remove({ paymentId: payments.find(({ amount }) => amount === -400_00)?.id ?? '' })
    expect(await heldNotices(site)).toEqual([[heldTitle, 400_00, expect.any(String)]])
    app.advance(60_000)
    await setStatus(owner, id)
    expect(await heldNotices(site)).toEqual([])
  },
)

test('the owner is told when the refund of an earlier cancellation fails after the stay was cancelled again, and only once when one of its own does [CHANGE-13, CHANGE-15]', async () => {
  const site = await bookedApp()
  const { app, cancel, id, owner, payByCard, refunds, summary } = site
  const { id: paymentId } = await payByCard(1000_00)
  await cancel()
  await app.provider.deliverDue()
  app.advance(60_000)
  await setStatus(owner, id)
  app.advance(60_000)
  const { id: second } = await payByCard(300_00)
  await cancel()
  await app.provider.deliverDue()
  const [first, own] = app.deps.db.select().from(returnLegs).all()
  const fail = async (refundId: string | null | undefined) => {
    app.provider.failRefund(refundId ?? '')
    await app.provider.deliverDue()
  }
  expect(await heldNotices(site)).toEqual([])
  await fail(own?.refundId)
  expect(await refunds()).toMatchObject([{ state: 'failed', paymentId: second }])
  expect(await heldNotices(site)).toEqual([])
  await fail(first?.refundId)
  expect((await summary()).ended?.toReturnCents).toBe(1300_00)
  expect(await heldNotices(site)).toEqual([[heldTitle, 1030_00, paymentId]])
})

test('a stay is neither cancelled nor asked to be while nobody knows whether a refund was made [CHANGE-09, FIX-09]', async () => {
  const site = await bookedApp()
  const { app, ask, cancel, mails, owner, payByCard, status } = site
  const { id: paymentId } = await payByCard(1000_00)
  app.provider.setFault({ hangUp: true, only: 'POST /v1/refunds' })
  await refusal(owner.payments.refund({ paymentId, totalCents: 515_00, requestId: randomUUID() }))
  app.provider.setFault({})
  const underWay = { code: 'CONFLICT', message: 'A refund is under way. Please wait for its end.' }
  expect([await refusal(ask()), await refusal(cancel())]).toMatchObject([underWay, underWay])
  expect([await status(), mails('cancellation-requested')]).toEqual(['approved', []])
  app.advance(16 * 60_000)
  await sweepPayments(app.deps)
  await cancel()
  expect(mails('stay-cancelled')).toMatchObject([{ props: { paidCents: 1000_00, refundCents: 1000_00 } }])
})

test('a stay is cancelled if the provider does not say for an hour whether a refund was made; the owner is told once it was not [CHANGE-13, FIX-09]', async () => {
  const site = await bookedApp()
  const { app, cancel, owner, payByCard } = site
  const { id: paymentId } = await payByCard(1000_00)
  app.provider.setFault({ hangUp: true })
  await refusal(owner.payments.refund({ paymentId, requestId: randomUUID() }))
  app.advance(61 * 60_000)
  await cancel()
  expect(await heldNotices(site)).toEqual([])
  app.provider.setFault({})
  await sweepPayments(app.deps)
  expect(await heldNotices(site)).toEqual([[heldTitle, 1030_00, paymentId]])
})

test('money that arrives for a cancelled stay is told of the payment that brought it, not of one that is kept [CHANGE-13]', async () => {
  const site = await bookedApp()
  const { app, cancel, payByCard, payByHand } = site
  await payByCard(1000_00)
  app.advance(60_000)
  await cancel({ refundCents: 0 })
  const { payment } = await payByHand(300_00)
  expect(await heldNotices(site)).toEqual([['A payment arrived for a cancelled stay', 300_00, payment.id]])
})

test('a dismissed notice of a cancelled stay does not hide what arrives later [CHANGE-13]', async () => {
  const site = await bookedApp()
  const { app, cancel, id, owner, payByHand, tenant } = site
  await payByHand(1000_00)
  app.advance(60_000)
  await owner.payments.recordReturn({ applicationId: id, kind: 'refund', amount: 400_00 })
  app.advance(60_000)
  await cancel({ refundCents: 0 })
  const { payments } = await owner.payments.adminHistory({ userId: tenant.userId, applicationId: id })
  await owner.payments.remove({ paymentId: payments.find(({ amount }) => amount === -400_00)?.id ?? '' })
  const [[title, cents, paymentId] = []] = await heldNotices(site)
  expect([title, cents]).toEqual([heldTitle, 400_00])
  await owner.payments.dismissUnexpected({ paymentId: String(paymentId) })
  expect(await heldNotices(site)).toEqual([])
  app.advance(60_000)
  await payByHand(300_00)
  expect(await heldNotices(site)).toEqual([arrived])
})

/** Pays a deposit by card whose return the card provider refuses. */
async function refusedReturn({ app, id, owner, payByCard }: Awaited<ReturnType<typeof bookedApp>>) {
  const body = { amountCents: 500_00, enabled: true, ruleId: 'general', since: '2026-01-01' }
  await owner.settings.deposit.save({ version: 0, body })
  await payByCard(500_00, 'deposit')
  app.advance(60_000)
  app.provider.setFault({ status: 402, only: 'POST /v1/refunds', failNext: 1 })
  await refusal(owner.deposits.return({ applicationId: id, requestId: randomUUID() }))
  expect(app.deps.db.select().from(returnLegs).all()).toMatchObject([{ cause: 'deposit', state: 'failed' }])
  app.advance(60_000)
}

test.each(['rent', 'deposit'] as const)(
  'after the cancellation has refunded the deposit, an earlier refused return does not hide a later %s payment [CHANGE-13]',
  async paymentType => {
    const site = await bookedApp()
    const { app, cancel, payByHand } = site
    await refusedReturn(site)
    await cancel()
    await app.provider.deliverDue()
    app.advance(60_000)
    await payByHand(300_00, paymentType)
    expect(await heldNotices(site)).toEqual([arrived])
  },
)

test('a dismissed notice stays dismissed when the refund of the deposit fails, before or after the dismissal [CHANGE-13]', async () => {
  for (const fails of ['before', 'after']) {
    const site = await bookedApp()
    const { app, cancel, owner, payByCard, payByHand } = site
    await payByCard(500_00, 'deposit')
    await payByHand(1000_00)
    app.advance(60_000)
    const fault = { status: 402, only: 'POST /v1/refunds', failNext: 1 } as const
    if (fails === 'before') app.provider.setFault(fault)
    await cancel({ refundCents: 500_00 })
    await app.provider.deliverDue()
    app.advance(60_000)
    const { payment } = await payByHand(300_00)
    expect(await heldNotices(site)).toEqual([arrived])
    await owner.payments.dismissUnexpected({ paymentId: payment.id })
    const refund = app.provider.events().findLast(({ type }) => type === 'refund.created')?.data.object
    if (fails === 'after') app.provider.failRefund((refund as { id: string }).id)
    await app.provider.deliverDue()
    await tickDismissed(app.deps)
    expect([fails, await heldNotices(site)]).toEqual([fails, []])
  }
})

test('when the entry for a deposit returned by hand is removed, an earlier refused return does not hide the money [CHANGE-13]', async () => {
  const site = await bookedApp()
  const { app, cancel, id, owner, tenant } = site
  await refusedReturn(site)
  await owner.payments.recordReturn({ applicationId: id, kind: 'deposit_return', amount: 500_00 })
  app.advance(60_000)
  await cancel()
  expect(await heldNotices(site)).toEqual([])
  const { payments } = await owner.payments.adminHistory({ userId: tenant.userId, applicationId: id })
  await owner.payments.remove({ paymentId: payments.find(({ amount }) => amount === -500_00)?.id ?? '' })
  expect(await heldNotices(site)).toEqual([[heldTitle, 515_00, expect.any(String)]])
})

test('a payment recorded for a cancelled stay still raises a notice after the stay is deleted, less the amount kept [CHANGE-43]', async () => {
  const { app, cancel, id, owner, payByHand } = await bookedApp()
  await payByHand(1000_00)
  await cancel({ refundCents: 0 })
  await payByHand(300_00)
  app.advance(60_000)
  await owner.applications.adminDelete({ id })
  const { notices } = await owner.notices.list()
  expect(notices).toMatchObject([{ action: { kind: 'unexpected_payment', leftCents: 300_00 } }])
})

test('a cancelled stay is deleted while a dispute withdraws its refund by hand; won afterwards, the money is told and can go back [CHANGE-34, CHANGE-43, FIX-38]', async () => {
  const { cancel, dispute, id, owner } = await movedApp()
  await cancel()
  const close = await dispute()
  await owner.applications.adminDelete({ id })
  await close('won')
  const { notices } = await owner.notices.list()
  expect(notices.filter(({ action }) => action?.kind === 'unexpected_payment')).toMatchObject([
    { action: { leftCents: 500_00 } },
  ])
  await owner.payments.recordReturn({ applicationId: id, kind: 'deposit_return', amount: 500_00 })
})

test('an application is declined without a sum to give back of what was moved to it, or away from it, and disputed [FIX-38, LOOK-72]', async () => {
  const { dispute, from, guest, id, owner, summary, told } = await movedApp()
  await setStatus(owner, id, 'rejected')
  await setStatus(owner, from, 'rejected')
  expect((await summary()).ended).toMatchObject({ paidCents: 500_00, toReturnCents: 500_00 })
  await dispute()
  expect(await told()).toEqual(nothing)
  const zero = { paidCents: 0, returnedCents: 0, keptCents: 0, toReturnCents: 0 }
  expect((await summary()).ended).toEqual(zero)
  expect((await guest.charges.list({ applicationId: from })).summary.ended).toEqual(zero)
})

test('before a decline the dialog says what was paid, and after it what the step says is to go back, without what is lost where it came from or on its way back [FIX-38, LOOK-72]', async () => {
  const { app, dispute, id, owner, payByCard, payByHand, summary, told } = await movedApp()
  await payByHand(200_00)
  const left = async () => {
    const { paidCents, paymentsToRefund } = await owner.applications.adminStatusPreview({ id })
    return [paidCents, ...paymentsToRefund.map(({ amountCents }) => amountCents)]
  }
  expect(await left()).toEqual([700_00, 500_00, 200_00])
  await dispute()
  expect((await summary()).paidCents).toBe(200_00)
  expect(await left()).toEqual([200_00, 200_00])
  await setStatus(owner, id, 'rejected')
  expect(await told()).toMatchObject({ ended: 200_00, step: { amountCents: 200_00 } })
  expect(await left()).toEqual([200_00, 200_00])
  await setStatus(owner, id)
  const { id: paymentId } = await payByCard(300_00)
  app.provider.holdDeliveries(true)
  await owner.payments.refund({ paymentId, requestId: randomUUID() })
  await owner.payments.recordReturn({ applicationId: id, kind: 'refund', amount: 50_00 })
  await setStatus(owner, id, 'rejected')
  expect((await told()).step).toMatchObject({ amountCents: 150_00 })
  expect(await left()).toEqual([150_00, 200_00])
})

test('a check that bounces after the cancellation makes the refund by hand smaller, on every card and notice [CHANGE-15]', async () => {
  const { app, cancel, id, owner, payByHand, refunds, summary, tenant } = await bookedApp()
  await payByHand(1000_00)
  await payByHand(500_00)
  await cancel({ refundCents: 700_00 })
  const { payments } = await owner.payments.adminHistory({ userId: tenant.userId, applicationId: id })
  await owner.payments.remove({ paymentId: payments.find(({ amount }) => amount === 500_00)?.id ?? '' })
  expect((await summary()).ended).toMatchObject({ keptCents: 800_00, toReturnCents: 200_00 })
  const [refund] = await refunds()
  expect(refund).toMatchObject({ amountCents: 200_00, totalCents: 200_00, state: 'waiting' })
  expect((await owner.notices.list()).notices).toMatchObject([{ title: 'Return $200.00 to Maya Rivers' }])
  await owner.cancellations.refundByHand({ refundId: refund?.id ?? '' })
  expect((await summary()).ended).toMatchObject({ keptCents: 800_00, toReturnCents: 0 })
  expect(await refunds()).toMatchObject([{ amountCents: 200_00, state: 'done' }])
  expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
})

test('a check can be removed from a fully refunded stay; the waiting refunds shrink to what is left [CHANGE-15]', async () => {
  const { app, cancel, id, owner, payByHand, refunds, summary, tenant } = await bookedApp()
  await payByHand(500_00, 'deposit')
  await payByHand(1000_00)
  await payByHand(300_00)
  await cancel()
  const states = async () => (await refunds()).map(({ amountCents, state }) => [amountCents, state])
  const bounce = async (cents: number) => {
    const { payments } = await owner.payments.adminHistory({ userId: tenant.userId, applicationId: id })
    await owner.payments.remove({ paymentId: payments.find(({ amount }) => amount === cents)?.id ?? '' })
    return (await summary()).ended?.toReturnCents
  }
  expect(await states()).toEqual([
    [500_00, 'waiting'],
    [1300_00, 'waiting'],
  ])
  expect(await bounce(1000_00)).toBe(800_00)
  expect(await states()).toEqual([
    [500_00, 'waiting'],
    [300_00, 'waiting'],
  ])
  expect(await bounce(500_00)).toBe(300_00)
  expect(await states()).toEqual([
    [500_00, 'withdrawn'],
    [300_00, 'waiting'],
  ])
  // A check cannot be removed once its money was refunded.
  await owner.cancellations.refundByHand({ refundId: (await refunds())[1]?.id ?? '' })
  expect(await refusal(bounce(300_00))).toMatchObject({ code: 'CONFLICT' })
  expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
})

test('a refund that failed, and was made in the dashboard, is withdrawn; of one made in part the rest is asked for, with all that is left of the fee [CHANGE-15, DEP-30]', async () => {
  const { app, cancel, owner, payByCard, refunds } = await bookedApp()
  const paid = await payByCard(500_00, 'deposit')
  app.provider.setFault({ status: 402 })
  await cancel()
  app.provider.setFault({})
  const titles = async () => (await owner.notices.list()).notices.map(({ title }) => title).filter(isOfRefund)
  expect(await titles()).toEqual(['$515.00 did not go back to Maya Rivers'])
  const inDashboard = async (cents?: number) => {
    app.provider.refund(app.payment(paid.id).stripeChargeId ?? '', cents)
    await app.provider.deliverDue()
  }
  await inDashboard(171_67)
  expect(await titles()).toEqual(['$343.33 did not go back to Maya Rivers'])
  const [refund] = await refunds()
  expect(refund).toMatchObject({ amountCents: 333_33, feeCents: 10_00, totalCents: 343_33, state: 'failed' })
  await owner.cancellations.retryRefund({ refundId: refund?.id ?? '' })
  await app.provider.deliverDue()
  expect(await refunds()).toMatchObject([{ totalCents: 343_33, state: 'done' }])
  expect(await titles()).toEqual([])
  expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
})

test.each(['refunded in the dashboard', 'lost in a dispute'])(
  'a failed card refund is limited to its own payment and does not use up a check: %s [CHANGE-15, CHANGE-34]',
  async how => {
    const { app, cancel, owner, payByCard, payByHand, refunds, summary } = await bookedApp()
    const paid = await payByCard(1000_00)
    await payByHand(600_00)
    app.provider.setFault({ status: 402, only: 'POST /v1/refunds', failNext: 1 })
    await cancel()
    const charge = app.payment(paid.id).stripeChargeId ?? ''
    if (how === 'lost in a dispute') app.provider.closeDispute(app.provider.openDispute(charge).id, 'lost')
    else app.provider.refund(charge)
    await app.provider.deliverDue()
    const titles = (await owner.notices.list()).notices.map(({ title }) => title)
    expect(titles.filter(isOfRefund)).toEqual(['Return $600.00 to Maya Rivers'])
    const [card, check] = await refunds()
    expect([card, check]).toMatchObject([{ state: 'withdrawn' }, { state: 'waiting', amountCents: 600_00 }])
    await owner.cancellations.refundByHand({ refundId: check?.id ?? '' })
    expect((await summary()).ended?.toReturnCents).toBe(0)
  },
)

test('a failed refund can be retried while other money, transferred here, is disputed at its source [CHANGE-15, FIX-38]', async () => {
  const { app, cancel, dispute, owner, payByCard, refunds, told } = await movedApp('rent')
  await payByCard(1000_00)
  app.provider.setFault({ status: 402, only: 'POST /v1/refunds', failNext: 1 })
  await cancel()
  const close = await dispute()
  const failed = (await refunds()).find(({ state }) => state === 'failed')
  await owner.cancellations.retryRefund({ refundId: failed?.id ?? '' })
  await app.provider.deliverDue()
  expect(await told()).toMatchObject({ ended: 0, notices: [] })
  await close('won')
  expect(await told()).toMatchObject({ ended: 500_00, notices: ['A payment arrived for a cancelled stay'] })
})

test.each(['recorded by hand for less', 'withdrawn while a check bounces'])(
  'when a dispute is won, a notice covers the rest of a refund that was %s [CHANGE-15, CHANGE-34]',
  async how => {
    const { cancel, dispute, id, owner, payByHand, refunds, tenant, told } = await movedApp('rent')
    await payByHand(1000_00)
    await cancel(how === 'recorded by hand for less' ? { refundCents: 700_00 } : {})
    const close = await dispute()
    if (how === 'recorded by hand for less') {
      const [refund] = await refunds()
      expect(refund).toMatchObject({ amountCents: 200_00 })
      await owner.cancellations.refundByHand({ refundId: refund?.id ?? '' })
    } else {
      const { payments } = await owner.payments.adminHistory({ userId: tenant.userId, applicationId: id })
      await owner.payments.remove({ paymentId: payments.find(({ amount }) => amount === 1000_00)?.id ?? '' })
    }
    expect(await told()).toMatchObject({ ended: 0, notices: [] })
    await close('won')
    expect(await told()).toMatchObject({
      ended: 500_00,
      notices: ['A payment arrived for a cancelled stay'],
    })
  },
)

test('removing the entry of a manual refund makes the refund due again, unless the stay was reinstated [CHANGE-15, CHANGE-16]', async () => {
  const { cancel, id, owner, payByHand, refunds, summary, tenant } = await bookedApp()
  await payByHand(1000_00)
  await cancel()
  const record = async () =>
    owner.cancellations.refundByHand({ refundId: (await refunds()).at(-1)?.id ?? '' })
  const remove = async () => {
    const { payments } = await owner.payments.adminHistory({ userId: tenant.userId, applicationId: id })
    await owner.payments.remove({ paymentId: payments.find(({ amount }) => amount === -1000_00)?.id ?? '' })
  }
  await record()
  await remove()
  expect((await owner.notices.list()).notices).toMatchObject([{ title: 'Return $1,000.00 to Maya Rivers' }])
  expect((await summary()).ended?.toReturnCents).toBe(1000_00)
  await record()
  await setStatus(owner, id)
  await remove()
  expect(await refunds()).toMatchObject([{ state: 'withdrawn' }])
  expect((await summary()).paidCents).toBe(1000_00)
})

test('a refund that failed and was made whole in the dashboard is withdrawn [CHANGE-15]', async () => {
  const { app, cancel, owner, payByCard, refunds } = await bookedApp()
  const paid = await payByCard(500_00, 'deposit')
  app.provider.setFault({ status: 402 })
  await cancel()
  app.provider.setFault({})
  app.provider.refund(app.payment(paid.id).stripeChargeId ?? '')
  await app.provider.deliverDue()
  expect(await refunds()).toMatchObject([{ totalCents: 515_00, state: 'withdrawn' }])
  expect((await owner.notices.list()).notices).toEqual([])
})

test('approving it again makes charges and balance those of before, withdraws what has not gone back, and what went back of the deposit is owed again [CHANGE-16]', async () => {
  const { app, cancel, id, owner, payByCard, payByHand, refunds, status, summary } = await bookedApp()
  await payByCard(200_00)
  await payByHand(500_00, 'deposit')
  await payByHand(300_00)
  const before = { charges: await owner.charges.list({ applicationId: id }), status: await status() }
  await cancel({ refundCents: 900_00 })
  const [deposit] = await refunds()
  await owner.cancellations.refundByHand({ refundId: deposit?.id ?? '' })
  await setStatus(owner, id)
  const { cancellation } = await owner.cancellations.adminGet({ applicationId: id })
  expect(cancellation).toMatchObject({ state: 'reinstated' })
  expect(cancellation?.refunds.map(({ kind, state }) => [kind, state])).toEqual([
    ['deposit', 'done'],
    ['other', 'done'],
    ['other', 'withdrawn'],
  ])
  const { owedCents } = before.charges.summary
  // $500 of the deposit and $200 by card went back.
  expect(await summary()).toMatchObject({
    owedCents,
    paidCents: 300_00,
    balanceCents: 2700_00,
    depositDueCents: 500_00,
  })
  expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
  // And cancelled anew.
  await cancel({ refundCents: 0 })
  expect(await summary()).toMatchObject({ owedCents: 300_00, balanceCents: 0 })
})

test.each(['by hand', 'from its payment', 'in the dashboard', 'in the dashboard, told later', 'in part'])(
  'of a reinstated stay the deposit is owed again that went back %s while the cancellation’s refund had failed; what had gone back before is not [CHANGE-16, CHG-34, DEP-08]',
  async way => {
    const { app, cancel, id, owner, payByCard, payByHand, summary } = await bookedApp()
    await payByHand(100_00, 'deposit')
    const giveBack = (amount: number) =>
      owner.payments.recordReturn({ applicationId: id, kind: 'deposit_return', amount })
    await giveBack(100_00)
    app.advance(60_000)
    const { id: paymentId } = await payByCard(400_00, 'deposit')
    const isByHand = way === 'by hand' || way === 'in part'
    const refund = (more = {}) => owner.payments.refund({ paymentId, requestId: randomUUID(), ...more })
    if (!isByHand) await refund({ totalCents: 51_50 })
    app.advance(60_000)
    app.provider.setFault({ status: 402 })
    await cancel()
    app.provider.setFault({})
    app.advance(60_000)
    const backCents = way === 'in part' ? 150_00 : isByHand ? 400_00 : 350_00
    if (isByHand) await giveBack(backCents)
    else if (way === 'from its payment') await refund()
    else app.provider.refund(app.payment(paymentId).stripeChargeId ?? '')
    if (way === 'in the dashboard') await app.provider.deliverDue()
    app.advance(60_000)
    await setStatus(owner, id)
    await app.provider.deliverDue()
    expect(await summary()).toMatchObject({
      depositDueCents: backCents,
      balanceCents: 2500_00 + backCents,
    })
    expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
    // Paid again, and cancelled anew, it goes back once more: to the card, or it waits for the owner.
    await payByHand(backCents, 'deposit')
    await cancel()
    const toReturnCents = isByHand ? 0 : 350_00
    expect(await summary()).toMatchObject({ balanceCents: 0 - toReturnCents, ended: { toReturnCents } })
    await setStatus(owner, id)
    const depositDueCents = isByHand ? 400_00 : 0
    expect(await summary()).toMatchObject({ depositDueCents, balanceCents: 2500_00 + depositDueCents })
    expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
  },
)

test('a deposit that went back is owed again once the stay is reinstated, also if the clock was ahead when it was cancelled [CHANGE-16]', async () => {
  const { app, cancel, id, owner, payByCard, summary } = await bookedApp()
  await payByCard(500_00, 'deposit')
  app.advance(2 * 3_600_000)
  app.provider.setFault({ hangUp: true, only: 'POST /v1/refunds' })
  await cancel()
  app.provider.setFault({})
  app.advance(-3_600_000)
  await runLegs(app.deps)
  await setStatus(owner, id)
  expect(await summary()).toMatchObject({ depositDueCents: 500_00 })
})

test('a refund that fails after the stay was reinstated is withdrawn and not made again: its money pays the deposit as before [CHANGE-15, CHANGE-16]', async () => {
  const { app, cancel, id, owner, payByCard, refunds, summary } = await bookedApp()
  await payByCard(500_00, 'deposit')
  await cancel()
  await app.provider.deliverDue()
  await setStatus(owner, id)
  expect(await summary()).toMatchObject({ depositDueCents: 500_00 })
  const [leg] = await refunds()
  app.provider.failRefund(app.deps.db.select().from(returnLegs).get()?.refundId ?? '')
  await app.provider.deliverDue()
  expect(await refunds()).toMatchObject([{ state: 'withdrawn' }])
  for (const pressed of [owner.cancellations.retryRefund, owner.cancellations.refundByHand])
    expect(await refusal(pressed({ refundId: leg?.id ?? '' }))).toMatchObject({ code: 'CONFLICT' })
  expect(await summary()).toMatchObject({ depositDueCents: 0, paidCents: 500_00 })
})

test('a stay that is reinstated while the provider is asked asks for nothing more [CHANGE-16, DEP-34]', async () => {
  const { app, cancel, id, owner, payByCard, refunds } = await bookedApp()
  const { id: paymentId } = await payByCard(500_00)
  const { stripe } = app.deps.provider ?? {}
  if (!stripe) throw new Error('no provider')
  const create = vi.spyOn(stripe.refunds, 'create').mockImplementation(async () => {
    await setStatus(owner, id)
    throw Stripe.errors.StripeError.generate({ type: 'api_error', statusCode: 500, message: 'Down' })
  })
  await cancel()
  create.mockRestore()
  expect(await refunds()).toMatchObject([{ state: 'withdrawn' }])
  await owner.payments.refund({ paymentId, requestId: randomUUID() })
  expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
})

test('cancelled and reinstated at once, everything is as before [CHANGE-16]', async () => {
  const { app, cancel, id, owner, payByHand, summary } = await bookedApp()
  await payByHand(500_00, 'deposit')
  await payByHand(700_00)
  const active = () =>
    app.deps.db
      .select()
      .from(charges)
      .where(eq(charges.applicationId, id))
      .all()
      .filter(({ voidedAt }) => voidedAt === null)
      .map(({ cancellationId: _, ...row }) => row)
  const before = { charges: active(), summary: await summary() }
  await cancel({ refundCents: 600_00 })
  await setStatus(owner, id)
  expect({ charges: active(), summary: await summary() }).toEqual(before)
  const kinds = app.deps.db.select().from(events).where(eq(events.subjectId, id)).all()
  expect(kinds.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['application.cancelled', 'cancellation.reinstated']),
  )
})

test('nights that somebody else has meanwhile stay theirs [CHANGE-12, CHANGE-16]', async () => {
  const { app, cancel, id, owner, status } = await bookedApp()
  await cancel()
  await app.makeApplication(await app.makeTenant(), {
    requestedStartDate: '2026-06-10',
    requestedEndDate: '2026-06-20',
  })
  expect(await refusal(setStatus(owner, id))).toMatchObject({ code: 'CONFLICT' })
  expect(await status()).toBe('cancelled')
})

test('of two that cancel at once one does [CHANGE-11]', async () => {
  const { cancel, mails, payByCard, refunds } = await bookedApp()
  await payByCard(500_00, 'deposit')
  const answers = await Promise.all([refusal(cancel()), refusal(cancel())])
  expect(answers.map(({ message }) => message).sort()).toEqual(['', 'This stay is cancelled already.'])
  expect([(await refunds()).length, mails('stay-cancelled').length]).toEqual([1, 1])
})

test('kept money that goes back later, or is lost, is kept no more and never owed again [CHANGE-12, CHANGE-17]', async () => {
  const { app, cancel, id, owner, payByCard, summary, tenant } = await bookedApp()
  const rent = await payByCard(1000_00)
  await cancel({ refundCents: 600_00 })
  const charged = async () =>
    (await app.as(tenant).charges.list({ applicationId: id })).charges.map(each => each.amountCents)
  expect(await summary()).toMatchObject({ owedCents: 400_00, paidCents: 400_00, balanceCents: 0 })
  await owner.payments.recordReturn({ applicationId: id, kind: 'refund', amount: 100_00 })
  const shrunk = { owedCents: 300_00, paidCents: 300_00, balanceCents: 0, label: 'Paid in full' }
  expect([await summary(), await charged()]).toMatchObject([shrunk, [300_00]])
  const totalCents = 206_00
  await owner.payments.refund({ paymentId: rent.id, requestId: randomUUID(), totalCents })
  expect([await summary(), await charged()]).toMatchObject([{ owedCents: 100_00, balanceCents: 0 }, [100_00]])
  // The bank sends it back: it is kept again.
  const refund = app.provider.events().findLast(({ type }) => type === 'refund.created')?.data.object
  app.provider.failRefund((refund as { id: string }).id)
  await app.provider.deliverDue()
  expect([await summary(), await charged()]).toMatchObject([shrunk, [300_00]])
  await owner.payments.recordReturn({ applicationId: id, kind: 'refund', amount: 300_00 })
  const nothing = { owedCents: 0, balanceCents: 0, label: 'Nothing owed yet' }
  expect([await summary(), await charged()]).toMatchObject([nothing, []])
  expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
})

test('a stay that has begun, and one without a booking, cannot be cancelled [CHANGE-04, CHANGE-41]', async () => {
  const { app, ask, cancel, show } = await bookedApp()
  app.setNow('2026-06-01T17:00:00.000Z')
  const begun = { message: 'This stay has begun. Change it by an addendum.' }
  expect([await refusal(ask()), await refusal(cancel())]).toMatchObject([begun, begun])
  expect((await show()).proposal).toBeNull()
})

test('of 50 bank payments that arrive while their stays are cancelled, each was paid before or has its notice, and all of it can go back [CHANGE-13, CHANGE-33]', async () => {
  const { app, owner } = await bookedApp()
  const { provider } = app
  await app.offerBank()
  provider.holdDeliveries(true)
  const random = testRandom()
  const stays = []
  for (let i = 0; i < 50; i++) {
    const tenant = await app.makeTenant()
    const start = addDays('2026-08-01', i * 10)
    const dates = { requestedStartDate: start, requestedEndDate: addDays(start, 5) }
    const { id } = await app.makeApplication(tenant, { ...dates, submittedAt: '2026-03-01T17:00:00.000Z' })
    await owner.payments.addManual(buildManualPayment(id, { amount: 1000_00 }))
    const bank = { paymentType: 'rent', providerMethod: 'us_bank_account' } as const
    const payment = await app.checkout(tenant, { ...bank, amount: 800_00, applicationId: id })
    provider.completeUnpaid(payment.checkoutSessionId)
    await deliverNewest(app, 'checkout.session.completed')
    provider.settle(payment.checkoutSessionId, true)
    const arrival = provider.events().findLast(({ type }) => type.endsWith('async_payment_succeeded'))
    stays.push({ id, paymentId: payment.id, arrival: arrival?.id ?? '', waitMs: random.below(500) })
  }
  const byOwner = { side: 'owner', reason: 'A pipe burst.' } as const
  const refundAll = (paymentId: string) => owner.payments.refund({ paymentId, requestId: randomUUID() })
  const answers = await Promise.all(
    stays.map(async ({ arrival, id, waitMs }, i) => {
      const cancel = async () => {
        const sums = { refundCents: 600_00, paidCents: 1000_00 }
        return refusal(owner.cancellations.cancel({ ...byOwner, applicationId: id, ...sums }))
      }
      // A slow machine may not answer in time; then the provider sends it again.
      const arrive = () =>
        expect.poll(() => provider.deliverEvent(arrival), { timeout: 60_000 }).toEqual([200])
      // A few one after the other, so that there are both on any machine.
      if (i < 3) await arrive()
      const [{ message }] = await Promise.all([delay(waitMs).then(cancel), i >= 3 && i < 47 && arrive()])
      if (i >= 47) await arrive()
      return message
    }),
  )
  // The board shows the newest ones.
  const told = new Map(listUnexpectedPayments(app.deps, 50).map(each => [each.paymentId, each.leftCents]))
  for (const [i, { id, paymentId }] of stays.entries()) {
    const summary = async () => (await owner.charges.list({ applicationId: id })).summary
    expect((await summary()).paidCents).toBe(1800_00)
    expect(told.get(paymentId)).toBe(answers[i] === '' ? 800_00 : undefined)
    if (answers[i] === '') await refundAll(paymentId)
    else {
      expect(answers[i]).toBe('What was paid has changed. Please look again.')
      await owner.cancellations.cancel({ ...byOwner, applicationId: id, refundCents: 1400_00 })
    }
    for (const { id: refundId, state } of (await owner.cancellations.adminGet({ applicationId: id }))
      .cancellation?.refunds ?? [])
      if (state !== 'done') await owner.cancellations.refundByHand({ refundId })
    expect(await summary()).toMatchObject({ owedCents: 400_00, paidCents: 400_00, balanceCents: 0 })
  }
  const first = answers.filter(answer => answer === '').length
  expect([first > 0, first < 50], `${first} of 50 were cancelled first`).toEqual([true, true])
  expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
}, 180_000)

const deliverNewest = async ({ provider }: Awaited<ReturnType<typeof paymentApp>>, wanted: string) =>
  expect(
    await provider.deliverEvent(provider.events().findLast(({ type }) => type === wanted)?.id ?? ''),
  ).toEqual([200])
