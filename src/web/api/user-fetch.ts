let user = new AbortController()

/** A fetch whose calls with a session's token are aborted by `abortUserCalls`. */
export const userFetch: typeof fetch = (address, options) => {
  const isUsers = new Headers(options?.headers).has('authorization')
  const signals = [options?.signal, isUsers && user.signal].filter(signal => signal instanceof AbortSignal)
  return fetch(address, { ...options, signal: AbortSignal.any(signals) })
}

/** Aborts the former user's calls, so that no response reaches the next user's screens. */
export function abortUserCalls(): void {
  user.abort()
  user = new AbortController()
}
