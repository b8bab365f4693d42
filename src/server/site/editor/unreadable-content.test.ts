import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { contentSections, contentVersions, outbox } from '../../../../db/schema.ts'
import { errorOf, makeEditor } from '../../../testing/build-site.ts'
import { noMailSources } from '../../../testing/no-mail-sources.ts'
import { type TestApp, testApp } from '../../../testing/test-app.ts'
import { sha256 } from '../../lib/sha256.ts'
import { composeMail } from '../../mail/compose.ts'
import { reportUnreadableContent } from './unreadable-content.ts'

const damage = (app: TestApp, id: number, values: Partial<typeof contentVersions.$inferInsert>) =>
  app.deps.write(tx => tx.update(contentVersions).set(values).where(eq(contentVersions.id, id)).run())
const mails = (app: TestApp) =>
  app.deps.db
    .select()
    .from(outbox)
    .all()
    .filter(({ kind }) => kind === 'owner-content-unreadable')

test('skips an unreadable version, shows a notice and mails once; publishing still works, and removes the notice [SITE-31]', async () => {
  const app = await testApp()
  const { actor, draft, editor, publish, save } = await makeEditor(app)
  const board = async () => (await app.as(actor).notices.list()).notices
  for (const intro of ['one', 'two', 'three']) {
    await save('rates', { intro })
    await publish()
  }
  await reportUnreadableContent(app.deps)
  expect(mails(app)).toEqual([])
  expect((await board()).filter(({ id }) => id.startsWith('words'))).toEqual([])

  await damage(app, 3, { sha256: sha256('something else') })
  const body = JSON.stringify({ hero: 'no hero' })
  await damage(app, 2, { body, sha256: sha256(body) })
  expect(app.deps.siteContent()).toMatchObject({ version: 1, unreadable: [3, 2] })
  expect(app.deps.siteContent().content.rates.intro).toBe('one')
  expect(await board()).toContainEqual({
    id: 'words-unreadable-3',
    tone: 'danger',
    title: 'The published content could not be read',
    detail:
      'Versions 3, 2 cannot be read. Visitors see version 1 until something is published: other words, or these with ‘Publish again’ under Versions.',
    at: null,
    action: { kind: 'site' },
  })
  for (let times = 0; times < 2; times += 1) await reportUnreadableContent(app.deps)
  expect(mails(app).map(({ props }) => props)).toEqual([
    { version: 3, shown: 1 },
    { version: 2, shown: 1 },
  ])
  const [mail] = mails(app)
  if (!mail) throw new Error('no mail')
  const { subject, text } = await composeMail(app.deps, noMailSources, mail)
  expect(subject).toBe('The published content could not be read')
  expect(text).toContain('visitors see version 1')

  expect((await draft()).published.version).toBe(1)
  for (const asked of [editor.version({ version: 3 }), editor.restoreVersion({ version: 2 })])
    expect(await errorOf(asked)).toMatchObject({
      code: 'not_found',
      message: 'The content of this version could not be read.',
    })
  const { versions } = await editor.versions()
  expect(versions.map(({ changed, version }) => [version, changed])).toEqual([
    [3, ['rates']],
    [2, ['rates']],
    [1, ['rates']],
    [0, []],
  ])
  // The version that visitors see instead can be published unchanged.
  expect(await publish()).toMatchObject({ version: 4, changed: [] })
  expect(app.deps.siteContent()).toMatchObject({ version: 4, unreadable: [] })
  const nothing = { code: 'conflict', message: 'There is nothing to publish.' }
  expect(await errorOf(publish())).toMatchObject(nothing)
  expect(await errorOf(editor.publishVersion({ version: 1, published: 4 }))).toMatchObject(nothing)
  await damage(app, 4, { sha256: sha256('something else') })
  expect((await editor.publishVersion({ version: 1, published: 1 })).published).toMatchObject({ version: 5 })
  await save('rates', { intro: 'four' })
  expect(await publish()).toMatchObject({ version: 6, changed: ['rates'] })
  expect(app.deps.siteContent()).toMatchObject({ version: 6, unreadable: [] })
  expect(await board()).not.toContainEqual(expect.objectContaining({ id: 'words-unreadable-3' }))
})

test('an unreadable draft section shows the published words, prevents publishing, and stays until it is saved or discarded [SITE-31]', async () => {
  const app = await testApp()
  const { draft, editor, publish, save } = await makeEditor(app)
  await save('rates', { intro: 'one' })
  await publish()
  await save('rates', { intro: 'lost?' })
  await save('hero', { headline: 'Mine' })
  const row = () =>
    app.deps.db.select().from(contentSections).where(eq(contentSections.section, 'rates')).get()
  const stored = { schema: 99, body: { title: 'Rates', intro: 'of a newer release' } }
  await app.deps.write(tx =>
    tx.update(contentSections).set(stored).where(eq(contentSections.section, 'rates')).run(),
  )
  const message =
    'The content that was saved here could not be read. Save this part again, or undo its changes.'
  const { faults, revision, sections } = await draft()
  expect(faults).toEqual({ rates: message })
  expect(sections.rates).toMatchObject({ version: 3, changed: true, body: { intro: 'one' } })
  expect(await errorOf(editor.publish({ revision }))).toMatchObject({ fields: { rates: message } })
  expect(await errorOf(editor.restoreVersion({ version: 0 }))).toMatchObject({ code: 'conflict' })
  await editor.publishVersion({ version: 0, published: 1 })
  expect(row()).toMatchObject({ ...stored, version: 4 })
  const discarded = await editor.discardSection({ section: 'rates', version: 4 })
  expect(discarded).toMatchObject({ section: { version: 5, changed: false }, faults: {} })
  expect(row()?.body).toBeNull()
  expect(await publish()).toMatchObject({ changed: ['hero'] })
})
