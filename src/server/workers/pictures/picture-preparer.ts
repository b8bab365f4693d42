import { join } from 'node:path'
import pLimit from 'p-limit'
import { projectRoot } from '../../../../db/project-root.ts'
import { evidenceRefusals } from '../../../domain/bookings/evidence.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { createLru } from '../../../domain/common/lru.ts'
import {
  type CutName,
  copyIdentity,
  cutPlansOf,
  formatRecipe,
  type PictureCut,
  type PictureFormat,
  type PictureHeader,
  pictureMessages,
  type Recipe,
  sizeError,
} from '../../../domain/content/picture.ts'
import { type ChildOutcome, runInChildProcess } from '../../lib/child-job.ts'
import { isDiskFull } from '../../lib/disk.ts'
import { sha256 } from '../../lib/sha256.ts'
import { type MediaFolder, openMediaFolder } from './media-folder.ts'
import type { Photo, PictureJob, PictureReply, PictureRequest } from './picture-jobs.ts'

/** `reason` is for the log. */
export type Preparation =
  | { outcome: 'made'; cuts: PictureCut[]; peakMib: number }
  | { outcome: 'unreadable' | 'died'; reason: string }

export type PreparePicture = {
  /** The path of the original file, and its hash. */
  path: string
  sha256: string
  recipe: Recipe
  withAvif: boolean
}

/** Reads pictures and makes their copies only in child processes, so that a picture can crash nothing else. */
export type PicturePreparer = {
  /**
   * Reads a picture's header.
   * @throws AppError bad_request with a message for an unacceptable picture; unavailable when closed, or when the
   * machine is too busy to read it
   */
  inspect: (picture: { path: string; format: PictureFormat }) => Promise<PictureHeader>
  /**
   * Makes the copies of a recipe, one picture at a time, in the order of the calls. If the outcome is `made`, all
   * copies are on disk and in place, otherwise none is.
   * @throws AppError unavailable when closed, or when the disk is full: neither is the picture's fault
   */
  prepare: (picture: PreparePicture) => Promise<Preparation>
  /**
   * Decodes a photo that is kept as evidence, one at a time, and makes its preview.
   * @throws AppError unsupported_type for anything but a JPEG or PNG that can be decoded; unavailable when closed, when
   * too many wait, or when the machine is too busy
   */
  readPhoto: (photo: { path: string; sha256: string }) => Promise<Photo>
  /** A preview that was made lately. */
  lastPreview: (sha256: string) => Uint8Array | undefined
  /** Kills the child and rejects queued requests. */
  close: () => Promise<void>
}

export type PicturePreparerOptions = {
  uploadsDir: string
  /** Whether children get a low CPU priority and are killed first when memory runs out; off only in tests. */
  isLowPriority?: boolean
  /** The remaining options are for tests and measurements. */
  script?: string
  prepareTimeoutMs?: number
  inspectTimeoutMs?: number
  onChild?: (pid: number) => void
}

const workerScript = import.meta.filename.endsWith('.ts')
  ? join(import.meta.dirname, 'picture-worker.ts')
  : join(projectRoot, 'dist/server/picture-worker.js')

/** Replaces the site's environment; the allocator returns freed memory to the system. */
const childEnv = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '131072',
  UV_THREADPOOL_SIZE: '2',
}

/** A preparer that starts one process per picture. */
export function createPicturePreparer(options: PicturePreparerOptions): PicturePreparer {
  const { inspectTimeoutMs = 20_000, isLowPriority = true, onChild, prepareTimeoutMs = 120_000 } = options
  const closing = new AbortController()
  const [inspections, preparations, photos] = [pLimit(1), pLimit(1), pLimit(1)]
  const previews = createLru<string, Photo>(
    maxPreviewBytes,
    ({ preview, thumbnail }) => preview.byteLength + thumbnail.byteLength,
  )
  let media: Promise<MediaFolder> | undefined

  async function ask(job: PictureJob, timeoutMs: number): Promise<ChildOutcome<PictureReply>> {
    if (closing.signal.aborted) throw closed()
    const { signal } = closing
    const outcome = await runInChildProcess<PictureReply>({
      script: options.script ?? workerScript,
      request: { ...job, isLowPriority } satisfies PictureRequest,
      timeoutMs,
      signal,
      env: childEnv,
      execArgv: ['--max-old-space-size=32', '--max-semi-space-size=1'],
      onStart: onChild,
    })
    if (outcome.kind === 'died' && signal.aborted) throw closed()
    return outcome
  }

  async function make(picture: PreparePicture): Promise<Preparation> {
    const { path, recipe, withAvif } = picture
    const hashes = hashesOf(picture)
    // Opened lazily: otherwise a command run next to the site would delete the site's unfinished files.
    media ??= openMediaFolder(options.uploadsDir)
    return (await media).writeAtomically(async folder => {
      const request = {
        job: 'prepare',
        path,
        recipe: formatRecipe(recipe),
        withAvif,
        folder,
        hashes,
      } as const
      const value = preparationOf(await ask(request, prepareTimeoutMs), hashes)
      return { isComplete: value.outcome === 'made', value }
    })
  }

  return {
    inspect: picture =>
      inspections(async () => headerOf(await ask({ job: 'inspect', ...picture }, inspectTimeoutMs))),
    prepare: picture => preparations(() => make(picture)),
    async readPhoto({ path, sha256 }) {
      if (photos.pendingCount >= maxWaitingPhotos) throw busy()
      return photos(async () => {
        const known = previews.get(sha256)
        if (known) return known
        const photo = photoOf(await ask({ job: 'photo', path }, inspectTimeoutMs))
        previews.set(sha256, photo)
        return photo
      })
    },
    lastPreview: sha256 => previews.get(sha256)?.preview,
    async close() {
      closing.abort()
      // Both resolve when the work in progress has ended.
      await Promise.all([inspections, preparations, photos].map(ended => ended(() => {})))
    },
  }
}

type Hashes = Partial<Record<CutName, string>>

/** The hashes in the file names of a recipe's copies: 16 hex digits for each of its cuts. */
export function hashesOf({ recipe, sha256: original }: Pick<PreparePicture, 'sha256' | 'recipe'>): Hashes {
  const hashes = cutPlansOf(recipe).map(plan => [
    plan.cut,
    sha256(copyIdentity(original, recipe, plan)).slice(0, 16),
  ])
  return Object.fromEntries(hashes)
}

function headerOf(outcome: ChildOutcome<PictureReply>): PictureHeader {
  // The machine was too busy; the picture is not at fault.
  if (outcome.kind === 'died' && outcome.wasKilled)
    throw new AppError('unavailable', pictureMessages.tooManyUploads, {
      retryAfterSeconds: 60,
      cause: outcome,
    })
  if (outcome.kind !== 'replied' || outcome.reply.result !== 'header')
    throw new AppError('bad_request', pictureMessages.unreadable, { cause: outcome })
  const { header } = outcome.reply
  const fault = sizeError(header)
  if (fault) throw new AppError('bad_request', fault)
  return header
}

/** Previews that are kept in memory, of all photos together. */
const maxPreviewBytes = 16_000_000
const maxWaitingPhotos = 30

function photoOf(outcome: ChildOutcome<PictureReply>): Photo {
  const isAtFault = outcome.kind === 'died' ? !outcome.wasKilled : outcome.reply.result === 'unreadable'
  if (isAtFault) throw new AppError('unsupported_type', evidenceRefusals.unreadable, { cause: outcome })
  if (outcome.kind === 'died' || outcome.reply.result !== 'photo') throw busy(outcome)
  const { photo, previewBase64, thumbnailBase64 } = outcome.reply
  const [preview, thumbnail] = [Buffer.from(previewBase64, 'base64'), Buffer.from(thumbnailBase64, 'base64')]
  return { ...photo, preview, thumbnail }
}

const busy = (cause?: unknown) =>
  new AppError('unavailable', evidenceRefusals.busy, { retryAfterSeconds: 30, cause })

function preparationOf(outcome: ChildOutcome<PictureReply>, hashes: Hashes): Preparation {
  if (outcome.kind === 'died') return { outcome: 'died', reason: outcome.reason }
  const { reply } = outcome
  if (reply.result === 'made') {
    const { cuts, peakMib } = reply
    return { outcome: 'made', cuts: cuts.map(cut => ({ ...cut, hash: hashes[cut.cut] ?? '' })), peakMib }
  }
  if (reply.result === 'unreadable') return { outcome: 'unreadable', reason: reply.reason }
  const failure = Object.assign(new Error(JSON.stringify(reply)), 'code' in reply && { code: reply.code })
  if (!isDiskFull(failure)) return { outcome: 'died', reason: failure.message }
  throw new AppError('unavailable', 'Nothing can be stored at the moment. Please try again later.', {
    cause: failure,
  })
}

const closed = () =>
  new AppError('unavailable', 'The site is about to restart. Please try again in a moment.', {
    retryAfterSeconds: 5,
  })
