import { minuteMs } from '../../domain/common/durations.ts'
import type { Deps } from './deps.ts'

/** Runs work now and every minute until stopped; never twice at once. A failure is logged. */
export function everyMinute(
  deps: Deps,
  work: (deps: Deps) => Promise<void>,
  failure: string,
): { stop: () => Promise<void> } {
  let running: Promise<void> | undefined
  const tick = () => {
    running ??= work(deps)
      .catch(error => deps.log.error({ err: error }, failure))
      .finally(() => {
        running = undefined
      })
  }
  tick()
  const timer = setInterval(tick, minuteMs).unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
