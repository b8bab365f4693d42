import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { and, eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accessLinks, files, messageFiles, outbox, users } from '../../../db/schema.ts'
import type { Admin, SignedIn } from '../../domain/accounts/access.ts'
import { maxOfAllUnbooked } from '../../domain/conversations/message.ts'
import { dates, makeBooking, makePending } from '../../testing/build-application.ts'
import { changeEmail } from '../../testing/build-email-change.ts'
import { buildEntry } from '../../testing/build-entry.ts'
import { scanPdf, tokenOf } from '../../testing/build-lease.ts'
import { afterThisTest } from '../../testing/cleanups.ts'
import { seed } from '../../testing/random.ts'
import { preparedSite, type TestApp, testNow, visitor } from '../../testing/test-app.ts'
import { replacePassword } from '../auth/accounts/password-service.ts'
import { holdBytes } from '../http/receive-body.ts'
import { startMailScheduler } from '../mail/scheduled-mails.ts'
import { startMailWorker } from '../mail/worker.ts'
import { mailSources } from '../mail-sources.ts'
import { currentSite } from '../site/content/published.ts'
import { messageMails } from './mails.ts'
import { noteMessage, readMessageFile, requireReceivable, sendMessage, storeMessageFile } from './send.ts'
import { selectThreads } from './threads.ts'

const switchOn = (app: TestApp, owner: SignedIn, version = 0, enabled = true) =>
  app.as(owner).settings.messages.save({ version, body: { enabled } })

const prepared = preparedSite(async app => {
  const [owner, tenant] = [await app.makeAdmin(), await app.makeTenant({ email: 'maya@guest.example' })]
  const { id } = await makeBooking(app, tenant, owner)
  await switchOn(app, owner)
  return { owner, tenant, id }
})

/** A booking with messages on, and short ways to write. */
async function site() {
  const { app, id, owner, tenant } = await prepared()
  const write = (body: string, more = {}) =>
    app.as(tenant).conversations.send({ applicationId: id, body, requestId: randomUUID(), ...more })
  const answer = (body: string, more = {}) =>
    app.as(owner).conversations.adminSend({ applicationId: id, body, requestId: randomUUID(), ...more })
  const read = async (who: SignedIn = owner) => {
    const { thread } = await app.as(who).conversations.thread({ applicationId: id })
    if (!thread) throw new Error('messages are off')
    return thread
  }
  return { app, id, owner, tenant, write, answer, read }
}

async function sendMails(app: TestApp) {
  const scheduler = startMailScheduler(app.deps, [messageMails])
  await scheduler.tick()
  await scheduler.stop()
}
async function deliver(app: TestApp) {
  const worker = startMailWorker(app.deps, mailSources)
  await worker.deliverDue()
  await worker.stop()
  return app.sentMails.splice(0).filter(({ subject }) => subject.startsWith('Message from'))
}
const minute = 60_000
const day = 24 * 60 * minute
const tokenIn = ({ text }: { text: string }) => /\/reply#([\w-]+)/.exec(text)?.[1] ?? ''

test('a page has at most 256 KB of text, and the pages before it the rest', async () => {
  const { app, id, tenant, write } = await site()
  const body = '可'.repeat(5000)
  for (let n = 0; n < 20; n++) await write(body)
  const page = async (before?: number) => {
    const { thread } = await app.as(tenant).conversations.thread({ applicationId: id, before, limit: 200 })
    return { numbers: thread?.messages.map(({ number }) => number), hasMore: thread?.hasMore }
  }
  const newest = Array.from({ length: 17 }, (_, n) => n + 4)
  expect(await page()).toEqual({ numbers: newest, hasMore: true })
  expect(await page(4)).toEqual({ numbers: [1, 2, 3], hasMore: false })
})

test('off, a thread is null, all else is refused, files and quick replies too, links are dead and nothing is mailed [MSG-01]', async () => {
  const { app, answer, id, owner, tenant, write } = await site()
  await answer('The code comes later.')
  app.advance(2 * minute)
  await sendMails(app)
  const [mail] = await deliver(app)
  await write('Hello')
  const own = app.as(owner).conversations
  const form = { title: 'Parking', body: 'Lot 4' }
  const { id: replyId } = (await own.addQuickReply(form)).reply
  const sender = { actor: tenant, applicationId: id }
  const stored = await storeMessageFile(app.deps, sender, { content: scanPdf(), name: 'a.pdf' })
  await switchOn(app, owner, 1, false)
  app.advance(2 * minute)
  await sendMails(app)
  expect(await deliver(app)).toEqual([])
  expect(await app.as(tenant).conversations.thread({ applicationId: id })).toEqual({ thread: null })
  expect(await app.as(owner).conversations.unread()).toEqual({ unread: 0, threads: [] })
  for (const [name, ask] of Object.entries({
    threads: () => own.adminThreads(),
    file: () => readMessageFile(app.deps, tenant, stored.id),
    quickReplies: () => own.quickReplies(),
    add: () => own.addQuickReply(form),
    change: () => own.changeQuickReply({ id: replyId, ...form }),
    remove: () => own.removeQuickReply({ id: replyId }),
    fill: () => own.fillQuickReply({ id: replyId, applicationId: id }),
  }))
    await expect(ask(), name).rejects.toThrow('Messages are switched off here.')
  expect((await app.as(owner).notices.ownerDay()).tasks).not.toContainEqual(
    expect.objectContaining({ kind: 'message' }),
  )
  await expect(write('Are you there?')).rejects.toThrow('Messages are switched off here.')
  // A file whose upload began before.
  const late = { content: scanPdf(), name: 'a.pdf' }
  await expect(storeMessageFile(app.deps, sender, late)).rejects.toThrow('Messages are switched off here.')
  const asVisitor = app.as(visitor).conversations
  await expect(asVisitor.openReply({ token: tokenIn(mail ?? { text: '' }) })).rejects.toThrow(
    'no longer valid',
  )
})

test('a draft has no thread, and another tenant’s, a deleted or unknown one is a 404 for everybody [MSG-01, MSG-17]', async () => {
  const { app, answer, id, owner, tenant, write } = await site()
  const stranger = await app.makeTenant()
  await expect(app.as(stranger).conversations.thread({ applicationId: id })).rejects.toThrow('not found')
  await expect(
    app.as(owner).conversations.send({ applicationId: id, body: 'x', requestId: randomUUID() }),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await write('Hello')
  await app.as(owner).applications.adminDelete({ id })
  await expect(write('Hello?')).rejects.toThrow('not found')
  await expect(answer('Hello?')).rejects.toThrow('not found')
  expect(await app.as(owner).conversations.unread()).toEqual({ unread: 0, threads: [] })
  expect((await app.as(tenant).conversations.unread()).threads).toEqual([])
})

test('texts are cleaned, and an empty or long one is refused at the field [MSG-02]', async () => {
  const { read, write } = await site()
  await write(' one\r\ntwo\u202e<script>\u0000 ')
  expect((await read()).messages[0]?.body).toBe('one\ntwo<script>')
  for (const wrong of ['', '  \n ', 'x'.repeat(5001), 'x'.repeat(30_000)])
    await expect(write(wrong)).rejects.toMatchObject({ cause: { issues: [{ path: ['body'] }] } })
})

test('the same requestId is one message, also at once, and numbers rise however the clock jumps [MSG-03]', async () => {
  const { app, answer, read, write } = await site()
  const requestId = randomUUID()
  const twice = await Promise.all([write('Once', { requestId }), write('Once', { requestId })])
  app.advance(-5 * day)
  await answer('Before')
  app.advance(9 * day)
  await write('Later')
  expect(twice.map(({ message }) => message.number)).toEqual([1, 1])
  expect((await read()).messages.map(({ body, number }) => [number, body])).toEqual([
    [1, 'Once'],
    [2, 'Before'],
    [3, 'Later'],
  ])
})

test('any interleaving of sending, reading and marking keeps every counter the sum of a naive model [MSG-05, MSG-06]', async () => {
  const { app, answer, id, owner, read, tenant, write } = await site()
  const model = { sides: [] as ('tenant' | 'owner' | 'noted')[], read: { tenant: 0, owner: 0 }, answered: 0 }
  const conversations = { tenant: app.as(tenant).conversations, owner: app.as(owner).conversations }
  const number = fc.integer({ min: 1, max: 12 })
  const step = fc.oneof(
    fc.constant({ kind: 'write' as const }),
    fc.constant({ kind: 'answer' as const }),
    fc.record({ kind: fc.constant('note' as const), waiting: fc.boolean() }),
    fc.record({
      kind: fc.constant('read' as const),
      side: fc.constantFrom('tenant' as const, 'owner' as const),
      number,
    }),
    fc.record({ kind: fc.constant('unread' as const), number }),
    fc.record({ kind: fc.constant('answered' as const), number }),
  )
  const check = async () => {
    const { answered, sides } = model
    const unreadOf = (side: 'tenant' | 'owner') =>
      sides.filter((from, at) => from !== 'noted' && from !== side && at + 1 > model.read[side]).length
    const lastOwner = sides.lastIndexOf('owner') + 1
    const lastTenant = sides.findLastIndex(side => side !== 'owner') + 1
    const waiting = lastTenant > lastOwner && lastTenant > answered
    expect(await read()).toMatchObject({ unread: unreadOf('owner'), lastRead: model.read.owner, waiting })
    expect(await read(tenant)).toMatchObject({ unread: unreadOf('tenant'), lastRead: model.read.tenant })
    expect((await conversations.tenant.unread()).unread).toBe(unreadOf('tenant'))
    expect((await conversations.owner.unread()).unread).toBe(unreadOf('owner'))
    const { counts } = await conversations.owner.adminThreads()
    expect(counts).toMatchObject({ unread: unreadOf('owner'), waiting: Number(waiting) })
  }
  for (const each of fc.sample(step, { numRuns: 50, seed })) {
    const { sides } = model
    const at = 'number' in each ? each.number : 0
    const isThere = at <= sides.length
    if (each.kind === 'write' || each.kind === 'answer') {
      const isTenant = each.kind === 'write'
      await (isTenant ? write('a') : answer('b'))
      sides.push(isTenant ? 'tenant' : 'owner')
    }
    if (each.kind === 'note') {
      await conversations.owner.note({
        applicationId: id,
        body: 'c',
        waiting: each.waiting,
        requestId: randomUUID(),
      })
      sides.push('noted')
      if (!each.waiting) model.answered = sides.length
    }
    if (each.kind === 'read') {
      const mark = { applicationId: id, number: at }
      if (each.side === 'tenant') await conversations.tenant.markRead(mark)
      else await conversations.owner.adminMarkRead(mark)
      if (isThere) model.read[each.side] = Math.max(model.read[each.side], at)
    }
    if (each.kind === 'unread') {
      await conversations.owner.adminMarkRead({ applicationId: id, number: at, unread: true })
      if (isThere) model.read.owner = at - 1
    }
    if (each.kind === 'answered') {
      const isLate = sides.findLastIndex(side => side !== 'owner') + 1 > at
      const marking = conversations.owner.answered({ applicationId: id, number: at })
      if (isLate) await expect(marking).rejects.toThrow('A new message has come meanwhile.')
      else if ((await marking).thread && model.sides.lastIndexOf('owner') < sides.length - 1)
        model.answered = sides.length
    }
    await check()
  }
})

test('what waits is found in an index, however many messages a thread has [MSG-06]', async () => {
  const { app } = await site()
  const { db } = app.deps
  const list = selectThreads(db, 'owner').getSQL()
  const plan = db.all<{ detail: string }>(sql`explain query plan ${list}`).map(({ detail }) => detail)
  const found = (name: string) => plan.filter(step => step.startsWith(`SEARCH ${name} `))
  const step = 'USING INDEX messages_side (application_id=? AND side=?'
  expect(found('m')).toEqual([`SEARCH m ${step} AND number>?)`])
  expect(found('o')).toEqual([`SEARCH o ${step.replace('INDEX', 'COVERING INDEX')})`])
})

test('a waiting thread is a task after what is overdue, longest first, and a warning after a day [MSG-06]', async () => {
  const { app, answer, id, owner, write } = await site()
  const second = await makePending(app, await app.makeTenant(), {
    ...dates('2027-01-01', '2027-02-01'),
    firstName: 'Anna',
  })
  const tasks = async () =>
    (await app.as(owner).notices.ownerDay()).tasks.filter(({ kind }) => kind === 'message')
  await write('First')
  app.advance(3 * 60 * minute)
  await app.as(owner).conversations.note({
    applicationId: second.id,
    body: 'On the phone',
    waiting: true,
    requestId: randomUUID(),
  })
  expect((await tasks()).map(({ title }) => title)).toEqual([
    'Maya Rivers wrote 3 hours ago',
    'Anna Rivers wrote just now',
  ])
  app.advance(day)
  const notices = async () =>
    (await app.as(owner).notices.list()).notices.filter(notice => notice.id.startsWith('message-waiting'))
  expect(await notices()).toMatchObject([
    { id: `message-waiting-${id}`, tone: 'warning' },
    { tone: 'warning' },
  ])
  await answer('Yes')
  await app.as(owner).conversations.answered({ applicationId: second.id, number: 1 })
  expect([await tasks(), await notices()]).toEqual([[], []])
})

test('one mail has all that is unread and was not mailed, and read ones or switched off ones are withdrawn [MSG-09, MSG-10, MSG-11]', async () => {
  const { app, answer, id, owner, tenant, write } = await site()
  await write('Is there a <b>cot</b>?')
  await sendMails(app)
  expect(await deliver(app)).toEqual([])
  app.advance(minute)
  await write('x'.repeat(2500))
  await sendMails(app)
  await sendMails(app)
  const [mail, ...more] = await deliver(app)
  expect(more).toEqual([])
  expect(mail).toMatchObject({
    subject: `Message from Maya Rivers (${'APP-2026-0001'})`,
    replyTo: 'maya@guest.example',
  })
  expect(mail?.text).toContain('Is there a <b>cot</b>?')
  expect(mail?.html).not.toContain('<b>cot')
  expect(mail?.text).toContain(`/admin/messages/${id}`)
  expect(mail?.text).toContain(`${'x'.repeat(2000)}…`)
  expect(mail?.text).not.toContain('/reply')
  expect(mail?.text).toContain(
    'You can also reply to this email: it goes straight to Maya. The site keeps only what you send with the button.',
  )
  await answer('Yes, a cot')
  app.advance(minute)
  await sendMails(app)
  await app.as(tenant).conversations.markRead({ applicationId: id, number: 3 })
  expect(await deliver(app)).toEqual([])
  await answer('In the bedroom')
  await write('And a chair?')
  app.advance(minute)
  await sendMails(app)
  await switchOn(app, owner, 1, false)
  expect(await deliver(app)).toEqual([])
  await switchOn(app, owner, 2)
  const { companyName } = currentSite(app.deps)
  await answer('By the window')
  app.advance(minute)
  await sendMails(app)
  const [told] = await deliver(app)
  expect(told?.subject).toBe(`Message from ${companyName} (APP-2026-0001)`)
  // Once in the header and once in the footer.
  expect(told?.text.split(companyName)).toHaveLength(3)
  const note = { applicationId: id, body: 'By phone', requestId: randomUUID() }
  const later = new Date(app.deps.clock.now().getTime() + 1).toISOString()
  await expect(app.as(owner).conversations.note({ ...note, at: later })).rejects.toMatchObject({
    cause: { fields: { at: expect.any(String) } },
  })
  await app.as(owner).conversations.note(note)
  app.advance(minute)
  await sendMails(app)
  expect(await deliver(app)).toEqual([])
  expect(JSON.stringify(app.deps.db.select().from(outbox).all())).not.toContain('cot')
})

test('a mail to a tenant has none of their own words, which would tell by what is left out which codes are live [MSG-10]', async () => {
  const { app, answer, write } = await site()
  await write('Is it still 7412#?')
  await answer('Yes.')
  app.advance(minute)
  await sendMails(app)
  const mail = (await deliver(app)).find(({ to }) => to === 'maya@guest.example')
  expect(mail?.text).toContain('Yes.')
  expect(mail?.text).not.toContain('7412')
})

const saveCode = async (app: TestApp, owner: SignedIn, code: string) => {
  const stays = app.as(owner).stays
  const lockId = randomUUID()
  const locks = [{ id: lockId, name: 'Garage', kind: 'standing', digits: 4, hint: '' }]
  await stays.saveSection({ section: 'entry', version: 0, body: { text: '', locks } })
  await stays.changeCode({ lockId, code })
}

test('messages of strangers count into the owner’s fifty mails a day, and the rest waits for the next [MSG-09, FIX-27]', async () => {
  const { app, id, owner, write } = await site()
  const stranger = await app.makeTenant({ email: 'victim@else.example', mailboxProvenAt: null })
  const { id: pendingId } = await makePending(app, stranger, dates('2027-01-01', '2027-02-01'))
  const rounds = async (count: number) => {
    for (let i = 0; i < count; i++) {
      for (const limit of ['messageByThread', 'messageByThreadAndDay'] as const)
        await app.deps.limits.reset(limit, pendingId)
      const message = { body: 'Spam', fileIds: [], requestId: randomUUID() }
      await sendMessage(app.deps, { actor: stranger, applicationId: pendingId }, message)
      app.advance(minute)
      await sendMails(app)
    }
  }
  const mailed = (applicationId: string) =>
    app.deps.db
      .select()
      .from(outbox)
      .where(and(eq(outbox.kind, 'message-to-owner'), eq(outbox.applicationId, applicationId)))
      .all()
  await rounds(55)
  // Two were about applications, and the last of the day is kept for one.
  expect(mailed(pendingId)).toHaveLength(47)
  await write('I have booked')
  app.advance(minute)
  await sendMails(app)
  expect(mailed(id)).toHaveLength(1)
  app.advance(day)
  await sendMails(app)
  expect(mailed(pendingId).at(-1)?.props).toMatchObject({ after: 47, upTo: 55 })
  await app.as(owner).applications.adminSetStatus({ id: pendingId, status: 'approved' })
  await rounds(60)
  expect(mailed(pendingId)).toHaveLength(108)
}, 30_000)

test('a mail has the newest twenty messages, however many have waited [MSG-10]', async () => {
  const { app, id, write } = await site()
  for (let number = 1; number <= 25; number++) {
    await app.deps.limits.reset('messageByThread', id)
    await write(`Message number ${number}.`)
  }
  app.advance(minute)
  await sendMails(app)
  const [mail, ...more] = await deliver(app)
  const numbers = mail?.text.match(/(?<=number )\d+/g)?.map(Number)
  expect([numbers, more]).toEqual([Array.from({ length: 20 }, (_, i) => i + 6), []])
  expect(mail?.text).toContain('Earlier messages are on the site.')
})

test('a mail has the first 40 lines of each message: thousands of lines would hold the process [MSG-10, FIX-19]', async () => {
  const { app, write } = await site()
  for (let n = 0; n < 18; n++) await write(`a\n`.repeat(999) + n)
  app.advance(minute)
  await sendMails(app)
  const [mail] = await deliver(app)
  expect(mail?.text.match(/^a$/gm)).toHaveLength(18 * 39)
  expect(mail?.text.match(/^a…$/gm)).toHaveLength(18)
})

test('of strangers’ messages, those that have waited longest are mailed first [MSG-09]', async () => {
  const { app } = await site()
  const waiting: string[] = []
  for (let i = 0; i < 6; i++) {
    const actor = await app.makeTenant({ mailboxProvenAt: null })
    const { id: applicationId } = await makePending(app, actor, dates('2027-01-01', '2027-02-01'))
    const message = { body: 'Hello', fileIds: [], requestId: randomUUID() }
    await sendMessage(app.deps, { actor, applicationId }, message)
    waiting.push(applicationId)
    app.advance(minute)
  }
  const { mails = [] } = messageMails.due(app.deps) ?? {}
  expect(mails.map(({ props }) => (props as { applicationId: string }).applicationId)).toEqual(waiting)
})

test('a message with a live code stands in no mail and on no page of a reply link; the owner writes after a step-up [MSG-10, STAY-18, FIX-32]', async () => {
  const { answer, app, id, owner } = await site()
  await saveCode(app, owner, '73A9')
  await answer('The code is 73A9.')
  app.advance(minute)
  await sendMails(app)
  const [mail] = await deliver(app)
  expect(mail?.text).toContain('You have a new message. Please read it on the site.')
  expect(`${mail?.text} ${mail?.html}`).not.toContain('73A9')
  const token = tokenIn(mail ?? { text: '' })
  const shown = await app.as(visitor).conversations.openReply({ token })
  expect(JSON.stringify(shown)).not.toContain('73A9')
  // Without one, what the mail leaves out would tell a thief which codes are live.
  const message = { body: 'Is it 73A9?', fileIds: [], requestId: randomUUID() }
  const sent = sendMessage(app.deps, { actor: owner, applicationId: id }, message)
  await expect(sent).rejects.toMatchObject({ code: 'forbidden', stepUp: expect.anything() })
  const words = { ...message, body: 'As told by phone, the rest goes to another account.', waiting: false }
  const noted = noteMessage(app.deps, { actor: owner as Admin, applicationId: id }, words)
  await expect(noted).rejects.toMatchObject({ code: 'forbidden' })
})

test('quick replies are filled from the facts of the moment, what is not filled in is not sent, and none has a live code [MSG-14, MSG-15, STAY-04]', async () => {
  const { answer, app, id, owner } = await site()
  const { addQuickReply, changeQuickReply, fillQuickReply, quickReplies, removeQuickReply } =
    app.as(owner).conversations
  await saveCode(app, owner, '73A9')
  const { reply } = await addQuickReply({
    title: 'Arrival',
    body: 'Hello {{firstName}}, you arrive {{arrival}} at {{checkIn}} and owe {{balance}}.',
  })
  const { missing, text } = await fillQuickReply({ id: reply.id, applicationId: id })
  expect(text).toMatch(/^Hello Maya, you arrive \w+ \d+, \d{4} at {{checkIn}} and owe \$[\d,.]+\.$/)
  expect(missing).toEqual(['checkIn'])
  await expect(answer(text)).rejects.toMatchObject({
    cause: { fields: { body: 'Fill in {{checkIn}} first.' } },
  })
  for (const left of ['See {{ you', 'See }} you', '{{any thing}}'])
    await expect(answer(left)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  const refused = async (body: string) =>
    addQuickReply({ title: 'x', body }).catch(({ cause, message }) => cause?.fields?.body ?? message)
  expect(await refused('{{lastName}}')).toContain('Unknown placeholder {{lastName}}')
  expect(await refused('Garage: 73a9')).toContain('the code of Garage')
  await expect(changeQuickReply({ id: reply.id, body: 'Garage: 73a9' })).rejects.toMatchObject({
    cause: { fields: { body: expect.stringContaining('the code of Garage') } },
  })
  const title = { title: expect.stringContaining('the code of Garage') }
  const named = { title: 'Garage 73A9', body: 'x' }
  await expect(addQuickReply(named)).rejects.toMatchObject({ cause: { fields: title } })
  const renaming = changeQuickReply({ id: reply.id, ...named })
  await expect(renaming).rejects.toMatchObject({ cause: { fields: title } })
  await changeQuickReply({ id: reply.id, title: 'On arrival', body: 'Welcome' })
  const others = Array.from({ length: 60 }, (_, at) => addQuickReply({ title: `Reply ${at}`, body: 'Yes' }))
  const added = (await Promise.allSettled(others)).filter(({ status }) => status === 'fulfilled')
  expect(added).toHaveLength(49)
  expect((await quickReplies()).replies[0]).toMatchObject({ title: 'On arrival', body: 'Welcome' })
  await changeQuickReply({ id: reply.id, position: 2 })
  expect((await quickReplies()).replies.slice(1, 4)).toMatchObject([
    { position: 1 },
    { title: 'On arrival', body: 'Welcome', position: 2 },
    { position: 3 },
  ])
  await removeQuickReply({ id: reply.id })
  expect((await quickReplies()).replies).toHaveLength(49)
})

test('a reply link shows the messages of its mail alone, and answers as the tenant up to 20 times [MSG-12]', async () => {
  const { app, answer, id, read, write } = await site()
  const mailed = async (body: string) => {
    await answer(body)
    app.advance(minute)
    await sendMails(app)
    const [mail] = await deliver(app)
    return tokenIn(mail ?? { text: '' })
  }
  await write('My own')
  const first = await mailed('First answer')
  const token = await mailed('Second answer')
  const guest = app.as(visitor).conversations
  const shown = await guest.openReply({ token: first })
  expect(shown).toMatchObject({
    messages: [{ body: 'First answer', fileCount: 0 }],
    firstName: 'Maya',
    canWrite: true,
  })
  expect((await guest.openReply({ token })).messages.map(({ body }) => body)).toEqual(['Second answer'])
  // A scanner opens it as often as it likes: nothing is read, sent or used up.
  for (let i = 0; i < 5; i++) await guest.openReply({ token })
  expect(await read()).toMatchObject({ messages: { length: 3 }, unread: 1 })
  const requestId = randomUUID()
  for (const again of [1, 2])
    expect((await guest.reply({ token, body: 'Thanks', requestId })).message, `${again}`).toMatchObject({
      side: 'tenant',
      via: 'link',
      number: 4,
    })
  for (let i = 1; i < 20; i++) {
    await app.deps.limits.reset('messageByThread', id)
    await guest.reply({ token, body: `Again ${i}`, requestId: randomUUID() })
  }
  await app.deps.limits.reset('messageByThread', id)
  await expect(guest.reply({ token, body: 'More', requestId: randomUUID() })).rejects.toThrow(
    'Please log in to write more.',
  )
  await expect(guest.reply({ token, body: ' ', requestId: randomUUID() })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  })
  app.advance(15 * day)
  for (const dead of [token, 'unknown', ''])
    await expect(guest.openReply({ token: dead })).rejects.toMatchObject({
      message: 'This link is no longer valid.',
      code: 'NOT_FOUND',
    })
})

test('a new password and a change of email end reply links [MSG-12]', async () => {
  const { app, answer, tenant } = await site()
  await answer('Hello')
  app.advance(minute)
  await sendMails(app)
  const [mail] = await deliver(app)
  const token = tokenIn(mail ?? { text: '' })
  const guest = app.as(visitor).conversations
  await guest.openReply({ token })
  await app.deps.write(tx =>
    replacePassword(tx, app.deps.clock.now().toISOString(), tenant, tenant.userId, { passwordHash: 'x' }),
  )
  await expect(guest.openReply({ token })).rejects.toThrow('This link is no longer valid.')
  expect(
    app.deps.db.select().from(accessLinks).where(eq(accessLinks.kind, 'message_reply')).all(),
  ).toMatchObject([{ revokedAt: expect.any(String) }])
})

test('a mail that waits goes to the address of now, and its link works there alone [MSG-09, MSG-12]', async () => {
  const { answer, app, tenant } = await site()
  await answer('Hello')
  app.advance(minute)
  await sendMails(app)
  await changeEmail(app, tenant, 'maya@new.example')
  const [mail, ...more] = await deliver(app)
  expect([mail?.to, more]).toEqual(['maya@new.example', []])
  const opened = await app.as(visitor).conversations.openReply({ token: tokenIn(mail ?? { text: '' }) })
  expect(opened.messages).toMatchObject([{ body: 'Hello' }])
  expect(await deliver(app)).toEqual([])
})

test('a booking that awaits its mailbox is not counted for the account, and its mail has no link [MSG-05, MSG-12, FIX-27]', async () => {
  const { app, owner } = await site()
  const squatter = await app.makeTenant({ email: 'jon@guest.example', mailboxProvenAt: null })
  const { application } = await app.as(owner).manualBookings.create({ ...buildEntry(), invite: true })
  const message = { applicationId: application.id, body: 'The keys are ready', requestId: randomUUID() }
  await app.as(owner).conversations.adminSend(message)
  expect(await app.as(squatter).conversations.unread()).toEqual({ unread: 0, threads: [] })
  app.advance(minute)
  await sendMails(app)
  const [mail] = await deliver(app)
  expect(mail).toMatchObject({ to: 'jon@guest.example' })
  expect(mail?.text).toMatch(new RegExp(`/invitation#[\\w-]{43}/messages/${application.id}`))
  expect(mail?.text).not.toContain('reply#')
  await app.deps.write(tx => tx.update(users).set({ mailboxProvenAt: testNow }).run())
  expect((await app.as(squatter).conversations.unread()).unread).toBe(1)
})

test('a tenant writes 20 messages in 10 minutes and 100 a day, the owner 60, and the same again is not counted [MSG-13]', async () => {
  const { answer, app, id, owner, write } = await site()
  const { limits } = app.deps
  const refused = { cause: { retryAfterSeconds: expect.any(Number) } }
  const requestId = randomUUID()
  await write('1', { requestId })
  for (let i = 2; i <= 20; i++) await write(`${i}`)
  await expect(write('21')).rejects.toMatchObject(refused)
  expect((await write('1', { requestId })).message.number).toBe(1)
  for (let sent = 20; sent < 99; sent++) await limits.consume('messageByThreadAndDay', id)
  await limits.reset('messageByThread', id)
  await write('100')
  await expect(write('101')).rejects.toMatchObject(refused)
  for (let sent = 0; sent < 59; sent++) await limits.consume('messageByAdmin', owner.userId)
  await answer('60')
  await expect(answer('61')).rejects.toMatchObject(refused)
})

test('search finds words, names and numbers, with % and _ as they are, in threads that are there [MSG-16]', async () => {
  const { app, owner, write } = await site()
  await write('Is 100% cotton on the bed?')
  await write('And a_towel')
  const found = async (q: string) =>
    (await app.as(owner).conversations.adminThreads({ q })).threads.map(
      thread => thread.found?.text ?? thread.tenantName,
    )
  expect(await found('100% COT')).toEqual(['Is 100% cotton on the bed?'])
  expect(await found('a_t')).toEqual(['And a_towel'])
  expect(await found('maya riv')).toEqual(['Maya Rivers'])
  expect(await found('2026-0001')).toEqual(['Maya Rivers'])
  expect(await found('%%')).toEqual([])
})

test('writing ends 14 days after a decline and 90 days after the last day; reading stays [MSG-17]', async () => {
  const { answer, app, id, owner, read, tenant, write } = await site()
  await write('Hello')
  app.setNow('2026-09-29T17:00:00.000Z')
  await write('On the 90th day')
  app.advance(day)
  await expect(answer('Late')).rejects.toThrow(/^This conversation is closed\. Please write to .+@.+\.$/)
  expect(await read(tenant)).toMatchObject({
    canWrite: false,
    closed: expect.any(String),
    messages: { length: 2 },
  })
  await app.as(owner).applications.adminSetStatus({ id, status: 'rejected' })
  await write('Why?')
  app.advance(15 * day)
  await expect(write('Still?')).rejects.toThrow('closed')
})

test('writing ends 14 days after a withdrawal or a cancellation, whatever the owner changes since [MSG-17]', async () => {
  const { app, id: booked, owner, tenant } = await site()
  const { id: pending } = await makePending(app, tenant, dates('2027-01-01', '2027-02-01'))
  await app.as(tenant).applications.withdraw({ id: pending })
  await app.as(owner).cancellations.cancel({ applicationId: booked, side: 'owner', reason: 'A pipe burst.' })
  app.advance(13 * day)
  await app.as(owner).applications.adminEdit({ id: pending, notes: 'Changed her mind' })
  for (const applicationId of [pending, booked]) {
    const write = () =>
      app.as(tenant).conversations.send({ applicationId, body: 'Hello', requestId: randomUUID() })
    await write()
    app.advance(2 * day)
    await expect(write()).rejects.toThrow('This conversation is closed.')
    app.advance(-2 * day)
  }
})

const storedFiles = ({ deps }: TestApp) =>
  deps.db
    .select({ id: files.id })
    .from(files)
    .all()
    .map(({ id }) => id)

test('of files in no message a person has ten, whose bytes alone are on the disk [MSG-04]', async () => {
  const { app, id, owner, tenant } = await site()
  const store = (actor: SignedIn) =>
    storeMessageFile(app.deps, { actor, applicationId: id }, { content: scanPdf(), name: 'a.pdf' })
  const kept = await store(owner)
  const stored = []
  for (let i = 0; i < 12; i++) {
    app.advance(1000)
    stored.push((await store(tenant)).id)
  }
  expect(storedFiles(app).toSorted()).toEqual([kept.id, ...stored.slice(2)].toSorted())
  expect(readdirSync(app.deps.config.uploadsDir).filter(name => /^[0-9a-f]{48}$/.test(name))).toHaveLength(11)
})

test('a person uploads 30 files an hour, a network address 100 a day, and a stay that is not booked has 100 MB [MSG-04]', async () => {
  const { app, id, owner, tenant } = await site()
  const pending = await makePending(app, tenant, dates('2027-01-01', '2027-02-01'))
  const sender = (applicationId: string, actor: SignedIn = tenant) => ({ actor, applicationId })
  const file = { content: scanPdf(2000), name: 'a.pdf' }
  for (const of of [sender(pending.id), sender(id)]) await storeMessageFile(app.deps, of, file)
  const full = 100 * 1024 * 1024
  await app.deps.write(tx =>
    tx
      .update(files)
      .set({ sizeBytes: full - 1999 })
      .run(),
  )
  const noRoom = 'This conversation has no room for more files until the stay is booked.'
  await expect(storeMessageFile(app.deps, sender(pending.id), file)).rejects.toThrow(noRoom)
  await app.deps.write(tx =>
    tx
      .update(files)
      .set({ sizeBytes: full + 1 })
      .run(),
  )
  await expect(requireReceivable(app.deps, sender(pending.id))).rejects.toThrow(noRoom)
  for (const of of [sender(id), sender(pending.id, owner)]) await storeMessageFile(app.deps, of, file)
  const upload = async (who: SignedIn) => {
    await app.deps.limits.reset('uploadByUser', who.userId)
    await requireReceivable(app.deps, sender(id, who))
  }
  for (let i = 0; i < 100; i++) await upload(tenant)
  await expect(upload(tenant)).rejects.toMatchObject({ code: 'too_many' })
  await upload(owner)
  for (let i = 1; i < 30; i++) await requireReceivable(app.deps, sender(id, owner))
  await expect(requireReceivable(app.deps, sender(id, owner))).rejects.toMatchObject({ code: 'too_many' })
})

test.each([
  ['bytes', maxOfAllUnbooked.bytes - 3000, 1],
  ['number', 10, maxOfAllUnbooked.files - 1],
])(
  'files of all stays that are not booked are limited together over seven days, by %s [MSG-04]',
  async (_, sizeBytes, more) => {
    const { app, id, tenant } = await site()
    const other = await app.makeTenant()
    const theirs = await makePending(app, other, dates('2027-01-01', '2027-02-01'))
    const own = await makePending(app, tenant, dates('2027-03-01', '2027-04-01'))
    const file = { content: scanPdf(2000), name: 'a.pdf' }
    const store = (actor: SignedIn, applicationId: string) =>
      storeMessageFile(app.deps, { actor, applicationId }, file)
    await store(other, theirs.id)
    await app.deps.write(tx => {
      const { fileId, ...row } = tx.select().from(messageFiles).get() as typeof messageFiles.$inferSelect
      const stored = tx.update(files).set({ sizeBytes }).returning().get()
      for (let n = 1; n < more; n++) {
        tx.insert(files)
          .values({ ...stored, id: `file ${n}` })
          .run()
        tx.insert(messageFiles)
          .values({ ...row, fileId: `file ${n}` })
          .run()
      }
    })
    await store(tenant, own.id)
    const refused = {
      code: 'unavailable',
      message: expect.stringContaining('Too many files have come this week.'),
    }
    await expect(store(tenant, own.id)).rejects.toMatchObject(refused)
    await store(tenant, id)
    app.advance(7 * day)
    await store(tenant, own.id)
  },
)

test('a network address writes 100 messages a day for stays that are not booked, and its larger network 300 [MSG-13]', async () => {
  const { app, id, tenant } = await site()
  const own = await makePending(app, tenant, dates('2027-01-01', '2027-02-01'))
  const write = async (n: number, applicationId = own.id) => {
    for (const name of ['messageByThread', 'messageByThreadAndDay'] as const)
      await app.deps.limits.reset(name, applicationId)
    const requestOrigin = { address: `2001:db8:1:${n}::1`, userAgent: '' }
    const sender = { actor: { ...tenant, requestOrigin }, applicationId }
    return sendMessage(app.deps, sender, { body: 'Hello', fileIds: [], requestId: randomUUID() })
  }
  for (let n = 0; n < 300; n++) await write(Math.floor(n / 100))
  for (const n of [0, 3]) await expect(write(n)).rejects.toMatchObject({ code: 'too_many' })
  await write(0, id)
})

test('a file goes into one message of its uploader in this thread, and both sides alone can read it [MSG-04]', async () => {
  const { answer, app, id, owner, read, tenant, write } = await site()
  const url = await app.listen()
  const stranger = await app.makeTenant()
  const upload = async (
    who: SignedIn,
    content: Uint8Array,
    path = `/api/message/${who.role === 'admin' ? 'admin/' : ''}${id}/file`,
  ) => {
    const body = new FormData()
    body.set('file', new File([new Uint8Array(content)], '../plan.exe'))
    const response = await fetch(url + path, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${await tokenOf(app, who)}` },
    })
    return {
      status: response.status,
      file: ((await response.json()) as { file?: { id: string; name: string } }).file,
    }
  }
  const get = async (who: SignedIn, fileId: string) => {
    const response = await fetch(`${url}/api/message/file/${fileId}`, {
      headers: { authorization: `Bearer ${await tokenOf(app, who)}` },
    })
    await response.arrayBuffer()
    return response.status
  }
  expect((await upload(tenant, Buffer.from('<html>'))).status).toBe(415)
  expect((await upload(tenant, Buffer.alloc(10_485_761))).status).toBe(413)
  expect((await upload(stranger, scanPdf())).status).toBe(404)
  expect((await upload(owner, scanPdf(), `/api/message/${id}/file`)).status).toBe(403)
  const { file, status } = await upload(tenant, scanPdf())
  expect([status, file?.name]).toEqual([201, 'plan.pdf'])
  const fileId = file?.id ?? ''
  expect(await get(owner, fileId)).toBe(404)
  for (const wrong of [[fileId, fileId], ['unknown']])
    await expect(write('See', { fileIds: wrong })).rejects.toMatchObject({
      cause: { fields: { fileIds: expect.any(String) } },
    })
  await expect(answer('See', { fileIds: [fileId] })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  await write('', { fileIds: [fileId] })
  await expect(write('Again', { fileIds: [fileId] })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  expect((await read()).messages).toMatchObject([
    { body: '', files: [{ id: fileId, contentType: 'application/pdf' }] },
  ])
  expect(await Promise.all([owner, tenant, stranger].map(who => get(who, fileId)))).toEqual([200, 200, 404])
  const { file: unsent } = await upload(tenant, scanPdf())
  app.advance(25 * 60 * minute)
  await expect(write('Late', { fileIds: [unsent?.id ?? ''] })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  await upload(tenant, scanPdf())
  expect(storedFiles(app)).not.toContain(unsent?.id)
  expect(readdirSync(app.deps.config.uploadsDir).filter(name => /^[0-9a-f]{48}$/.test(name))).toHaveLength(2)
})

test('a file for a stay that is not booked gets a part of the memory of large bodies [MSG-04]', async () => {
  const { app, id, tenant } = await site()
  const url = await app.listen()
  const pending = await makePending(app, tenant, dates('2027-01-01', '2027-02-01'))
  afterThisTest(holdBytes(Buffer.alloc(20 * 1024 * 1024)))
  const headers = { authorization: `Bearer ${await tokenOf(app, tenant)}` }
  const upload = async (applicationId: string) => {
    const body = new FormData()
    body.set('file', new File([new Uint8Array(scanPdf(200_000))], 'a.pdf'))
    return (await fetch(`${url}/api/message/${applicationId}/file`, { method: 'POST', body, headers })).status
  }
  expect([await upload(pending.id), await upload(id)]).toEqual([503, 201])
})

test('a person reads at most 300 files in ten minutes, each of which is hashed [MSG-04]', async () => {
  const { app, tenant } = await site()
  const read = () => readMessageFile(app.deps, tenant, 'unknown')
  for (let time = 0; time < 300; time++) await expect(read()).rejects.toMatchObject({ code: 'not_found' })
  await expect(read()).rejects.toMatchObject({ code: 'too_many' })
})

test('a link’s file comes after its token, and a dead one receives nothing [MSG-04, MSG-12]', async () => {
  const { answer, app, read } = await site()
  await answer('Send me a picture')
  app.advance(minute)
  await sendMails(app)
  const [mail] = await deliver(app)
  const url = await app.listen()
  const upload = async (...parts: [string, string | File][]) => {
    const body = new FormData()
    for (const [name, value] of parts) body.append(name, value)
    const response = await fetch(`${url}/api/message/reply/file`, { method: 'POST', body })
    return { status: response.status, body: (await response.json()) as { file?: { id: string } } }
  }
  const token = tokenIn(mail ?? { text: '' })
  const file: [string, File] = ['file', new File([new Uint8Array(scanPdf())], 'a.pdf')]
  expect((await upload(file, ['token', token])).status).toBe(404)
  expect((await upload(['token', 'unknown'], file)).status).toBe(404)
  const { body, status } = await upload(['token', token], file)
  expect(status).toBe(201)
  await app
    .as(visitor)
    .conversations.reply({ token, body: 'Here', fileIds: [body.file?.id ?? ''], requestId: randomUUID() })
  expect((await read()).messages.at(-1)).toMatchObject({ via: 'link', files: [{ name: 'a.pdf' }] })
})
