/** `existing`: the site has a picture of the same bytes. `waiting` for a free place, in this browser or on the server. */
type UploadState =
  | { kind: 'waiting' }
  | { kind: 'sending'; percent: number }
  | { kind: 'existing' }
  | { kind: 'failed'; fault: string }
export type Upload = {
  id: number
  name: string
  file: File
  state: UploadState
  /** By a busy server, in a row. */
  refusals: number
}
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
  const { add, change, list, remove, ...store } = createUploadStore()
  const startNext = () => {
    if (pause.isOn()) return
    const places = maxSending - list('sending').length
    for (const upload of list('waiting').slice(0, Math.max(places, 0))) void start(upload)
  }
  const pause = createPause(startNext)

  const start = async ({ file, id, refusals }: Upload) => {
    change(id, { state: { kind: 'sending', percent: 0 } })
    try {
      const outcome = await send(file, percent => change(id, { state: { kind: 'sending', percent } }))
      if (outcome === 'existing') change(id, { state: { kind: 'existing' } })
      else remove(id)
      store.countUploaded()
    } catch (error) {
      const fault = faultAfter(error)
      const delayMs = fault === 'busy' ? busyDelaysMs[refusals] : undefined
      if (delayMs === undefined)
        change(id, { state: { kind: 'failed', fault: fault === 'busy' ? busyFault : fault } })
      else {
        pause.start(delayMs)
        change(id, { state: { kind: 'waiting' }, refusals: refusals + 1 })
      }
    }
    startNext()
  }

  return {
    getSnapshot: store.getSnapshot,
    subscribe: store.subscribe,
    /** Whether closing the page would lose an upload. */
    isRunning: () => list('sending').length + list('waiting').length > 0,
    add: (files: readonly File[]) => {
      for (const file of files) {
        const fault = faultBefore(file)
        add(file, fault ? { kind: 'failed', fault } : { kind: 'waiting' })
      }
      startNext()
    },
    retry: (id: number) => {
      change(id, { state: { kind: 'waiting' }, refusals: 0 })
      startNext()
    },
    /** Takes an upload that has ended out of the list. */
    dismiss: remove,
  }
}

/** A pause for all, which another refusal does not make longer. */
function createPause(onEnd: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    isOn: () => timer !== undefined,
    start: (delayMs: number) => {
      timer ??= setTimeout(() => {
        timer = undefined
        onEnd()
      }, delayMs)
    },
  }
}

function createUploadStore() {
  const watchers = new Set<() => void>()
  let snapshot: Snapshot = { uploads: [], uploaded: 0 }
  let nextId = 1
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
    add: (file: File, state: UploadState) => {
      const upload = { id: nextId++, name: file.name, file, state, refusals: 0 }
      publish({ uploads: [...snapshot.uploads, upload] })
    },
    change: (id: number, changes: Partial<Pick<Upload, 'state' | 'refusals'>>) =>
      publish({
        uploads: snapshot.uploads.map(upload => (upload.id === id ? { ...upload, ...changes } : upload)),
      }),
    remove: (id: number) => publish({ uploads: snapshot.uploads.filter(upload => upload.id !== id) }),
    countUploaded: () => publish({ uploaded: snapshot.uploaded + 1 }),
  }
}
