import { desc, like } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { events, outbox } from '../../../db/schema.ts'
import { staySection } from '../../domain/arrival/stay-settings.ts'
import { buildEntry } from '../../testing/build-entry.ts'
import { opening, refusal, stayApp } from '../../testing/build-stay.ts'
import { seed } from '../../testing/random.ts'
import { type TestApp, testApp, testNow, visitor } from '../../testing/test-app.ts'
import { findUser } from '../auth/sessions/users.ts'
import { startMailScheduler } from '../mail/scheduled-mails.ts'
import { startMailWorker } from '../mail/worker.ts'
import { mailSources } from '../mail-sources.ts'
import { tickStays } from './gate.ts'
import { stayMailFacts, stayMails } from './mails.ts'

/** Runs the clock's work, as after a restart. */
async function tick(app: TestApp) {
  await tickStays(app.deps)
  const scheduler = startMailScheduler(app.deps, [stayMails])
  await scheduler.tick()
  await scheduler.stop()
}
async function deliver(app: TestApp) {
  const worker = startMailWorker(app.deps, mailSources)
  await worker.deliverDue()
  await worker.stop()
}
const stored = ({ deps: { db } }: TestApp) =>
  db.select().from(outbox).where(like(outbox.kind, 'stay-%')).all()
const keys = (app: TestApp) => stored(app).map(({ dedupeKey }) => dedupeKey)
const setNow = async (app: TestApp, iso: string) => {
  app.setNow(iso)
  await tick(app)
}
/** The stay mails that become due at a moment, sent. */
async function mailsAt(app: TestApp, iso: string) {
  await deliver(app)
  app.sentMails.splice(0)
  await setNow(app, iso)
  await deliver(app)
  return app.sentMails.splice(0)
}

/** A site where arrival is on, with a booking that the owner entered without a lease, so that its dates can move. */
async function enteredStay(dates: { startDate: string; endDate: string }, switchedOn = testNow) {
  const app = await testApp()
  const owner = app.as(await app.makeAdmin())
  const { application } = await owner.manualBookings.create(buildEntry({ ...dates, generateLease: false }))
  app.setNow(switchedOn)
  await owner.settings.stay.save({ version: 0, body: { ...staySection.body.parse({}), enabled: true } })
  return { app, owner, id: application.id }
}
const jumpCount = process.env.LONG === undefined ? 300 : 1000
const june = { startDate: '2026-06-01', endDate: '2026-07-01' }

test('each mail goes once to the tenant of a booked stay, at its moment, with what is missing or to do and no code [STAY-18, STAY-34]', async () => {
  const { app, id, owner, save, tenant } = await stayApp({ isPaid: false })
  await save('checkout', { items: ['Close the windows', 'Garage shut'] })
  expect(await mailsAt(app, '2026-05-18T12:59:00.000Z')).toEqual([])
  const [missing] = await mailsAt(app, '2026-05-18T13:00:00.000Z')
  expect(missing).toMatchObject({ subject: expect.stringMatching(/^Still missing before you arrive/) })
  expect(missing?.text).toMatch(/• Pay the deposit of \$500\.00\n\n• Pay \$2,500\.00/)
  await setNow(app, opening)
  expect(keys(app)).toEqual([`stay-missing:${id}:2026-06-01`])
  await owner().stays.hold({ applicationId: id, hold: 'open', reason: 'Paid in cash' })
  const [open] = await mailsAt(app, '2026-05-30T20:01:00.000Z')
  expect(open?.subject).toMatch(/^Your arrival information is open/)
  await owner().stays.hold({ applicationId: id, hold: null })
  const [tomorrow] = await mailsAt(app, '2026-05-31T13:00:00.000Z')
  expect(tomorrow?.text).toMatch(
    /You arrive tomorrow, Jun 1, 2026\. You can come in from 4:00 PM\.\n\n• Pay the deposit/,
  )
  await owner().stays.hold({ applicationId: id, hold: 'open', reason: 'Paid in cash' })
  const [checkout] = await mailsAt(app, '2026-07-01T13:00:00.000Z')
  expect(checkout?.text).toMatch(/Please leave by 10:00 AM\.\n\n• Close the windows\n\n• Garage shut/)
  const [thanks] = await mailsAt(app, '2026-07-03T13:00:00.000Z')
  expect(thanks?.text).not.toContain('/review')
  const write = vi.spyOn(app.deps, 'write')
  await tick(app)
  expect(write).not.toHaveBeenCalled()
  const all = [missing, open, tomorrow, checkout, thanks]
  const address = findUser(app.deps.db, tenant.userId)?.email
  expect(all.map(mail => mail?.to)).toEqual(new Array(5).fill(address))
  for (const mail of all) expect(`${mail?.html} ${mail?.text}`).not.toMatch(/73A9|sea-and-sand|\/stay#/)
  for (const mail of all.slice(0, 4)) expect(mail?.text).toContain(`/stay/${id}`)
  expect(keys(app)).toHaveLength(5)
})

test('no mail for a moment before the first switching on, or the booking; only for a booked stay with an address [STAY-02, STAY-34]', async () => {
  const { app, id, owner } = await stayApp()
  const save = async (enabled: boolean, since: string | null = null) => {
    const { body, version } = await owner().settings.stay.get()
    return (await owner().settings.stay.save({ version, body: { ...body, since, enabled } })).body.since
  }
  // The moment is the server's, whatever is sent, and stays.
  expect(await save(false)).toBe(testNow)
  app.setNow('2026-05-18T13:30:00.000Z')
  expect(await save(true, '2020-01-01T00:00:00.000Z')).toBe(testNow)
  await owner().charges.add({ applicationId: id, kind: 'fee', label: 'Parking', amountCents: 40_00 })
  await tick(app)
  expect(keys(app)).toEqual([`stay-missing:${id}:2026-06-01`])

  // Arrival was tomorrow when it was switched on, and when it was booked.
  const early = await enteredStay(june, '2026-05-31T13:30:00.000Z')
  await tick(early.app)
  expect(keys(early.app)).toEqual([`stay-open:${early.id}:2026-06-01`])
  const { app: late, owner: admin } = await enteredStay({ startDate: '2026-08-01', endDate: '2026-08-09' })
  late.setNow('2026-05-31T13:30:00.000Z')
  const book = async (entry: object) =>
    (await admin.manualBookings.create(buildEntry({ ...june, generateLease: false, ...entry }))).application
      .id
  const booked = await book({})
  await tick(late)
  expect(keys(late)).toEqual([`stay-open:${booked}:2026-06-01`])
  await admin.applications.adminDelete({ id: booked })
  await book({ email: '', invite: false })
  await setNow(late, '2026-07-01T13:00:00.000Z')
  expect(keys(late)).toHaveLength(1)
  expect(stayMails.due(late.deps)).toBeUndefined()
})

test('the mail about the opening goes when the owner opens a stay months ahead, and once [STAY-34]', async () => {
  const { app, id, owner } = await enteredStay(june)
  await owner.stays.hold({ applicationId: id, hold: 'open', reason: 'Early guest' })
  await tick(app)
  await owner.stays.hold({ applicationId: id, hold: null })
  await setNow(app, opening)
  expect(keys(app)).toEqual([`stay-open:${id}:2026-06-01`])
})

test('moved dates have mails of their own, whose moments are after the move; the former ones are withdrawn [STAY-34, STAY-35]', async () => {
  const { app, id, owner } = await enteredStay(june)
  await setNow(app, '2026-05-31T14:00:00.000Z')
  const of = (kind: string, day: string) => `${kind}:${id}:${day}`
  expect(keys(app)).toEqual([of('stay-open', '2026-06-01'), of('stay-tomorrow', '2026-06-01')])
  await owner.applications.adminEdit({ id, requestedStartDate: '2026-06-06', requestedEndDate: '2026-07-05' })
  await deliver(app)
  expect(stored(app).map(({ status }) => status)).toEqual(['withdrawn', 'withdrawn'])
  // Tomorrow's moment for June 5 is over.
  await setNow(app, '2026-06-04T14:00:00.000Z')
  await owner.applications.adminEdit({ id, requestedStartDate: '2026-06-05' })
  for (const at of ['2026-06-04T14:01:00.000Z', '2026-07-05T13:00:00.000Z']) await setNow(app, at)
  expect(keys(app).slice(2)).toEqual([of('stay-open', '2026-06-05'), of('stay-checkout', '2026-07-05')])
})

test('after an addendum changes the dates, mails whose time was before it are not sent [STAY-34]', async () => {
  const { app, change } = await stayApp({ isPaid: false })
  await setNow(app, '2026-05-10T17:00:00.000Z')
  await change({ leaseStartDate: '2026-05-20' })
  await setNow(app, '2026-05-10T17:05:00.000Z')
  expect(keys(app)).toEqual([])
})

test('a mail that is not true any more at its delivery is withdrawn [STAY-35]', async () => {
  const statusAfter = async (at: string, kind: string, change: (site: Site) => Promise<unknown>) => {
    const site = await stayApp({ isPaid: kind !== 'stay-missing' })
    await setNow(site.app, at)
    await change(site)
    await deliver(site.app)
    return stored(site.app).find(mail => mail.kind === kind)?.status
  }
  type Site = Awaited<ReturnType<typeof stayApp>>
  const hold = (hold: 'open' | 'closed') => (site: Site) =>
    site.owner().stays.hold({ applicationId: site.id, hold, reason: 'Test' })
  const decline = ({ id, owner }: Site) => owner().applications.adminSetStatus({ id, status: 'rejected' })
  const switchOff = async ({ owner }: Site) => {
    const { body, version } = await owner().settings.stay.get()
    await owner().settings.stay.save({ version, body: { ...body, enabled: false } })
  }
  const nothing = async () => {}
  const missing = ['2026-05-18T13:00:00.000Z', 'stay-missing'] as const
  expect(await statusAfter(...missing, nothing)).toBe('sent')
  expect(await statusAfter(...missing, hold('open'))).toBe('withdrawn')
  expect(await statusAfter(opening, 'stay-open', nothing)).toBe('sent')
  const closeInside = (site: Site) => {
    site.app.setNow('2026-06-02T00:00:00.000Z')
    return hold('closed')(site)
  }
  expect(await statusAfter(opening, 'stay-open', closeInside)).toBe('withdrawn')
  expect(await statusAfter('2026-07-03T13:00:00.000Z', 'stay-thanks', decline)).toBe('withdrawn')
  expect(await statusAfter('2026-07-01T13:00:00.000Z', 'stay-checkout', switchOff)).toBe('withdrawn')
})

test('a guest whose stay is extended gets the departure mail on the new day and the thank-you mail two days later [STAY-34, STAY-35]', async () => {
  const { app, id, owner } = await stayApp()
  await setNow(app, '2026-06-30T15:00:00.000Z')
  const longer = { hold: 'open', reason: 'Storm', until: '2026-07-05T19:00:00.000Z' } as const
  await owner().stays.hold({ applicationId: id, ...longer })
  const sentAt = async (at: string) =>
    (await mailsAt(app, at)).map(({ text = '' }) => /leave by .*?[AP]M|We hope/.exec(text)?.[0])
  expect(await sentAt('2026-07-01T13:00:00.000Z')).toEqual([])
  // A moment in the past is refused instead of closing the stay.
  await setNow(app, '2026-07-04T13:00:00.000Z')
  const past = { ...longer, until: '2026-07-01T18:00:00.000Z' }
  expect(await refusal(owner().stays.hold({ applicationId: id, ...past }))).toMatchObject({
    fields: { until: expect.stringContaining('The stay is over') },
  })
  expect(await sentAt('2026-07-05T13:00:00.000Z')).toEqual(['leave by 3:00 PM'])
  expect(await sentAt('2026-07-06T13:00:00.000Z')).toEqual([])
  expect(await sentAt('2026-07-07T13:00:00.000Z')).toEqual(['We hope'])
})

test('the thank-you mail of a stay extended by a week is still sent when the site was down for days [STAY-34]', async () => {
  const { app, id, owner } = await stayApp()
  await setNow(app, '2026-06-30T15:00:00.000Z')
  const week = { hold: 'open', reason: 'Storm', until: '2026-07-08' } as const
  await owner().stays.hold({ applicationId: id, ...week })
  const sent = (await mailsAt(app, '2026-07-13T13:00:00.000Z')).map(({ text = '' }) => text)
  expect(sent).toEqual([expect.stringContaining('We hope')])
})

test('the thanks lead to the form of a review without a login while reviews are on [REVIEW-05]', async () => {
  const { app, id, owner, tenant } = await stayApp()
  await owner().settings.reviews.save({ version: 0, body: { enabled: true } })
  const [checkout] = await mailsAt(app, '2026-07-01T13:00:00.000Z')
  expect(checkout?.text).not.toContain('/review')
  const [mail] = await mailsAt(app, '2026-07-03T13:00:00.000Z')
  const token = /\/review#([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? ''
  const guest = app.as(visitor).reviews
  expect(await guest.open({ token })).toMatchObject({ canWrite: true, stay: { firstName: 'Maya' } })
  const key = `stay-thanks:${id}:2026-07-01`
  const tokenFor = async (to: string) =>
    (await stayMailFacts(app.deps, { applicationId: id, key, to }))?.reviewToken
  const { email = '' } = findUser(app.deps.db, tenant.userId) ?? {}
  // A mail that waits may go to a former address.
  expect([await tokenFor(email), await tokenFor('former@guest.example')]).toEqual([
    expect.any(String),
    undefined,
  ])
  app.advance(30 * 24 * 3_600_000)
  await expect(guest.open({ token })).rejects.toThrow('This link is no longer valid.')
})

test('the owner words them with the times of the stay; lists and buttons stay the program’s [STAY-36]', async () => {
  const { app, id, owner, save } = await stayApp()
  const kind = 'stay-checkout'
  const { wording } = await owner().wordings.get({ kind })
  const body = {
    ...(wording.body as object),
    text: 'Leave by {{checkOut}} on {{departure}}; in from {{checkIn}}, {{arrival}}.',
  }
  await owner().wordings.save({ kind, version: wording.version, body, note: '' })
  await save('checkout', { items: ['Close the windows'] })
  await mailsAt(app, opening)
  const [mail] = await mailsAt(app, '2026-07-01T13:00:00.000Z')
  expect(mail?.text).toContain('Leave by 10:00 AM on Jul 1, 2026; in from 4:00 PM, Jun 1, 2026.')
  expect(mail?.text).toMatch(/• Close the windows/)
  expect(mail?.text).toContain(`Open your stay ${app.deps.config.origin}/stay/${id}`)
  expect((await owner().wordings.preview({ kind, body })).text).toContain('Leave by 10:00 AM on Sep 13, 2026')
  const receipt = await owner().wordings.get({ kind: 'payment-receipt' })
  const wrong = { ...(receipt.wording.body as object), text: 'In from {{checkIn}}' }
  await expect(
    owner().wordings.save({ kind: 'payment-receipt', version: 0, body: wrong, note: '' }),
  ).rejects.toThrow('Unknown placeholder {{checkIn}}')
})

test('over hundreds of clock jumps with restarts, moves and holds, no key is mailed twice, and none while the clock is wrong [STAY-34]', async () => {
  const { app, id, owner } = await enteredStay(june)
  const minutes = fc.constantFrom(60, 600, 1440, 1440, 1440, 1440, 3000, -60, -1440)
  const jump = fc.record({
    minutes,
    share: fc.integer({ min: 1, max: 100 }),
    act: fc.integer({ min: 0, max: 59 }),
  })
  let now = Date.parse('2026-05-10T12:00:00.000Z')
  const seen = new Set<string>()
  const sent = () => stored(app).filter(({ status }) => status === 'sent')
  const run = async ({ act, minutes, share }: { act: number; minutes: number; share: number }) => {
    now = Math.max(Date.parse('2026-05-01T00:00:00.000Z'), now + Math.ceil((minutes * share) / 100) * 60_000)
    app.setNow(new Date(now).toISOString())
    const { db } = app.deps
    // The newest event shows whether the clock has been set right since.
    const latest = db.select({ at: events.at }).from(events).orderBy(desc(events.id)).get()?.at
    const isWrong = Date.parse(latest ?? '') - now >= 60_000
    const sentBefore = sent().length
    await Promise.all([tick(app), tick(app)])
    await deliver(app)
    if (isWrong) expect(sent()).toHaveLength(sentBefore)
    if (act === 0) await owner.stays.hold({ applicationId: id, hold: 'closed', reason: 'Test' })
    if (act === 1) await owner.stays.hold({ applicationId: id, hold: null })
    if (act === 2) {
      const days = (share % 20) + 1
      const day = (month: string) => `2026-${month}-${String(days).padStart(2, '0')}`
      await owner.applications.adminEdit({ id, requestedStartDate: day('06'), requestedEndDate: day('07') })
    }
    for (const key of keys(app)) seen.add(key)
  }
  const jumps = fc.array(jump, { minLength: jumpCount, maxLength: jumpCount, size: 'max' })
  await fc.assert(
    fc.asyncProperty(jumps, async all => {
      for (const each of all) await run(each)
    }),
    { seed, numRuns: 1, endOnFailure: true },
  )
  const ids = app.sentMails.map(({ messageId }) => messageId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(sent().map(({ attempts }) => attempts))).toEqual(new Set([1]))
  expect(keys(app).toSorted()).toEqual([...seen].toSorted())
  expect(seen.size).toBeGreaterThan(0)
}, 600_000)
