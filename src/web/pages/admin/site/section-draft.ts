import type { SectionName, SiteContent } from '../../../../domain/content.ts'
import type { FieldErrors } from '../../../../domain/errors.ts'
import { isSameBody } from '../../../../domain/same-body.ts'
import type { Outputs } from '../../../api/api.ts'
import type { WordsStore } from './kept-words.ts'
import { parseSection } from './section-schemas.ts'

/** A section as the server has it. */
export type SavedSection = Outputs['editor']['draft']['draft']['sections'][SectionName]
type Body = SiteContent[SectionName]

export type SaveResult =
  | { kind: 'saved'; section: SavedSection }
  /** Somebody else has saved meanwhile. */
  | { kind: 'stale'; current: SavedSection }
  | { kind: 'refused'; fields: FieldErrors; message: string | undefined }
  | { kind: 'failed' }

export type DraftState = {
  /** As the form shows it. */
  body: Body
  /** As it was saved last: what the next save is over. */
  saved: SavedSection
  /** Whether `body` has words that are not saved. */
  unsaved: boolean
  phase: 'idle' | 'waiting' | 'saving' | 'saved' | 'failed'
  /** Of the last refused save. */
  faults: FieldErrors
  message: string | undefined
  /** What somebody else saved meanwhile; nothing is saved until one of the two wordings is chosen. */
  theirs: SavedSection | undefined
  /** Whether `body` was left unsaved at an earlier visit. */
  restored: boolean
}

type Options = {
  name: SectionName
  saved: SavedSection
  save: (version: number, body: Body) => Promise<SaveResult>
  /** Keeps unsaved words over a reload. */
  store: WordsStore
}
export type SectionDraft = ReturnType<typeof createSectionDraft>

/** How long nothing is typed before it is saved. */
export const restMs = 1000

/**
 * The words of a section while they are edited: saved after a rest and when a field is left, one save at a time, kept
 * until the server has them.
 */
export function createSectionDraft(options: Options) {
  const { name } = options
  const words = createWords(options)
  const { keep, set, settle, state, subscribe } = words
  const { flush, saveLater, whenSent } = createTimer(words, createSender(options, words))
  return {
    name,
    subscribe,
    state,
    change: (body: Body) => {
      words.isLeft = false
      const isWaiting = state().phase !== 'saving' && !state().theirs
      set({ body, unsaved: true, ...(isWaiting && { phase: 'waiting' }) })
      keep()
      saveLater()
    },
    leave: () => {
      words.isLeft = true
      const { body, saved, unsaved } = state()
      if (unsaved) void flush()
      else if (!isSameBody(body, saved.body)) set({ body: bodyOf(saved) })
    },
    flush,
    /** Saves what was left unsaved at an earlier visit. */
    resume: () => {
      if (state().unsaved && state().phase === 'waiting') saveLater()
    },
    /** The section as it was loaded again; unsaved words stay, and their save says whether somebody else has changed it. */
    receive: (section: SavedSection) => {
      const { saved, theirs, unsaved } = state()
      if (section.version <= saved.version) return
      if (theirs) set({ theirs: section })
      else if (!unsaved && isSameWords(name, section.body, saved.body)) set({ saved: section })
      else if (!unsaved) settle(section)
    },
    whenSent,
    /** Shows what is saved, without the words that are not. */
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

type Words = ReturnType<typeof createWords>

/** The state of a section's words, and the copy of what is not saved. */
function createWords(options: Options) {
  const { store } = options
  let state = startingState(options)
  const listeners = new Set<() => void>()
  const set = (change: Partial<DraftState>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  return {
    /** Whether no field is being typed in, so that the cleaned words may come in. */
    isLeft: true,
    state: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    set,
    keep: (sending?: Body) => store.write({ version: state.saved.version, body: state.body, sending }),
    /** Goes on with what is saved. */
    settle: (saved: SavedSection, change: Partial<DraftState> = {}) => {
      store.clear()
      set({ ...settled, saved, body: bodyOf(saved), ...change })
    },
  }
}

/** Sends what is there now; false when it was not saved and nothing newer is there to send. */
function createSender({ name, save }: Options, words: Words) {
  const { keep, set, settle, state } = words
  const accept = (saved: SavedSection, sent: Body) => {
    if (state().body === sent) return settle(saved, { phase: 'saved', ...(!words.isLeft && { body: sent }) })
    set({ saved, phase: 'waiting', faults: {}, message: undefined })
    keep()
  }
  return async function send(): Promise<boolean> {
    const { body: sent, saved: base } = state()
    set({ phase: 'saving' })
    keep(sent)
    const result = await save(base.version, sent)
    if (result.kind === 'saved') accept(result.section, sent)
    else if (result.kind === 'stale') {
      if (isSameWords(name, result.current.body, sent)) accept(result.current, sent)
      else if (isSameWords(name, result.current.body, base.body)) {
        // Only the number has risen, as by publishing: the words are those that were edited.
        set({ saved: result.current })
        return send()
      } else set({ phase: 'failed', theirs: result.current })
    } else {
      const { fields = {}, message } = result.kind === 'refused' ? result : {}
      set({ phase: 'failed', faults: fields, message })
      return state().body !== sent
    }
    return true
  }
}

/** When words are sent: one save at a time. */
function createTimer({ state }: Words, send: () => Promise<boolean>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let inFlight: Promise<boolean> | undefined
  const canSend = () => state().unsaved && !state().theirs
  const sendAlone = () => {
    inFlight ??= send().finally(() => {
      inFlight = undefined
    })
    return inFlight
  }
  const saveAfterRest = async () => {
    await inFlight
    if (canSend()) await sendAlone()
  }
  return {
    saveLater: () => {
      clearTimeout(timer)
      timer = setTimeout(() => void saveAfterRest(), restMs)
    },
    /** Saves what is not saved yet; whether all is saved then. */
    flush: async (): Promise<boolean> => {
      clearTimeout(timer)
      while (canSend()) if (!(await sendAlone())) return false
      return !state().unsaved
    },
    /** Waits for a save on its way. */
    whenSent: async () => {
      clearTimeout(timer)
      await inFlight
    },
  }
}

const settled = {
  unsaved: false,
  phase: 'idle',
  faults: {},
  message: undefined,
  theirs: undefined,
  restored: false,
} satisfies Partial<DraftState>

/** With the words that were left unsaved, where the server has not got them since. */
function startingState({ name, saved, store }: Options): DraftState {
  const start: DraftState = { ...settled, saved, body: bodyOf(saved) }
  const kept = store.read()
  if (!kept || isSameWords(name, kept.body, saved.body)) {
    if (kept) store.clear()
    return start
  }
  const restored: DraftState = { ...start, body: kept.body as Body, unsaved: true, restored: true }
  // The page was left while these were being saved: they have arrived, and what was typed after them has not.
  const hasArrived =
    kept.sending !== undefined &&
    kept.version + 1 === saved.version &&
    isSameWords(name, kept.sending, saved.body)
  if (kept.version === saved.version || hasArrived) return { ...restored, phase: 'waiting' }
  return { ...restored, phase: 'failed', theirs: saved }
}

const bodyOf = ({ body }: SavedSection) => body as Body

/** Whether two bodies are the same once they are cleaned as saving does it. */
export function isSameWords(name: SectionName, a: unknown, b: unknown): boolean {
  const cleaned = (body: unknown) => {
    const parsed = parseSection(name, body)
    return parsed?.success ? parsed.data : body
  }
  return isSameBody(cleaned(a), cleaned(b))
}
