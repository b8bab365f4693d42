import { useSyncExternalStore } from 'react'
import { maxPictureBytes, pictureMessages } from '../../../../../domain/content/picture.ts'
import { failureOf, refusalOr } from '../../../../api/failures.ts'
import { sendForm } from '../../../../api/files.ts'
import type { LibraryPicture } from '../sections/picture-library.tsx'

/**
 * `existing`: the site already has this picture, byte for byte. `waiting` for a free slot, in this browser or on the
 * server.
 */
type UploadState =
  | { kind: 'waiting' }
  | { kind: 'sending'; percent: number }
  | { kind: 'existing' }
  | { kind: 'failed'; error: string }
export type Upload = {
  id: number
  name: string
  file: File
  state: UploadState
  /** Consecutive refusals by a busy server. */
  refusals: number
}
export type UploadOutcome = 'existing' | { pictureId: string }

type QueueOptions = {
  /** Uploads a picture and reports the progress from 0 to 100. */
  send: (file: File, onPercent: (percent: number) => void) => Promise<UploadOutcome>
  /** Why a picture cannot be uploaded, checked before sending; undefined if it can. */
  errorBefore: (file: File) => string | undefined
  /** Why an upload failed; `busy` if the server currently accepts no more uploads. */
  errorAfter: (error: unknown) => string | 'busy'
  /** The error of an upload that was refused by a busy server too often. */
  busyError: string
}

const maxSending = 3
/** Pauses after consecutive refusals by a busy server. */
const busyDelaysMs = [2_000, 4_000, 8_000, 15_000, 15_000, 30_000, 30_000]

export type UploadedPicture = Pick<Upload, 'id' | 'name'> & { pictureId: string }
/**
 * `uploaded` counts completed uploads; `uploadedPictures` are the new pictures, which keep the position of their upload.
 */
type Snapshot = { uploads: readonly Upload[]; uploaded: number; uploadedPictures: readonly UploadedPicture[] }

/** Uploads pictures in order, at most three at a time. The queue outlives the screen that shows it. */
export function createUploadQueue({ busyError, errorAfter, errorBefore, send }: QueueOptions) {
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
      else store.complete(id, outcome.pictureId)
      store.countUploaded()
    } catch (error) {
      const message = errorAfter(error)
      const delayMs = message === 'busy' ? busyDelaysMs[refusals] : undefined
      if (delayMs === undefined)
        change(id, { state: { kind: 'failed', error: message === 'busy' ? busyError : message } })
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
        const error = errorBefore(file)
        add(file, error ? { kind: 'failed', error } : { kind: 'waiting' })
      }
      startNext()
    },
    retry: (id: number) => {
      change(id, { state: { kind: 'waiting' }, refusals: 0 })
      startNext()
    },
    /** Removes a finished upload from the list. */
    dismiss: remove,
    /** Forgets an uploaded picture that was deleted. */
    forget: store.forget,
  }
}

/** A pause of all uploads; further refusals do not extend it. */
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
  let snapshot: Snapshot = { uploads: [], uploaded: 0, uploadedPictures: [] }
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
    complete: (id: number, pictureId: string) => {
      const rest = snapshot.uploads.filter(upload => upload.id !== id)
      const name = snapshot.uploads.find(upload => upload.id === id)?.name ?? ''
      publish({ uploads: rest, uploadedPictures: [...snapshot.uploadedPictures, { id, name, pictureId }] })
    },
    forget: (pictureId: string) =>
      publish({
        uploadedPictures: snapshot.uploadedPictures.filter(picture => picture.pictureId !== pictureId),
      }),
    countUploaded: () => publish({ uploaded: snapshot.uploaded + 1 }),
  }
}

/** The upload queue of this page: uploads continue while another tab or screen is shown. */
export const uploads = createUploadQueue({
  send: async (file, onPercent) => {
    const form = new FormData()
    form.append('picture', file)
    const { body, status } = await sendForm('/api/picture/admin', form, onPercent)
    return status === 200 ? 'existing' : { pictureId: (body as { picture: { id: string } }).picture.id }
  },
  errorBefore: ({ size }) => (size > maxPictureBytes ? pictureMessages.fileTooLarge : undefined),
  errorAfter: error => {
    const failure = failureOf(error)
    if (failure.status === 503) return 'busy'
    return refusalOr(error, 'The upload failed. Check your connection and try again.')
  },
  busyError: pictureMessages.tooManyUploads,
})

const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault()
uploads.subscribe(() => {
  if (uploads.isRunning()) window.addEventListener('beforeunload', askBeforeLeaving)
  else window.removeEventListener('beforeunload', askBeforeLeaving)
})

export const useUploads = () => useSyncExternalStore(uploads.subscribe, uploads.getSnapshot)

/**
 * The position of an upload in the grid, which its picture keeps: the newest upload comes first, before existing
 * pictures.
 */
export const gridOrderOf = (uploadId: number): number => -uploadId

/** The announcements for screen readers: uploads that ended without a new picture, and pictures that were processed. */
export function uploadAnnouncements(
  uploads: readonly Pick<Upload, 'id' | 'name' | 'state'>[],
  pictures: readonly LibraryPicture[],
): Map<string, string> {
  const announcements = new Map<string, string>()
  for (const { id, name, state } of uploads) {
    if (state.kind === 'failed') announcements.set(`upload ${id} failed`, `${name}: ${state.error}`)
    if (state.kind === 'existing') announcements.set(`upload ${id} existing`, `${name}: ${existingText}`)
  }
  for (const { fault, id, name, shipped, state } of pictures) {
    if (shipped || state === 'processing') continue
    announcements.set(`picture ${id} ${state}`, state === 'ready' ? `${name} is ready.` : `${name}: ${fault}`)
  }
  return announcements
}

/** The announcements that are new. */
export const newAnnouncements = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...after].flatMap(([key, sentence]) => (before.has(key) ? [] : [sentence]))

export const existingText = 'This picture is already here.'
