import type { FieldErrors } from '../../../../domain/common/errors.ts'
import { isSameBody } from '../../../../domain/common/same-body.ts'
import { type SectionName, type SiteContent, sections } from '../../../../domain/content/content.ts'
import type { Outputs } from '../../../api/api.ts'
import type { UnsavedDraftStore } from './unsaved-drafts.ts'

/** A section as stored on the server. */
export type SavedSection = Outputs['editor']['draft']['draft']['sections'][SectionName]
type Body = SiteContent[SectionName]

export type SaveResult =
  | { kind: 'saved'; section: SavedSection }
  /** Somebody else has saved the section in the meantime. */
  | { kind: 'stale'; current: SavedSection }
  | { kind: 'refused'; fields: FieldErrors; message: string | undefined }
  | { kind: 'failed' }

export type DraftState = {
  /** The content in the form. */
  body: Body
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
  /** Whether `body` has unsaved changes from an earlier visit. */
  restored: boolean
}

type Options = {
  name: SectionName
  saved: SavedSection
  save: (version: number, body: Body) => Promise<SaveResult>
  /** Stores unsaved changes across reloads. */
  store: UnsavedDraftStore
}
export type SectionDraft = ReturnType<typeof createSectionDraft>

/** Debounce time of automatic saves. */
export const debounceMs = 1000

/**
 * The draft of a section while it is edited: saved automatically after a pause and when a field loses focus, one save
 * at a time, and kept in the browser until the server has it.
 */
export function createSectionDraft(options: Options) {
  const { name } = options
  const draft = createStore(options)
  const { keep, set, settle, state, subscribe } = draft
  const { flush, saveLater, whenSent } = createTimer(draft, createSender(options, draft))
  return {
    name,
    subscribe,
    state,
    change: (body: Body) => {
      draft.isBlurred = false
      const isWaiting = state().phase !== 'saving' && !state().theirs
      set({ body, unsaved: true, ...(isWaiting && { phase: 'waiting' }) })
      keep()
      saveLater()
    },
    leave: () => {
      draft.isBlurred = true
      const { body, saved, unsaved } = state()
      if (unsaved) void flush()
      else if (!isSameBody(body, saved.body)) set({ body: bodyOf(saved) })
    },
    flush,
    /** Saves changes that were left unsaved at an earlier visit. */
    resume: () => {
      if (state().unsaved && state().phase === 'waiting') saveLater()
    },
    /** Applies a refetched section. Unsaved changes stay; their save detects a conflict with another user's changes. */
    receive: (section: SavedSection) => {
      const { saved, theirs, unsaved } = state()
      if (section.version <= saved.version) return
      if (theirs) set({ theirs: section })
      else if (!unsaved && isSameContent(name, section.body, saved.body)) set({ saved: section })
      else if (!unsaved) settle(section)
    },
    whenSent,
    /** Discards unsaved changes and shows the saved section. */
    reset: (section: SavedSection) => settle(section),
    keepMine: () => {
      const { theirs } = state()
      if (!theirs) return
      set({ saved: theirs, theirs: undefined })
      void flush()
    },
    takeTheirs: () => {
      const { theirs } = state()
      if (theirs) settle(theirs)
    },
  }
}

type DraftStore = ReturnType<typeof createStore>

/** The state of a section's draft, and its copy in the browser. */
function createStore(options: Options) {
  const { store } = options
  let state = startingState(options)
  const listeners = new Set<() => void>()
  const set = (change: Partial<DraftState>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  return {
    /** Whether no field is being edited, so that the cleaned text may replace the typed text. */
    isBlurred: true,
    state: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    set,
    keep: (sending?: Body) => store.write({ version: state.saved.version, body: state.body, sending }),
    /** Continues with a saved section. */
    settle: (saved: SavedSection, change: Partial<DraftState> = {}) => {
      store.clear()
      set({ ...settled, saved, body: bodyOf(saved), ...change })
    },
  }
}

/** Sends the current content. Returns false if it was not saved and there is no newer content to send. */
function createSender({ name, save }: Options, draft: DraftStore) {
  const { keep, set, settle, state } = draft
  const accept = (saved: SavedSection, sent: Body) => {
    if (state().body === sent)
      return settle(saved, { phase: 'saved', ...(!draft.isBlurred && { body: sent }) })
    set({ saved, phase: 'waiting', errors: {}, message: undefined })
    keep()
  }
  return async function send(): Promise<boolean> {
    const { body: sent, saved: base } = state()
    set({ phase: 'saving' })
    keep(sent)
    const result = await save(base.version, sent)
    if (result.kind === 'saved') accept(result.section, sent)
    else if (result.kind === 'stale') {
      if (isSameContent(name, result.current.body, sent)) accept(result.current, sent)
      else if (isSameContent(name, result.current.body, base.body)) {
        // Only the version has changed, as after publishing, and not the content that was edited.
        set({ saved: result.current })
        return send()
      } else set({ phase: 'failed', theirs: result.current })
    } else {
      const { fields = {}, message } = result.kind === 'refused' ? result : {}
      set({ phase: 'failed', errors: fields, message })
      return state().body !== sent
    }
    return true
  }
}

/** Decides when to save: one save at a time. */
function createTimer({ state }: DraftStore, send: () => Promise<boolean>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let inFlight: Promise<boolean> | undefined
  const canSend = () => state().unsaved && !state().theirs
  const sendAlone = () => {
    inFlight ??= send().finally(() => {
      inFlight = undefined
    })
    return inFlight
  }
  const saveDebounced = async () => {
    await inFlight
    if (canSend()) await sendAlone()
  }
  return {
    saveLater: () => {
      clearTimeout(timer)
      timer = setTimeout(() => void saveDebounced(), debounceMs)
    },
    /** Saves all unsaved changes; returns whether everything is saved. */
    flush: async (): Promise<boolean> => {
      clearTimeout(timer)
      while (canSend()) if (!(await sendAlone())) return false
      return !state().unsaved
    },
    /** Waits for a save that is in flight. */
    whenSent: async () => {
      clearTimeout(timer)
      await inFlight
    },
  }
}

const settled = {
  unsaved: false,
  phase: 'idle',
  errors: {},
  message: undefined,
  theirs: undefined,
  restored: false,
} satisfies Partial<DraftState>

/** The initial state, with unsaved changes from an earlier visit unless the server already has them. */
function startingState({ name, saved, store }: Options): DraftState {
  const start: DraftState = { ...settled, saved, body: bodyOf(saved) }
  const unsaved = store.read()
  if (!unsaved || isSameContent(name, unsaved.body, saved.body)) {
    if (unsaved) store.clear()
    return start
  }
  const restored: DraftState = { ...start, body: unsaved.body as Body, unsaved: true, restored: true }
  // The page was closed during a save that succeeded, and with later changes that were not saved.
  const hasArrived =
    unsaved.sending !== undefined &&
    unsaved.version + 1 === saved.version &&
    isSameContent(name, unsaved.sending, saved.body)
  if (unsaved.version === saved.version || hasArrived) return { ...restored, phase: 'waiting' }
  return { ...restored, phase: 'failed', theirs: saved }
}

const bodyOf = ({ body }: SavedSection) => body as Body

/** Whether two bodies are equal after the cleanup that saving does. */
function isSameContent(name: SectionName, a: unknown, b: unknown): boolean {
  const cleaned = (body: unknown) => {
    const parsed = sections[name].safeParse(body)
    return parsed.success ? parsed.data : body
  }
  return isSameBody(cleaned(a), cleaned(b))
}
