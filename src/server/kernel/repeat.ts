import { minuteMs } from '../../domain/common/durations.ts'
import type { Deps } from './deps.ts'

export type Repeated = {
  /** Runs the work now, or waits for the run in progress. */
  tick: () => Promise<void>
  /** Waits for the run in progress. */
  stop: () => Promise<void>
}

/** Runs work now and regularly until stopped; never twice at once. A failure is logged. */
export function repeat(
  deps: Deps,
  work: (deps: Deps) => Promise<unknown>,
  failure: string,
  everyMs = minuteMs,
): Repeated {
  let running: Promise<void> | undefined
  const tick = () => {
    running ??= work(deps)
      .then(() => undefined)
      .catch(error => deps.log.error({ err: error }, failure))
      .finally(() => {
        running = undefined
      })
    return running
  }
  void tick()
  const timer = setInterval(() => void tick(), everyMs).unref()
  return {
    tick,
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
