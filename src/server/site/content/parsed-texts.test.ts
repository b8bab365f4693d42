import { expect, test } from 'vitest'
import { contentVersions, parsedTexts } from '../../../../db/schema.ts'
import { contentSchema } from '../../../domain/content/content.ts'
import { errorOf, makeEditor } from '../../../testing/build-site.ts'
import { type TestApp, testApp, testNow, visitor } from '../../../testing/test-app.ts'
import { sha256 } from '../../lib/sha256.ts'
import { createMarkdownParser } from '../../workers/threads.ts'
import { parseStoredTexts } from './parsed-texts.ts'
import { shippedContent } from './shipped-content.ts'

/** Held the parser for 11 seconds. */
const slowText = `- a\n${'b\n'.repeat(14_990)}`
const manyLines = 'A text can have at most 2,000 lines, and a paragraph or list at most 400.'
const tooSlow = 'This text takes too long to lay out. Please shorten it, or use fewer lists and marks.'
const text = '## Stay\n\nBe **kind**.'
const blocks = [
  { kind: 'heading', level: 2, spans: [{ text: 'Stay' }] },
  { kind: 'paragraph', spans: [{ text: 'Be ' }, { text: 'kind', bold: true }, { text: '.' }] },
]
/** The text of the terms page, as visitors get it. */
const shownTerms = async (app: TestApp) => {
  const { content } = await app.as(visitor).site.content({ page: 'terms' })
  return 'terms' in content ? content.terms.blocks : []
}
const storedIn = (app: TestApp) => app.deps.db.select().from(parsedTexts).all()

/** A database whose terms were published by a release that parsed them at each reading. */
async function publishUnparsed(app: TestApp, terms: string) {
  const { userId: actorId } = await app.makeAdmin()
  const body = JSON.stringify({ ...shippedContent, terms: { ...shippedContent.terms, text: terms } })
  await app.deps.write(tx =>
    tx
      .insert(contentVersions)
      .values({
        at: testNow,
        actorId,
        note: '',
        source: 'publish',
        schema: contentSchema,
        body,
        sha256: sha256(body),
      })
      .run(),
  )
}

test('rejects a text that would hold the parser for seconds, at its field, within a moment [FIX-30]', async () => {
  const app = await testApp()
  const { draft, save } = await makeEditor(app)
  const startedAt = performance.now()
  const refused = await errorOf(save('terms', { text: slowText }))
  expect(refused).toMatchObject({ code: 'bad_request', message: manyLines, fields: { text: manyLines } })
  expect(performance.now() - startedAt).toBeLessThan(1000)
  expect((await draft()).revision).toBe(0)
})

test('rejects a text that is not parsed in time, at its field, and saves the next one [FIX-30]', async () => {
  const impatient = createMarkdownParser({ jobTimeoutMs: 1 })
  const app = await testApp({ replace: { markdownParser: impatient } })
  const { save } = await makeEditor(app)
  const refused = await errorOf(save('terms', { text }))
  expect(refused).toMatchObject({ code: 'bad_request', fields: { text: tooSlow } })
  await impatient.close()
  app.deps.markdownParser = createMarkdownParser()
  await save('terms', { text })
  await app.deps.markdownParser.close()
})

test('a text is parsed once, when it is saved, and never when it is read [FIX-30]', async () => {
  const app = await testApp()
  const { save, publish, editor } = await makeEditor(app)
  await save('terms', { text })
  expect(storedIn(app).map(row => row.blocks)).toEqual([blocks])
  app.deps.markdownParser = { parse: () => Promise.reject(new Error('parsed again')), close: async () => {} }
  await save('terms', { effective: 'May 1, 2026' })
  await publish()
  expect(await shownTerms(app)).toEqual(blocks)
  await save('terms', { text: shippedContent.terms.text })
  await publish()
  expect((await shownTerms(app))[0]).toMatchObject({ kind: 'heading' })
  await editor.publishVersion({ version: 1, published: 2 })
  expect(await shownTerms(app)).toEqual(blocks)
})

test('keeps only the parsed texts that are published or in the draft, and parses a restored one again [FIX-30]', async () => {
  const app = await testApp()
  const { save, publish, editor } = await makeEditor(app)
  for (const each of [text, 'two', 'three', 'four']) {
    await save('terms', { text: each })
    if (each !== 'four') await publish()
  }
  expect(storedIn(app)).toHaveLength(2)
  await editor.restoreVersion({ version: 1, replace: true })
  await publish()
  expect(await shownTerms(app)).toEqual(blocks)
  await editor.publishVersion({ version: 2, published: 4 })
  expect(await shownTerms(app)).toEqual([{ kind: 'paragraph', spans: [{ text: 'two' }] }])
})

test('the texts of an earlier release are shown as typed until the start has parsed them [FIX-30]', async () => {
  const app = await testApp()
  await publishUnparsed(app, text)
  expect(await shownTerms(app)).toEqual([
    { kind: 'paragraph', spans: [{ text: '## Stay' }] },
    { kind: 'paragraph', spans: [{ text: 'Be **kind**.' }] },
  ])
  await parseStoredTexts(app.deps)
  expect(await shownTerms(app)).toEqual(blocks)
})

test('an old text that is too slow stays as typed; other words can be published, and it is not published anew [FIX-30]', async () => {
  const app = await testApp()
  await publishUnparsed(app, slowText)
  const { save, publish, editor, draft } = await makeEditor(app)
  await parseStoredTexts(app.deps)
  expect(storedIn(app)).toEqual([])
  const startedAt = performance.now()
  expect(await shownTerms(app)).toHaveLength(1)
  expect(performance.now() - startedAt).toBeLessThan(1000)
  await save('hero', { headline: 'Come and stay' })
  await publish()
  await save('terms', { text })
  await publish()
  expect(await shownTerms(app)).toEqual(blocks)
  await editor.restoreVersion({ version: 1 })
  expect((await draft()).faults).toEqual({ 'terms.text': manyLines })
  for (const again of [publish(), editor.publishVersion({ version: 1, published: 3 })])
    expect(await errorOf(again)).toMatchObject({ code: 'bad_request', fields: { 'terms.text': manyLines } })
  expect(await shownTerms(app)).toEqual(blocks)
})
