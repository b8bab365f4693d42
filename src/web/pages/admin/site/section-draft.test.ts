import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SiteContent } from '../../../../domain/content/content.ts'
import { createSectionDraft, debounceMs, type SavedSection, type SaveResult } from './section-draft.ts'

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
function setup() {
  const stored = section(3, 'Rates')
  const server = { stored, broken: false, calls: [] as string[], waiting: [] as (() => void)[] }
  const draft = createSectionDraft(stored, async (version, body): Promise<SaveResult> => {
    const { title } = body as Rates
    server.calls.push(`${version} ${title}`)
    await new Promise<void>(resolve => server.waiting.push(resolve))
    if (server.broken) return { kind: 'failed' }
    if (version !== server.stored.version) return { kind: 'stale', current: server.stored }
    if (title.length > 60) return { kind: 'refused', fields: { title: 'Too long' }, message: undefined }
    server.stored = section(version + 1, title.trim())
    return { kind: 'saved', saved: server.stored }
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
    waitForAutosave: () => vi.advanceTimersByTimeAsync(debounceMs),
  }
}
const titleOf = ({ draft }: ReturnType<typeof setup>) => (draft.state().body as Rates).title

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('saves a second after the last key, one save at a time, and keeps what is typed meanwhile [SITE-17]', async () => {
  const editor = setup()
  editor.type('Pr')
  await vi.advanceTimersByTimeAsync(debounceMs - 1)
  editor.type('Prices ')
  await vi.advanceTimersByTimeAsync(debounceMs - 1)
  expect(editor.server.calls).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(editor.server.calls).toEqual(['3 Prices '])
  editor.type('Prices for')
  await editor.waitForAutosave()
  editor.draft.leave()
  expect(editor.server.calls).toHaveLength(1)
  await editor.answer()
  expect(editor.server.calls).toEqual(['3 Prices ', '4 Prices for'])
  await editor.answer()
  expect(editor.draft.state()).toMatchObject({ phase: 'saved', unsaved: false })
})

test('shows the cleaned text when the field loses focus, and saves immediately', async () => {
  const editor = setup()
  editor.type('Prices ')
  await editor.waitForAutosave()
  await editor.answer()
  expect(titleOf(editor)).toBe('Prices ')
  editor.draft.leave()
  expect(titleOf(editor)).toBe('Prices')
  editor.type('Prices  ')
  editor.draft.leave()
  expect(editor.server.calls.at(-1)).toBe('4 Prices  ')
  await editor.answer()
  expect(titleOf(editor)).toBe('Prices')
})

test('keeps changes after a failed save until they are saved', async () => {
  const editor = setup()
  const long = 'x'.repeat(61)
  editor.type(long)
  const refused = editor.draft.flush()
  await editor.answer()
  expect(await refused).toBe(false)
  expect(editor.draft.state()).toMatchObject({
    phase: 'failed',
    unsaved: true,
    errors: { title: 'Too long' },
  })
  editor.type('Short')
  editor.server.broken = true
  const broken = editor.draft.flush()
  await editor.answer()
  expect(await broken).toBe(false)
  expect(titleOf(editor)).toBe('Short')
  editor.server.broken = false
  const again = editor.draft.flush()
  await editor.answer()
  expect(await again).toBe(true)
  expect(editor.draft.state()).toMatchObject({ phase: 'saved', errors: {} })
})

test('saves nothing after a conflicting save until one of the versions is chosen [SITE-17]', async () => {
  for (const choice of ['keepMine', 'takeTheirs'] as const) {
    const editor = setup()
    editor.type('Mine')
    editor.server.stored = section(4, 'Theirs')
    void editor.draft.flush()
    await editor.answer()
    expect(editor.draft.state().theirs?.body).toEqual(words('Theirs'))
    editor.type('Mine still')
    await editor.waitForAutosave()
    expect(await editor.draft.flush()).toBe(false)
    expect(editor.server.calls).toEqual(['3 Mine'])
    editor.draft[choice]()
    await editor.answer()
    expect(titleOf(editor)).toBe(choice === 'keepMine' ? 'Mine still' : 'Theirs')
    expect(editor.server.stored).toEqual(
      choice === 'keepMine' ? section(5, 'Mine still') : section(4, 'Theirs'),
    )
    expect(editor.draft.state()).toMatchObject({ unsaved: false, theirs: undefined })
  }
})

test('a new version without new content, as after publishing, is no conflict [SITE-18]', async () => {
  const editor = setup()
  editor.server.stored = section(6, 'Rates')
  editor.type('Mine')
  void editor.draft.flush()
  await editor.answer()
  await editor.answer()
  expect(editor.server.calls).toEqual(['3 Mine', '6 Mine'])
  expect(editor.draft.state()).toMatchObject({ phase: 'saved', theirs: undefined })
})

test('applies a refetched section only if no typed text is lost', () => {
  const editor = setup()
  editor.draft.receive(section(2, 'Older'))
  expect(titleOf(editor)).toBe('Rates')
  editor.draft.receive(section(4, 'Newer'))
  expect(titleOf(editor)).toBe('Newer')
  editor.type('Mine')
  editor.draft.receive(section(5, 'Theirs'))
  expect(titleOf(editor)).toBe('Mine')
})
