import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { applications, events, outbox, propertySettings, users } from '../../../db/schema.ts'
import { missingEmail } from '../../domain/accounts/account-rules.ts'
import { addDays, dateIn } from '../../domain/common/dates.ts'
import { hourOfDateIn } from '../../domain/common/zoned-time.ts'
import { planSettingsForm } from '../../domain/money/payment-plan-form.ts'
import { type SignedPlan, storePayment, storeSignedPlan } from '../../testing/build-signed-plan.ts'
import { testRandom } from '../../testing/random.ts'
import { testApp } from '../../testing/test-app.ts'
import { startMailScheduler } from '../mail/scheduled-mails.ts'
import { startMailWorker } from '../mail/worker.ts'
import { mailSources } from '../mail-sources.ts'
import { paymentReminders } from './reminders.ts'

const timeZone = 'America/New_York'

async function remindedApp() {
  const app = await testApp({ env: { ORIGIN: 'https://condo.example' } })
  const { user, actor } = await app.makeUser({ role: 'tenant', email: 'maya@guest.example' })
  let number = 0
  return {
    ...app,
    userId: user.id,
    actor,
    store: (plan: Omit<SignedPlan, 'userId' | 'number'>) =>
      app.deps.write(tx =>
        storeSignedPlan(tx, {
          userId: user.id,
          number: `APP-2026-${String(++number).padStart(4, '0')}`,
          ...plan,
        }),
      ),
    /** Starts a new mail scheduler, as after a restart. */
    tick: async () => {
      const scheduler = startMailScheduler(app.deps, [paymentReminders])
      await scheduler.tick()
      await scheduler.stop()
    },
    deliver: async () => {
      const worker = startMailWorker(app.deps, mailSources)
      await worker.deliverDue()
      await worker.stop()
    },
    mails: () => app.deps.db.select().from(outbox).where(eq(outbox.kind, 'payment-reminder')).all(),
  }
}

test('writes a reminder at 09:00 on its stage date, valid until the stage ends [PLAN-37, PLAN-38]', async () => {
  const app = await remindedApp()
  const id = await app.store({ parts: [[1000_00, '2026-03-12']] })
  app.setNow('2026-03-05T13:59:00.000Z')
  await app.tick()
  expect(app.mails()).toEqual([])
  app.setNow('2026-03-05T14:00:00.000Z')
  await app.tick()
  expect(app.mails()).toMatchObject([
    {
      dedupeKey: `plan-reminder:${id}:2026-03-05`,
      toAddress: 'maya@guest.example',
      // Only references: the content is composed at delivery.
      props: { applicationId: id, stageDate: '2026-03-05' },
      validUntil: '2026-03-13T04:00:00.000Z',
    },
  ])
  // The site was off for two weeks: of the stages on March 11, 13 and 17 only the newest is sent.
  await app.deps.write(tx => tx.update(outbox).set({ status: 'sent' }).run())
  app.setNow('2026-03-19T00:00:00.000Z')
  await app.tick()
  await app.tick()
  expect(app.mails().map(({ dedupeKey }) => dedupeKey)).toEqual([
    `plan-reminder:${id}:2026-03-05`,
    `plan-reminder:${id}:2026-03-17`,
  ])
})

test('nothing is written for a guest without an email whose installment is due [PLAN-38, LOOK-84]', async () => {
  const app = await remindedApp()
  await app.store({ parts: [[1000_00, '2026-03-12']] })
  await app.deps.write(tx =>
    tx
      .update(users)
      .set({ email: missingEmail(app.userId) })
      .run(),
  )
  app.setNow('2026-03-05T14:00:00.000Z')
  const version = app.deps.dataVersion()
  for (let minute = 0; minute < 3; minute++) {
    await app.tick()
    app.advance(60_000)
  }
  expect(app.deps.dataVersion()).toBe(version)
  await app.deps.write(tx => tx.update(users).set({ email: 'maya@guest.example' }).run())
  await app.tick()
  expect(app.mails()).toHaveLength(1)
})

test('one reminder lists what is overdue, due and next at delivery, and links to the payment page [PLAN-39]', async () => {
  const app = await remindedApp()
  const id = await app.store({
    deposit: 500_00,
    parts: [
      [1000_00, '2026-03-02'],
      [900_00, '2026-03-04'],
      [800_00, '2026-04-04'],
      [700_00, '2026-05-04'],
    ],
    payments: [{ amountCents: 500_00, type: 'deposit' }],
  })
  app.setNow('2026-03-04T16:00:00.000Z')
  await app.tick()
  await app.deps.write(tx => {
    storePayment(tx, { userId: app.userId, applicationId: id, amountCents: 250_00 })
  })
  await app.deliver()
  const [mail] = app.sentMails
  expect(mail?.subject).toBe('Payment overdue: $750.00')
  expect(mail?.text).toMatch(/Payment 1 of 4 +\$750\.00, due Mar 2, 2026/)
  expect(mail?.text).toMatch(/Due today\s+Payment 2 of 4 +\$900\.00\s+Next/)
  expect(mail?.text).toMatch(/Next\s+Payment 3 of 4 +\$800\.00, due Apr 4, 2026/)
  expect(mail?.text).not.toContain('Payment 4 of 4')
  expect(mail?.html).toContain(`https://condo.example/payment?applicationId=${id}`)
})

test('a reminder of one payment says when it was due and its amount, with its title as subject [LOOK-90]', async () => {
  const app = await remindedApp()
  await app.store({ parts: [[1000_00, '2026-03-03']] })
  app.setNow('2026-03-04T16:00:00.000Z')
  await app.tick()
  await app.deliver()
  const [mail] = app.sentMails
  expect(mail?.html).toContain(`${mail?.subject}</h1>`)
  expect(mail?.text?.replaceAll('\n', ' ')).toMatch(
    / was due on Mar 3, 2026, 1 day ago\.\s+Booking\s+APP-\d{4}-\d{4}\s+Stay .*\s+Amount\s+\$1,000\.00\s+If/,
  )
})

test('withdraws a reminder that is paid, partly pending or canceled before delivery, and writes no more [PLAN-39, PLAN-41]', async () => {
  const app = await remindedApp()
  const part: SignedPlan['parts'] = [[1000_00, '2026-03-03']]
  const ids = await Promise.all([0, 1, 2, 3].map(() => app.store({ parts: part })))
  const [paid = '', coming = '', declined = '', deleted = ''] = ids
  await app.tick()
  expect(app.mails()).toHaveLength(4)
  await app.deps.write(tx => {
    storePayment(tx, { userId: app.userId, applicationId: paid, amountCents: 1000_00 })
    const processing = { status: 'processing', method: 'card' } as const
    storePayment(tx, { userId: app.userId, applicationId: coming, amountCents: 400_00, ...processing })
    tx.update(applications).set({ status: 'rejected' }).where(eq(applications.id, declined)).run()
    const deletedAt = '2026-03-04T17:00:00.000Z'
    tx.update(applications).set({ deletedAt }).where(eq(applications.id, deleted)).run()
  })
  await app.deliver()
  expect(app.sentMails).toEqual([])
  expect(app.mails().map(({ props, status }) => [status, props])).toEqual(ids.map(() => ['withdrawn', {}]))
  app.setNow('2026-03-08T17:00:00.000Z')
  await app.tick()
  expect(app.mails()).toHaveLength(4)
})

test('over a thousand clock jumps with restarts, writes one a day per booking, in order, and none while the clock is wrong [PLAN-40]', async () => {
  const app = await remindedApp()
  const { below, pick } = testRandom()
  const first = '2026-03-01'
  const starts = [0, 2, 40]
  const ids = await Promise.all(
    starts.map(start =>
      app.store({
        signedAt: '2026-03-01T17:00:00.000Z',
        parts: [0, 7, 30, 61].map(days => [1000_00, addDays(first, start + days)]),
      }),
    ),
  )
  const body = planSettingsForm.parse({ kind: 'monthly', reminderDays: [-30, -7, -6, -1, 0, 1, 5, 20] })
  await app.deps.write(tx =>
    tx
      .insert(propertySettings)
      .values({ section: 'plan', body, version: 1, updatedAt: first, updatedBy: app.userId })
      .run(),
  )
  const dueDates = new Map(
    ids.map((id, i) => [id, [0, 7, 30, 61].map(days => addDays(first, (starts[i] ?? 0) + days))]),
  )
  let now = Date.parse('2026-03-04T17:00:00.000Z')
  let lastEvent = 0
  let wrong = 0
  let known = 0
  const stages = new Set<string>()
  // Goes on until enough was written and refused, because some seeds jump past most reminders.
  for (let jump = 0; jump < 1000 || known <= 10 || wrong <= 20; jump++) {
    // Mostly forward by hours, sometimes by weeks, or backward.
    const minutes = pick([60, 60, 600, 600, 1440, 20_000, -60, -1440, -20_000])
    now = Math.max(
      Date.parse('2026-02-20T00:00:00.000Z'),
      now + below(Math.abs(minutes)) * Math.sign(minutes) * 60_000,
    )
    if (now > Date.parse('2026-08-01T00:00:00.000Z')) now = Date.parse('2026-02-20T00:00:00.000Z')
    app.setNow(new Date(now).toISOString())
    const isWrong = lastEvent - now >= 60_000
    const sentBefore = app.sentMails.length
    await app.tick()
    const written = app.mails().slice(known)
    known += written.length
    if (below(10) === 0) await app.deliver()
    if (isWrong) {
      wrong++
      expect([written, app.sentMails.length]).toEqual([[], sentBefore])
    }
    for (const { dedupeKey, validUntil } of written) {
      const [, id = '', stage = ''] = dedupeKey.split(':')
      // Later ones than today's were written while the clock was ahead.
      const today = dateIn(new Date(now), timeZone)
      const past = [...stages].filter(key => key.startsWith(id) && key <= `${id} ${today}`)
      expect(past.every(key => key < `${id} ${stage}`)).toBe(true)
      stages.add(`${id} ${stage}`)
      expect(hourOfDateIn(stage, 9, timeZone).getTime()).toBeLessThanOrEqual(now)
      expect(Date.parse(validUntil ?? '')).toBeGreaterThan(now)
      expect(dueDates.get(id)?.flatMap(date => body.reminderDays.map(day => addDays(date, day)))).toContain(
        stage,
      )
    }
    if (below(60) === 0) {
      lastEvent = now
      const at = new Date(now).toISOString()
      await app.deps.write(tx =>
        tx.insert(events).values({ at, kind: 'x', subjectId: 'x', actorRole: 'system', detail: {} }).run(),
      )
    }
    // Deletes the events so that time can go on: otherwise the clock would count as wrong forever.
    if (lastEvent - now > 30 * 86_400_000) {
      await app.deps.write(tx => tx.delete(events).run())
      lastEvent = 0
    }
  }
  const sent = app.mails().filter(({ status }) => status === 'sent')
  expect(app.sentMails).toHaveLength(sent.length)
}, 60_000)
