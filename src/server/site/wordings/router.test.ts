import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { events, outbox, wordings } from '../../../../db/schema.ts'
import { requireAdmin } from '../../../domain/accounts/access.ts'
import { shippedMailWordings } from '../../../domain/content/mail-wording.ts'
import { wordingKinds } from '../../../domain/content/wording.ts'
import { shippedLeaseWording } from '../../../domain/leases/lease-wording.ts'
import { call, signUpAdmin } from '../../../testing/build-account.ts'
import { buildLeaseWording } from '../../../testing/build-wording.ts'
import { everyRow } from '../../../testing/every-row.ts'
import { pdfText } from '../../../testing/pdf-text.ts'
import { testApp, testOrigin } from '../../../testing/test-app.ts'
import { leasePreview } from './preview.ts'
import { saveWording } from './save-wording.ts'

const kind = 'application-received'
const shipped = shippedMailWordings[kind]
const changed = { ...shipped, title: 'Got it, {{firstName}}', text: 'First.\n\nSecond,\nthird. <b>' }

async function owner() {
  const app = await testApp()
  const admin = requireAdmin(await app.makeAdmin({ email: 'owner@condo.example' }))
  return { app, admin, wordings: app.as(admin).wordings }
}
const rowsOf = ({ deps }: Awaited<ReturnType<typeof testApp>>) => deps.db.select().from(wordings).all()

test('a wording is the shipped one with version 0 until it is saved; going back to it makes a new version [LTEXT-02]', async () => {
  const { app, admin, wordings } = await owner()
  const before = await wordings.list()
  expect(before.wordings.map(({ kind }) => kind)).toEqual([...wordingKinds])
  for (const of of before.wordings)
    expect(of).toMatchObject({ version: 0, shipped: true, at: null, by: null })
  expect((await wordings.get({ kind })).wording).toMatchObject({ body: shipped, version: 0, note: '' })
  expect((await wordings.get({ kind: 'lease' })).wording.body).toEqual(shippedLeaseWording)

  const first = await wordings.save({ kind, version: 0, body: changed, note: ' \u202eShorter\n' })
  expect(first.wording).toMatchObject({ version: 1, shipped: false, body: changed, note: 'Shorter' })
  expect(first.wording.by).toEqual({ id: admin.userId, name: 'Maya Rivers' })
  const back = await wordings.save({ kind, version: 1, body: null })
  expect(back.wording).toMatchObject({ version: 2, shipped: true, body: shipped })
  expect((await wordings.versions({ kind })).versions).toMatchObject([
    { version: 2, shipped: true, note: '' },
    { version: 1, shipped: false, note: 'Shorter' },
  ])
  expect((await wordings.version({ kind, version: 1 })).body).toEqual(changed)
  expect((await wordings.version({ kind, version: 2 })).body).toEqual(shipped)
  const audit = app.deps.db.select().from(events).where(eq(events.kind, 'wording.saved')).all()
  expect(audit).toMatchObject([
    { subjectId: kind, actorId: admin.userId, detail: { version: 1, note: 'Shorter' } },
    { subjectId: kind, detail: { version: 2, shipped: true } },
  ])
})

test('the same body makes no version: the shipped wording over version 0, the saved one, and null over the shipped [LTEXT-02]', async () => {
  const { app, wordings } = await owner()
  expect((await wordings.save({ kind, version: 0, body: shipped })).wording.version).toBe(0)
  expect((await wordings.save({ kind, version: 0, body: null })).wording.version).toBe(0)
  await wordings.save({ kind, version: 0, body: changed })
  const padded = { ...changed, title: ` ${changed.title}\n`, extra: 1 }
  expect((await wordings.save({ kind, version: 1, body: padded })).wording.version).toBe(1)
  await wordings.save({ kind, version: 1, body: null })
  expect((await wordings.save({ kind, version: 2, body: null })).wording.version).toBe(2)
  expect(rowsOf(app)).toHaveLength(2)
})

test('rejects a stale version with the stored wording, over tRPC and REST; of two simultaneous saves one succeeds [LTEXT-02]', async () => {
  const { app, wordings } = await owner()
  const both = await Promise.allSettled([
    wordings.save({ kind, version: 0, body: changed }),
    wordings.save({ kind, version: 0, body: { ...changed, button: 'Look' } }),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(rowsOf(app)).toHaveLength(1)
  const { token } = await signUpAdmin(app, 'desk@condo.example')
  const body = { version: 0, body: { ...changed, button: 'Other' } }
  const refused = await call(app, 'PUT', `/api/site/admin/wordings/${kind}`, { token, body })
  expect(refused.status).toBe(409)
  expect(refused.body).toMatchObject({
    error: 'This wording was changed by somebody else meanwhile.',
    current: (await wordings.get({ kind })).wording,
  })
})

test('without a proof, a wording with a live code is refused like any other [STAY-04, FIX-32]', async () => {
  const { app, admin } = await owner()
  const { stays } = app.as(admin)
  const lockId = randomUUID()
  const locks = [{ id: lockId, name: 'Garage', kind: 'standing', digits: 4, hint: '' }]
  await stays.saveSection({ section: 'entry', version: 0, body: { text: '', locks } })
  await stays.changeCode({ lockId, code: '7391' })
  const unproven = { ...admin, sessionId: 'without a proof' }
  for (const code of ['7391', '7392']) {
    const body = { ...changed, text: `The garage opens with ${code}.` }
    const saving = saveWording(app.deps, unproven, { kind, version: 0, body, note: '' })
    await expect(saving, code).rejects.toMatchObject({ code: 'forbidden' })
  }
})

test('rejects an invalid wording with all errors, and neither saves nor sends anything [LTEXT-01, LTEXT-07]', async () => {
  const { app, wordings } = await owner()
  const mail = { ...shipped, subject: ' ', text: '{{total}}', button: 'x'.repeat(41) }
  const fields = {
    subject: 'Subject is required',
    button: 'Button can be at most 40 characters long',
  }
  const text = shippedLeaseWording.text.replace('{{deposit}}', '{{depozit}}')
  const faults =
    'The lease template has an unknown placeholder {{depozit}}.\nThe lease template lacks the placeholder {{deposit}}.'
  for (const [given, body, wrong] of [
    [kind, mail, fields],
    [kind, { ...shipped, text: '{{total}}' }, { text: 'Unknown placeholder {{total}}' }],
    ['lease', { text }, { text: faults }],
  ] as const) {
    const refusal = { code: 'BAD_REQUEST', cause: { fields: wrong } }
    await expect(wordings.save({ kind: given, version: 0, body })).rejects.toMatchObject(refusal)
    await expect(wordings.preview({ kind: given, body })).rejects.toMatchObject(refusal)
    if (given !== 'lease')
      await expect(wordings.sendSample({ kind: given, body })).rejects.toMatchObject(refusal)
  }
  expect(rowsOf(app)).toEqual([])
  expect(app.deps.db.select().from(outbox).all()).toEqual([])
})

test('returns not found for mails with fixed words and for unknown kinds [LTEXT-07, LTEXT-11]', async () => {
  const { wordings } = await owner()
  for (const given of ['password-reset', 'owner-new-application', 'constructor', 'x']) {
    const missing = { code: 'NOT_FOUND' }
    await expect(wordings.get({ kind: given })).rejects.toMatchObject(missing)
    await expect(wordings.versions({ kind: given })).rejects.toMatchObject(missing)
    await expect(wordings.save({ kind: given, version: 0, body: shipped })).rejects.toMatchObject(missing)
    await expect(wordings.preview({ kind: given, body: shipped })).rejects.toMatchObject(missing)
    await expect(wordings.sendSample({ kind: given, body: shipped })).rejects.toMatchObject(missing)
  }
})

test('a preview is filled with sample data and stores nothing [LTEXT-08]', async () => {
  const { app, wordings } = await owner()
  const { html, subject, text } = await wordings.preview({ kind, body: changed })
  expect(subject).toBe('We have your application (APP-2026-0007)')
  expect(text).toContain('First.\n\nSecond,\nthird. <b>')
  expect(html).toContain('Second,<br/>third. &lt;b&gt;')
  const lease = await wordings.preview({ kind: 'lease', body: shippedLeaseWording })
  expect(lease).toEqual({ text: expect.stringContaining('Tenant: Anna Smith and Ben Jones') })
  expect(lease.text).toContain(`Landlord: ${app.deps.config.site.companyName}`)
  expect(rowsOf(app)).toEqual([])
})

test('mails the sample to the administrator’s own address, 10 an hour, if mail is set up [LTEXT-10]', async () => {
  const { app, wordings } = await owner()
  for (let sent = 0; sent < 10; sent++) await wordings.sendSample({ kind, body: changed })
  const refusal = { code: 'TOO_MANY_REQUESTS' }
  await expect(wordings.sendSample({ kind, body: changed })).rejects.toMatchObject(refusal)
  const queued = app.deps.db.select().from(outbox).all()
  expect(queued.map(({ toAddress }) => toAddress)).toEqual(Array(10).fill('owner@condo.example'))
  const none = await testApp({ replace: { mail: undefined } })
  const admin = await none.makeAdmin()
  const asked = none.as(admin).wordings.sendSample({ kind, body: changed })
  await expect(asked).rejects.toMatchObject({ message: 'Mail is not set up.', code: 'SERVICE_UNAVAILABLE' })
  await expect(wordings.sendSample({ kind: 'lease', body: {} })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('the lease preview is a PDF in the given wording, with sample data and a sample title, and stores nothing [LTEXT-06]', async () => {
  const { app } = await owner()
  const { token, user } = await signUpAdmin(app, 'desk@condo.example')
  const ask = (text: string) =>
    app.http.inject({
      method: 'POST',
      url: '/api/site/admin/lease-preview',
      headers: { authorization: `Bearer ${token}` },
      payload: { body: { text } },
    })
  const before = everyRow(app)
  const { text } = buildLeaseWording('Boats stay outside.')
  const answer = await ask(text)
  expect(answer.headers['content-type']).toBe('application/pdf')
  const [first = [], ...others] = pdfText(answer.rawPayload)
  expect(first[0]).toBe('Lease Agreement (sample)')
  expect([first, ...others].flat()).toEqual(expect.arrayContaining(['Boats stay outside.']))
  const refused = await ask(text.replace('{{deposit}}', ''))
  expect(refused.statusCode).toBe(400)
  expect(refused.json().fields).toEqual({ text: 'The lease template lacks the placeholder {{deposit}}.' })
  const leasePdf = async () => new Uint8Array(1)
  const deps = { ...app.deps, renderer: { ...app.deps.renderer, leasePdf } }
  const admin = { role: 'admin' as const, userId: user.id, requestOrigin: testOrigin }
  for (let drawn = 1; drawn < 30; drawn++) await leasePreview(deps, admin, { text })
  expect((await ask(text)).statusCode).toBe(429)
  expect(everyRow(app)).toEqual(before)
})
