import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { events, installationFacts, outbox } from '../../../../db/schema.ts'
import { isMissingEmail } from '../../../domain/accounts/account-rules.ts'
import { addPasskey, createAuthenticator, passkeyResponse } from '../../../testing/authenticator.ts'
import { buildApplication, dates } from '../../../testing/build-application.ts'
import { changeEmail, emailTokens } from '../../../testing/build-email-change.ts'
import { leaseTerms } from '../../../testing/build-lease.ts'
import { buildManualPayment } from '../../../testing/build-payment.ts'
import { buildRate } from '../../../testing/build-rate.ts'
import { editorOf, errorOf } from '../../../testing/build-site.ts'
import { productionEnv } from '../../../testing/production-env.ts'
import { queuedTokens } from '../../../testing/queued-tokens.ts'
import { testApp, testOrigin, visitor } from '../../../testing/test-app.ts'
import { findUserByEmail } from '../../auth/sessions/users.ts'

/** Fills in what a new site lacks. */
async function saveFacts(owner: Awaited<ReturnType<typeof newSite>>['owner']): Promise<void> {
  const { save } = editorOf(owner)
  await save('hero', { text: 'Our own text' })
  await save('overview', { intro: 'Our own home' })
  await save('facts', { bedrooms: 2, bathrooms: 1 })
}

/** A production site that its owner has never opened. */
async function newSite() {
  const app = await testApp({ env: productionEnv })
  await app.deps.write(tx => tx.delete(installationFacts).where(eq(installationFacts.key, 'opening')).run())
  return { ...app, owner: app.as(await app.makeAdmin()) }
}

test('before it is opened, visitors get no public row, cannot register or apply, and the owner sees everything [OPEN-01]', async () => {
  const app = await newSite()
  const guest = app.as(visitor)
  const days = { startDate: '2026-06-01', endDate: '2026-06-30' }
  const tenant = app.as(await app.makeTenant())
  const refused: (() => Promise<unknown>)[] = [
    () => guest.rates.list(),
    () => guest.availability.range(days),
    () => guest.site.content({ page: 'home' }),
    () => guest.contact.ready(),
    () => guest.bookings.rules(),
    () => tenant.applications.createAndSubmit(buildApplication()),
  ]
  for (const call of refused)
    expect(await errorOf(call())).toMatchObject({
      code: 'unavailable',
      message: 'This site is not open yet.',
    })
  expect((await app.http.inject('/api/rates')).statusCode).toBe(503)
  expect(await app.owner.rates.list()).toEqual({ rates: [] })
  const { site } = await guest.site.get()
  expect(site.opening).toBe('never')
  expect(site.propertyAddress).toBe(site.town)
  expect(app.deps.siteContent().content.identity.propertyAddress).toContain(`, ${site.town}`)
})

test('the lines follow from the data, a required line cannot be declined, and opening publishes the draft [OPEN-03, OPEN-04]', async () => {
  const app = await newSite()
  const { opening } = app.owner
  const { save } = editorOf(app.owner)
  const stateOf = async (key: string) => (await opening.get()).lines.find(line => line.key === key)?.state
  expect(await opening.get()).toMatchObject({ opening: 'never', open: false, missing: ['content', 'prices'] })
  expect(await errorOf(opening.open())).toMatchObject({
    code: 'conflict',
    fields: { content: 'This is missing.', prices: 'This is missing.' },
  })
  expect((await errorOf(opening.decline({ key: 'content', declined: true }))).code).toBe('bad_request')
  expect(await errorOf(opening.decline({ key: 'prices', declined: true }))).toMatchObject({
    code: 'bad_request',
  })
  await opening.decline({ key: 'calendars', declined: true })
  expect(await stateOf('calendars')).toBe('declined')
  await opening.decline({ key: 'calendars', declined: false })
  expect(await stateOf('calendars')).toBe('open')
  await app.owner.rates.create(buildRate({}))
  await save('hero', { headline: 'Our own words' })
  expect(await stateOf('content')).toBe('open')
  await saveFacts(app.owner)
  const examples = ['pictures', 'house rules', 'terms of service', 'privacy policy']
  expect(await opening.get()).toMatchObject({ missing: [], examples })
  await save('houseRules', { rules: ['Quiet from ten.'] })
  expect(await opening.get()).toMatchObject({ examples: examples.toSpliced(1, 1) })
  expect(await stateOf('reviews')).toBe('done')
  expect(await opening.open()).toMatchObject({ opening: 'open', open: true })
  expect(app.deps.siteContent()).toMatchObject({
    version: 1,
    content: { hero: { headline: 'Our own words' } },
  })
  expect((await app.as(visitor).rates.list()).rates).toHaveLength(1)
  // The owner can decide to keep the example content; no other required line can be declined.
  expect((await opening.get()).examples).not.toEqual([])
  expect((await errorOf(opening.decline({ key: 'prices', declined: true }))).code).toBe('bad_request')
  expect(await opening.decline({ key: 'content', declined: true })).toMatchObject({
    examples: [],
    missing: [],
  })
  expect(await stateOf('content')).toBe('done')
})

test('a new site starts without the example’s facts and reviews; the facts are required for publishing [OPEN-05]', async () => {
  const app = await newSite()
  const { content } = app.deps.siteContent()
  const { reviews } = content.reviews
  const { amenities, facts, waysToPay } = content
  expect({ reviews, facts: facts.items, groups: amenities.groups, ways: waysToPay.ways }).toEqual({
    reviews: [],
    facts: [],
    groups: [],
    ways: [],
  })
  // Nothing says how many rooms and beds there are, or where the beach is.
  expect(content.gallery.pictures.map(({ caption }) => caption)).toEqual([
    'The building',
    'Living room',
    'Kitchen',
    'Bedroom',
    'Bathroom',
    'The beach',
  ])
  expect(content).toMatchObject({ search: { title: 'vacation rental' }, location: { map: 'none', note: '' } })
  const { published, revision } = (await app.owner.editor.draft()).draft
  expect(published.version).toBe(0)
  const refused = await errorOf(app.owner.editor.publish({ revision, note: '' }))
  expect(refused.code).toBe('conflict')
  await editorOf(app.owner).save('hero', { headline: 'Our own words' })
  const { draft } = await app.owner.editor.draft()
  const named = await errorOf(app.owner.editor.publish({ revision: draft.revision, note: '' }))
  expect(named.code).toBe('bad_request')
  expect(Object.keys(named.fields ?? {}).sort()).toEqual(['facts.bathrooms', 'hero.text', 'overview.intro'])
  // Restoring the first version does not bring back the example.
  const { sections } = await app.owner.editor.version({ version: 0 })
  expect(sections.facts).toMatchObject({ items: [] })
})

test('a site from an earlier version keeps its content, also after it is closed and reopened [OPEN-02, OPEN-05]', async () => {
  const app = await testApp({ env: productionEnv })
  const owner = app.as(await app.makeAdmin())
  await editorOf(owner).save('reviews', { reviews: [] })
  await owner.rates.create(buildRate({}))
  await owner.opening.close()
  await owner.opening.open()
  const shipped = (await testApp()).deps.siteContent().content
  expect(app.deps.siteContent().content.facts).toEqual(shipped.facts)
  expect((await owner.editor.version({ version: 0 })).sections.facts).toMatchObject({
    items: shipped.facts.items,
  })
})

test('sample reviews are shown in the demo only [OPEN-05]', async () => {
  const shown = async (env?: typeof productionEnv) => {
    const app = await testApp(env && { env })
    const { content } = await app.as(visitor).site.content({ page: 'home' })
    return 'reviews' in content ? content.reviews.reviews.length : undefined
  }
  expect([await shown(productionEnv), (await shown()) ?? 0]).toEqual([0, 8])
})

test('a closed site hides its public rows again, and opening it needs nothing new [OPEN-04]', async () => {
  const app = await testApp({ env: productionEnv })
  const admin = await app.makeAdmin()
  const owner = app.as(admin)
  const { opening } = app.as({ ...admin, sessionId: 'without proof' })
  await expect(opening.close()).rejects.toThrow('Please confirm that it is you.')
  await editorOf(owner).save('reviews', { reviews: [] })
  await owner.rates.create(buildRate({}))
  await app.http.inject('/api/rates')
  expect(await owner.opening.close()).toMatchObject({ opening: 'closed', open: false })
  const response = await app.http.inject('/api/rates')
  expect({ status: response.statusCode, error: response.json().error }).toEqual({
    status: 503,
    error: 'This site is closed for now.',
  })
  await editorOf(owner).save('hero', { headline: 'Not published' })
  await expect(opening.open()).rejects.toThrow('Please confirm that it is you.')
  expect(await owner.opening.open()).toMatchObject({ opening: 'open' })
  expect(app.deps.siteContent().content.hero.headline).not.toBe('Not published')
  expect((await app.http.inject('/api/rates')).statusCode).toBe(200)
  const kinds = app.deps.db.select().from(events).all()
  expect(kinds.map(({ kind }) => kind).filter(kind => /^site\.(opened|closed)/.test(kind))).toEqual([
    'site.closed',
    'site.opened',
  ])
})

test('the demo is always open [OPEN-02]', async () => {
  const app = await testApp()
  await app.deps.write(tx => tx.delete(installationFacts).run())
  expect((await app.as(visitor).site.get()).site.opening).toBe('open')
  expect(await errorOf(app.as(await app.makeAdmin()).opening.close())).toMatchObject({ code: 'conflict' })
})

test('a trial guest applies before the site is opened, counts in no figure, and is gone with "Remove trial" [OPEN-07]', async () => {
  const app = await newSite()
  const { owner } = app
  const email = 'second@owner.example'
  const figures = async () => ({
    ...(await owner.notices.ownerDay()).figures,
    ...(await owner.applications.adminCounts()).counts,
    revenue: await owner.payments.revenueSummary(),
  })
  const before = await figures()
  expect((await owner.opening.startTrial({ email })).trial).toBe(email)
  const refused = await errorOf(owner.opening.startTrial({ email: 'third@owner.example' }))
  expect(refused.code).toBe('conflict')
  const [token = ''] = queuedTokens(app, ['password-reset'], email)
  await app.as(visitor).accounts.resetPassword({ token, newPassword: 'a trial of my own' })
  const guest = findUserByEmail(app.deps.db, email)
  const trial = app.as({ role: 'tenant', userId: guest?.id ?? '', requestOrigin: testOrigin })
  const { application } = await trial.applications.createAndSubmit(
    buildApplication(dates('2026-03-10', '2026-03-20')),
  )
  await owner.applications.adminSetStatus({ id: application.id, status: 'approved' })
  const terms = { ...leaseTerms, leaseStartDate: '2026-03-10', leaseEndDate: '2026-03-20' }
  await owner.leases.generate({ applicationId: application.id, ...terms })
  for (const paymentType of ['rent', 'deposit'] as const)
    await owner.payments.addManual({ ...buildManualPayment(application.id), paymentType })
  expect(await figures()).toEqual(before)
  expect((await owner.applications.adminList({ page: 1 })).applications).toHaveLength(1)
  expect((await owner.opening.get()).lines.at(-1)).toMatchObject({ key: 'trial', state: 'open' })

  expect((await owner.opening.removeTrial()).trial).toBeNull()
  expect((await owner.opening.removeTrial()).lines.at(-1)).toMatchObject({ key: 'trial', state: 'done' })
  expect(await figures()).toEqual(before)
  expect((await owner.applications.adminList({ page: 1 })).applications).toEqual([])
  const isGone = await errorOf(app.as(visitor).accounts.login({ email, password: 'a trial of my own' }))
  expect(isGone.code).toBe('unauthorized')
  // Its email is free again, and so are its nights.
  expect((await owner.opening.startTrial({ email })).trial).toBe(email)
})

test('a preview does not end the line of the trial, which goes once the site was opened [OPEN-03, OPEN-07]', async () => {
  const app = await newSite()
  const trialLine = async () => (await app.owner.opening.get()).lines.find(({ key }) => key === 'trial')
  await app.owner.editor.previewLink()
  expect(await trialLine()).toMatchObject({ state: 'open' })
  await app.owner.rates.create(buildRate({}))
  await saveFacts(app.owner)
  await app.owner.opening.open()
  expect(await trialLine()).toBeUndefined()
})

async function siteWithTrial() {
  const app = await newSite()
  const email = 'second@owner.example'
  await app.owner.opening.startTrial({ email })
  const [token = ''] = queuedTokens(app, ['password-reset'], email)
  await app.as(visitor).accounts.resetPassword({ token, newPassword: 'a trial of my own' })
  const userId = findUserByEmail(app.deps.db, email)?.id ?? ''
  const guest = { role: 'tenant', userId, requestOrigin: testOrigin } as const
  return { app, email, guest, owner: app.owner }
}

test('undoing a change of email does not reopen a removed trial, and its addresses can be used again [OPEN-07]', async () => {
  const { app, email, guest, owner } = await siteWithTrial()
  await changeEmail(app, guest, 'third@owner.example')
  const [token = ''] = emailTokens(app, 'email-undo', email)
  await owner.opening.removeTrial()
  expect((await errorOf(app.as(visitor).emailChange.undo({ token }))).code).toBe('not_found')
  expect((await owner.opening.startTrial({ email })).trial).toBe(email)
})

test('a mail that waits for a trial guest is gone with the trial [LOOK-84, OPEN-07]', async () => {
  const { app, guest, owner } = await siteWithTrial()
  const { application } = await app.as(guest).applications.createAndSubmit(buildApplication())
  const letter = { subject: 'The keys', message: 'They are ready.', requestId: randomUUID() }
  await owner.applications.writeToGuest({ id: application.id, ...letter })
  await owner.opening.removeTrial()
  const to = app.deps.db.select().from(outbox).all()
  expect(to.filter(({ toAddress }) => isMissingEmail(toAddress))).toEqual([])
})

test('nobody logs in to a removed trial with its passkey [OPEN-07]', async () => {
  const { app, guest, owner } = await siteWithTrial()
  const device = createAuthenticator({ origin: app.deps.config.origin })
  await addPasskey(app, guest, device)
  await owner.opening.removeTrial()
  const credential = await passkeyResponse(app, device)
  expect((await errorOf(app.as(visitor).factors.passkeyLogin({ credential }))).code).toBe('unauthorized')
})

test('a trial needs mail and a site that was never opened [OPEN-07]', async () => {
  const email = 'second@owner.example'
  const opened = await testApp({ env: productionEnv })
  const ofOpened = await errorOf(opened.as(await opened.makeAdmin()).opening.startTrial({ email }))
  expect(ofOpened.code).toBe('conflict')
  const silent = await newSite()
  silent.deps.mail = undefined
  expect((await errorOf(silent.owner.opening.startTrial({ email }))).code).toBe('unavailable')
})
