import type { Calls } from './client.ts'

let loading: Promise<Calls> | undefined

/** The calls of the server, for screens that load their code only when they need it. Rejects when it cannot be loaded. */
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
