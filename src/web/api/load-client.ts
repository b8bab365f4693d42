import type { ApiClient } from './client.ts'

let loading: Promise<ApiClient> | undefined

/** Loads the API client, for screens that load their code on demand. Rejects if the client cannot be loaded. */
export function loadApiClient(): Promise<ApiClient> {
  loading ??= import('./client.ts').then(
    ({ apiClient }) => apiClient,
    error => {
      loading = undefined
      throw error
    },
  )
  return loading
}
