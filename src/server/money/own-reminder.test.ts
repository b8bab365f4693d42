import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { outbox } from '../../../db/schema.ts'
import { requireAdmin } from '../../domain/accounts/access.ts'
import type { OwnReminder } from '../../domain/money/payment-plan-reminder.ts'
import { makeLease, signLease } from '../../testing/build-lease.ts'
import { type SignedPlan, storePayment, storeSignedPlan } from '../../testing/build-signed-plan.ts'
import { testApp } from '../../testing/test-app.ts'
import { startMailScheduler } from '../mail/scheduled-mails.ts'
import { startMailWorker } from '../mail/worker.ts'
import { mailSources } from '../mail-sources.ts'
import { paymentReminders, sendReminder } from './reminders.ts'

// Today is March 4, 2026.
async function ownersApp() {
  const app = await testApp()
  const owner = await app.makeAdmin()
  const { userId } = await app.makeTenant()
  const store = (parts: SignedPlan['parts']) =>
    app.deps.write(tx => storeSignedPlan(tx, { userId, number: 'APP-2026-0900', parts }))
  const deliver = async () => {
    const worker = startMailWorker(app.deps, mailSources)
    await worker.deliverDue()
    await worker.stop()
  }
  return { app, owner, userId, store, deliver, plans: app.as(owner).plans }
}

test('reminds of what is due with words of one’s own, as previewed, once a day, and notes it in the history [LOOK-67]', async () => {
  const { app, deliver, owner, plans, store } = await ownersApp()
  const applicationId = await store([
    [1000_00, '2026-03-02'],
    [900_00, '2026-04-04'],
  ])
  const mail = { applicationId, message: 'A check is fine, too.' }
  const actions = async () => (await app.as(owner).notices.ownerDay()).tasks.map(({ action }) => action)
  expect(await actions()).toEqual(['Send reminder'])
  const preview = await plans.previewReminder(mail)
  expect(preview).toMatchObject({ subject: 'Payment overdue: $1,000.00', refusal: null })
  await plans.remind(mail)
  await deliver()
  const [sent] = app.sentMails
  expect(sent).toMatchObject({ subject: preview.subject, to: preview.to })
  for (const text of ['A check is fine, too.', '$1,000.00', 'Apr 4, 2026']) expect(sent?.text).toContain(text)
  expect(preview.words).toContain('A check is fine, too.')
  expect((await app.as(owner).leases.trail({ id: applicationId })).events).toMatchObject([
    { kind: 'plan.reminded', label: 'Payment reminder sent', detail: { message: mail.message } },
  ])

  const refusal = 'A reminder was sent today already. You can write to the guest instead.'
  expect(await plans.previewReminder(mail)).toMatchObject({ refusal })
  expect(await actions()).toEqual(['Write to the guest'])
  await expect(plans.remind(mail)).rejects.toMatchObject({ code: 'CONFLICT', message: refusal })
  app.setNow('2026-03-05T17:00:00.000Z')
  await Promise.allSettled([plans.remind(mail), plans.remind(mail), plans.remind(mail)])
  expect(app.deps.db.select().from(outbox).where(eq(outbox.applicationId, applicationId)).all()).toHaveLength(
    2,
  )
})

test('a reminder with a date in the future, from a wrong clock, does not stop the owner from sending one [LOOK-67]', async () => {
  const { app, plans, store } = await ownersApp()
  const applicationId = await store([[1000_00, '2026-03-02']])
  app.setNow('2027-03-04T17:00:00.000Z')
  await plans.remind({ applicationId })
  app.setNow('2026-03-04T17:00:00.000Z')
  await plans.remind({ applicationId })
  await expect(plans.remind({ applicationId })).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('a scheduled reminder of the same day counts, and none follows the owner’s [LOOK-67, PLAN-37]', async () => {
  const { app, plans, store } = await ownersApp()
  const applicationId = await store([[1000_00, '2026-03-11']])
  const tick = async () => {
    const scheduler = startMailScheduler(app.deps, [paymentReminders])
    await scheduler.tick()
    await scheduler.stop()
  }
  const count = () => app.deps.db.select().from(outbox).all().length
  app.setNow('2026-03-04T18:00:00.000Z')
  await tick()
  expect(count()).toBe(1)
  await expect(plans.remind({ applicationId })).rejects.toMatchObject({ code: 'CONFLICT' })
  // Before nine on the day of the next stage.
  app.setNow('2026-03-10T12:00:00.000Z')
  await plans.remind({ applicationId })
  app.setNow('2026-03-10T18:00:00.000Z')
  await tick()
  expect(count()).toBe(2)
})

test('words of one’s own ask for a proof, and a mail whose money has arrived is withdrawn [LOOK-67, FIX-32]', async () => {
  const { app, deliver, owner, plans, store, userId } = await ownersApp()
  const applicationId = await store([[1000_00, '2026-03-02']])
  const message = 'Please send it to my other account.'
  // Without a session that was proven.
  const remind = (input: OwnReminder) => sendReminder(app.deps, requireAdmin(owner), input)
  await expect(remind({ applicationId, message })).rejects.toMatchObject({ code: 'forbidden' })
  await remind({ applicationId })
  await app.deps.write(tx => storePayment(tx, { userId, applicationId, amountCents: 1000_00 }))
  await deliver()
  expect(app.sentMails).toEqual([])
  expect(app.deps.db.select().from(outbox).all()).toMatchObject([{ status: 'withdrawn' }])
  const nothing = { message: 'Nothing is due of this booking.' }
  await expect(plans.remind({ applicationId })).rejects.toMatchObject(nothing)
})

test('without a payment plan it says what is open, once the lease is signed [LOOK-67]', async () => {
  const app = await testApp()
  const { admin, id, tenant } = await makeLease(app)
  const { plans } = app.as(admin)
  const nothing = { subject: '', refusal: 'Nothing is due of this booking.' }
  expect(await plans.previewReminder({ applicationId: id })).toMatchObject(nothing)
  await signLease(app, tenant, id)
  const preview = await plans.previewReminder({ applicationId: id })
  expect(preview).toMatchObject({ subject: 'Payment reminder: $3,000.00', refusal: null })
  expect(preview.words).not.toContain('To pay')
  for (const text of ['Security deposit', '$500.00', 'Rent, due by Jun 1, 2026', '$2,500.00'])
    expect(preview.words).toContain(text)
  await app.as(admin).applications.adminSetStatus({ id, status: 'rejected' })
  expect(await plans.previewReminder({ applicationId: id })).toMatchObject(nothing)
})
