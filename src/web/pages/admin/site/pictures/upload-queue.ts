/** `existing`: the site has a picture of the same bytes. `waiting` for a free place, in this browser or on the server. */
export type UploadState =
  | { kind: 'waiting' }
  | { kind: 'sending'; percent: number }
  | { kind: 'existing' }
  | { kind: 'failed'; fault: string }
export type Upload = { id: number; name: string; state: UploadState }
export type UploadOutcome = 'new' | 'existing'

type QueueOptions = {
  /** Sends a picture and reports the progress, 0 to 100. */
  send: (file: File, onPercent: (percent: number) => void) => Promise<UploadOutcome>
  /** Why a picture is not worth sending; undefined for one that is. */
  faultBefore: (file: File) => string | undefined
  /** Why a picture could not be sent; `busy` where the server has no place for another one at this moment. */
  faultAfter: (error: unknown) => string | 'busy'
  /** What an upload says that met a busy server too often. */
  busyFault: string
}

const maxSending = 3
/** Pauses after a busy server, one more for each refusal in a row. */
const busyDelaysMs = [2_000, 4_000, 8_000, 15_000, 15_000, 30_000, 30_000]

type Entry = { file: File; refusals: number }
type Snapshot = { uploads: readonly Upload[]; uploaded: number }

/**
 * Pictures on their way to the server, at most three at once, the rest in their order. It outlives the screen that shows
 * it.
 */
export function createUploadQueue({ busyFault, faultAfter, faultBefore, send }: QueueOptions) {
  const entries = new Map<number, Entry>()
  const watchers = new Set<() => void>()
  let snapshot: Snapshot = { uploads: [], uploaded: 0 }
  let nextId = 1
  let paused: ReturnType<typeof setTimeout> | undefined

  const publish = (change: Partial<Snapshot>) => {
    snapshot = { ...snapshot, ...change }
    for (const watcher of watchers) watcher()
  }
  const setState = (id: number, state: UploadState) =>
    publish({ uploads: snapshot.uploads.map(upload => (upload.id === id ? { ...upload, state } : upload)) })
  const remove = (id: number) => {
    entries.delete(id)
    publish({ uploads: snapshot.uploads.filter(upload => upload.id !== id) })
  }
  const ofKind = (kind: UploadState['kind']) => snapshot.uploads.filter(({ state }) => state.kind === kind)

  const pauseAfter = (refusals: number) => {
    paused ??= setTimeout(
      () => {
        paused = undefined
        startNext()
      },
      busyDelaysMs[refusals - 1],
    )
  }
  const fail = (id: number, entry: Entry, error: unknown) => {
    const fault = faultAfter(error)
    if (fault !== 'busy') return setState(id, { kind: 'failed', fault })
    entry.refusals++
    if (entry.refusals > busyDelaysMs.length) return setState(id, { kind: 'failed', fault: busyFault })
    pauseAfter(entry.refusals)
    setState(id, { kind: 'waiting' })
  }
  const start = async (id: number, entry: Entry) => {
    setState(id, { kind: 'sending', percent: 0 })
    try {
      const outcome = await send(entry.file, percent => setState(id, { kind: 'sending', percent }))
      if (outcome === 'existing') setState(id, { kind: 'existing' })
      else remove(id)
      publish({ uploaded: snapshot.uploaded + 1 })
    } catch (error) {
      fail(id, entry, error)
    }
    startNext()
  }
  const startNext = () => {
    if (paused !== undefined) return
    const places = maxSending - ofKind('sending').length
    for (const { id } of ofKind('waiting').slice(0, Math.max(places, 0))) {
      const entry = entries.get(id)
      if (entry) void start(id, entry)
    }
  }

  return {
    getSnapshot: () => snapshot,
    subscribe: (watcher: () => void) => {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    /** Whether closing the page would lose an upload. */
    isRunning: () => ofKind('sending').length + ofKind('waiting').length > 0,
    add: (files: readonly File[]) => {
      const added = files.map((file): Upload => {
        const fault = faultBefore(file)
        const id = nextId++
        entries.set(id, { file, refusals: 0 })
        return { id, name: file.name, state: fault ? { kind: 'failed', fault } : { kind: 'waiting' } }
      })
      publish({ uploads: [...snapshot.uploads, ...added] })
      startNext()
    },
    retry: (id: number) => {
      const entry = entries.get(id)
      if (!entry) return
      entry.refusals = 0
      setState(id, { kind: 'waiting' })
      startNext()
    },
    /** Takes an upload that has ended out of the list. */
    dismiss: remove,
  }
}
