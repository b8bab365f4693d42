import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { SiteContent } from '../../../../domain/content.ts'
import { createSectionDraft, debounceMs, type SavedSection, type SaveResult } from './section-draft.ts'
import { loadSectionSchemas } from './section-schemas.ts'
import type { UnsavedDraft } from './unsaved-drafts.ts'

beforeAll(loadSectionSchemas)

type Rates = SiteContent['rates']
const words = (title: string): Rates => ({ title, intro: '' })
const section = (version: number, title: string): SavedSection => ({
  name: 'rates',
  version,
  changed: true,
  body: words(title),
  updatedAt: null,
  updatedBy: null,
})

/** A draft with a server that refuses outdated versions, and responds when `answer` is called. */
function scene({ kept, stored = section(3, 'Rates') }: { kept?: UnsavedDraft; stored?: SavedSection } = {}) {
  const server = { stored, broken: false, calls: [] as string[], waiting: [] as (() => void)[] }
  let inBrowser = kept
  const draft = createSectionDraft({
    name: 'rates',
    saved: stored,
    store: {
      read: () => inBrowser,
      write: given => {
        inBrowser = given
      },
      clear: () => {
        inBrowser = undefined
      },
    },
    save: async (version, body): Promise<SaveResult> => {
      const { title } = body as Rates
      server.calls.push(`${version} ${title}`)
      await new Promise<void>(resolve => server.waiting.push(resolve))
      if (server.broken) return { kind: 'failed' }
      if (version !== server.stored.version) return { kind: 'stale', current: server.stored }
      if (title.length > 60) return { kind: 'refused', fields: { title: 'Too long' }, message: undefined }
      server.stored = section(version + 1, title.trim())
      return { kind: 'saved', section: server.stored }
    },
  })
  const answer = async () => {
    server.waiting.shift()?.()
    await vi.advanceTimersByTimeAsync(0)
  }
  const type = (title: string) => draft.change(words(title))
  return {
    draft,
    server,
    answer,
    type,
    rest: () => vi.advanceTimersByTimeAsync(debounceMs),
    kept: () => inBrowser,
  }
}
const titleOf = ({ draft }: ReturnType<typeof scene>) => (draft.state().body as Rates).title

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('saves a second after the last key, one save at a time, and keeps what is typed meanwhile [SITE-17]', async () => {
  const at = scene()
  at.type('Pr')
  await vi.advanceTimersByTimeAsync(debounceMs - 1)
  at.type('Prices ')
  await vi.advanceTimersByTimeAsync(debounceMs - 1)
  expect(at.server.calls).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(at.server.calls).toEqual(['3 Prices '])
  at.type('Prices for')
  await at.rest()
  at.draft.leave()
  expect(at.server.calls).toHaveLength(1)
  await at.answer()
  expect(at.server.calls).toEqual(['3 Prices ', '4 Prices for'])
  await at.answer()
  expect(at.draft.state()).toMatchObject({ phase: 'saved', unsaved: false })
  expect(at.kept()).toBeUndefined()
})

test('shows the cleaned text when the field loses focus, and saves immediately', async () => {
  const at = scene()
  at.type('Prices ')
  await at.rest()
  await at.answer()
  expect(titleOf(at)).toBe('Prices ')
  at.draft.leave()
  expect(titleOf(at)).toBe('Prices')
  at.type('Prices  ')
  at.draft.leave()
  expect(at.server.calls.at(-1)).toBe('4 Prices  ')
  await at.answer()
  expect(titleOf(at)).toBe('Prices')
})

test('keeps changes after a failed save, in the form and in the browser, until they are saved', async () => {
  const at = scene()
  const long = 'x'.repeat(61)
  at.type(long)
  const refused = at.draft.flush()
  await at.answer()
  expect(await refused).toBe(false)
  expect(at.draft.state()).toMatchObject({ phase: 'failed', unsaved: true, errors: { title: 'Too long' } })
  expect(at.kept()).toMatchObject({ version: 3, body: words(long) })
  at.type('Short')
  at.server.broken = true
  const broken = at.draft.flush()
  await at.answer()
  expect(await broken).toBe(false)
  expect(titleOf(at)).toBe('Short')
  at.server.broken = false
  const again = at.draft.flush()
  await at.answer()
  expect(await again).toBe(true)
  expect(at.draft.state()).toMatchObject({ phase: 'saved', errors: {} })
})

test('saves nothing after a conflicting save until one of the versions is chosen [SITE-17]', async () => {
  for (const choice of ['keepMine', 'takeTheirs'] as const) {
    const at = scene()
    at.type('Mine')
    at.server.stored = section(4, 'Theirs')
    void at.draft.flush()
    await at.answer()
    expect(at.draft.state().theirs?.body).toEqual(words('Theirs'))
    at.type('Mine still')
    await at.rest()
    expect(await at.draft.flush()).toBe(false)
    expect(at.server.calls).toEqual(['3 Mine'])
    at.draft[choice]()
    await at.answer()
    expect(titleOf(at)).toBe(choice === 'keepMine' ? 'Mine still' : 'Theirs')
    expect(at.server.stored).toEqual(choice === 'keepMine' ? section(5, 'Mine still') : section(4, 'Theirs'))
    expect(at.draft.state()).toMatchObject({ unsaved: false, theirs: undefined })
  }
})

test('a new version without new content, as after publishing, is no conflict [SITE-18]', async () => {
  const at = scene()
  at.server.stored = section(6, 'Rates')
  at.type('Mine')
  void at.draft.flush()
  await at.answer()
  await at.answer()
  expect(at.server.calls).toEqual(['3 Mine', '6 Mine'])
  expect(at.draft.state()).toMatchObject({ phase: 'saved', theirs: undefined })
})

test('applies a refetched section only if no typed text is lost', () => {
  const at = scene()
  at.draft.receive(section(2, 'Older'))
  expect(titleOf(at)).toBe('Rates')
  at.draft.receive(section(4, 'Newer'))
  expect(titleOf(at)).toBe('Newer')
  at.type('Mine')
  at.draft.receive(section(5, 'Theirs'))
  expect(titleOf(at)).toBe('Mine')
})

test('restores and saves unsaved changes at the next visit', async () => {
  const at = scene({ kept: { version: 3, body: words('Left') } })
  expect(at.draft.state()).toMatchObject({ body: words('Left'), restored: true, unsaved: true })
  at.draft.resume()
  await at.rest()
  await at.answer()
  expect(at.server.stored).toEqual(section(4, 'Left'))
  expect(at.kept()).toBeUndefined()
})

test('unsaved changes conflict with another version, unless that version is their own last save', async () => {
  const conflict = scene({ kept: { version: 2, body: words('Left') } })
  expect(conflict.draft.state().theirs).toEqual(section(3, 'Rates'))
  const own = scene({ kept: { version: 2, body: words('Rates and'), sending: words('Rates ') } })
  expect(own.draft.state()).toMatchObject({ theirs: undefined, unsaved: true })
  const arrived = scene({ kept: { version: 2, body: words('Rates ') } })
  expect(arrived.draft.state()).toMatchObject({ unsaved: false, restored: false })
  expect(arrived.kept()).toBeUndefined()
})
