import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../common/errors.ts'
import {
  changedSections,
  type Draft,
  discardDraft,
  discardSection,
  draftContent,
  draftMessages,
  publishDraft,
  publishVersion,
  restoreVersion,
  revisionOf,
  saveSection,
  touchedSections,
} from './content-draft.ts'

type Words = { hero: string; gallery: string; terms: string }
const shipped: Words = { hero: 'h0', gallery: 'g0', terms: 't0' }
const untouched: Draft<Words> = {
  hero: { version: 0, body: null },
  gallery: { version: 0, body: null },
  terms: { version: 0, body: null },
}
const save = (draft: Draft<Words>, name: keyof Words, body: string, published = shipped) =>
  saveSection(draft, published, { name, version: draft[name].version, body })
const versionsOf = ({ gallery, hero, terms }: Draft<Words>) => [hero.version, gallery.version, terms.version]
const conflict = (message: string) => expect.objectContaining({ code: 'conflict', message })

describe('saving a section', () => {
  test('raises only its version, and with it the revision [SITE-17, SITE-18, SITE-20]', () => {
    const once = save(untouched, 'hero', 'h1')
    const twice = save(once, 'hero', 'h2')
    expect(versionsOf(twice)).toEqual([2, 0, 0])
    expect([untouched, once, twice].map(revisionOf)).toEqual([0, 1, 2])
    expect(draftContent(twice, shipped)).toEqual({ ...shipped, hero: 'h2' })
    expect(touchedSections(untouched, twice)).toEqual(['hero'])
    expect(untouched.hero).toEqual({ version: 0, body: null })
  })

  test('rejects a version other than the stored one, older or newer [SITE-17]', () => {
    const draft = save(untouched, 'hero', 'h1')
    for (const version of [0, 2, -1])
      expect(() => saveSection(draft, shipped, { name: 'hero', version, body: 'x' })).toThrow(
        conflict('This part was changed by somebody else meanwhile.'),
      )
    expect(draftContent(save(draft, 'gallery', 'g1'), shipped)).toEqual({
      hero: 'h1',
      gallery: 'g1',
      terms: 't0',
    })
  })

  test('with the published content marks it unchanged, under a new version [SITE-18]', () => {
    const back = save(save(untouched, 'hero', 'h1'), 'hero', 'h0')
    expect(back.hero).toEqual({ version: 2, body: null })
    expect(changedSections(back, shipped)).toEqual([])
  })
})

describe('discarding', () => {
  test('resets a section under a new version, and does nothing without changes [SITE-18]', () => {
    const draft = save(untouched, 'hero', 'h1')
    expect(discardSection(draft, 'hero', 1).hero).toEqual({ version: 2, body: null })
    expect(discardSection(draft, 'gallery', 0)).toBe(draft)
    for (const name of ['hero', 'gallery'] as const)
      expect(() => discardSection(draft, name, 7)).toThrow(conflict(draftMessages.staleSection))
  })

  test('the whole draft needs its revision and touches only changed sections [SITE-18, SITE-20]', () => {
    const draft = save(save(untouched, 'hero', 'h1'), 'terms', 't1')
    expect(versionsOf(discardDraft(draft, 2))).toEqual([2, 0, 2])
    expect(changedSections(discardDraft(draft, 2), shipped)).toEqual([])
    expect(() => discardDraft(draft, 1)).toThrow(conflict(draftMessages.staleDraft))
  })
})

describe('publishing', () => {
  test('publishes and empties the draft, and makes open editors of changed sections stale [SITE-18, SITE-20]', () => {
    const draft = save(save(untouched, 'hero', 'h1'), 'terms', 't1')
    const { changed, content, draft: after } = publishDraft(draft, shipped, 2)
    expect(changed).toEqual(['hero', 'terms'])
    expect(content).toEqual({ hero: 'h1', gallery: 'g0', terms: 't1' })
    expect(after).toEqual({
      hero: { version: 2, body: null },
      gallery: { version: 0, body: null },
      terms: { version: 2, body: null },
    })
    expect(() => saveSection(after, content, { name: 'hero', version: 1, body: 'late' })).toThrow(
      conflict(draftMessages.staleSection),
    )
  })

  test('rejects another revision, and a draft without changes [SITE-20]', () => {
    const draft = save(untouched, 'hero', 'h1')
    expect(() => publishDraft(draft, shipped, 0)).toThrow(
      conflict('The draft has changed since you looked. Check it and publish again.'),
    )
    const nothing = conflict('There is nothing to publish.')
    expect(() => publishDraft(untouched, shipped, 0)).toThrow(nothing)
    expect(() => publishDraft(save(draft, 'hero', 'h0'), shipped, 2)).toThrow(nothing)
  })
})

describe('an older version', () => {
  const older = { ...shipped, hero: 'old' }

  test('is restored into the draft and touches only the sections it changes there [SITE-25, SITE-18]', () => {
    const draft = restoreVersion(untouched, shipped, older)
    expect(draft).toEqual({ ...untouched, hero: { version: 1, body: 'old' } })
    expect(restoreVersion(draft, shipped, older, true)).toEqual(draft)
    expect(restoreVersion(draft, shipped, shipped, true).hero).toEqual({ version: 2, body: null })
  })

  test('replaces unpublished changes only on request [SITE-25]', () => {
    const draft = save(untouched, 'terms', 't1')
    expect(() => restoreVersion(draft, shipped, older)).toThrow(
      conflict('The draft has changes that are not published.'),
    )
    const replaced = restoreVersion(draft, shipped, older, true)
    expect(draftContent(replaced, shipped)).toEqual(older)
    expect(versionsOf(replaced)).toEqual([1, 0, 2])
  })

  test("is published without changing the draft's content, and makes open editors of its sections stale [SITE-26, SITE-18]", () => {
    const draft = save(save(untouched, 'hero', 'mine'), 'terms', 't1')
    const { changed, draft: after } = publishVersion(draft, shipped, older, { named: 4, actual: 4 })
    expect(changed).toEqual(['hero'])
    expect(after).toEqual({ ...draft, hero: { version: 2, body: 'mine' } })
    expect(draftContent(after, older)).toEqual({ ...older, hero: 'mine', terms: 't1' })
    expect(() => publishDraft(after, older, 2)).toThrow(conflict(draftMessages.staleDraft))
  })

  test('is rejected if somebody else has published, or if nothing would change [SITE-26]', () => {
    expect(() => publishVersion(untouched, shipped, older, { named: 3, actual: 4 })).toThrow(
      conflict('Somebody else has published meanwhile.'),
    )
    expect(() => publishVersion(untouched, shipped, { ...shipped }, { named: 4, actual: 4 })).toThrow(
      conflict(draftMessages.nothingToPublish),
    )
  })
})

const names = ['hero', 'gallery', 'terms'] as const
const steps = fc.array(
  fc.record({
    who: fc.constantFrom(0, 1),
    name: fc.constantFrom(...names),
    what: fc.constantFrom(
      'look',
      'save',
      'save',
      'save',
      'saveShown',
      'discard',
      'discardAll',
      'publish',
      'restore',
      'replace',
      'undo',
    ),
    older: fc.nat({ max: 9 }),
  }),
  { maxLength: 40 },
)

/** The stored site, and what each of two editors last saw of it. */
type Stored = { draft: Draft<Words>; versions: Words[] }
const publishedOf = ({ versions }: Stored) => versions.at(-1) as Words

/**
 * A saved body stays in the draft or in a version. Only an editor who has seen it there, or who asked to replace the
 * draft, can remove it; an editor who has not seen a section's latest state cannot change it.
 */
test('no interleaving of two editors loses an acknowledged save silently [SITE-17, SITE-18, SITE-20, SITE-25, SITE-26]', () => {
  fc.assert(
    fc.property(steps, given => {
      let now: Stored = { draft: untouched, versions: [shipped] }
      const seen = [now, now]
      for (const [index, { name, older, what, who }] of given.entries()) {
        const mine = seen[who] as Stored
        const after = what === 'look' ? now : act(now, mine, { name, older, what, words: `${name}${index}` })
        if (after) {
          if (namesItsVersion.includes(what)) expect(isStale(now, mine, { name, what })).toBe(false)
          checkStep(now, after, mine, what)
          now = after
        } else expect(isStale(now, mine, { name, what }) || isRefusedAnyway(now, { older, what })).toBe(true)
        // After a conflict the editor sometimes reloads.
        if (what === 'look' || (after ? index % 3 > 0 : index % 2 > 0)) seen[who] = now
      }
    }),
    { numRuns: 1500 },
  )
})

/** All actions except looking and restoring an older version, which has a separate check. */
const namesItsVersion = ['save', 'saveShown', 'discard', 'discardAll', 'publish', 'undo']

type Act = { name: keyof Words; what: string; words: string; older: number }

/** An editor's action based on what they last saw; undefined if it is rejected with a conflict. */
function act(now: Stored, mine: Stored, { name, older, what, words }: Act): Stored | undefined {
  const published = publishedOf(now)
  const { version } = mine.draft[name]
  const revision = revisionOf(mine.draft)
  const past = now.versions[older % now.versions.length] as Words
  const changes: Record<string, () => Partial<Stored>> = {
    save: () => ({ draft: saveSection(now.draft, published, { name, version, body: words }) }),
    saveShown: () => ({
      draft: saveSection(now.draft, published, { name, version, body: publishedOf(mine)[name] }),
    }),
    discard: () => ({ draft: discardSection(now.draft, name, version) }),
    discardAll: () => ({ draft: discardDraft(now.draft, revision) }),
    publish: () => {
      const { content, draft } = publishDraft(now.draft, published, revision)
      return { draft, versions: [...now.versions, content] }
    },
    restore: () => ({ draft: restoreVersion(now.draft, published, past) }),
    replace: () => ({ draft: restoreVersion(now.draft, published, past, true) }),
    undo: () => {
      const numbers = { named: mine.versions.length - 1, actual: now.versions.length - 1 }
      const { draft } = publishVersion(now.draft, published, past, numbers)
      return { draft, versions: [...now.versions, past] }
    },
  }
  try {
    return { ...now, ...changes[what]?.() }
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return undefined
    throw error
  }
}

const isStale = (now: Stored, mine: Stored, { name, what }: Pick<Act, 'name' | 'what'>) =>
  what === 'undo'
    ? mine.versions.length !== now.versions.length
    : ['publish', 'discardAll'].includes(what)
      ? revisionOf(mine.draft) !== revisionOf(now.draft)
      : mine.draft[name].version !== now.draft[name].version

const isRefusedAnyway = (now: Stored, { older, what }: Pick<Act, 'older' | 'what'>) => {
  const changed = changedSections(now.draft, publishedOf(now))
  if (what === 'publish') return changed.length === 0
  if (what === 'restore') return changed.length > 0
  const past = now.versions[older % now.versions.length] as Words
  return what === 'undo' && names.every(each => past[each] === publishedOf(now)[each])
}

function checkStep(before: Stored, after: Stored, mine: Stored, what: string): void {
  expect(after.versions.slice(0, before.versions.length)).toEqual(before.versions)
  const [said, says] = [
    draftContent(before.draft, publishedOf(before)),
    draftContent(after.draft, publishedOf(after)),
  ]
  for (const name of names) {
    const [old, next] = [before.draft[name], after.draft[name]]
    expect(next.version - old.version).toBeOneOf([0, 1])
    // If the draft or published body of a section changes, its version must change.
    const isOther = said[name] !== says[name] || publishedOf(before)[name] !== publishedOf(after)[name]
    if (isOther) expect(next.version).toBe(old.version + 1)
    if (said[name] === says[name]) continue
    const isInHistory = after.versions.some(version => version[name] === said[name])
    const wasSeen = draftContent(mine.draft, publishedOf(mine))[name] === said[name]
    expect(isInHistory || wasSeen || what === 'replace').toBe(true)
    if (what === 'save') expect(wasSeen).toBe(true)
  }
  const isSame = names.every(name => before.draft[name].version === after.draft[name].version)
  expect(revisionOf(after.draft) > revisionOf(before.draft)).toBe(!isSame)
}
