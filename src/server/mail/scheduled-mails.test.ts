import { setImmediate, setTimeout } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { events, outbox } from '../../../db/schema.ts'
import { noMailSources } from '../../testing/no-mail-sources.ts'
import { type TestApp, testApp, testNow } from '../../testing/test-app.ts'
import type { MailSources } from './define-mail.ts'
import { enqueueMail, type QueuedMail } from './outbox.ts'
import { type ScheduledMailSource, startMailScheduler } from './scheduled-mails.ts'
import { startMailWorker } from './worker.ts'

const address = 'maya@guest.example'
const reminder: QueuedMail = {
  kind: 'payment-reminder',
  to: address,
  dedupeKey: 'reminder',
  props: { applicationId: 'app-1', stageDate: '2026-03-04' },
}
const other: QueuedMail = {
  kind: 'charge-added',
  to: address,
  dedupeKey: 'charge',
  props: {
    firstName: 'Maya',
    applicationNumber: 'APP-2026-0001',
    applicationId: 'app-1',
    label: 'Linen',
    amountCents: 10_00,
    balanceCents: 10_00,
  },
}
const stored = (app: TestApp) => app.deps.db.select().from(outbox).all()
const once: ScheduledMailSource = {
  name: 'once',
  due: ({ db }) => (db.select().from(outbox).all().length > 0 ? undefined : { mails: [reminder] }),
}

async function tick(app: TestApp, ...sources: ScheduledMailSource[]): Promise<void> {
  const scheduler = startMailScheduler(app.deps, sources)
  await scheduler.tick()
  await scheduler.stop()
}
/** Records an event at `at`, independent of the test clock. */
const recordAt = (app: TestApp, at: string) =>
  app.deps.write(tx =>
    tx.insert(events).values({ at, kind: 'x', subjectId: 'x', actorRole: 'system', detail: {} }).run(),
  )
async function deliver(app: TestApp, sources: MailSources = noMailSources) {
  const worker = startMailWorker(app.deps, sources)
  await worker.deliverDue()
  await worker.stop()
}

test('writes a due mail once, also after restarts, and writes nothing when no mail is due [PLAN-40]', async () => {
  const app = await testApp()
  await Promise.all([tick(app, once), tick(app, once)])
  await tick(app, once)
  expect(stored(app)).toMatchObject([{ dedupeKey: 'reminder', status: 'queued', createdAt: testNow }])
  const write = vi.spyOn(app.deps, 'write')
  await tick(app, once)
  expect(write).not.toHaveBeenCalled()
})

test('checks for due mails at startup and every minute until it is stopped', async () => {
  const app = await testApp()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const due = vi.fn(() => undefined)
    const scheduler = startMailScheduler(app.deps, [{ name: 'seldom', due }])
    while (due.mock.calls.length === 0) await setImmediate()
    vi.advanceTimersByTime(59_999)
    await setTimeout(5)
    expect(due).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1)
    while (due.mock.calls.length === 1) await setImmediate()
    await scheduler.stop()
    vi.advanceTimersByTime(120_000)
    await setTimeout(5)
    expect(due).toHaveBeenCalledTimes(2)
  } finally {
    vi.useRealTimers()
  }
})

test('stores nothing from a source that fails, and still runs the other sources', async () => {
  const app = await testApp()
  const fail = () => {
    throw new Error('no')
  }
  await tick(
    app,
    { name: 'broken', due: fail },
    { name: 'half', due: () => ({ mails: [other], store: fail }) },
    once,
  )
  expect(stored(app).map(({ dedupeKey }) => dedupeKey)).toEqual(['reminder'])
})

test('writes nothing while the clock is known to be wrong or mail is not set up [PLAN-40]', async () => {
  const app = await testApp()
  await recordAt(app, '2026-03-04T17:01:00.000Z')
  await tick(app, once)
  const { mail } = app.deps
  app.advance(60_000)
  app.deps.mail = undefined
  await tick(app, once)
  expect(stored(app)).toEqual([])
  app.deps.mail = mail
  await tick(app, once)
  expect(stored(app)).toHaveLength(1)
})

test('holds back scheduled mails while the clock is known to be wrong, and delivers all others [PLAN-40]', async () => {
  const app = await testApp()
  await tick(app, once)
  await app.deps.write(tx => enqueueMail(tx, testNow, other))
  await recordAt(app, '2026-03-05T17:00:00.000Z')
  await deliver(app)
  expect(stored(app).map(({ kind, status }) => [kind, status])).toEqual([
    ['payment-reminder', 'queued'],
    ['charge-added', 'sent'],
  ])
  app.setNow('2026-03-05T17:00:00.000Z')
  await deliver(app)
  expect(stored(app)[0]).toMatchObject({ status: 'withdrawn', attempts: 1 })
})

test('withdraws a mail that is outdated or expired at delivery, logs why, and deletes its content [PLAN-39]', async () => {
  const app = await testApp()
  const info = vi.spyOn(app.deps.log, 'info')
  const validUntil = '2026-03-04T18:00:00.000Z'
  const mails = [
    { ...reminder, validUntil },
    { ...reminder, dedupeKey: 'false' },
    { ...other, validUntil, dedupeKey: 'late' },
  ]
  await app.deps.write(tx => mails.forEach(mail => void enqueueMail(tx, testNow, mail)))
  const content = {
    subject: 'Payment due today: $1.00',
    overdue: [],
    due: [{ label: 'Payment', amountCents: 1_00, dueDate: '2026-03-04' }],
    next: [],
  }
  const facts = {
    firstName: 'Maya',
    applicationNumber: 'APP-2026-0001',
    applicationId: 'app-1',
    stay: { start: '2026-03-04', end: '2026-04-04' },
    content,
  }
  const isTrue: MailSources = { ...noMailSources, reminder: () => facts }
  const { db, write } = app.deps
  await write(tx => tx.update(outbox).set({ status: 'failed' }).where(eq(outbox.dedupeKey, 'false')).run())
  await write(tx =>
    tx.update(outbox).set({ nextAttemptAt: validUntil }).where(eq(outbox.dedupeKey, 'late')).run(),
  )
  await deliver(app, isTrue)
  expect(app.sentMails).toMatchObject([{ to: address, subject: 'Payment due today: $1.00' }])

  const [failed] = db.select().from(outbox).where(eq(outbox.dedupeKey, 'false')).all()
  await app.as(await app.makeAdmin()).notices.retryMail({ id: failed?.id ?? '' })
  app.setNow(validUntil)
  await deliver(app)
  expect(app.sentMails).toHaveLength(1)
  expect(stored(app).map(({ dedupeKey, props, status }) => [dedupeKey, status, props])).toEqual([
    ['reminder', 'sent', reminder.props],
    ['false', 'withdrawn', {}],
    ['late', 'withdrawn', {}],
  ])
  expect(info.mock.calls.filter(([, message]) => message === 'withdrew a mail')).toMatchObject([
    [{ kind: 'payment-reminder', applicationId: 'app-1', reason: 'no longer applies' }, 'withdrew a mail'],
    [{ kind: 'charge-added', applicationId: 'app-1', reason: 'expired' }, 'withdrew a mail'],
  ])
  expect((await app.as(await app.makeAdmin()).notices.list()).notices.map(({ id }) => id)).toEqual([
    'no-provider',
  ])
})
