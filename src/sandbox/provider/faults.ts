import { setTimeout as sleep } from 'node:timers/promises'
import type { BreakOff } from './api.ts'
import { ApiError } from './api-error.ts'
import { errorResponse, type ProviderRequest, type ProviderResponse } from './http.ts'

/**
 * How the API misbehaves. `delayMs`: slow. `status`: refuses before its work begins, so nothing is stored under a key.
 * `breakOff`: a 500 in the middle of the work, stored under the key; nothing was made, or all of it. `hangUp`: closes
 * the connection without an answer. `answerAfterTimeout`: does the work first, then waits `delayMs` (15 s unless
 * given; none with `hangUp`) before it answers. `failNext`: only so many calls, with a 500 when nothing else is named.
 * `only`: the calls alone that have this in their `METHOD /path`.
 */
export type Fault = {
  delayMs?: number
  failNext?: number
  status?: number
  breakOff?: BreakOff
  hangUp?: boolean
  answerAfterTimeout?: boolean
  only?: string
}

const hungUp: ProviderResponse = { status: 503, headers: {}, body: '', hangUp: true }

export function createFaults() {
  let fault: Fault = {}
  let aborter = new AbortController()
  /** False when it was cut short by a shutdown. */
  const pause = (ms: number) => sleep(ms, true, { signal: aborter.signal }).catch(() => false)

  /** The fault of this call; one that is counted is used up by it. */
  function nextFault({ method, path }: ProviderRequest): Fault {
    if (fault.only !== undefined && !`${method} ${path}`.includes(fault.only)) return {}
    if (fault.failNext === undefined) return fault
    const { failNext, only, ...kinds } = fault
    fault = failNext > 1 ? { ...fault, failNext: failNext - 1 } : {}
    return Object.values(kinds).some(Boolean) ? kinds : { status: 500 }
  }

  return {
    set(next: Fault): void {
      fault = next.failNext === 0 ? {} : next
    },
    async apply(
      request: ProviderRequest,
      work: (breakOff?: BreakOff) => ProviderResponse,
    ): Promise<ProviderResponse> {
      const { answerAfterTimeout, breakOff, delayMs, hangUp, status } = nextFault(request)
      if (answerAfterTimeout) {
        const answer = work(breakOff)
        const waited = await pause(delayMs ?? (hangUp ? 0 : 15_000))
        return hangUp || !waited ? hungUp : answer
      }
      if (delayMs && !(await pause(delayMs))) return hungUp
      if (hangUp) return hungUp
      return status ? refusal(status) : work(breakOff)
    },
    /** Ends all pauses at once. */
    abort(): void {
      aborter.abort()
      aborter = new AbortController()
    },
  }
}

function refusal(status: number): ProviderResponse {
  if (status === 429) return errorResponse(new ApiError('Too many requests.', { code: 'rate_limit', status }))
  const type = status >= 500 ? 'api_error' : undefined
  return errorResponse(new ApiError('An unknown error occurred.', { status, type }))
}
