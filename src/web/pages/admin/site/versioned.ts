import { useSyncExternalStore } from 'react'
import type { FieldErrors } from '../../../../domain/common/errors.ts'
import { isSameBody } from '../../../../domain/common/same-body.ts'
import { conflictingVersionOf, failureOf } from '../../../api/failures.ts'

/** A document as it is stored on the server: a section of the site, or a wording. */
export type Saved = { version: number; body: object }

export type SaveResult<Stored> =
  | { kind: 'saved'; saved: Stored }
  /** Somebody else has saved the document in the meantime. */
  | { kind: 'stale'; current: Stored }
  | { kind: 'refused'; fields: FieldErrors; message: string | undefined }
  | { kind: 'failed' }

/** How a failed save ended. */
export function failedSave<Stored>(error: unknown): SaveResult<Stored> {
  const current = conflictingVersionOf<Stored>(error)
  if (current) return { kind: 'stale', current }
  const failure = failureOf(error)
  if (failure.kind === 'broken') return { kind: 'failed' }
  return { kind: 'refused', fields: failure.fields, message: failure.message }
}

export type VersionedState<Stored extends Saved> = {
  /** The content in the form. */
  body: Stored['body']
  /** The last saved version, which the next save is based on. */
  saved: Stored
  /** Whether `body` has unsaved changes. */
  unsaved: boolean
  phase: 'idle' | 'waiting' | 'saving' | 'saved' | 'failed'
  /** The errors of the last refused save. */
  errors: FieldErrors
  message: string | undefined
  /** A conflicting version that somebody else saved. Nothing is saved until one of the two versions is chosen. */
  theirs: Stored | undefined
  /** Whether `body` has unsaved changes from an earlier visit. */
  restored: boolean
}

/** Changes that the server has not confirmed yet. */
export type UnsavedCopy = {
  /** The version that the changes are based on. */
  version: number
  body: unknown
  /** The content of a save that was in flight. */
  sending?: unknown
}

type Options<Stored extends Saved> = {
  saved: Stored
  save: (version: number, body: Stored['body']) => Promise<SaveResult<Stored>>
  /** Keeps unsaved changes across reloads. */
  copy: BrowserCopy<UnsavedCopy>
  /** Whether the form can show a value that was read from the copy. */
  canShow: (body: unknown) => boolean
  /** The cleanup that saving does. */
  clean: (body: unknown) => unknown
  /** Saves a second after the last change; otherwise only `save` and `flush` do. */
  autosave: boolean
}
export type Versioned<Stored extends Saved> = ReturnType<typeof createVersioned<Stored>>

/** The state of a document that is being edited. */
export function useVersioned<Stored extends Saved>({ state, subscribe }: Versioned<Stored>) {
  return useSyncExternalStore(subscribe, state)
}

/** Debounce time of automatic saves. */
export const debounceMs = 1000

/**
 * A document with versions while it is edited: saved one save at a time, and kept in the browser until the server has
 * it. A version that somebody else saved is loaded if nothing is typed; otherwise one of the two has to be chosen.
 */
export function createVersioned<Stored extends Saved>(options: Options<Stored>) {
  const { autosave } = options
  const store = createStore(options)
  const { isSame, keep, set, settle, state, subscribe } = store
  const { flush, saveLater, whenSent } = createTimer(store, createSender(options, store))
  return {
    subscribe,
    state,
    change: (body: Stored['body']) => {
      const { phase, saved, theirs } = state()
      if (!autosave && !theirs && phase !== 'saving' && isSameBody(body, saved.body)) return settle(saved)
      store.isBlurred = !autosave
      set({ body, unsaved: true, ...(phase !== 'saving' && !theirs && { phase: 'waiting' }) })
      keep()
      if (autosave) saveLater()
    },
    leave: () => {
      store.isBlurred = true
      const { body, saved, unsaved } = state()
      if (unsaved) void flush()
      else if (!isSameBody(body, saved.body)) set({ body: saved.body })
    },
    /** Saves all unsaved changes; returns whether everything is saved. */
    flush,
    /** Saves the content even if it is unchanged: the stored version may be unreadable. */
    save: () => {
      set({ unsaved: true })
      return flush()
    },
    /** Saves changes that were left unsaved at an earlier visit. */
    resume: () => {
      if (state().unsaved && state().phase === 'waiting') saveLater()
    },
    /** Applies a refetched version. Unsaved changes stay; their save detects a conflict with another user's changes. */
    receive: (stored: Stored, isConflict = false) => {
      const { saved, theirs, unsaved } = state()
      if (stored.version <= saved.version) return
      if (theirs) set({ theirs: stored })
      else if (!unsaved && isSame(stored.body, saved.body)) set({ saved: stored })
      else if (!unsaved) settle(stored)
      else if (isConflict) set({ phase: 'failed', theirs: stored })
    },
    whenSent,
    /** Discards unsaved changes and shows the saved version. */
    reset: (stored: Stored, phase: 'idle' | 'saved' = 'idle') => settle(stored, { phase }),
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

type Store<Stored extends Saved> = ReturnType<typeof createStore<Stored>>

/** The state of an edited document, and its copy in the browser. */
function createStore<Stored extends Saved>(options: Options<Stored>) {
  const { clean, copy } = options
  /** Whether two bodies are equal after the cleanup that saving does. */
  const isSame = (a: unknown, b: unknown) => isSameBody(clean(a), clean(b))
  let state = startingState(options, isSame)
  const listeners = new Set<() => void>()
  const set = (change: Partial<VersionedState<Stored>>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  return {
    /** Whether no field is being edited, so that the cleaned text may replace the typed text. */
    isBlurred: true,
    isSame,
    state: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    set,
    keep: (sending?: object) => copy.write({ version: state.saved.version, body: state.body, sending }),
    /** Continues with a saved version. */
    settle: (saved: Stored, change: Partial<VersionedState<Stored>> = {}) => {
      copy.clear()
      set({ ...settled, saved, body: saved.body, ...change })
    },
  }
}

/** Sends the current content. Returns false if it was not saved and there is no newer content to send. */
function createSender<Stored extends Saved>({ save }: Options<Stored>, store: Store<Stored>) {
  const { isSame, keep, set, settle, state } = store
  const accept = (saved: Stored, sent: object) => {
    if (state().body === sent)
      return settle(saved, { phase: 'saved', ...(!store.isBlurred && { body: sent }) })
    set({ saved, phase: 'waiting', errors: {}, message: undefined })
    keep()
  }
  return async function send(): Promise<boolean> {
    const { body: sent, saved: base } = state()
    set({ phase: 'saving' })
    keep(sent)
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
      return state().body !== sent
    }
    return true
  }
}

/** Decides when to save: one save at a time. */
function createTimer<Stored extends Saved>({ state }: Store<Stored>, send: () => Promise<boolean>) {
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
} satisfies Partial<VersionedState<Saved>>

/** The initial state, with unsaved changes from an earlier visit unless the server already has them. */
function startingState<Stored extends Saved>(
  { canShow, copy, saved }: Options<Stored>,
  isSame: (a: unknown, b: unknown) => boolean,
): VersionedState<Stored> {
  const start: VersionedState<Stored> = { ...settled, saved, body: saved.body }
  const stored = copy.read()
  const unsaved = isUnsavedCopy(stored) && canShow(stored.body) ? stored : undefined
  if (!unsaved || isSame(unsaved.body, saved.body)) {
    if (unsaved) copy.clear()
    return start
  }
  const restored = { ...start, body: unsaved.body as object, unsaved: true, restored: true }
  // The page was closed during a save that succeeded, and with later changes that were not saved.
  const hasArrived =
    unsaved.sending !== undefined &&
    unsaved.version + 1 === saved.version &&
    isSame(unsaved.sending, saved.body)
  if (unsaved.version === saved.version || hasArrived) return { ...restored, phase: 'waiting' }
  return { ...restored, phase: 'failed', theirs: saved }
}

const isUnsavedCopy = (stored: unknown): stored is UnsavedCopy =>
  typeof stored === 'object' &&
  stored !== null &&
  'version' in stored &&
  typeof stored.version === 'number' &&
  'body' in stored

/** A value in this browser's storage. Users can edit it, so readers must validate it. */
type BrowserCopy<Value> = {
  read: () => unknown
  write: (value: Value) => void
  /** Does not remove a value that another tab has written since. */
  clear: () => void
}

/** A copy in this browser's storage. If storage is disabled or full, nothing is stored and nothing fails. */
export function browserCopy<Value>(key: string): BrowserCopy<Value> {
  let written: string | null = null
  const storage = <Result>(use: () => Result): Result | undefined => {
    try {
      return use()
    } catch {
      return undefined
    }
  }
  return {
    read: () =>
      storage(() => {
        written = localStorage.getItem(key)
        return JSON.parse(written ?? 'null')
      }),
    write: value =>
      storage(() => {
        written = JSON.stringify(value)
        localStorage.setItem(key, written)
      }),
    clear: () => storage(() => localStorage.getItem(key) === written && localStorage.removeItem(key)),
  }
}
