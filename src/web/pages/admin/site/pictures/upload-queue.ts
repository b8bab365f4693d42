/** `existing`: the site has a picture of the same bytes. `waiting` for a free place, in this browser or on the server. */
type UploadState =
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

/** `uploaded` counts those that have arrived. */
type Snapshot = { uploads: readonly Upload[]; uploaded: number }

/**
 * Pictures on their way to the server, at most three at once, the rest in their order. It outlives the screen that shows
 * it.
 */
export function createUploadQueue({ busyFault, faultAfter, faultBefore, send }: QueueOptions) {
  const { change, list, ...store } = createUploadStore()
  const files = new Map<number, { file: File; refusals: number }>()
  let nextId = 1
  let paused: ReturnType<typeof setTimeout> | undefined

  const startNext = () => {
    if (paused !== undefined) return
    const places = maxSending - list('sending').length
    for (const { id } of list('waiting').slice(0, Math.max(places, 0))) void start(id)
  }
  const start = async (id: number) => {
    const entry = files.get(id)
    if (!entry) return
    change(id, { kind: 'sending', percent: 0 })
    try {
      const outcome = await send(entry.file, percent => change(id, { kind: 'sending', percent }))
      if (outcome === 'existing') change(id, { kind: 'existing' })
      else remove(id)
      store.countUploaded()
    } catch (error) {
      const fault = faultAfter(error)
      if (fault === 'busy') wait(id, ++entry.refusals)
      else change(id, { kind: 'failed', fault })
    }
    startNext()
  }
  const wait = (id: number, refusals: number) => {
    const delayMs = busyDelaysMs[refusals - 1]
    if (delayMs === undefined) return change(id, { kind: 'failed', fault: busyFault })
    change(id, { kind: 'waiting' })
    paused ??= setTimeout(() => {
      paused = undefined
      startNext()
    }, delayMs)
  }
  const remove = (id: number) => {
    files.delete(id)
    store.remove(id)
  }

  return {
    getSnapshot: store.getSnapshot,
    subscribe: store.subscribe,
    /** Whether closing the page would lose an upload. */
    isRunning: () => list('sending').length + list('waiting').length > 0,
    add: (added: readonly File[]) => {
      for (const file of added) {
        const fault = faultBefore(file)
        files.set(nextId, { file, refusals: 0 })
        store.add({
          id: nextId++,
          name: file.name,
          state: fault ? { kind: 'failed', fault } : { kind: 'waiting' },
        })
      }
      startNext()
    },
    retry: (id: number) => {
      const entry = files.get(id)
      if (entry) entry.refusals = 0
      change(id, { kind: 'waiting' })
      startNext()
    },
    /** Takes an upload that has ended out of the list. */
    dismiss: remove,
  }
}

function createUploadStore() {
  const watchers = new Set<() => void>()
  let snapshot: Snapshot = { uploads: [], uploaded: 0 }
  const publish = (change: Partial<Snapshot>) => {
    snapshot = { ...snapshot, ...change }
    for (const watcher of watchers) watcher()
  }
  return {
    getSnapshot: () => snapshot,
    subscribe: (watcher: () => void) => {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    list: (kind: UploadState['kind']) => snapshot.uploads.filter(({ state }) => state.kind === kind),
    add: (upload: Upload) => publish({ uploads: [...snapshot.uploads, upload] }),
    change: (id: number, state: UploadState) =>
      publish({
        uploads: snapshot.uploads.map(upload => (upload.id === id ? { ...upload, state } : upload)),
      }),
    remove: (id: number) => publish({ uploads: snapshot.uploads.filter(upload => upload.id !== id) }),
    countUploaded: () => publish({ uploaded: snapshot.uploaded + 1 }),
  }
}
