import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyContent, buildContent } from '../../testing/build-content.ts'
import { isFields, isSameBody } from '../common/same-body.ts'
import { type SiteContent, sectionNames } from './content.ts'
import { compareContent } from './content-compare.ts'

const content = buildContent()
const changesTo = (changes: Partial<SiteContent>) => compareContent(content, buildContent(changes))
const { pictures } = content.gallery
const [first, second, third] = pictures as [(typeof pictures)[0], (typeof pictures)[0], (typeof pictures)[0]]
const withPictures = (...given: typeof pictures) => ({ gallery: { ...content.gallery, pictures: given } })

describe('a comparison', () => {
  test('of a version with itself has no changes [SITE-24]', () => {
    expect(compareContent(content, structuredClone(content))).toEqual([])
  })

  test('lists changed fields with before and after, in the order of the sections [SITE-24]', () => {
    const hero = { ...content.hero, headline: 'Hello', picture: null, focal: { x: 0.5, y: 0 } }
    expect(changesTo({ facts: { ...content.facts, sleeps: 6 }, hero })).toEqual([
      { section: 'hero', path: 'headline', before: 'Wake up to the ocean', after: 'Hello' },
      { section: 'hero', path: 'picture', before: 'hero', after: null },
      { section: 'hero', path: 'focal.x', before: 0.3, after: 0.5 },
      { section: 'facts', path: 'sleeps', before: 4, after: 6 },
    ])
  })

  test('matches a picture by its id, wherever it has moved [SITE-24]', () => {
    const [, ...others] = pictures
    const moved = changesTo(withPictures(...others, { ...first, caption: 'Home' }))
    expect(moved.map(({ path }) => path)).toEqual([
      'pictures.01-beachfront-exterior.caption',
      'pictures.order',
    ])
    expect(moved[0]).toMatchObject({ before: first.caption, after: 'Home' })
  })

  test('reports a mere reordering as one change [SITE-24]', () => {
    const ids = pictures.map(({ picture }) => picture)
    expect(changesTo(withPictures(...pictures.toReversed()))).toEqual([
      { section: 'gallery', path: 'pictures.order', before: ids, after: ids.toReversed() },
    ])
    const { reviews } = content.reviews
    const swapped = { ...content.reviews, reviews: [...reviews.slice(1), ...reviews.slice(0, 1)] }
    expect(changesTo({ reviews: swapped }).map(({ path }) => path)).toEqual(['reviews.order'])
    const { rules } = content.houseRules
    expect(changesTo({ houseRules: { ...content.houseRules, rules: rules.toReversed() } })).toEqual([
      { section: 'houseRules', path: 'rules.order', before: rules, after: rules.toReversed() },
    ])
  })

  test('reports no reordering if an entry is only appended or removed [SITE-24]', () => {
    const added = { picture: 'new', caption: 'New', alt: 'New' }
    expect(changesTo(withPictures(...pictures, added))).toEqual([
      { section: 'gallery', path: 'pictures.new', before: null, after: added },
    ])
    expect(changesTo(withPictures(...pictures.filter(each => each !== second)))).toEqual([
      { section: 'gallery', path: 'pictures.02-balcony-ocean', before: second, after: null },
    ])
    expect(changesTo(withPictures(added, ...pictures)).map(({ path }) => path)).toEqual([
      'pictures.new',
      'pictures.order',
    ])
  })

  test('matches entries without an id by position [SITE-24]', () => {
    const [rule = '', ...rules] = content.houseRules.rules
    expect(
      changesTo({ houseRules: { ...content.houseRules, rules: [`${rule}!`, ...rules.slice(0, -1)] } }),
    ).toEqual([
      { section: 'houseRules', path: 'rules.0', before: rule, after: `${rule}!` },
      { section: 'houseRules', path: 'rules.5', before: rules.at(-1), after: null },
    ])
    const unchosen = { ...third, picture: null }
    expect(changesTo(withPictures(first, second, unchosen, ...pictures.slice(3)))).toEqual([
      { section: 'gallery', path: 'pictures.2.picture', before: third.picture, after: null },
    ])
  })

  test('of a list inside an entry names both positions [SITE-24]', () => {
    const [group, ...groups] = content.amenities.groups as [SiteContent['amenities']['groups'][0]]
    const changed = {
      ...group,
      items: [...group.items.slice(0, 1), 'Swing', ...group.items.slice(2), 'Grill'],
    }
    expect(changesTo({ amenities: { ...content.amenities, groups: [changed, ...groups] } })).toEqual([
      { section: 'amenities', path: 'groups.0.items.1', before: group.items[1], after: 'Swing' },
      { section: 'amenities', path: 'groups.0.items.4', before: null, after: 'Grill' },
    ])
  })
})

/** A second content that shares sections, entries and orders with the first. */
const twoContents = fc
  .tuple(anyContent, anyContent, fc.infiniteStream(fc.constantFrom('from', 'to', 'turned', 'mixed')))
  .map(([from, other, choices]) => {
    const mixed = sectionNames.map(name => {
      const choice = choices.next().value
      const body = structuredClone(choice === 'to' ? other[name] : from[name]) as Record<string, unknown>
      for (const [key, value] of Object.entries(body)) {
        const theirs = (other[name] as Record<string, unknown>)[key]
        if (!Array.isArray(value) || !Array.isArray(theirs)) continue
        if (choice === 'turned') body[key] = [...value.slice(1), ...value.slice(0, 1)]
        if (choice === 'mixed') body[key] = merged(value, theirs)
      }
      return [name, body]
    })
    return { from, to: Object.fromEntries(mixed) as SiteContent }
  })

/** Their entries, then mine with other ids. */
function merged(mine: unknown[], theirs: unknown[]): unknown[] {
  const idOf = (entry: unknown) => {
    const { id, picture } = entry as { id?: string; picture?: string | null }
    return typeof entry === 'string' ? entry : (id ?? picture ?? JSON.stringify(entry))
  }
  const taken = new Set(theirs.map(idOf))
  return [...theirs, ...mine.filter(entry => !taken.has(idOf(entry)))]
}

type Fields = Record<string, unknown>
const identifiers: Record<string, string> = { pictures: 'picture', reviews: 'id' }
const idIn = (entry: unknown, list: string) => (entry as Fields)[identifiers[list] ?? '']

/** Applies changes to the content; `changes` must come from a comparison that starts with the same content. */
function applyChanges(from: SiteContent, changes: ReturnType<typeof compareContent>): SiteContent {
  const result = structuredClone(from)
  for (const { after, path, section } of structuredClone(changes))
    set(result[section], path.split('.'), after)
  return result
}

function set(fields: Fields, [key = '', ...rest]: string[], after: unknown): void {
  const value = fields[key]
  if (rest.length === 0) fields[key] = after
  else if (!Array.isArray(value)) set(value as Fields, rest, after)
  else if (rest[0] === 'order') fields[key] = inOrder(value, key, after as unknown[])
  else setInList(value, key, rest, after)
}

/** No id is a number, so a number is a position. */
function setInList(list: unknown[], name: string, [key = '', ...rest]: string[], after: unknown): void {
  const isPosition = /^\d+$/.test(key)
  const at = isPosition ? Number(key) : list.findIndex(entry => idIn(entry, name) === key)
  if (rest.length > 0) set(list[at] as Fields, rest, after)
  else if (isPosition && after === null) list.pop()
  else if (isPosition) list[at] = after
  else if (after === null) list.splice(at, 1)
  else list.push(after)
}

/** `after` is the list itself, or the ids of its entries. */
function inOrder(list: unknown[], name: string, after: unknown[]): unknown[] {
  if (identifiers[name] === undefined || isFields(after[0])) return after
  return after.map(id => list.find(entry => idIn(entry, name) === id))
}

test('applying the changes between two contents to the first gives the second [SITE-24]', () => {
  fc.assert(
    fc.property(twoContents, ({ from, to }) => {
      const before = structuredClone([from, to])
      const changes = compareContent(from, to)
      expect(applyChanges(from, changes)).toEqual(to)
      expect(applyChanges(to, compareContent(to, from))).toEqual(from)
      expect([from, to]).toEqual(before)
      expect(changes.length > 0).toBe(!isSameBody(from, to))
      for (const { after, before } of changes) expect(isSameBody(after, before)).toBe(false)
      const paths = changes.map(({ path, section }) => `${section}.${path}`)
      expect(new Set(paths).size).toBe(paths.length)
    }),
    { numRuns: 60 },
  )
})

test('any reordering of a list with ids is one change, and any content equals itself [SITE-24]', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(pictures, { minLength: pictures.length }), anyContent, (order, any) => {
      expect(compareContent(any, structuredClone(any))).toEqual([])
      const isSameOrder = order.every((each, index) => each === pictures[index])
      expect(changesTo(withPictures(...order)).map(({ path }) => path)).toEqual(
        isSameOrder ? [] : ['pictures.order'],
      )
    }),
    { numRuns: 60 },
  )
})

test('compares bodies by their values, not by the order of their fields [SITE-18]', () => {
  expect(isSameBody({ a: 1, b: [null, 'x'] }, { b: [null, 'x'], a: 1 })).toBe(true)
  for (const [a, b] of [
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { a: 1, b: undefined }],
    [
      [1, 2],
      [2, 1],
    ],
    [[], {}],
    [null, {}],
    ['1', 1],
  ])
    expect(isSameBody(a, b)).toBe(false)
})
