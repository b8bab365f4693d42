import { createTRPCClient, httpBatchLink, splitLink } from '@trpc/client'
import { isLargeCall } from '../../domain/common/large-calls.ts'
import type { AppRouter } from './procedures.ts'
import { stepUpLink } from './step-up.ts'
import { tokenForCall } from './token.ts'
import { userFetch } from './user-fetch.ts'

export function createApiClient(fetch: typeof globalThis.fetch) {
  const link = (maxItems: number) =>
    httpBatchLink({
      url: '/trpc',
      maxItems,
      fetch,
      headers: () => {
        const token = tokenForCall()
        return token ? { authorization: `Bearer ${token}` } : {}
      },
    })
  const condition = ({ path }: { path: string }) => isLargeCall(path)
  return createTRPCClient<AppRouter>({
    links: [stepUpLink, splitLink({ condition, true: link(1), false: link(10) })],
  })
}

/** The API client: calls the server's procedures. */
export const apiClient = createApiClient(userFetch)
export type ApiClient = typeof apiClient
