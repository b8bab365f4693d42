import { AppError } from '../../../domain/common/errors.ts'
import type { Deps } from '../../kernel/deps.ts'
import { prepareNext } from './prepare-copies.ts'
import { reconcileCopies } from './reconcile-copies.ts'

const pollMs = 1000
/** Pause between two checks of the folder, and after an error that is not the picture's fault. */
const pauseMs = 60_000

/**
 * Makes queued copies one after another, soon after they are requested, and reconciles the folder of copies at startup
 * and every minute. Work interrupted by a stop continues after the next start.
 */
export function startMedia(deps: Deps): { stop: () => Promise<void> } {
  let isStopped = false
  let running: Promise<void> | undefined
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

  const poll = () => {
    running ??= work().finally(() => {
      running = undefined
    })
  }
  poll()
  const timer = setInterval(poll, pollMs).unref()
  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
      // Kills the child process; its attempt then does not count.
      await deps.picturePreparer.close()
      await running
    },
  }
}
