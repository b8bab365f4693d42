import { AppError } from '../../domain/errors.ts'
import type { Deps } from '../kernel/deps.ts'
import { keepCopies } from './keep-copies.ts'
import { prepareNext } from './prepare-copies.ts'

const pollMs = 1000
/** Between two looks at the folder, and after a failure that says nothing about a picture. */
const restMs = 60_000

/**
 * Makes the copies of pictures that wait for them, one after another, soon after somebody asks, and keeps the folder of
 * copies in order, at the start and each minute. What a stop cuts off goes on after the next start.
 */
export function startMedia(deps: Deps): { stop: () => Promise<void> } {
  let isStopped = false
  let running: Promise<void> | undefined
  let [lookAt, goOnAt] = [0, 0]

  async function work(): Promise<void> {
    if (performance.now() >= lookAt) {
      lookAt = performance.now() + restMs
      await keepCopies(deps).catch(error =>
        deps.log.error({ err: error }, 'the copies of pictures were not kept in order'),
      )
    }
    if (performance.now() < goOnAt) return
    try {
      while (!isStopped && (await prepareNext(deps)));
    } catch (error) {
      goOnAt = performance.now() + restMs
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
      // Ends the child, whose attempt is taken back then.
      await deps.picturePreparer.close()
      await running
    },
  }
}
