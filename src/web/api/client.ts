import { createTRPCClient, httpBatchLink, splitLink } from '@trpc/client'
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
  // The server accepts a large body only if the call is not batched.
  const large = [
    'leases.sign',
    'manualBookings.import',
    'editor.saveSection',
    'wordings.save',
    'wordings.preview',
    'wordings.sendSample',
  ]
  const condition = ({ path }: { path: string }) => large.includes(path)
  return createTRPCClient<AppRouter>({
    links: [stepUpLink, splitLink({ condition, true: link(1), false: link(10) })],
  })
}

/** The API client: calls the server's procedures. */
export const apiClient = createApiClient(userFetch)
export type ApiClient = typeof apiClient
