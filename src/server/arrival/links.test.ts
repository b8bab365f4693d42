import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { accessLinks, events } from '../../../db/schema.ts'
import { tokenOf } from '../../testing/build-lease.ts'
import { buildOffer, offerPerson, offerToken } from '../../testing/build-offer.ts'
import { opening, password, perStay, refusal, standing, stayApp } from '../../testing/build-stay.ts'
import { everyRow } from '../../testing/every-row.ts'
import { loadWebApp, template } from '../../testing/site-pages.ts'
import { readStrictly } from '../../testing/strict-calendar.ts'
import { type TestApp, visitor } from '../../testing/test-app.ts'
import { resetPassword } from '../auth/accounts/password-service.ts'
import { createLink, issueToken } from '../auth/sessions/access-links.ts'
import { mountPages } from '../http/pages.ts'
import { nowIso } from '../kernel/deps.ts'

/** An open stay whose tenant may give codes, and short ways to share it. */
async function sharedStay({ at = opening, isPaid = true } = {}) {
  const site = await stayApp({ isPaid })
  const { app, id, owner, tenant } = site
  await site.at(at)
  const set = async (change: object) => {
    const { body, version } = await owner().settings.stay.get()
    await owner().settings.stay.save({ version, body: { ...body, ...change } })
  }
  await set({ guestCodes: true })
  const share = async (name: string, withCode = false) => {
    const { guest, url } = await app.as(tenant).stays.addLink({ applicationId: id, name, withCode })
    return { ...guest, url, token: url.split('#')[1] ?? '' }
  }
  const guest = app.as(visitor).stays
  return { ...site, set, share, guest }
}

test('a tenant makes up to eight links, whose address is answered once, and ends one at once [STAY-26]', async () => {
  const { app, guest, id, owner, set, share, tenant } = await sharedStay()
  const ben = await share(' Ben ')
  expect(ben).toMatchObject({ name: 'Ben', withCode: false, lastUsedAt: null })
  expect(ben.url).toMatch(new RegExp(`^${app.deps.config.origin}/stay#[\\w-]{43}$`))
  const add = (form: object, who = tenant) =>
    refusal(app.as(who).stays.addLink({ applicationId: id, name: 'Cara', ...form }))
  expect((await add({ name: ' ' })).code).toBe('BAD_REQUEST')
  expect((await add({ name: 'x'.repeat(61) })).code).toBe('BAD_REQUEST')
  expect((await add({}, await app.makeTenant({ email: 'other@guest.example' }))).code).toBe('NOT_FOUND')
  expect((await refusal(owner().stays.addLink({ applicationId: id, name: 'Cara' }))).code).toBe('FORBIDDEN')
  await set({ guestCodes: false })
  expect((await add({ withCode: true })).message).toBe('Codes are not given to guests here.')
  await set({ guestLinks: false })
  expect((await add({})).message).toBe('Links for guests are switched off here.')
  await set({ guestLinks: true })
  const made = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7, 8].map(at => share(`Guest ${at}`)))
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(7)
  expect((await add({})).message).toBe('Eight links are out already.')

  await guest.open({ token: ben.token })
  const { stay } = await app.as(tenant).stays.get({ applicationId: id })
  expect(stay?.guests).toHaveLength(8)
  const { token, url, ...listed } = ben
  expect(stay?.guests).toContainEqual({ ...listed, lastUsedAt: opening })
  expect(JSON.stringify([stay, everyRow(app)])).not.toContain(token)
  const remove = () => app.as(tenant).stays.removeLink({ applicationId: id, linkId: ben.linkId })
  expect(await remove()).toEqual({ message: 'Link removed' })
  expect((await refusal(remove())).code).toBe('NOT_FOUND')
  expect((await refusal(guest.open({ token }))).code).toBe('NOT_FOUND')
  await share('Cara')
  const kinds = app.deps.db.select().from(events).where(eq(events.subjectId, id)).all()
  expect(kinds.filter(({ kind }) => kind === 'stay.link_removed')).toMatchObject([
    { detail: { name: 'Ben' } },
  ])
})

test('unknown, removed, expired and ended links, and those of a setting that is off, answer the same 404; none is made after the stay [STAY-12, STAY-26, STAY-27]', async () => {
  const { app, id, owner, set, share } = await sharedStay()
  const [kept, removed] = [await share('Ben', true), await share('Cara', true)]
  await owner().stays.removeLink({ applicationId: id, linkId: removed.linkId })
  const answers = (token: string) =>
    Promise.all(
      ['', '/code', '/wifi', '/ics'].map(async path => {
        const payload = { token, lockId: standing }
        const { body, statusCode } = await app.http.inject({
          method: 'POST',
          url: `/api/stay/open${path}`,
          payload,
        })
        return statusCode === 200 ? 200 : { statusCode, error: JSON.parse(body).error }
      }),
    )
  const dead = new Array(4).fill({ statusCode: 404, error: 'This link is no longer valid.' })
  const alive = [200, 200, 200, 200]
  for (const token of ['', 'unknown', removed.token]) expect(await answers(token)).toEqual(dead)
  expect(await answers(kept.token)).toEqual(alive)
  for (const off of ['guestLinks', 'enabled']) {
    await set({ [off]: false })
    expect(await answers(kept.token)).toEqual(dead)
    await set({ [off]: true })
  }
  await owner().stays.hold({ applicationId: id, hold: 'closed', reason: 'Wrong guest' })
  expect(await answers(kept.token)).toEqual(dead)
  await owner().stays.hold({ applicationId: id, hold: null })
  expect(await answers(kept.token)).toEqual(alive)
  const isKept = eq(accessLinks.subjectId, kept.linkId)
  const { expiresAt } = app.deps.db.select().from(accessLinks).where(isKept).get() ?? {}
  const expire = (at = '') =>
    app.deps.write(tx => tx.update(accessLinks).set({ expiresAt: at }).where(isKept).run())
  await expire(opening)
  expect(await answers(kept.token)).toEqual(dead)
  await expire(expiresAt)
  expect(await answers(kept.token)).toEqual(alive)
  app.setNow('2026-07-01T14:00:00.000Z')
  expect(await answers(kept.token)).toEqual(dead)
  expect((await refusal(share('Dan'))).message).toBe('This stay is over.')
  app.setNow(opening)
  await owner().applications.adminSetStatus({ id, status: 'rejected' })
  expect(await answers(kept.token)).toEqual(dead)
})

test('a password that is set by a mailed link ends the links of the account, which a thief may have made [STAY-26, STAY-27]', async () => {
  const { app, guest, share, tenant } = await sharedStay()
  const { token } = await share('Ben', true)
  await guest.open({ token })
  const of = { kind: 'password_reset', subjectId: tenant.userId, personId: tenant.userId } as const
  const reset = await app.deps.write(tx => {
    const at = nowIso(app.deps)
    return issueToken(tx, at, createLink(tx, at, of).id)?.token ?? ''
  })
  await resetPassword(app.deps, visitor, { token: reset, newPassword: 'Brand.new.tides.7' })
  expect(await refusal(guest.open({ token }))).toMatchObject({ code: 'NOT_FOUND' })
})

test('a guest sees the stay without money, surname, number, other links or what is missing [STAY-26, STAY-30]', async () => {
  const { guest, id, save, share } = await sharedStay({ isPaid: false })
  await save('contacts', { people: [{ name: 'Ben', role: 'Host', phone: '850-555-0100' }] })
  const [ben, cara] = [await share('Bob'), await share('Cara')]
  const opened = await guest.open({ token: ben.token })
  expect(opened.viewer).toEqual({ kind: 'guest', name: 'Bob', mayShow: false })
  expect(opened.stay).toMatchObject({ firstName: 'Maya', nights: 30, locks: [], gate: { missing: [] } })
  expect(Object.keys(opened.stay.sections)).toEqual(['contacts'])
  const text = JSON.stringify(opened)
  for (const hidden of [id, 'Rivers', 'APP-', '500', 'lease', 'guests', ben.linkId, cara.linkId, 'Cara'])
    expect(text).not.toContain(hidden)
})

test('only a link that was given with codes shows them, in the open stay, with an event and a limit of its own [STAY-19, STAY-26]', async () => {
  const { app, guest, id, owner, set, share } = await sharedStay({ at: '2026-05-29T00:00:00.000Z' })
  const [ben, cara] = [await share('Ben'), await share('Cara', true)]
  const code = ({ token }: { token: string }) => guest.openCode({ token, lockId: standing })
  expect((await refusal(code(cara))).message).toBe('This stay is not open.')
  app.setNow(opening)
  const refused = { code: 'FORBIDDEN', message: 'Please ask the person who booked for the code.' }
  expect(await refusal(code(ben))).toMatchObject(refused)
  expect(await refusal(guest.openWifi({ token: ben.token }))).toMatchObject(refused)
  expect((await guest.open({ token: cara.token })).viewer.mayShow).toBe(true)
  expect((await code(cara)).code).toMatchObject({ name: 'Garage', code: '73A9' })
  expect((await guest.openWifi({ token: cara.token })).wifi.password).toBe(password)
  expect((await refusal(guest.openCode({ token: cara.token, lockId: perStay }))).code).toBe('CONFLICT')
  const shows = () => app.deps.db.select().from(events).where(eq(events.kind, 'stay.code_shown')).all()
  expect(shows()).toMatchObject([
    { subjectId: id, actorRole: 'guest', address: '203.0.113.7', detail: { lock: 'Garage', guest: 'Cara' } },
    { detail: { lock: 'Wi-Fi' } },
  ])
  await set({ guestCodes: false })
  expect(await refusal(code(cara))).toMatchObject(refused)
  await set({ guestCodes: true })
  for (let shown = 0; shown < 18; shown++) await code(cara).catch(() => {})
  expect((await refusal(code(cara))).code).toBe('TOO_MANY_REQUESTS')
  const { token } = await share('Dan', true)
  await owner().stays.openCode({ token, lockId: standing })
  // What a guest saw is told like what the tenant saw, also where the owner is logged in.
  expect(shows().at(-1)).toMatchObject({ actorRole: 'guest', actorId: null, detail: { guest: 'Dan' } })
  expect(await owner().applications.adminSetStatus({ id, status: 'rejected' })).toMatchObject({
    codeShown: true,
  })
})

test('a link shows codes at most 300 times a day, as each show stays in the audit log [STAY-19]', async () => {
  const { app, guest, share } = await sharedStay()
  const { token } = await share('Cara', true)
  let shows = 0
  const show = () => guest.openCode({ token, lockId: standing })
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  for (let window = 0; window < 20; window++) {
    for (let time = 0; time < 20; time++)
      await show().then(
        () => shows++,
        () => {},
      )
    vi.setSystemTime(Date.now() + 11 * 60_000)
  }
  expect(shows).toBe(300)
  expect(app.deps.db.select().from(events).where(eq(events.kind, 'stay.code_shown')).all()).toHaveLength(300)
})

test('the calendar file has one event that keeps its UID and counts changes; no secret and no name [STAY-31]', async () => {
  const { app, change, id, set, share, tenant } = await sharedStay()
  const { token } = await share('Ben', true)
  const authorization = `Bearer ${await tokenOf(app, tenant)}`
  const own = async () => {
    const answer = await app.http.inject({ url: `/api/stay/${id}/stay.ics`, headers: { authorization } })
    expect(answer.headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'no-store',
      'content-disposition': expect.stringContaining('stay.ics'),
    })
    const [event] = readStrictly(answer.rawPayload).events
    return { text: answer.body, event: event ?? {} }
  }
  const { event, text } = await own()
  const site = app.deps.config.site
  expect(event).toMatchObject({
    DTSTART: '20260601T200000Z',
    DTEND: '20260701T140000Z',
    SUMMARY: `Stay at ${site.propertyName}`,
    LOCATION: site.propertyAddress,
    URL: `${app.deps.config.origin}/stay/${id}`,
  })
  expect((await own()).text).toBe(text)
  await set({ checkIn: '15:00' })
  const { event: later } = await own()
  expect(later).toMatchObject({ UID: event.UID, DTSTART: '20260601T190000Z' })
  expect(Number(later.SEQUENCE)).toBeGreaterThan(Number(event.SEQUENCE))
  await change({ leaseEndDate: '2026-07-08' })
  expect(Number((await own()).event.SEQUENCE)).toBeGreaterThan(Number(later.SEQUENCE))
  const forGuest = await app.http.inject({ method: 'POST', url: '/api/stay/open/ics', payload: { token } })
  expect(readStrictly(forGuest.rawPayload).events).toMatchObject([
    { UID: event.UID, LOCATION: event.LOCATION },
  ])
  expect(forGuest.body).not.toContain(id)
  for (const file of [text, forGuest.body]) expect(file).not.toMatch(/Maya|Rivers|73A9|sea-and-sand/)
  const other = `Bearer ${await tokenOf(app, await app.makeTenant({ email: 'other@guest.example' }))}`
  const answer = await app.http.inject({ url: `/api/stay/${id}/stay.ics`, headers: { authorization: other } })
  expect(answer.statusCode).toBe(404)
})

/** Links of a review and of a reply, as mails have them. */
const mailedLink = (
  { deps }: TestApp,
  kind: 'review' | 'message_reply',
  subjectId: string,
  personId: string,
) =>
  deps.write(tx => {
    const { id } = createLink(tx, nowIso(deps), { kind, subjectId, personId })
    return issueToken(tx, nowIso(deps), id)?.token ?? ''
  })

test('a scanner that follows each link and presses each button uses nothing up; pages of links name nobody, and an address presses 300 in 15 minutes [CLAIM-17, STAY-27, STAY-28]', async () => {
  const { app, guest, id, owner, share, tenant } = await sharedStay({ at: '2026-06-10T00:00:00.000Z' })
  for (const section of ['messages', 'reviews'] as const)
    await owner().settings[section].save({ version: 0, body: { enabled: true } })
  await mountPages(await app.fastify(), app.deps, { web: await loadWebApp(), templateOf: () => template })
  const links = {
    stay: (await share('Ben', true)).token,
    review: await mailedLink(app, 'review', id, tenant.userId),
    reply: await mailedLink(app, 'message_reply', `${id}:0:1`, tenant.userId),
    offer: offerToken(app, (await owner().offers.make(buildOffer())).claim.id),
  }
  const before = everyRow(app)
  for (const page of Object.keys(links))
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await app.http.inject({ method, url: `/${page}` })
      expect(answer.statusCode).toBe(200)
      expect(answer.body).not.toMatch(/Maya|Rivers|Miller|APP-/)
    }
  expect(everyRow(app)).toEqual(before)
  const press = async (url: string, token: string, form = {}) => {
    const payload = { token, lockId: standing, ...form }
    return (await app.http.inject({ method: 'POST', url: `/api/${url}`, payload })).statusCode
  }
  const buttons = () =>
    Promise.all([
      ...['stay/open', 'stay/open/code', 'stay/open/wifi', 'stay/open/ics'].map(url =>
        press(url, links.stay),
      ),
      press('review/open', links.review),
      press('message/reply/open', links.reply),
      press('offer/open', links.offer),
    ])
  for (let times = 0; times < 3; times++) expect(await buttons()).toEqual(Array(7).fill(200))
  // Buttons of forms that nobody filled in.
  expect(await press('review/write', links.review)).toBe(400)
  expect(await press('message/reply', links.reply)).toBe(400)
  const accepting = { totalCents: 200_000, person: offerPerson }
  for (const form of [{}, accepting, { ...accepting, typedName: ' ' }])
    expect(await press('offer/accept', links.offer, form)).toBe(400)
  for (const form of [{}, { reason: '' }]) expect(await press('offer/decline', links.offer, form)).toBe(400)
  expect(await press('offer/accept', links.offer, { ...accepting, typedName: 'Anna Miller' })).toBe(201)
  expect((await guest.openCode({ token: links.stay, lockId: standing })).code.code).toBe('73A9')
  app.setNow('2026-07-02T00:00:00.000Z')
  const review = { rating: 5, title: '', text: 'We loved the balcony and the sea.', name: 'first' as const }
  const written = await app.as(visitor).reviews.writeByLink({ token: links.review, ...review })
  expect(written.review.state).toBe('waiting')
  const { limits } = app.deps
  await limits.reset('guestLinkByAddress', '127.0.0.1')
  for (let pressed = 1; pressed < 300; pressed++) await limits.consume('guestLinkByAddress', '127.0.0.1')
  expect(await press('stay/open', 'unknown')).toBe(404)
  const filled = { ...review, body: 'Hello', requestId: randomUUID() }
  const all = ['', '/code', '/wifi', '/ics'].map(path => `stay/open${path}`)
  for (const url of [...all, 'review/open', 'review/write', 'message/reply/open', 'message/reply'])
    expect([url, await press(url, 'unknown', filled)]).toEqual([url, 429])
})
