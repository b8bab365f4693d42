import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq, inArray } from 'drizzle-orm'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { files, outbox, payments } from '../../../db/schema.ts'
import { hourMs } from '../../domain/common/durations.ts'
import { makeApplication } from '../../testing/build-payment.ts'
import { noMailSources } from '../../testing/no-mail-sources.ts'
import {
  type RunningSmtp,
  type SmtpBehaviour,
  type SmtpStep,
  startSlowSmtp,
  startSmtp,
} from '../../testing/smtp.ts'
import { type TestApp, testApp, testNow } from '../../testing/test-app.ts'
import type { Deps } from '../kernel/deps.ts'
import { MailRejectedError } from '../kernel/mail-transport.ts'
import type { MailSources } from './define-mail.ts'
import { enqueueMail, mailState, type QueuedMail, redirectUnsentMails } from './outbox.ts'
import { retryDelayMs } from './queue.ts'
import { createSmtpTransport } from './smtp.ts'
import { type MailWorkerOptions, startMailWorker } from './worker.ts'

const port = 4601
const secondMs = 1000
// Loads the templates first, so that the load time does not count in the tests.
beforeAll(() => import('./compose.ts'))
const closers: Array<() => Promise<void>> = []
let letGo = () => {}
afterEach(async () => {
  letGo()
  for (const close of closers.splice(0).reverse()) await close()
})

const sources: MailSources = {
  ...noMailSources,
  receipt: async (_deps, paymentId) => ({
    facts: {
      firstName: 'Maya',
      email: 'maya@guest.example',
      applicationNumber: 'APP-2026-0007',
      paymentTypeLabel: 'Rent',
      amountCents: 100_000,
      feeCents: 3000,
      totalCents: 103_000,
      refundedCents: 0,
      isDisputed: false,
      paidAt: '2026-03-04T17:00:00.000Z',
      transactionId: paymentId,
      cardBrand: 'Visa',
      cardLast4: '4242',
    },
    pdf: Buffer.from('%PDF-1.7 receipt'),
  }),
  mailboxCode: () => '123456',
  token: async (_deps, linkId) =>
    linkId === 'ended' ? undefined : { token: 'a_token', expiresAt: '2026-03-04T18:00:00.000Z' },
}
const test0: QueuedMail = { kind: 'test-mail', props: {}, to: 'maya@guest.example', dedupeKey: 'test:0' }
const reset: QueuedMail = {
  kind: 'password-reset',
  props: {
    email: 'maya@guest.example',
    displayName: 'maya',
    linkId: 'link-1',
  },
  to: 'maya@guest.example',
  dedupeKey: 'reset:1',
}

async function serve(behaviour: SmtpBehaviour = {}): Promise<RunningSmtp> {
  const smtp = await startSmtp(port, behaviour)
  closers.push(smtp.close)
  return smtp
}

async function appWithSmtp(): Promise<TestApp> {
  const mail = createSmtpTransport({
    url: `smtp://127.0.0.1:${port}`,
    from: { name: 'Seaglass Shore, Inc.', address: 'mail@condo.example' },
  })
  return testApp({ env: { ORIGIN: 'https://condo.example' }, replace: { mail } })
}

function workerOf(app: TestApp, deps: Deps = app.deps, options?: MailWorkerOptions) {
  const worker = startMailWorker(deps, sources, options)
  closers.push(worker.stop)
  return worker
}

const enqueue = (app: TestApp, ...mails: QueuedMail[]) =>
  app.deps.write(tx => {
    for (const mail of mails) enqueueMail(tx, app.deps.clock.now().toISOString(), mail)
  })
const rowOf = ({ deps }: TestApp, dedupeKey: string) =>
  deps.db.select().from(outbox).where(eq(outbox.dedupeKey, dedupeKey)).get()

const afterNow = ({ deps }: TestApp, seconds: number) =>
  new Date(deps.clock.now().getTime() + seconds * secondMs).toISOString()

test('delivers a mail once, and does not write a second one with the same key [MAIL-06]', async () => {
  const smtp = await serve()
  const app = await appWithSmtp()
  const worker = workerOf(app)
  await enqueue(app, test0, { ...test0, to: 'other@guest.example' })
  expect(mailState(app.deps.db, 'test:0')).toBe('queued')
  await worker.deliverDue()
  await worker.deliverDue()
  expect(smtp.received).toHaveLength(1)
  expect(smtp.received[0]?.envelope).toEqual({ from: 'mail@condo.example', to: ['maya@guest.example'] })
  expect(smtp.received[0]?.parsed.from).toEqual({
    name: 'Seaglass Shore, Inc.',
    address: 'mail@condo.example',
  })
  expect(mailState(app.deps.db, 'test:0')).toBe('sent')
  expect(mailState(app.deps.db, 'nothing')).toBeUndefined()
})

test('keeps the words of a booking’s mails, but not of one with a link or a code [LOOK-81]', async () => {
  await serve()
  const app = await appWithSmtp()
  const booking = { applicationId: 'a-1', applicationNumber: 'APP-1', firstName: 'Maya' }
  const props = { ...booking, startDate: '2026-06-01', endDate: '2026-07-01' }
  await enqueue(
    app,
    { ...test0, kind: 'booking-entered', props, dedupeKey: 'entered' },
    { ...test0, kind: 'invitation', props: { ...props, linkId: 'link-1' }, dedupeKey: 'invitation' },
    test0,
  )
  await workerOf(app).deliverDue()
  const kept = ['entered', 'invitation', 'test:0'].map(key => rowOf(app, key))
  expect(kept.map(row => [row?.status, row?.applicationId ?? null, row?.subject ?? null])).toEqual([
    ['sent', 'a-1', expect.stringContaining('is booked')],
    ['sent', 'a-1', null],
    ['sent', null, null],
  ])
  expect(kept[0]?.words).toContain('The owner has entered your booking.')
  expect(kept[1]?.words).toBeNull()
})

test('loses and repeats nothing when the mail server is down for hours [MAIL-06]', async () => {
  const app = await appWithSmtp()
  const worker = workerOf(app)
  await enqueue(app, test0, reset)
  for (let i = 0; i < 12; i++) {
    await worker.deliverDue()
    app.advance(hourMs)
  }
  expect(rowOf(app, 'test:0')).toMatchObject({
    status: 'queued',
    attempts: 12,
    lastError: expect.any(String),
  })
  const smtp = await serve()
  await worker.deliverDue()
  await worker.deliverDue()
  expect(smtp.received).toHaveLength(2)
  expect(rowOf(app, 'test:0')).toMatchObject({ status: 'sent', lastError: null })
})

test('sends what waits for a time when the clock was ahead, in order, as soon as it is corrected [MAIL-06]', async () => {
  const app = await appWithSmtp()
  const worker = workerOf(app)
  app.advance(365 * 24 * hourMs)
  await enqueue(app, approved, ready)
  await worker.deliverDue()
  app.advance(-365 * 24 * hourMs)
  await worker.deliverDue()
  expect(rowOf(app, approved.dedupeKey)).toMatchObject({ attempts: 2, nextAttemptAt: afterNow(app, 60) })
  const smtp = await serve()
  app.advance(hourMs)
  await worker.deliverDue()
  await worker.deliverDue()
  expect(keysOf(smtp, app)).toEqual(inOrder)
})

test('a mail that waits for a time when the clock was ahead does not use up the attempts of a later one [MAIL-06]', async () => {
  const app = await appWithSmtp()
  const worker = workerOf(app)
  await enqueue(app, approved, ready)
  const ahead = new Date(app.deps.clock.now().getTime() + 365 * 24 * hourMs).toISOString()
  const isFirst = eq(outbox.dedupeKey, approved.dedupeKey)
  await app.deps.write(tx =>
    tx.update(outbox).set({ nextAttemptAt: ahead, status: 'queued', attempts: 0 }).where(isFirst).run(),
  )
  // Held back, as scheduled mails are while the clock is suspect.
  await app.deps.write(tx => tx.update(outbox).set({ kind: 'payment-reminder' }).where(isFirst).run())
  app.advance(120 * secondMs)
  await app.as(await app.makeTenant()).accounts.updateProfile({ firstName: 'Maya' })
  app.advance(-120 * secondMs)
  for (let turn = 0; turn < 5; turn++) await worker.deliverDue()
  expect(rowOf(app, ready.dedupeKey)).toMatchObject({ status: 'queued', attempts: 1 })
})

test('retry delays grow from half a minute to an hour and end after about three days', () => {
  const delays = Array.from({ length: 77 }, (_, i) => retryDelayMs(i + 1) ?? 0)
  expect(delays.slice(0, 3)).toEqual([30_000, 60_000, 120_000])
  expect(Math.max(...delays)).toBe(hourMs)
  const days = delays.reduce((sum, ms) => sum + ms, 0) / (24 * hourMs)
  expect(days).toBeGreaterThan(2.9)
  expect(days).toBeLessThan(3.1)
  expect(retryDelayMs(78)).toBeUndefined()
})

test('does not retry before the delay is over, and gives up after three days [MAIL-06]', async () => {
  const smtp = await serve({ recipient: () => ({ code: 450, message: 'greylisted' }) })
  const app = await appWithSmtp()
  const worker = workerOf(app)
  await enqueue(app, reset)
  await worker.deliverDue()
  app.advance(29 * secondMs)
  await worker.deliverDue()
  expect(rowOf(app, 'reset:1')).toMatchObject({ attempts: 1, status: 'queued' })
  await app.deps.write(tx => tx.update(outbox).set({ attempts: 76 }).run())
  for (let i = 0; i < 2; i++) {
    app.advance(hourMs)
    await worker.deliverDue()
  }
  expect(rowOf(app, 'reset:1')).toMatchObject({ attempts: 78, status: 'failed', props: {} })
  expect(smtp.received).toHaveLength(0)
})

test('fails at once on a rejected recipient or mail, and retries on a rejected sender or login [MAIL-06]', async () => {
  const smtp = await serve()
  const app = await appWithSmtp()
  const worker = workerOf(app)
  const outcome = async (key: string, behaviour: SmtpBehaviour) => {
    smtp.behaviour = behaviour
    await enqueue(app, { ...test0, dedupeKey: key })
    await worker.deliverDue()
    return mailState(app.deps.db, key)
  }
  const refuse = (code: number) => () => ({ code, message: 'no' })
  expect(await outcome('rcpt', { recipient: refuse(550) })).toBe('failed')
  expect(await outcome('data', { data: refuse(552) })).toBe('failed')
  expect(await outcome('busy', { data: refuse(451) })).toBe('queued')
  expect(await outcome('from', { mailFrom: refuse(553) })).toBe('queued')
  expect(smtp.received).toHaveLength(0)
})

test('a crash between acceptance and mark repeats the mail once, under the same Message-ID', async () => {
  const smtp = await serve()
  const app = await appWithSmtp()
  let writes = 0
  const dying: Deps = {
    ...app.deps,
    write: work => (++writes === 1 ? app.deps.write(work) : new Promise(() => {})),
  }
  await enqueue(app, test0)
  void startMailWorker(dying, sources).deliverDue()
  await expect.poll(() => smtp.received.length, { timeout: 10_000 }).toBe(1)
  expect(mailState(app.deps.db, 'test:0')).toBe('queued')

  const worker = workerOf(app)
  await worker.deliverDue()
  expect(smtp.received).toHaveLength(1)
  for (let i = 0; i < 3; i++) {
    app.advance(hourMs)
    await worker.deliverDue()
  }
  expect(smtp.received).toHaveLength(2)
  expect(smtp.received[0]?.parsed.messageId).toBe(smtp.received[1]?.parsed.messageId)
})

test('a sent mark that cannot be written is written later, without another delivery', async () => {
  const smtp = await serve()
  const app = await appWithSmtp()
  let writes = 0
  const worker = workerOf(app, {
    ...app.deps,
    write: work =>
      ++writes === 2 || writes === 3
        ? Promise.reject(new Error('database or disk is full'))
        : app.deps.write(work),
  })
  await enqueue(app, test0)
  await worker.deliverDue()
  app.advance(hourMs)
  await worker.deliverDue()
  expect(mailState(app.deps.db, 'test:0')).toBe('queued')
  app.advance(hourMs)
  await worker.deliverDue()
  expect(mailState(app.deps.db, 'test:0')).toBe('sent')
  expect(smtp.received).toHaveLength(1)
})

test('many passes of two concurrent workers deliver each mail once [MAIL-06]', async () => {
  const smtp = await serve()
  const app = await appWithSmtp()
  const workers = [workerOf(app), workerOf(app)]
  await enqueue(
    app,
    ...Array.from({ length: 30 }, (_, i): QueuedMail => ({ ...test0, dedupeKey: `test:${i}` })),
  )
  await Promise.all(
    workers.flatMap(worker => [worker.deliverDue(), worker.deliverDue(), worker.deliverDue()]),
  )
  expect(smtp.received).toHaveLength(30)
  expect(new Set(smtp.received.map(({ parsed }) => parsed.messageId)).size).toBe(30)
})

test('one undeliverable mail does not block the others', async () => {
  const smtp = await serve({
    recipient: address => (address.startsWith('gone') ? { code: 450, message: 'later' } : undefined),
  })
  const app = await appWithSmtp()
  const unknown = { ...test0, kind: 'from-the-future', dedupeKey: 'unknown' } as unknown as QueuedMail
  await enqueue(app, unknown, { ...test0, to: 'gone@guest.example', dedupeKey: 'gone' }, test0)
  await workerOf(app).deliverDue()
  expect(smtp.received.map(({ envelope }) => envelope.to)).toEqual([['maya@guest.example']])
  expect(mailState(app.deps.db, 'unknown')).toBe('failed')
  expect(mailState(app.deps.db, 'gone')).toBe('queued')
})

test('keeps all mails queued without a mail transport', async () => {
  const app = await testApp({ replace: { mail: undefined } })
  await enqueue(app, test0)
  await workerOf(app).deliverDue()
  expect(rowOf(app, 'test:0')).toMatchObject({ status: 'queued', attempts: 0 })
})

test('a link gets its token at delivery, and a mail whose link has ended is withdrawn [FIX-28]', async () => {
  const smtp = await serve()
  const app = await appWithSmtp()
  await enqueue(app, reset, { ...reset, dedupeKey: 'reset:2', props: { ...reset.props, linkId: 'ended' } })
  await workerOf(app).deliverDue()
  expect(smtp.received.map(({ parsed }) => /token=(\w+)/.exec(parsed.text ?? '')?.[1])).toEqual(['a_token'])
  expect(JSON.stringify(app.deps.db.select().from(outbox).all())).not.toContain('a_token')
  expect(mailState(app.deps.db, 'reset:1')).toBe('sent')
  expect(mailState(app.deps.db, 'reset:2')).toBe('withdrawn')
})

test('delivers attachments byte for byte: the signed lease from the file store, the receipt as a PDF', async () => {
  const smtp = await serve()
  const app = await appWithSmtp()
  const pdf = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 7) % 256))
  const stored = await app.deps.files.save(pdf, {
    originalName: 'signed.pdf',
    contentType: 'application/pdf',
    createdAt: app.deps.clock.now().toISOString(),
  })
  await app.deps.write(tx => tx.insert(files).values(stored).run())
  await enqueue(
    app,
    {
      kind: 'lease-signed-copy',
      props: { firstName: 'Maya', applicationNumber: 'APP-2026-0007', applicationId: 'a', fileId: stored.id },
      to: 'maya@guest.example',
      dedupeKey: 'lease',
    },
    {
      kind: 'payment-receipt',
      props: { paymentId: 'pay_1' },
      to: 'maya@guest.example',
      dedupeKey: 'receipt',
    },
  )
  await workerOf(app).deliverDue()
  const attachments = smtp.received.flatMap(({ parsed }) => parsed.attachments)
  const lease = attachments.find(({ filename }) => filename === 'lease-APP-2026-0007.pdf')
  expect(lease?.mimeType).toBe('application/pdf')
  expect(Buffer.from(lease?.content as ArrayBuffer).equals(pdf)).toBe(true)
  expect(attachments.map(({ filename }) => filename)).toContain('receipt.pdf')
})

test.each([
  ['451 4.7.1', { code: 451, message: '4.7.1 content rejected: ' }],
  ['554 5.7.1', { code: 554, message: '5.7.1 123456 is the code of ' }],
  ['554', { code: 554, message: '12.345.6 ' }],
])(
  'of a refusal of a mail with a link or a code, only the status %s is stored [FIX-28]',
  async (kept, { code, message }) => {
    const app = await appWithSmtp()
    const challenge = { challengeId: '1', expiresAt: testNow, at: testNow, browser: null, address: null }
    const mails = [reset, { ...test0, kind: 'mailbox-code', props: challenge, dedupeKey: 'code' } as const]
    await serve({
      data: ({ parsed }) => ({ code, message: `${message}${parsed.text?.replace(/\s+/g, ' ')}` }),
    })
    await enqueue(app, ...mails)
    await workerOf(app).deliverDue()
    expect(mails.map(({ dedupeKey }) => rowOf(app, dedupeKey)?.lastError)).toEqual([kept, kept])
  },
)

test('stores the text of any other refused mail, without links and tokens [FIX-28]', async () => {
  const token = 'kX3_vT-9'.repeat(6)
  const quote = `This is spam: HTTPS://condo.example/reset?t=${token} and ${token}, a well-known-phrase`
  await serve({ data: () => ({ code: 554, message: quote }) })
  const app = await appWithSmtp()
  await enqueue(app, test0)
  await workerOf(app).deliverDue()
  const { lastError, status } = rowOf(app, test0.dedupeKey) ?? {}
  expect(status).toBe('failed')
  expect(lastError).toMatch(/554 This is spam: … and …, a well-known-phrase$/)
})

test('fails with a message if the attachment does not exist', async () => {
  await serve()
  const app = await appWithSmtp()
  await enqueue(app, {
    kind: 'lease-signed-copy',
    props: { firstName: 'M', applicationNumber: 'APP-2026-0007', applicationId: 'a', fileId: randomUUID() },
    to: 'maya@guest.example',
    dedupeKey: 'lease',
  })
  await workerOf(app).deliverDue()
  expect(rowOf(app, 'lease')).toMatchObject({
    status: 'failed',
    lastError: 'The file to be attached does not exist.',
  })
})

const steps: SmtpStep[] = ['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'end of the mail']
test.each<[what: string, server: Parameters<typeof startSlowSmtp>[1]]>([
  ...steps.map((silentAt): [string, { silentAt: SmtpStep }] => [`is silent at ${silentAt}`, { silentAt }]),
  ['takes its time at every step', { pauseMs: 150 }],
])('a mail server that %s runs into the timeout, and the mail is retried [FIX-21]', async (_what, server) => {
  const smtp = await startSlowSmtp(port, server)
  closers.push(smtp.close)
  const app = await appWithSmtp()
  const worker = workerOf(app, app.deps, { deliveryMs: 500 })
  await enqueue(app, test0)
  const began = performance.now()
  await worker.deliverDue()
  expect(performance.now() - began).toBeLessThan(5000)
  expect(rowOf(app, 'test:0')).toMatchObject({
    status: 'queued',
    attempts: 1,
    lastError: 'The mail server took longer than 0.5 seconds.',
    nextAttemptAt: new Date(app.deps.clock.now().getTime() + 30 * secondMs).toISOString(),
  })
  await expect.poll(smtp.connections).toBe(0)
})

const never = () => new Promise<undefined>(() => {})
/** A mail server that does not respond for addresses that start with `slow` until the test ends. */
async function serveHanging(): Promise<RunningSmtp> {
  const over = new Promise<undefined>(resolve => {
    letGo = () => resolve(undefined)
  })
  return serve({ recipient: address => (address.startsWith('slow') ? over : undefined) })
}
const slow = (count: number): QueuedMail[] =>
  Array.from({ length: count }, (_, i) => ({
    ...test0,
    to: `slow${i}@guest.example`,
    dedupeKey: `slow:${i}`,
  }))
const keysOf = (smtp: RunningSmtp, app: TestApp) => {
  const rows = app.deps.db.select().from(outbox).all()
  return smtp.received.map(
    ({ parsed }) => rows.find(({ id }) => parsed.messageId === `<${id}@condo.example>`)?.dedupeKey,
  )
}

/** Well below the minute after which a delivery times out. */
const soon = { timeout: 10_000 }
test('delivers one mail at a time [MAIL-06]', async () => {
  let open = 0
  let most = 0
  await serve({
    data: async () => {
      most = Math.max(most, ++open)
      await sleep(20)
      open -= 1
      return undefined
    },
  })
  const app = await appWithSmtp()
  const worker = workerOf(app)
  await enqueue(app, test0, { ...test0, dedupeKey: 'test:1' }, approved)
  await Promise.all([worker.deliverDue(), worker.deliverDue()])
  expect(app.deps.db.select().from(outbox).all()).toMatchObject(Array(3).fill({ status: 'sent' }))
  expect(most).toBe(1)
})

test('a password reset overtakes a mail that hangs [FIX-21]', async () => {
  const smtp = await serveHanging()
  const app = await appWithSmtp()
  const worker = workerOf(app)
  await enqueue(app, ...slow(1), test0)
  void worker.deliverDue()
  await expect.poll(() => rowOf(app, 'slow:0')?.attempts, soon).toBe(1)
  await enqueue(app, reset)
  // The timer picks it up.
  await expect.poll(() => keysOf(smtp, app), soon).toEqual(['reset:1'])
  expect(rowOf(app, 'test:0')).toMatchObject({ attempts: 0 })
})

test('a reset that hangs holds up the next one until its own, shorter timeout [FIX-21]', async () => {
  const smtp = await serveHanging()
  const app = await appWithSmtp()
  const worker = workerOf(app, app.deps, { resetMs: 300 })
  await enqueue(app, { ...reset, to: 'slow@guest.example', dedupeKey: 'reset:slow' }, reset)
  await worker.deliverDue()
  expect(keysOf(smtp, app)).toEqual(['reset:1'])
  expect(rowOf(app, 'reset:slow')).toMatchObject({ status: 'queued', attempts: 1 })
})

test('a mail that was not attempted yet goes before mails that hung [FIX-21]', async () => {
  const asked: string[] = []
  await serve({ recipient: address => void asked.push(address) })
  const app = await appWithSmtp()
  await enqueue(app, ...slow(2))
  await app.deps.write(tx => tx.update(outbox).set({ attempts: 1 }).run())
  await enqueue(app, test0)
  await workerOf(app).deliverDue()
  expect(asked).toEqual(['maya@guest.example', 'slow0@guest.example', 'slow1@guest.example'])
})

test('retries take turns with mails that were not attempted yet, also while new ones keep arriving [FIX-21]', async () => {
  const asked: string[] = []
  let app: TestApp
  const arrive = (i: number) => enqueue(app, { ...test0, to: `new${i}@guest.example`, dedupeKey: `new:${i}` })
  const send = async ({ to }: { to: string }) => {
    asked.push(to.replace('@guest.example', ''))
    if (asked.length < 6) await arrive(asked.length)
  }
  app = await testApp({ replace: { mail: { send } } })
  await enqueue(app, ...slow(2))
  await app.deps.write(tx => tx.update(outbox).set({ attempts: 1 }).run())
  await arrive(0)
  await workerOf(app).deliverDue()
  expect(asked).toEqual(['new0', 'slow0', 'new1', 'slow1', 'new2', 'new3', 'new4', 'new5'])
})

test('a transport that ignores its timeout does not block the worker [FIX-21]', async () => {
  const app = await testApp({ replace: { mail: { send: never } } })
  await enqueue(app, test0)
  await workerOf(app, app.deps, { deliveryMs: 200 }).deliverDue()
  expect(rowOf(app, 'test:0')).toMatchObject({ status: 'queued', attempts: 1 })
})

const about = (
  applicationId: string,
  kind: 'application-received' | 'application-approved' | 'application-declined' | 'lease-ready',
): QueuedMail => ({
  kind,
  props: {
    firstName: 'Maya',
    applicationNumber: 'APP-2026-0007',
    applicationId,
    startDate: '2026-06-01',
    endDate: '2026-07-01',
  },
  to: 'maya@guest.example',
  dedupeKey: `${kind}:${applicationId}`,
})
const approved = about('a', 'application-approved')
const ready = about('a', 'lease-ready')
const inOrder = [approved.dedupeKey, ready.dedupeKey]
/** Temporarily rejects the approval mail, this many times. */
function refusing(times: number): SmtpBehaviour {
  let left = times
  return {
    data: ({ parsed }) => {
      if (!parsed.subject?.includes('approved') || left === 0) return undefined
      left -= 1
      return { code: 451, message: 'later' }
    },
  }
}

test.each(['is taken', 'is refused'])(
  'a mail to a wrong address that %s after the owner corrected it goes to the right one as well [MAIL-06]',
  async how => {
    const sent: string[] = []
    const mail = {
      send: async ({ to }: { to: string }) => {
        sent.push(to)
        if (sent.length > 1) return
        await app.deps.write(tx => redirectUnsentMails(tx, userId, 'typo@guest.example', 'jon@guest.example'))
        if (how === 'is refused') throw new MailRejectedError('No such user')
      },
    }
    const app = await testApp({ replace: { mail } })
    const tenant = await app.makeTenant()
    const { userId } = tenant
    const { id } = await makeApplication(app.deps, tenant, {})
    const toTypo = { ...about(id, 'application-approved'), to: 'typo@guest.example' }
    await enqueue(app, toTypo)
    const worker = workerOf(app)
    await worker.deliverDue()
    expect(rowOf(app, toTypo.dedupeKey)).toMatchObject({ status: 'queued', toAddress: 'jon@guest.example' })
    app.advance(3 * 60 * secondMs)
    await worker.deliverDue()
    expect(sent).toEqual(['typo@guest.example', 'jon@guest.example'])
    expect(rowOf(app, toTypo.dedupeKey)).toMatchObject({ status: 'sent', toAddress: 'jon@guest.example' })
  },
)

test('sends the mails of one application in the order in which they were written [LOOK-09]', async () => {
  const smtp = await serve()
  const app = await appWithSmtp()
  const receipt: QueuedMail = {
    kind: 'payment-receipt',
    props: { paymentId: 'pay_1', applicationId: 'a' },
    to: 'maya@guest.example',
    dedupeKey: 'receipt',
  }
  await enqueue(app, approved, ready, receipt, about('b', 'lease-ready'))
  const isEarlier = inArray(outbox.dedupeKey, [ready.dedupeKey, receipt.dedupeKey])
  const nextAttemptAt = afterNow(app, -60)
  await app.deps.write(tx => tx.update(outbox).set({ nextAttemptAt }).where(isEarlier).run())
  await workerOf(app).deliverDue()
  expect(keysOf(smtp, app).filter(key => key !== 'lease-ready:b')).toEqual([...inOrder, 'receipt'])
  expect(smtp.received).toHaveLength(4)
})

test('a later mail waits while an earlier one is retried, and is sent at once when the earlier one fails [LOOK-09]', async () => {
  const smtp = await serve(refusing(2))
  const app = await appWithSmtp()
  const worker = workerOf(app)
  await enqueue(app, approved, ready)
  for (const waitMs of [0, 29 * secondMs, secondMs, 59 * secondMs]) {
    app.advance(waitMs)
    await worker.deliverDue()
    expect(keysOf(smtp, app)).toEqual([])
  }
  app.advance(secondMs)
  await worker.deliverDue()
  expect(keysOf(smtp, app)).toEqual(inOrder)

  smtp.behaviour = {
    data: ({ parsed }) => (parsed.subject?.includes('approved') ? { code: 552, message: 'no' } : undefined),
  }
  await enqueue(app, about('c', 'application-approved'), about('c', 'lease-ready'))
  await worker.deliverDue()
  expect(keysOf(smtp, app).slice(2)).toEqual(['lease-ready:c'])
  expect(mailState(app.deps.db, 'application-approved:c')).toBe('failed')
})

test('an undeliverable mail holds back later ones of its application for a quarter of an hour at most [LOOK-09]', async () => {
  const smtp = await serve(refusing(Number.POSITIVE_INFINITY))
  const app = await appWithSmtp()
  const worker = workerOf(app)
  await enqueue(app, approved, ready)
  const waitedMs = async () => {
    const began = app.deps.clock.now().getTime()
    for (let i = 0; i < 200 && smtp.received.length === 0; i++) {
      await worker.deliverDue()
      app.advance(10 * secondMs)
    }
    return app.deps.clock.now().getTime() - began
  }
  expect(await waitedMs()).toBeLessThan(15 * 60 * secondMs)
  expect(keysOf(smtp, app)).toEqual([ready.dedupeKey])
  smtp.received.length = 0
  app.advance(24 * hourMs)
  await worker.deliverDue()
  await enqueue(app, { ...ready, dedupeKey: 'again' })
  expect(await waitedMs()).toBeLessThan(15 * 60 * secondMs)
})

test('after a long outage no mail arrives that a later one of its application has replaced [LOOK-09]', async () => {
  const smtp = await serve({ data: () => ({ code: 451, message: 'later' }) })
  const app = await appWithSmtp()
  const worker = workerOf(app)
  await enqueue(app, about('a', 'application-declined'), { ...ready, dedupeKey: 'wrong' })
  for (let i = 0; i < 80; i++) {
    await worker.deliverDue()
    app.advance(60 * secondMs)
  }
  smtp.behaviour = {}
  await enqueue(app, approved, ready)
  for (let i = 0; i < 80; i++) {
    await worker.deliverDue()
    app.advance(60 * secondMs)
  }
  expect(keysOf(smtp, app)).toEqual(inOrder)
  expect(mailState(app.deps.db, 'application-declined:a')).toBe('withdrawn')
  expect(mailState(app.deps.db, 'wrong')).toBe('withdrawn')
})

test('a decision about an application that was deleted since is not sent [LOOK-09]', async () => {
  const smtp = await serve()
  const app = await appWithSmtp()
  const { id } = await makeApplication(app.deps, await app.makeTenant(), {
    status: 'approved',
    deletedAt: testNow,
  })
  await enqueue(app, about(id, 'application-approved'), about(id, 'lease-ready'))
  await workerOf(app).deliverDue()
  expect(keysOf(smtp, app)).toEqual([])
  expect(mailState(app.deps.db, `lease-ready:${id}`)).toBe('withdrawn')
})

test('no confirmation of a decided application and no lease of a declined one or one without a lease is sent [LOOK-09]', async () => {
  const smtp = await serve()
  const app = await appWithSmtp()
  const tenant = await app.makeTenant()
  const make = async (overrides: Parameters<typeof makeApplication>[2]) =>
    (await makeApplication(app.deps, tenant, overrides)).id
  const [pending, approved, declined] = [
    await make({ status: 'pending' }),
    await make({ status: 'approved' }),
    await make({ status: 'rejected' }),
  ]
  const deleted = await make({ status: 'approved', lease: null })
  const [received, ready] = ['application-received', 'lease-ready'] as const
  await enqueue(app, about(pending, received), about(approved, ready))
  await enqueue(app, about(declined, received), about(declined, ready), about(deleted, ready))
  await enqueue(app, { ...about(approved, received), dedupeKey: 'late' })
  await workerOf(app).deliverDue()
  expect(keysOf(smtp, app)).toEqual([`${received}:${pending}`, `${ready}:${approved}`])
  expect(mailState(app.deps.db, 'late')).toBe('withdrawn')
})

test('a mail that a bank payment is on its way is not sent once it has arrived or failed [LOOK-09]', async () => {
  const smtp = await serve()
  const app = await appWithSmtp()
  const { userId } = await app.makeTenant()
  const payment = { userId, type: 'rent', method: 'card', amountCents: 1000_00, createdAt: testNow } as const
  const onItsWay = (id: string): QueuedMail => ({
    kind: 'bank-payment-on-its-way',
    props: {
      firstName: 'Maya',
      tenantName: 'Maya Rivers',
      applicationNumber: null,
      applicationId: null,
      paymentTypeLabel: 'Rent',
      amountCents: 1000_00,
      reason: null,
    },
    to: 'maya@guest.example',
    dedupeKey: `bank-payment-on-its-way:${id}`,
  })
  for (const status of ['processing', 'succeeded', 'failed'] as const) {
    await app.deps.write(tx =>
      tx
        .insert(payments)
        .values({ ...payment, id: status, status })
        .run(),
    )
    await enqueue(app, onItsWay(status))
  }
  await workerOf(app).deliverDue()
  expect(keysOf(smtp, app)).toEqual(['bank-payment-on-its-way:processing'])
})

test('a mail that a killed process had claimed still goes before the later one [LOOK-09]', async () => {
  const smtp = await serve()
  const app = await appWithSmtp()
  await enqueue(app, approved)
  let writes = 0
  const dying: Deps = {
    ...app.deps,
    mail: { send: never },
    write: work => (++writes === 1 ? app.deps.write(work) : new Promise(() => {})),
  }
  void startMailWorker(dying, sources).deliverDue()
  await expect.poll(() => rowOf(app, approved.dedupeKey)?.attempts).toBe(1)
  await enqueue(app, ready)
  const worker = workerOf(app)
  for (let i = 0; i < 20 && smtp.received.length < 2; i++) {
    await worker.deliverDue()
    app.advance(60 * secondMs)
  }
  expect(keysOf(smtp, app)).toEqual(inOrder)
})
