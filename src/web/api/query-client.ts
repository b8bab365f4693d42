import { QueryClient } from '@tanstack/react-query'
import { failureOf } from './failures.ts'
import { storedToken } from './token.ts'

export function createQueryClient(onUnauthorized: () => void) {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => failureOf(error).kind === 'broken' && count < 1,
        retryDelay: 400,
      },
    },
  })
  const watch = (error: unknown) => {
    const failure = failureOf(error)
    if (failure.kind === 'refused' && failure.status === 401 && storedToken()) onUnauthorized()
  }
  client.getQueryCache().config.onError = watch
  client.getMutationCache().config.onError = watch
  return client
}
