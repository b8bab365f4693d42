import { QueryClient } from '@tanstack/react-query'
import { httpBatchLink, splitLink, TRPCClientError } from '@trpc/client'
import { createTRPCReact } from '@trpc/react-query'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import type { FieldErrors } from '../../domain/errors.ts'
import type { AppRouter } from '../../server/root-router.ts'
import { createRememberingFetch } from './remembering-fetch.ts'
import { readToken } from './token.ts'

export const api = createTRPCReact<AppRouter>()
export type Outputs = inferRouterOutputs<AppRouter>
export type Inputs = inferRouterInputs<AppRouter>
/** Asks the same procedures where no network lies between: on the server, which renders the public pages. */
export type Ask = ReturnType<AppRouter['createCaller']>

/** How a call failed: the server refused with a sentence (4xx), or it broke, or nobody answered. */
export type Failure =
  | { kind: 'refused'; status: number; message: string; fields: FieldErrors }
  | { kind: 'broken'; status: number | undefined }

/** Reads a failed call. After a 500 or no answer a screen shows its fixed text; after a refusal, the server's sentence. */
export function failureOf(error: unknown): Failure {
  if (error instanceof TRPCClientError && error.data) {
    const { httpStatus, fields } = error.data as { httpStatus: number; fields?: FieldErrors }
    if (httpStatus !== 500)
      return { kind: 'refused', status: httpStatus, message: error.message, fields: fields ?? {} }
    return { kind: 'broken', status: httpStatus }
  }
  return { kind: 'broken', status: undefined }
}

/** The server's sentence after a refusal, else the fixed text (spec §8 'server error or'). */
export function refusalOr(error: unknown, fixedText: string): string {
  const failure = failureOf(error)
  return failure.kind === 'refused' ? failure.message : fixedText
}

/**
 * What a failed call shows where the spec has two fixed texts: the server's sentence after a refusal, `failed` after
 * an answer without one, `threw` where nobody answered.
 */
export function failureText(error: unknown, texts: { failed: string; threw: string }): string {
  const failure = failureOf(error)
  if (failure.kind === 'refused') return failure.message
  return failure.status === undefined ? texts.threw : texts.failed
}

/** The server's sentence to stand under a fixed text, where the answer was a refusal with one (spec §8, elsewhere). */
export function refusalDetail(error: unknown): string | undefined {
  const failure = failureOf(error)
  return failure.kind === 'refused' ? failure.message : undefined
}

export function createApiClient() {
  const fetch = createRememberingFetch()
  const link = (maxItems: number) =>
    httpBatchLink({
      url: '/trpc',
      maxItems,
      fetch,
      headers: () => {
        const token = readToken()
        return token ? { authorization: `Bearer ${token}` } : {}
      },
    })
  // The server refuses a signature that comes with other calls.
  const condition = ({ path }: { path: string }) => path === 'leases.sign'
  return api.createClient({ links: [splitLink({ condition, true: link(1), false: link(10) })] })
}

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
    if (failure.kind === 'refused' && failure.status === 401 && readToken()) onUnauthorized()
  }
  client.getQueryCache().config.onError = watch
  client.getMutationCache().config.onError = watch
  return client
}
