import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { events, files, leases, outbox, providerEvents } from '../../../../db/schema.ts'
import { makeLease } from '../../../testing/build-lease.ts'
import { type SignedPlan, storePayment, storeSignedPlan } from '../../../testing/build-signed-plan.ts'
import { type TestApp, testApp, testNow, visitor } from '../../../testing/test-app.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { startMailWorker } from '../../mail/worker.ts'
import { mailSources } from '../../mail-sources.ts'
import { connectProvider } from '../../money/payments/stripe.ts'

const provider = connectProvider('http://127.0.0.1:9', 'sk_test_nobody', 'whsec_nobody')

async function ownersApp() {
  const app = await testApp({ replace: { provider } })
  const owner = await app.makeAdmin()
  return { app, board: async () => (await app.as(owner).notices.list()).notices, owner }
}
const queueMail = (app: TestApp) =>
  app.deps.write(tx =>
    enqueueMail(tx, testNow, { kind: 'test-mail', props: {}, to: 'a@b.example', dedupeKey: 'one' }),
  )

test('the notice board is empty when all is well', async () => {
  const { board } = await ownersApp()
  expect(await board()).toEqual([])
})

test('shows waiting mail after ten minutes and failed mail at once, and can send it again [MAIL-06]', async () => {
  const { app, board, owner } = await ownersApp()
  await queueMail(app)
  expect(await board()).toEqual([])
  app.advance(11 * 60_000)
  expect(await board()).toMatchObject([{ id: 'mail-waiting', title: '1 mail waits to be sent' }])

  await app.deps.write(tx => tx.update(outbox).set({ status: 'failed', lastError: 'no such mailbox' }).run())
  const [failed] = await board()
  expect(failed).toMatchObject({
    tone: 'danger',
    detail: 'To a@b.example: no such mailbox',
    action: { kind: 'failed_mail', canRetry: true },
  })
  const id = app.deps.db.select().from(outbox).get()?.id ?? ''
  await app.as(owner).notices.retryMail({ id })
  expect(app.deps.db.select().from(outbox).get()).toMatchObject({ status: 'queued', attempts: 0 })
  await expect(app.as(owner).notices.retryMail({ id })).rejects.toThrow('This mail has not failed.')
})

test('shows mail that was written while the clock was ahead', async () => {
  const { app, board } = await ownersApp()
  await queueMail(app)
  app.advance(-24 * 60 * 60_000)
  expect(await board()).toMatchObject([{ id: 'mail-waiting' }])
})

test('a failed mail with a link can be sent again, with a working link [FIX-40]', async () => {
  const { app, board, owner } = await ownersApp()
  const email = 'maya@guest.example'
  await app.makeTenant({ email })
  await app.as(visitor).accounts.forgotPassword({ email })
  await app.deps.write(tx => tx.update(outbox).set({ status: 'failed', lastError: 'greylisted' }).run())
  app.advance(3 * 24 * 3_600_000)
  const [failed] = await board()
  expect(failed).toMatchObject({ action: { kind: 'failed_mail', canRetry: true } })
  const id = app.deps.db.select().from(outbox).get()?.id ?? ''
  await app.as(owner).notices.retryMail({ id })
  const worker = startMailWorker(app.deps, mailSources)
  await worker.deliverDue()
  await worker.stop()
  const token = /token=([\w-]{43})/.exec(app.sentMails[0]?.text ?? '')?.[1] ?? ''
  await app.as(visitor).accounts.resetPassword({ token, newPassword: 'gulls over piers' })
  expect(await board()).toEqual([])
})

test('a failed mail can be dismissed for good [FIX-40]', async () => {
  const { app, board, owner } = await ownersApp()
  await queueMail(app)
  const [queued] = app.deps.db.select().from(outbox).all()
  const id = queued?.id ?? ''
  await expect(app.as(owner).notices.dismissMail({ id })).rejects.toThrow('This mail has not failed.')
  await app.deps.write(tx => tx.update(outbox).set({ status: 'failed' }).run())
  await app.as(owner).notices.dismissMail({ id })
  expect(await board()).toEqual([])
  await queueMail(app)
  expect(app.deps.db.select().from(outbox).all()).toMatchObject([{ status: 'withdrawn', props: {} }])
  await expect(app.as(owner).notices.retryMail({ id })).rejects.toThrow('This mail has not failed.')
  expect(app.deps.db.select().from(events).where(eq(events.kind, 'mail.dismissed')).all()).toMatchObject([
    { subjectId: id, actorId: owner.userId },
  ])
})

test('a failed mail that lost its content with its link in an earlier version can only be dismissed [FIX-40]', async () => {
  const { app, board, owner } = await ownersApp()
  await queueMail(app)
  await app.deps.write(tx => tx.update(outbox).set({ status: 'failed', kind: 'new-login', props: {} }).run())
  expect(await board()).toMatchObject([{ action: { kind: 'failed_mail', canRetry: false } }])
  const id = app.deps.db.select().from(outbox).get()?.id ?? ''
  await expect(app.as(owner).notices.retryMail({ id })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'This mail is out of date and cannot be sent again. Please dismiss it.',
  })
  await app.as(owner).notices.dismissMail({ id })
  expect(await board()).toEqual([])
})

test('a failed mail that has expired is neither shown nor sent again, and twenty failed mails are shown with the number of the others [FIX-40]', async () => {
  const { app, board, owner } = await ownersApp()
  const fail = (count: number, prefix: string, validUntil?: string) =>
    app.deps.write(tx => {
      for (let i = 0; i < count; i++)
        enqueueMail(tx, testNow, {
          kind: 'test-mail',
          props: {},
          to: `${prefix}${i}@b.example`,
          dedupeKey: `${prefix}:${i}`,
          ...(validUntil && { validUntil }),
        })
      tx.update(outbox).set({ status: 'failed' }).run()
    })
  await fail(20, 'lasting')
  expect(await board()).toHaveLength(20)
  const inAQuarter = new Date(Date.parse(testNow) + 15 * 60_000).toISOString()
  await fail(3, 'code', inAQuarter)
  const shown = await board()
  expect(shown).toHaveLength(21)
  expect(shown.at(-1)).toMatchObject({
    id: 'mail-more',
    title: '3 more mails could not be delivered',
    action: null,
  })
  app.advance(15 * 60_000)
  const later = await board()
  expect(later).toHaveLength(20)
  expect(later.filter(({ detail }) => !detail.startsWith('To lasting'))).toEqual([])
  const id = app.deps.db.select().from(outbox).where(eq(outbox.dedupeKey, 'code:0')).get()?.id ?? ''
  await expect(app.as(owner).notices.retryMail({ id })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'This mail is out of date and cannot be sent again. Please dismiss it.',
  })
})

test('shows quarantined events until they are dismissed', async () => {
  const { app, board, owner } = await ownersApp()
  const event = {
    id: 'evt_1',
    type: 'charge.refunded',
    receivedAt: testNow,
    outcome: 'quarantined' as const,
    reason: 'No payment here belongs to this charge.',
    payload: '{}',
  }
  await app.deps.write(tx => tx.insert(providerEvents).values(event).run())
  expect(await board()).toMatchObject([
    {
      title: expect.stringContaining('set aside (charge.refunded)'),
      action: { kind: 'dismiss_event', eventId: 'evt_1' },
    },
  ])
  await app.as(owner).payments.dismissQuarantined({ eventId: 'evt_1' })
  expect(await board()).toEqual([])
})

test('shows a damaged file until it is removed or restored', async () => {
  const { app, board } = await ownersApp()
  const row = {
    id: 'f',
    storageName: 'x',
    originalName: 'lease.pdf',
    contentType: 'application/pdf',
    sizeBytes: 1,
    sha256: '',
    createdAt: testNow,
    damagedAt: testNow,
  }
  await app.deps.write(tx => tx.insert(files).values(row).run())
  expect(await board()).toMatchObject([{ tone: 'danger', title: 'A stored file is damaged or missing' }])
  await app.deps.write(tx => tx.update(files).set({ removedAt: testNow }).where(eq(files.id, 'f')).run())
  expect(await board()).toEqual([])
})

test('shows a changed lease text of a booked stay until it is over', async () => {
  const { app, board, owner } = await ownersApp()
  const { id } = await makeLease(app)
  expect(await board()).toEqual([])
  const change = { text: sql`replace(${leases.text}, '2,500', '1,500')` }
  await app.deps.write(tx => tx.update(leases).set(change).where(eq(leases.applicationId, id)).run())
  expect(await board()).toMatchObject([
    {
      tone: 'danger',
      title: 'The lease text of APP-2026-0001 is not as it was generated',
      action: { kind: 'application', applicationId: id },
    },
  ])
  const isShown = async () => (await board()).some(notice => notice.id === `lease-${id}`)
  app.setNow('2026-07-02T17:00:00.000Z')
  expect(await isShown()).toBe(false)
  app.setNow(testNow)
  expect(await isShown()).toBe(true)
  await app.as(owner).applications.adminSetStatus({ id, status: 'rejected' })
  expect(await isShown()).toBe(false)
})

test('shows a stay with an installment overdue beyond the grace period until it is paid [PLAN-36]', async () => {
  const { app, board } = await ownersApp()
  const { userId } = await app.makeTenant()
  const number = 'APP-2026-0007'
  const plan = { userId, number, parts: [[1000_00, '2026-03-04']] satisfies SignedPlan['parts'] }
  const applicationId = await app.deps.write(tx => storeSignedPlan(tx, plan))
  app.setNow('2026-03-09T17:00:00.000Z')
  expect(await board()).toEqual([])
  app.setNow('2026-03-10T05:00:00.000Z')
  expect(await board()).toMatchObject([
    {
      id: `plan-overdue-${applicationId}`,
      tone: 'danger',
      title: 'APP-2026-0007: $1,000.00 has been overdue since Mar 4, 2026',
      action: { kind: 'application', applicationId },
    },
  ])
  await app.deps.write(tx => storePayment(tx, { userId, applicationId, amountCents: 1000_00 }))
  expect(await board()).toEqual([])
})

test('shows a clock that was set back until something is recorded at the right time [FIX-34]', async () => {
  const { app, board } = await ownersApp()
  const record = (at: string) =>
    app.deps.write(tx =>
      tx.insert(events).values({ at, kind: 'x', subjectId: 'x', actorRole: 'system', detail: {} }).run(),
    )
  await record(testNow)
  expect(await board()).toEqual([])
  app.advance(-5 * 60_000)
  expect(await board()).toMatchObject([{ id: 'clock-skew' }])
  await record(app.deps.clock.now().toISOString())
  expect(await board()).toEqual([])
})

test('shows a notice for a missing mail service and card provider', async () => {
  const app = await testApp({ replace: { mail: undefined, provider: undefined } })
  const owner = await app.makeAdmin()
  expect((await app.as(owner).notices.list()).notices.map(({ id }) => id)).toEqual(['no-provider', 'no-mail'])
})
