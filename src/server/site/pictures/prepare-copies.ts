import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { files, pictureCopies, pictures } from '../../../../db/schema.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { attemptAfter, parseRecipe, pictureMessages, stateAfter } from '../../../domain/content/picture.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { repeat } from '../../kernel/repeat.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { removeCopies } from '../../workers/pictures/media-folder.ts'
import type { Preparation } from '../../workers/pictures/picture-preparer.ts'
import { reconcileCopies } from './reconcile-copies.ts'
import { type CopiesKey, setCopies } from './records.ts'

type Job = CopiesKey & { storageName: string; sha256: string; attempts: number; withAvif: boolean }

/** The copies to make next: those in use first, each group in the order of the requests. */
const findWaiting = (db: Db) =>
  db
    .select({
      pictureId: pictureCopies.pictureId,
      recipe: pictureCopies.recipe,
      attempts: pictureCopies.attempts,
      sha256: pictures.sha256,
      storageName: files.storageName,
    })
    .from(pictureCopies)
    .innerJoin(pictures, and(eq(pictures.id, pictureCopies.pictureId), isNull(pictures.removedAt)))
    .innerJoin(files, eq(files.id, pictures.fileId))
    .where(eq(pictureCopies.state, 'processing'))
    .orderBy(isNotNull(pictureCopies.unusedSince), sql`${pictureCopies}.rowid`)
    .limit(1)
    .get()

/**
 * Makes the next copies in the queue; false when it is empty. The attempt is counted before it starts, so that a
 * picture that crashes the whole site is not retried forever (PIC-07).
 * @throws AppError unavailable when the disk is full or the site shuts down: the attempt does not count then
 */
export async function prepareNext(deps: Deps): Promise<boolean> {
  if (!findWaiting(deps.db)) return false
  const job = await claim(deps)
  if (!job) return true
  failpoint('copies-counted')
  const recipe = parseRecipe(job.recipe)
  if (!recipe) throw new Error(`unknown recipe ${job.recipe}`)
  const { sha256, withAvif } = job
  const picture = { path: deps.files.pathOf(job), sha256, recipe, withAvif }
  const preparation = await deps.picturePreparer.prepare(picture).catch(async error => {
    if (error instanceof AppError && error.code === 'unavailable') await revertAttempt(deps, job)
    throw error
  })
  failpoint('copies-made')
  await settle(deps, job, preparation)
  return true
}

/** Counts the attempt; undefined if none is left, for example when the site was killed in the second attempt. */
function claim(deps: Deps): Promise<Job | undefined> {
  return deps.write(tx => {
    const waiting = findWaiting(tx)
    if (!waiting) return undefined
    const attempt = attemptAfter(waiting.attempts)
    if (!attempt) {
      setCopies(tx, waiting, { state: 'failed', fault: pictureMessages.notPrepared })
      return undefined
    }
    const attempts = waiting.attempts + 1
    setCopies(tx, waiting, { state: 'processing', fault: null, attempts })
    return { ...waiting, ...attempt, attempts }
  })
}

async function revertAttempt(deps: Deps, job: Job): Promise<void> {
  const attempts = job.attempts - 1
  await deps
    .write(tx => setCopies(tx, job, { state: 'processing', fault: null, attempts }))
    .catch(error =>
      deps.log.error({ err: error, pictureId: job.pictureId }, 'the attempt count could not be reverted'),
    )
}

async function settle(deps: Deps, job: Job, preparation: Preparation): Promise<void> {
  const { attempts, pictureId, recipe } = job
  const state = stateAfter(preparation.outcome, attempts)
  if (preparation.outcome !== 'made') {
    const { outcome, reason } = preparation
    deps.log.warn({ pictureId, recipe, attempts, outcome, reason }, 'the copies of a picture were not made')
    await deps.write(tx => setCopies(tx, job, state))
    return
  }
  const { cuts, peakMib } = preparation
  deps.log.info({ pictureId, recipe, attempts, peakMib }, 'the copies of a picture were made')
  const [first] = cuts
  const isThere = await deps.write(tx =>
    setCopies(tx, job, { ...state, cuts, ...(first && { hash: first.hash }), madeAt: nowIso(deps) }),
  )
  // The picture was removed in the meantime, so its copies must not be served.
  const hashes = new Set(cuts.map(({ hash }) => hash))
  if (!isThere) await removeCopies(deps.config.uploadsDir, ({ hash }) => hashes.has(hash))
}

const pollMs = 1000
/** Pause between two checks of the folder, and after an error that is not the picture's fault. */
const pauseMs = 60_000

/**
 * Makes queued copies one after another, soon after they are requested, and reconciles the folder of copies at startup
 * and every minute. Work interrupted by a stop continues after the next start.
 */
export function startMedia(deps: Deps): { stop: () => Promise<void> } {
  let isStopped = false
  let [nextCheckAt, retryAfter] = [0, 0]

  async function work(): Promise<void> {
    if (performance.now() >= nextCheckAt) {
      nextCheckAt = performance.now() + pauseMs
      await reconcileCopies(deps).catch(error =>
        deps.log.error({ err: error }, 'the picture copies could not be reconciled'),
      )
    }
    if (performance.now() < retryAfter) return
    try {
      while (!isStopped && (await prepareNext(deps)));
    } catch (error) {
      retryAfter = performance.now() + pauseMs
      if (isStopped && error instanceof AppError) return
      deps.log.error({ err: error }, 'the copies of a picture could not be made')
    }
  }

  const polling = repeat(deps, work, 'the copies of a picture could not be made', pollMs)
  return {
    async stop() {
      isStopped = true
      const ended = polling.stop()
      // Kills the child process; its attempt then does not count.
      await deps.picturePreparer.close()
      await ended
    },
  }
}
