import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { applications, contentSections, events, outbox } from '../../../../db/schema.ts'
import type { SiteContent } from '../../../domain/content/content.ts'
import { signUpAdmin } from '../../../testing/build-account.ts'
import { makePending } from '../../../testing/build-application.ts'
import { editorOf, errorOf, makeEditor } from '../../../testing/build-site.ts'
import { testApp } from '../../../testing/test-app.ts'
import { callRest, callTrpc } from '../../../testing/transports.ts'
import { shippedContent } from '../content/shipped-content.ts'

const invalid = 'This value is not valid'
const review = (fields: Partial<SiteContent['reviews']['reviews'][number]> = {}) => ({
  id: 'r1',
  name: 'Ada',
  rating: 5,
  date: '2026-01-31',
  title: '',
  content: 'Lovely.',
  stayed: '',
  verified: false,
  sample: false,
  applicationId: null,
  ...fields,
})

test('an unchanged draft is the shipped content, without errors', async () => {
  const app = await testApp()
  const { draft } = await makeEditor(app)
  const { faults, published, revision, sections } = await draft()
  expect({ faults, published, revision }).toEqual({
    faults: {},
    published: { version: 0, at: null, by: null },
    revision: 0,
  })
  const { identity, ...others } = sections
  const { timeZone: _, ...environment } = app.deps.config.site
  expect(identity.body).toEqual({ ...environment, fromEnvironment: true })
  expect(Object.keys(sections)).toHaveLength(16)
  for (const { body, changed, name, updatedAt, updatedBy, version } of Object.values(others)) {
    expect(body).toEqual(shippedContent[name])
    expect({ changed, updatedAt, updatedBy, version }).toEqual({
      changed: false,
      updatedAt: null,
      updatedBy: null,
      version: 0,
    })
  }
})

test('a save cleans the text, and returns who saved it and when [SITE-03]', async () => {
  const app = await testApp()
  const { actor, editor, draft } = await makeEditor(app)
  const body = { title: ' Zoe\u0308\ts\r\nrates \u202e', intro: 'one\u0007\r\n\r\ntwo', colour: 'red' }
  const { faults, revision, section } = await editor.saveSection({ section: 'rates', version: 0, body })
  expect(section).toEqual({
    name: 'rates',
    version: 1,
    changed: true,
    body: { title: 'Zo\u00eb s rates', intro: 'one\n\ntwo' },
    updatedAt: app.deps.clock.now().toISOString(),
    updatedBy: { id: actor.userId, name: 'Maya Rivers' },
  })
  expect({ faults, revision }).toEqual({ faults: {}, revision: 1 })
  expect((await draft()).sections.rates).toEqual(section)
})

const refused: [section: string, body: (of: SiteContent) => unknown, fields: Record<string, string>][] = [
  [
    'hero',
    ({ hero }) => ({ ...hero, headline: 'x'.repeat(61), eyebrow: 7 }),
    {
      headline: 'Headline can be at most 60 characters long',
      eyebrow: invalid,
    },
  ],
  ['hero', () => undefined, { body: invalid }],
  ['hero', ({ hero }) => ({ ...hero, picture: 'nowhere' }), { picture: 'This picture does not exist.' }],
  [
    'gallery',
    ({ gallery }) => ({
      ...gallery,
      pictures: [gallery.pictures[0], { ...gallery.pictures[1], picture: 'nowhere' }],
    }),
    {
      'pictures.1.picture': 'This picture does not exist.',
    },
  ],
  [
    'reviews',
    ({ reviews }) => ({ ...reviews, reviews: [review({ verified: true })] }),
    {
      'reviews.0.verified': 'Only a completed stay can be verified',
    },
  ],
]

test('rejects an invalid save with all field errors, and stores nothing [SITE-11, PIC-14]', async () => {
  const app = await testApp()
  const { editor, draft } = await makeEditor(app)
  const content = Object.fromEntries(
    Object.entries((await draft()).sections).map(([name, { body }]) => [name, body]),
  ) as SiteContent
  for (const [section, bodyOf, fields] of refused) {
    const answer = await errorOf(editor.saveSection({ section, version: 0, body: bodyOf(content) }))
    expect(answer).toMatchObject({ code: 'bad_request', fields })
    expect(answer.fields).toEqual(fields)
  }
  for (const section of ['nothing', '__proto__', 'constructor'])
    expect(await errorOf(editor.saveSection({ section, version: 0, body: {} }))).toMatchObject({
      code: 'not_found',
    })
  expect(app.deps.db.select().from(contentSections).all()).toEqual([])
})

test('only a review of a completed, past stay is verified [SITE-11]', async () => {
  const app = await testApp()
  const { editor } = await makeEditor(app)
  const { id } = await makePending(app, await app.makeTenant())
  const verify = (applicationId: string | null) =>
    errorOf(
      editor.saveSection({
        section: 'reviews',
        version: 0,
        body: { title: 'Reviews', reviews: [review({ verified: true, applicationId })] },
      }),
    )
  const set = (values: Partial<typeof applications.$inferInsert>) =>
    app.deps.write(tx => tx.update(applications).set(values).where(eq(applications.id, id)).run())
  const no = {
    code: 'bad_request',
    fields: { 'reviews.0.verified': 'Only a completed stay can be verified' },
  }
  // Today is March 4.
  await set({ stayStartDate: '2026-02-01', stayEndDate: '2026-03-03', status: 'approved' })
  expect(await verify(id)).toMatchObject(no)
  await set({ status: 'completed', stayEndDate: '2026-03-04' })
  expect(await verify(id)).toMatchObject(no)
  await set({ stayEndDate: '2026-03-03', deletedAt: app.deps.clock.now().toISOString() })
  expect(await verify(id)).toMatchObject(no)
  await set({ deletedAt: null })
  expect(await verify('another')).toMatchObject(no)
  expect(await verify(id)).toMatchObject({ code: undefined })
})

test('rejects a stale save, discard or publication with the stored section; of two simultaneous saves one succeeds [SITE-17, SITE-18, SITE-20]', async () => {
  const app = await testApp()
  const { editor, draft, save } = await makeEditor(app)
  const other = editorOf(app.as(await app.makeAdmin()))
  const body = (intro: string) => ({ ...shippedContent.rates, intro })
  const both = await Promise.allSettled([
    editor.saveSection({ section: 'rates', version: 0, body: body('mine') }),
    other.editor.saveSection({ section: 'rates', version: 0, body: body('theirs') }),
  ])
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  const stored = (await draft()).sections.rates
  expect(stored.body.intro).toBe('mine')
  const stale = {
    code: 'conflict',
    message: 'This part was changed by somebody else meanwhile.',
    current: stored,
  }
  expect(await errorOf(editor.saveSection({ section: 'rates', version: 2, body: body('x') }))).toMatchObject(
    stale,
  )
  expect(await errorOf(editor.discardSection({ section: 'rates', version: 0 }))).toMatchObject(stale)
  const draftStale = {
    code: 'conflict',
    message: 'The draft has changed since you looked. Check it and publish again.',
  }
  expect(await errorOf(editor.publish({ revision: 0 }))).toMatchObject(draftStale)
  expect(await errorOf(editor.discardDraft({ revision: 0 }))).toMatchObject(draftStale)

  expect(await save('rates', { intro: shippedContent.rates.intro })).toMatchObject({
    section: { version: 2, changed: false },
    revision: 2,
  })
  await save('rates', { intro: 'again' })
  await save('hero', { headline: '' })
  expect((await draft()).faults).toEqual({ 'hero.headline': 'Headline is required' })
  const answer = await editor.discardSection({ section: 'hero', version: 1 })
  expect(answer).toMatchObject({ section: { version: 2, changed: false }, revision: 5, faults: {} })
  expect(answer.section.body).toEqual(shippedContent.hero)
  const { draft: emptied } = await editor.discardDraft({ revision: 5 })
  expect(emptied).toMatchObject({ revision: 6, sections: { rates: { version: 4, changed: false } } })
  expect(await editor.discardSection({ section: 'rates', version: 4 })).toMatchObject({ revision: 6 })
  expect(app.deps.db.select().from(events).all()).toEqual([])
})

test('REST returns the stored section next to the error, and accepts the version of a DELETE in query or body [SITE-17]', async () => {
  const app = await testApp()
  const { token } = await signUpAdmin(app)
  const path = '/api/site/admin/draft/rates'
  const body = { ...shippedContent.rates, intro: 'ours' }
  const saved = await callRest(app.http, `PUT ${path}`, { token, input: { version: 0, body } })
  expect(saved).toMatchObject({ status: 200, body: { section: { version: 1 }, revision: 1 } })
  const { section } = saved.body as { section: object }
  const refused = await callRest(app.http, `PUT ${path}`, { token, input: { version: 0, body } })
  expect(refused).toMatchObject({ status: 409, body: { current: section } })
  expect((await callRest(app.http, `DELETE ${path}`, { token, input: { version: 7 } })).status).toBe(409)
  const headers = { authorization: `Bearer ${token}` }
  const inBody = await app.http.inject({ method: 'DELETE', url: path, headers, payload: { version: 1 } })
  expect(inBody.json()).toMatchObject({ section: { version: 2, changed: false } })
  expect((await callRest(app.http, `DELETE ${path}`, { token, input: {} })).status).toBe(400)
  const all = await callRest(app.http, 'DELETE /api/site/admin/draft', { token, input: { revision: 2 } })
  expect(all).toMatchObject({ status: 200, body: { draft: { revision: 2 } } })
  const changes = (from: unknown, to: unknown) =>
    callRest(app.http, 'GET /api/site/admin/compare', { token, input: { from, to } })
  expect(await changes(0, 'draft')).toMatchObject({ status: 200, body: { changes: [] } })
  expect([(await changes('0', 'other')).status, (await changes(-1, 0)).status]).toEqual([400, 400])
  expect((await changes('published', 1)).status).toBe(404)
  const ask = async (method: 'GET' | 'DELETE', url: string) =>
    (await app.http.inject({ method, url: `/api/site/admin/${url}`, headers })).statusCode
  // A missing number is not 0.
  expect(await ask('DELETE', 'draft/hero?version=')).toBe(400)
  expect(await ask('GET', 'versions/%20')).toBe(404)
  expect([await ask('GET', 'versions/0'), await ask('GET', 'versions/7')]).toEqual([200, 404])
})

test('the largest sections fit into a request', async () => {
  const app = await testApp()
  const { token } = await signUpAdmin(app)
  const reviews = Array.from({ length: 60 }, (_, index) =>
    review({ id: `r${index}`, content: '\u00e9'.repeat(1500) }),
  )
  const input = { section: 'reviews', version: 0, body: { title: 'Reviews', reviews } }
  expect((await callTrpc(app.http, 'editor.saveSection', 'mutation', { token, input })).status).toBe(200)
  const again = { ...input, version: 1 }
  expect(
    (await callRest(app.http, 'PUT /api/site/admin/draft/{section}', { token, input: again })).status,
  ).toBe(200)
})

test('a save is neither audited nor mailed [LTEXT-11]', async () => {
  const app = await testApp()
  const { save } = await makeEditor(app)
  await save('rates', { intro: 'new' })
  expect(app.deps.db.select().from(events).all()).toEqual([])
  expect(app.deps.db.select().from(outbox).all()).toEqual([])
})
