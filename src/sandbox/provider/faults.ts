import { setTimeout as sleep } from 'node:timers/promises'
import type { FailurePoint } from './api.ts'
import { ApiError, errorResponse, type ProviderRequest, type ProviderResponse } from './http.ts'

/**
 * How the API misbehaves.
 * - `delayMs`: responds slowly.
 * - `status`: fails before the work, so nothing is stored under the idempotency key.
 * - `failurePoint`: fails with a 500 before or after the work's changes; the 500 is stored under the idempotency key.
 * - `hangUp`: closes the connection without a response.
 * - `answerAfterTimeout`: does the work, then waits `delayMs` (default 15 s, or 0 with `hangUp`) before responding.
 * - `failNext`: applies to this number of calls; fails with a 500 if no other fault is given.
 * - `only`: applies only to calls whose `METHOD /path` contains this text.
 */
export type Fault = {
  delayMs?: number
  failNext?: number
  status?: number
  failurePoint?: FailurePoint
  hangUp?: boolean
  answerAfterTimeout?: boolean
  only?: string
}

const hungUp: ProviderResponse = { status: 503, headers: {}, body: '', hangUp: true }

export function createFaults() {
  let fault: Fault = {}
  let aborter = new AbortController()
  /** Resolves to false if a shutdown ended the delay early. */
  const pause = (ms: number) => sleep(ms, true, { signal: aborter.signal }).catch(() => false)

  /** The fault for this call; reduces the remaining number of calls. */
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
      work: (failurePoint?: FailurePoint) => ProviderResponse,
    ): Promise<ProviderResponse> {
      const { answerAfterTimeout, failurePoint, delayMs, hangUp, status } = nextFault(request)
      if (answerAfterTimeout) {
        const answer = work(failurePoint)
        const waited = await pause(delayMs ?? (hangUp ? 0 : 15_000))
        return hangUp || !waited ? hungUp : answer
      }
      if (delayMs && !(await pause(delayMs))) return hungUp
      if (hangUp) return hungUp
      return status ? refusal(status) : work(failurePoint)
    },
    /** Ends all delays at once. */
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
