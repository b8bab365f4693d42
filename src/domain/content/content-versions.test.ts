import { describe, expect, test } from 'vitest'
import { shippedContent } from '../../server/site/content/shipped-content.ts'
import { buildContent, identity } from '../../testing/build-content.ts'
import { type ContentDocument, contentSchema, resolveContent } from './content.ts'
import {
  newestReadable,
  readDocument,
  readSectionBody,
  type SchemaStep,
  type StoredVersion,
} from './content-versions.ts'

const stored = (document: unknown): unknown => JSON.parse(JSON.stringify(document))
const withHeadline = (headline: string): ContentDocument => ({
  ...shippedContent,
  hero: { ...shippedContent.hero, headline },
})
const version = (id: number, changes: Partial<StoredVersion> = {}): StoredVersion => ({
  id,
  schema: contentSchema,
  body: stored(withHeadline(`Version ${id}`)),
  isIntact: true,
  ...changes,
})

test("the environment provides the owner's identity until somebody changes it in the editor [SITE-01]", () => {
  expect(resolveContent(shippedContent, identity).identity).toEqual(identity)
  const named = { ...identity, companyName: 'Sea LLC' }
  expect(resolveContent({ ...shippedContent, identity: named }, identity)).toEqual(
    buildContent({ identity: named }),
  )
})

describe('a stored document', () => {
  test('is read as written, with and without an identity [SITE-31]', () => {
    for (const document of [shippedContent, { ...shippedContent, identity }])
      expect(readDocument({ schema: contentSchema, body: stored(document) })).toEqual(document)
  })

  test.each<[string, unknown]>([
    ['of no object', null],
    ['of a text', 'x'],
    ['of a list', []],
    ['without a section', { ...shippedContent, hero: undefined }],
    ['with a wrong field', { ...shippedContent, facts: { ...shippedContent.facts, sleeps: 0 } }],
    ['with too long a field', withHeadline('x'.repeat(61))],
    ['without the key of the identity', { ...shippedContent, identity: undefined }],
  ])('%s cannot be read [SITE-31]', (_title, body) => {
    expect(readDocument({ schema: contentSchema, body: stored(body ?? null) })).toBeUndefined()
  })

  test('of a newer program cannot be read, nor one without a migration step [SITE-31]', () => {
    const body = stored(shippedContent)
    for (const schema of [contentSchema + 1, 0, -1, 0.5, Number.NaN])
      expect(readDocument({ schema, body })).toBeUndefined()
  })

  test('of an older schema is migrated step by step, and the row stays unchanged [SITE-31]', () => {
    const renamed: SchemaStep = old => {
      const { heading, ...document } = old as { heading: string }
      return { ...document, hero: { ...shippedContent.hero, headline: heading } }
    }
    const louder: SchemaStep = old => {
      const document = old as ContentDocument
      return { ...document, hero: { ...document.hero, headline: `${document.hero.headline}!` } }
    }
    const { hero: _, ...first } = shippedContent
    const body = stored({ ...first, heading: 'Hello' })
    const before = structuredClone(body)
    const steps = { 1: renamed, 2: louder }
    expect(readDocument({ schema: 1, body }, steps, 3)).toEqual(withHeadline('Hello!'))
    expect(readDocument({ schema: 2, body: stored(withHeadline('Hello')) }, steps, 3)).toEqual(
      withHeadline('Hello!'),
    )
    expect(readDocument({ schema: 3, body: stored(withHeadline('Hello')) }, steps, 3)).toEqual(
      withHeadline('Hello'),
    )
    expect(body).toEqual(before)
    expect(readDocument({ schema: 1, body }, { 2: louder }, 3)).toBeUndefined()
    const failing: SchemaStep = () => {
      throw new Error('unexpected')
    }
    expect(readDocument({ schema: 1, body }, { 1: failing, 2: louder }, 3)).toBeUndefined()
  })
})

describe('the shown version', () => {
  test('is the newest one if it is intact, without reading older ones [SITE-31]', () => {
    const read: number[] = []
    function* versions() {
      for (const id of [3, 2, 1]) {
        read.push(id)
        yield version(id)
      }
    }
    expect(newestReadable(versions(), shippedContent)).toEqual({
      id: 3,
      document: withHeadline('Version 3'),
      unreadable: [],
    })
    expect(read).toEqual([3])
  })

  test('is the newest intact one, skipping those with a wrong hash or schema [SITE-31]', () => {
    const versions = [version(4, { isIntact: false }), version(3, { body: {} }), version(2), version(1)]
    expect(newestReadable(versions, shippedContent)).toEqual({
      id: 2,
      document: withHeadline('Version 2'),
      unreadable: [4, 3],
    })
  })

  test('falls back to the shipped content [SITE-31, SITE-01]', () => {
    expect(newestReadable([version(1, { isIntact: false })], shippedContent)).toEqual({
      id: 0,
      document: shippedContent,
      unreadable: [1],
    })
    expect(newestReadable([], shippedContent)).toEqual({ id: 0, document: shippedContent, unreadable: [] })
  })
})

test('a section of the draft is migrated separately, and cannot be read if a document could not [SITE-31]', () => {
  const louder: SchemaStep = old => {
    const { hero, ...document } = old as Partial<ContentDocument>
    return { ...document, ...(hero && { hero: { ...hero, headline: `${hero.headline}!` } }) }
  }
  const { hero, rates } = shippedContent
  const steps = { 1: louder }
  expect(readSectionBody('hero', { schema: 1, body: stored(hero) }, steps, 2)).toEqual({
    ...hero,
    headline: `${hero.headline}!`,
  })
  expect(readSectionBody('rates', { schema: 1, body: stored(rates) }, steps, 2)).toEqual(rates)
  expect(readSectionBody('rates', { schema: 2, body: stored(rates) }, steps, 2)).toEqual(rates)
  for (const row of [
    { schema: 3, body: rates },
    { schema: 0, body: rates },
    { schema: 2, body: { ...rates, title: 7 } },
    { schema: 2, body: 'x' },
  ])
    expect(readSectionBody('rates', row, steps, 2)).toBeUndefined()
})
