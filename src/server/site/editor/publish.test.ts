import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { contentVersions, events, outbox, pictureCopies, pictures } from '../../../../db/schema.ts'
import { isSameBody } from '../../../domain/common/same-body.ts'
import { editorOf, errorOf, makeEditor } from '../../../testing/build-site.ts'
import { noMailSources } from '../../../testing/no-mail-sources.ts'
import { productionEnv } from '../../../testing/production-env.ts'
import { type TestApp, testApp, testOrigin } from '../../../testing/test-app.ts'
import { composeMail } from '../../mail/compose.ts'
import { shippedContent } from '../content/shipped-content.ts'

const mailsOf = (app: TestApp) =>
  app.deps.db
    .select()
    .from(outbox)
    .all()
    .filter(({ kind }) => kind === 'owner-contact-changed')
const published = (app: TestApp) => app.deps.siteContent()

test('publishing shows the draft to visitors, clears it and is audited; visitors do not see an unpublished draft [SITE-18, SITE-20, SITE-21, LTEXT-11]', async () => {
  const app = await testApp()
  const { actor, draft, editor, publish, save } = await makeEditor(app)
  const before = published(app)
  await save('hero', { headline: 'Come and stay' })
  await save('rates', { intro: 'Per night.' })
  expect(published(app)).toEqual(before)
  const version = await publish(' Spring ')
  expect(version).toEqual({
    version: 1,
    at: app.deps.clock.now().toISOString(),
    by: { id: actor.userId, name: 'Maya Rivers' },
    note: 'Spring',
    source: 'publish',
    changed: ['hero', 'rates'],
  })
  const { content, document, version: number } = published(app)
  expect({ number, headline: content.hero.headline, intro: content.rates.intro }).toEqual({
    number: 1,
    headline: 'Come and stay',
    intro: 'Per night.',
  })
  expect(document).toEqual({
    ...shippedContent,
    hero: { ...shippedContent.hero, headline: 'Come and stay' },
    rates: { ...shippedContent.rates, intro: 'Per night.' },
  })
  const after = await draft()
  expect(after).toMatchObject({
    revision: 4,
    published: { version: 1, at: version.at, by: version.by },
    sections: { hero: { version: 2, changed: false }, rates: { version: 2 }, gallery: { version: 0 } },
  })
  const late = await errorOf(
    editor.saveSection({ section: 'hero', version: 1, body: after.sections.hero.body }),
  )
  expect(late).toMatchObject({ code: 'conflict', current: after.sections.hero })
  expect(await errorOf(editor.publish({ revision: 4 }))).toMatchObject({
    code: 'conflict',
    message: 'There is nothing to publish.',
  })
  expect(app.deps.db.select().from(events).all()).toMatchObject([
    {
      kind: 'site.published',
      subjectId: '1',
      actorId: actor.userId,
      detail: { source: 'publish', note: 'Spring', changed: 'hero, rates' },
    },
  ])
})

test('of two simultaneous publications or undos one succeeds, and creates one version [SITE-20, SITE-21, SITE-26]', async () => {
  const app = await testApp()
  const { editor, save } = await makeEditor(app)
  const other = editorOf(app.as(await app.makeAdmin()))
  const versions = () => app.deps.db.select().from(contentVersions).all().length
  const statuses = (asked: Promise<unknown>[]) =>
    Promise.allSettled(asked).then(all => all.map(({ status }) => status))
  await save('rates', { intro: 'new' })
  expect(await statuses([editor.publish({ revision: 1 }), other.editor.publish({ revision: 1 })])).toEqual([
    'fulfilled',
    'rejected',
  ])
  expect(versions()).toBe(1)
  const undo = { version: 0, published: 1 }
  expect(await statuses([editor.publishVersion(undo), other.editor.publishVersion(undo)])).toEqual([
    'fulfilled',
    'rejected',
  ])
  expect(versions()).toBe(2)
  expect(published(app).version).toBe(2)
})

test('rejects an incomplete draft with all errors at once, which the draft also lists [SITE-05, SITE-32]', async () => {
  const app = await testApp()
  const { draft, editor, publish, save } = await makeEditor(app)
  await save('hero', { headline: '', picture: null })
  await save('gallery', { pictures: [] })
  await save('location', { map: 'picture' })
  const fields = {
    'hero.headline': 'Headline is required',
    'hero.picture': 'Picture is required',
    'gallery.pictures': 'Pictures needs at least 1 entry',
    'location.picture': 'Picture is required',
  }
  expect((await draft()).faults).toEqual(fields)
  expect(await errorOf(publish())).toMatchObject({ code: 'bad_request', fields })
  await editor.discardDraft({ revision: 3 })
  const text = '\u6d77'.repeat(1500)
  const long = Array.from({ length: 14 }, (_, index) => ({
    id: `r${index}`,
    name: 'Ada',
    rating: 5,
    date: '2026-01-31',
    title: '',
    content: text,
    stayed: '',
    verified: false,
    sample: false,
    applicationId: null,
  }))
  await save('reviews', { reviews: long })
  const home = { home: 'The words of the home page are too long in all.' }
  expect(await errorOf(publish())).toMatchObject({ code: 'bad_request', fields: home })
  expect(app.deps.db.select().from(contentVersions).all()).toEqual([])
})

test('cannot publish sample reviews in production [SITE-12, SITE-13]', async () => {
  const app = await testApp({ env: productionEnv })
  const { draft, publish, save } = await makeEditor(app)
  await save('rates', { intro: 'new' })
  const faults = {
    'reviews.reviews':
      'The sample reviews are still in. Remove them, or replace them with what your guests wrote.',
  }
  expect((await draft()).faults).toEqual(faults)
  expect(await errorOf(publish())).toMatchObject({ code: 'bad_request', fields: faults })
  await save('reviews', { reviews: [] })
  expect(await publish()).toMatchObject({ version: 1, changed: ['rates', 'reviews'] })
})

test('the identity comes from the environment until it is changed, and again after restoring version 0 [SITE-25, SITE-26]', async () => {
  const app = await testApp()
  const { draft, editor, publish, save } = await makeEditor(app)
  const storedIdentity = () => {
    const row = app.deps.db.select().from(contentVersions).all().at(-1)
    return JSON.parse(row?.body ?? '').identity
  }
  const fromEnvironment = async () => (await draft()).sections.identity.body.fromEnvironment
  await save('rates', { intro: 'new' })
  await publish()
  expect(storedIdentity()).toBeNull()
  expect(await save('identity', {})).toMatchObject({
    section: { changed: false, body: { fromEnvironment: true } },
  })
  await save('identity', { companyName: 'Tern & Tide' })
  expect(await fromEnvironment()).toBeUndefined()
  await publish()
  expect(storedIdentity()).toMatchObject({ companyName: 'Tern & Tide' })
  expect(published(app).content.identity.companyName).toBe('Tern & Tide')
  const { version, sections } = await editor.version({ version: 1 })
  expect(version).toMatchObject({ version: 1, changed: ['rates'] })
  expect(sections.identity).toMatchObject({ fromEnvironment: true })

  await editor.restoreVersion({ version: 0 })
  expect(await fromEnvironment()).toBe(true)
  await publish()
  expect(storedIdentity()).toBeNull()
  await editor.publishVersion({ version: 2, published: 3 })
  expect(storedIdentity()).toMatchObject({ companyName: 'Tern & Tide' })
  await editor.publishVersion({ version: 0, published: 4 })
  expect(storedIdentity()).toBeNull()
})

test('changed words about contact, payment or terms are mailed once to the owner’s former and new address [SITE-23, FIX-32]', async () => {
  const app = await testApp({ env: { OWNER_EMAIL: 'olive@condo.example', OWNER_PHONE: '(555) 010-2030' } })
  const { actor, editor, publish, save } = await makeEditor(app)
  await save('hero', { headline: 'Come and stay' })
  await publish()
  expect(mailsOf(app)).toEqual([])
  await save('identity', { ownerEmail: 'thief@elsewhere.example' })
  await save('waysToPay', { ways: [{ name: 'Zelle', instructions: 'To <b>{ownerEmail}</b>' }] })
  await publish()
  const mails = mailsOf(app)
  expect(mails.map(({ toAddress }) => toAddress)).toEqual(['olive@condo.example', 'thief@elsewhere.example'])
  const { address, userAgent } = testOrigin
  const email = app.deps.db.query.users
    .findFirst({ where: (user, { eq }) => eq(user.id, actor.userId) })
    .sync()?.email
  for (const { props } of mails)
    expect(props).toMatchObject({
      address,
      userAgent,
      at: app.deps.clock.now().toISOString(),
      by: `Maya Rivers (${email})`,
      changes: [
        { label: 'Email', before: 'olive@condo.example', after: 'thief@elsewhere.example' },
        { label: 'Ways to pay', after: 'Zelle: To <b>{ownerEmail}</b>' },
      ],
    })
  const [first] = mails
  if (!first) throw new Error('no mail')
  const { html, subject, text } = await composeMail(app.deps, noMailSources, first)
  expect(subject).toBe('Contact, payment details or terms were changed')
  for (const said of [
    'olive@condo.example',
    'thief@elsewhere.example',
    'Maya Rivers',
    address,
    userAgent,
    'Zelle',
  ])
    expect(text).toContain(said)
  expect(html).toContain('To &lt;b&gt;{ownerEmail}&lt;/b&gt;')

  await save('identity', { ownerPhone: '(555) 010-2031' })
  await publish()
  const toNew = mailsOf(app).slice(2)
  expect(toNew.map(({ toAddress }) => toAddress)).toEqual(['thief@elsewhere.example'])
  expect(toNew[0]?.props).toMatchObject({ changes: [{ label: 'Phone' }] })
  await editor.publishVersion({ version: 1, published: 3 })
  expect(
    mailsOf(app)
      .slice(3)
      .map(({ toAddress }) => toAddress),
  ).toEqual(['thief@elsewhere.example', 'olive@condo.example'])

  const long = `${'We share little.\n\n'.repeat(190)}`
  await save('terms', { text: long })
  await publish()
  await save('terms', { text: `${long}Pay to DE02 1203 0000 0000 2020 51.` })
  await save('identity', { companyName: 'Tern & Tide' })
  await publish()
  expect(mailsOf(app).at(-1)?.props).toMatchObject({
    changes: [
      { label: 'Company', after: 'Tern & Tide' },
      { label: 'Terms', before: '', after: 'Pay to DE02 1203 0000 0000 2020 51.' },
    ],
  })
})

test('restores a version into the draft, over unpublished changes only with replace; compare lists the differences [SITE-24, SITE-25, LTEXT-11]', async () => {
  const app = await testApp()
  const { draft, editor, publish, save } = await makeEditor(app)
  await save('rates', { intro: 'one' })
  await publish('first')
  await save('rates', { intro: 'two' })
  await publish('second')
  await save('hero', { headline: 'Mine' })
  const unpublished = { code: 'conflict', message: 'The draft has changes that are not published.' }
  expect(await errorOf(editor.restoreVersion({ version: 1 }))).toMatchObject(unpublished)
  expect((await draft()).sections.hero.body.headline).toBe('Mine')
  const restored = await editor.restoreVersion({ version: 1, replace: true })
  expect(restored.missingPictures).toEqual([])
  expect(restored.draft.sections).toMatchObject({
    hero: { version: 2, changed: false },
    rates: { changed: true, body: { intro: 'one' } },
  })
  const { changes } = await editor.compare({ from: 'published', to: 'draft' })
  expect(changes).toEqual([{ section: 'rates', path: 'intro', before: 'two', after: 'one' }])
  expect(await editor.compare({ from: 1, to: 'draft' })).toEqual({ changes: [] })
  expect(await editor.compare({ from: 2, to: 'published' })).toEqual({ changes: [] })
  for (const asked of [
    editor.compare({ from: 0, to: 3 }),
    editor.version({ version: 3 }),
    editor.restoreVersion({ version: 3 }),
    editor.publishVersion({ version: 3, published: 2 }),
  ])
    expect(await errorOf(asked)).toMatchObject({ code: 'not_found' })
  const { versions } = await editor.versions()
  expect(versions).toMatchObject([
    { version: 2, note: 'second', source: 'publish', changed: ['rates'] },
    { version: 1, note: 'first', changed: ['rates'] },
    { version: 0, at: null, by: null, note: 'Original content', source: 'publish', changed: [] },
  ])
  const kinds = app.deps.db.select().from(events).all()
  expect(kinds.map(({ kind, subjectId }) => `${kind} ${subjectId}`)).toEqual([
    'site.published 1',
    'site.published 2',
    'site.restored 1',
  ])
})

test('publishes a version again directly, without the draft, if the caller names the published version [SITE-18, SITE-26]', async () => {
  const app = await testApp()
  const { draft, editor, publish, save } = await makeEditor(app)
  await save('rates', { intro: 'one' })
  await publish()
  await save('rates', { intro: 'waiting' })
  const { revision, sections } = await draft()
  expect(await errorOf(editor.publishVersion({ version: 0, published: 0 }))).toMatchObject({
    code: 'conflict',
    message: 'Somebody else has published meanwhile.',
  })
  expect(await errorOf(editor.publishVersion({ version: 1, published: 1 }))).toMatchObject({
    code: 'conflict',
  })
  const again = await editor.publishVersion({ version: 0, published: 1, note: ' \u202eUndo\n' })
  expect(again.published).toMatchObject({ version: 2, source: 'undo', note: 'Undo', changed: ['rates'] })
  expect(isSameBody(published(app).document, shippedContent)).toBe(true)
  const after = await draft()
  expect(after.revision).toBe(revision + 1)
  expect(after.sections.rates).toMatchObject({
    version: sections.rates.version + 1,
    body: { intro: 'waiting' },
  })
})

/** An upload whose original is stored. */
async function makeUpload({ deps }: TestApp, createdBy: string, id = 'upload'): Promise<void> {
  const at = deps.clock.now().toISOString()
  const row = { id, fileId: null, name: `${id}.jpg`, width: 1200, height: 800, sha256: id.padEnd(64, '0') }
  await deps.write(tx =>
    tx
      .insert(pictures)
      .values({ ...row, state: 'ready', createdAt: at, createdBy })
      .run(),
  )
}

test('rejects publishing without prepared copies, or a version with removed pictures; restoring drops those pictures [SITE-27, PIC-15]', async () => {
  const app = await testApp()
  const { actor, draft, editor, publish, save } = await makeEditor(app)
  const { db, write } = app.deps
  const setCopies = (state: 'ready' | 'failed' | 'processing') =>
    write(tx => tx.update(pictureCopies).set({ state }).run())
  await makeUpload(app, actor.userId)
  await save('overview', { picture: 'upload' })
  expect(db.select().from(pictureCopies).all()).toMatchObject([{ pictureId: 'upload', recipe: 'page' }])
  const waiting = {
    code: 'conflict',
    message: 'A picture is still being prepared. Try again in a minute.',
  }
  expect(await errorOf(publish())).toMatchObject(waiting)
  expect((await draft()).faults).toEqual({})
  await setCopies('failed')
  const failed = { 'overview.picture': 'This picture could not be prepared. Choose another.' }
  expect((await draft()).faults).toEqual(failed)
  expect(await errorOf(publish())).toMatchObject({ code: 'bad_request', fields: failed })
  await setCopies('ready')
  await publish()
  await save('overview', { picture: 'hero' })
  await publish()

  await write(tx => tx.delete(pictureCopies).run())
  const again = { version: 1, published: 2 }
  expect(await errorOf(editor.publishVersion(again))).toMatchObject(waiting)
  expect(db.select().from(pictureCopies).all()).toHaveLength(1)
  await write(tx =>
    tx.update(pictures).set({ removedAt: testRemovedAt }).where(eq(pictures.id, 'upload')).run(),
  )
  expect(await errorOf(editor.publishVersion(again))).toMatchObject({
    code: 'conflict',
    message: 'This version shows pictures that were removed.',
  })
  const { draft: restored, missingPictures } = await editor.restoreVersion({ version: 1 })
  expect(missingPictures).toEqual(['upload.jpg'])
  expect(restored).toMatchObject({
    sections: { overview: { body: { picture: null } } },
    faults: { 'overview.picture': 'Picture is required' },
  })

  // Version 2 is damaged, so visitors see version 1, which has the removed picture.
  await editor.discardDraft({ revision: restored.revision })
  await write(tx => tx.update(contentVersions).set({ sha256: '' }).where(eq(contentVersions.id, 2)).run())
  const gone = { 'overview.picture': 'This picture does not exist.' }
  expect((await draft()).faults).toEqual(gone)
  expect(await errorOf(publish())).toMatchObject({ code: 'bad_request', fields: gone })
  await save('overview', { picture: 'hero' })
  expect(await publish()).toMatchObject({ version: 3 })
})
const testRemovedAt = '2026-03-04T18:00:00.000Z'
