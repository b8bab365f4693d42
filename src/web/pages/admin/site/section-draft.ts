import type { FieldErrors } from '../../../../domain/common/errors.ts'
import { isSameBody } from '../../../../domain/common/same-body.ts'
import { type SectionName, sections } from '../../../../domain/content/content.ts'
import type { Outputs } from '../../../api/api.ts'

export type Draft = Outputs['editor']['draft']['draft']
/** A section as stored on the server. */
export type SavedSection = Draft['sections'][SectionName]

export type SaveResult =
  | { kind: 'saved'; saved: SavedSection }
  /** Somebody else has saved the section in the meantime. */
  | { kind: 'stale'; current: SavedSection }
  | { kind: 'refused'; fields: FieldErrors; message: string | undefined }
  | { kind: 'failed' }

export type SectionState = {
  /** The content in the form. */
  body: SavedSection['body']
  /** The last saved version, which the next save is based on. */
  saved: SavedSection
  /** Whether `body` has unsaved changes. */
  unsaved: boolean
  phase: 'idle' | 'waiting' | 'saving' | 'saved' | 'failed'
  /** The errors of the last refused save. */
  errors: FieldErrors
  message: string | undefined
  /** A conflicting version that somebody else saved. Nothing is saved until one of the two versions is chosen. */
  theirs: SavedSection | undefined
}

export type SectionDraft = ReturnType<typeof createSectionDraft>

/** Debounce time of automatic saves. */
export const debounceMs = 1000

const settled = {
  unsaved: false,
  phase: 'idle',
  errors: {},
  message: undefined,
  theirs: undefined,
} satisfies Partial<SectionState>

/**
 * A section while it is edited: saved a second after the last change, one save at a time. A version that somebody else
 * saved is loaded if nothing is typed; otherwise one of the two has to be chosen.
 */
export function createSectionDraft(
  stored: SavedSection,
  save: (version: number, body: SavedSection['body']) => Promise<SaveResult>,
) {
  const { name } = stored
  let state: SectionState = { ...settled, saved: stored, body: stored.body }
  /** Whether no field is being edited, so that the cleaned text may replace the typed text. */
  let isBlurred = true
  let timer: ReturnType<typeof setTimeout> | undefined
  let inFlight: Promise<boolean> | undefined
  const listeners = new Set<() => void>()

  const set = (change: Partial<SectionState>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  /** Continues with a saved version. */
  const settle = (saved: SavedSection, change: Partial<SectionState> = {}) =>
    set({ ...settled, saved, body: saved.body, ...change })
  /** The cleanup that saving does. */
  const clean = (body: unknown) => sections[name].safeParse(body).data ?? body
  const isSame = (a: unknown, b: unknown) => isSameBody(clean(a), clean(b))
  const canSend = () => state.unsaved && !state.theirs

  const accept = (saved: SavedSection, sent: SavedSection['body']) => {
    if (state.body === sent) settle(saved, { phase: 'saved', ...(!isBlurred && { body: sent }) })
    else set({ saved, phase: 'waiting', errors: {}, message: undefined })
  }
  /** Sends the current content. Returns false if it was not saved and there is no newer content to send. */
  const send = async (): Promise<boolean> => {
    const { body: sent, saved: base } = state
    set({ phase: 'saving' })
    const result = await save(base.version, sent)
    if (result.kind === 'saved') accept(result.saved, sent)
    else if (result.kind === 'stale') {
      if (isSame(result.current.body, sent)) accept(result.current, sent)
      else if (isSame(result.current.body, base.body)) {
        // Only the version has changed, as after publishing, and not the content that was edited.
        set({ saved: result.current })
        return send()
      } else set({ phase: 'failed', theirs: result.current })
    } else {
      const { fields = {}, message } = result.kind === 'refused' ? result : {}
      set({ phase: 'failed', errors: fields, message })
      return state.body !== sent
    }
    return true
  }
  const sendAlone = () => {
    inFlight ??= send().finally(() => {
      inFlight = undefined
    })
    return inFlight
  }
  /** Saves all unsaved changes; returns whether everything is saved. */
  const flush = async (): Promise<boolean> => {
    clearTimeout(timer)
    while (canSend()) if (!(await sendAlone())) return false
    return !state.unsaved
  }
  const saveDebounced = async () => {
    await inFlight
    if (canSend()) await sendAlone()
  }

  return {
    name,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    state: () => state,
    flush,
    change: (body: SavedSection['body']) => {
      isBlurred = false
      set({ body, unsaved: true, ...(state.phase !== 'saving' && !state.theirs && { phase: 'waiting' }) })
      clearTimeout(timer)
      timer = setTimeout(() => void saveDebounced(), debounceMs)
    },
    /** A field has lost the focus. */
    leave: () => {
      isBlurred = true
      if (state.unsaved) void flush()
      else if (!isSameBody(state.body, state.saved.body)) set({ body: state.saved.body })
    },
    /** Applies a refetched version. Unsaved changes stay; their save detects a conflict with another user's changes. */
    receive: (stored: SavedSection) => {
      if (stored.version <= state.saved.version) return
      if (state.theirs) set({ theirs: stored })
      else if (!state.unsaved && isSame(stored.body, state.saved.body)) set({ saved: stored })
      else if (!state.unsaved) settle(stored)
    },
    /** Waits for a save that is in flight. */
    whenSent: async () => {
      clearTimeout(timer)
      await inFlight
    },
    /** Discards unsaved changes and shows the saved version. */
    reset: (stored: SavedSection) => settle(stored),
    keepMine: () => {
      if (!state.theirs) return
      set({ saved: state.theirs, theirs: undefined })
      void flush()
    },
    takeTheirs: () => state.theirs && settle(state.theirs),
  }
}
