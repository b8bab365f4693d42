import { setTimeout as sleep } from 'node:timers/promises'
import type { ProviderResponse } from './api.ts'

/**
 * How the API misbehaves. `delayMs`: slow. `status`: refuses without doing the work. `hangUp`: closes the
 * connection without an answer. `answerAfterTimeout`: does the work first, then waits `delayMs` (15 s unless
 * given; none with `hangUp`) before it answers. `failNext`: only so many calls, with a 500 when nothing else is named.
 */
export type Fault = {
  delayMs?: number
  failNext?: number
  status?: number
  hangUp?: boolean
  answerAfterTimeout?: boolean
}

export type Faults = ReturnType<typeof createFaults>

export function createFaults() {
  let fault: Fault = {}
  let aborter = new AbortController()
  /** False when it was cut short by a shutdown. */
  const pause = (ms: number) => sleep(ms, true, { signal: aborter.signal }).catch(() => false)
  const hungUp: ProviderResponse = { status: 503, headers: {}, body: '', hangUp: true }

  function take(): Fault {
    if (fault.failNext === undefined) return fault
    const current = fault
    fault = current.failNext && current.failNext > 1 ? { ...current, failNext: current.failNext - 1 } : {}
    const named = current.delayMs || current.hangUp || current.answerAfterTimeout || current.status
    return named ? current : { ...current, status: 500 }
  }

  return {
    set(next: Fault): void {
      fault = next.failNext === 0 ? {} : next
    },
    async apply(work: () => ProviderResponse): Promise<ProviderResponse> {
      const { answerAfterTimeout, delayMs, hangUp, status } = take()
      if (answerAfterTimeout) {
        const answer = work()
        const waited = await pause(delayMs ?? (hangUp ? 0 : 15_000))
        return hangUp || !waited ? hungUp : answer
      }
      if (delayMs && !(await pause(delayMs))) return hungUp
      if (hangUp) return hungUp
      if (status) return { status, headers: { 'content-type': 'application/json' }, body: errorBody(status) }
      return work()
    },
    /** Ends all pauses at once. */
    abort(): void {
      aborter.abort()
      aborter = new AbortController()
    },
  }
}

function errorBody(status: number): string {
  const message = status === 429 ? 'Too many requests.' : 'An unknown error occurred.'
  const type = status >= 500 ? 'api_error' : 'invalid_request_error'
  return JSON.stringify({ error: { code: status === 429 ? 'rate_limit' : undefined, message, type } })
}
