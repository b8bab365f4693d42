import type { Calls } from './client.ts'

let loading: Promise<Calls> | undefined

/** Loads the API client, for screens that load their code on demand. Rejects if the client cannot be loaded. */
export function loadCalls(): Promise<Calls> {
  loading ??= import('./client.ts').then(
    ({ calls }) => calls,
    error => {
      loading = undefined
      throw error
    },
  )
  return loading
}
