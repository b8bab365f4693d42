import { QueryClient } from '@tanstack/react-query'
import { httpBatchLink, splitLink, TRPCClientError } from '@trpc/client'
import { createTRPCReact } from '@trpc/react-query'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import type { FieldErrors } from '../../domain/errors.ts'
import type { AppRouter } from '../../server/root-router.ts'
import { stepUpLink } from './step-up.ts'
import { storedToken, tokenForCall } from './token.ts'

export const api = createTRPCReact<AppRouter>()
export type Outputs = inferRouterOutputs<AppRouter>
export type Inputs = inferRouterInputs<AppRouter>
/** Calls the same procedures on the server, which renders the public pages. */
export type ServerCaller = ReturnType<AppRouter['createCaller']>

/** How a call failed: the server refused it (4xx), usually with a sentence, or broke, or did not answer. */
export type Failure =
  | { kind: 'refused'; status: number; message: string | undefined; fields: FieldErrors }
  | { kind: 'broken'; status: number | undefined }

/** Reads a failed call. After a 500 or no answer a screen shows its fixed text; after a refusal, the server's sentence. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof TRPCClientError)) return { kind: 'broken', status: undefined }
  const status = statusOf(error)
  if (status === undefined || status === 500 || (status > 500 && !error.data))
    return { kind: 'broken', status }
  const fields: FieldErrors = error.data?.fields ?? {}
  return {
    kind: 'refused',
    status,
    message: isSentence(error.message) && error.data ? error.message : undefined,
    fields: Object.fromEntries(Object.entries(fields).filter(([, message]) => isSentence(message))),
  }
}

/** What is stored, where a change of something older was refused. */
export function currentOf<Stored>(error: unknown): Stored | undefined {
  return error instanceof TRPCClientError ? (error.data?.current ?? undefined) : undefined
}

/** For a foreign answer, such as a proxy's, the HTTP status. */
function statusOf({ data, meta }: TRPCClientError<AppRouter>): number | undefined {
  if (data) return data.httpStatus
  const response = meta?.response
  return response instanceof Response && !response.ok ? response.status : undefined
}

/** Whether a message is meant for people; the bare name of a code is not. */
function isSentence(message: unknown): message is string {
  return typeof message === 'string' && message.trim() !== '' && !/^[A-Z_]+$/.test(message)
}

/** The server's sentence after a refusal, else the fixed text. */
export function refusalOr(error: unknown, fixedText: string): string {
  return refusalDetail(error) ?? fixedText
}

export type FailureTexts = {
  /** After an answer without a sentence. */
  failed: string
  /** Without an answer. */
  threw: string
  /** After a refusal without a sentence, where that is not `failed`. */
  refused?: string
}

/** What a failed call shows where an action has two fixed texts; the server's sentence comes before them. */
export function failureText(error: unknown, { failed, threw, refused = failed }: FailureTexts): string {
  const failure = failureOf(error)
  if (failure.kind === 'refused') return failure.message ?? refused
  return failure.status === undefined ? threw : failed
}

/** The server's sentence to stand under a fixed text, where the answer was a refusal with one. */
export function refusalDetail(error: unknown): string | undefined {
  const failure = failureOf(error)
  return failure.kind === 'refused' ? failure.message : undefined
}

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
  // The server takes a large body only from a call that comes alone.
  const large = [
    'leases.sign',
    'entry.import',
    'editor.saveSection',
    'wordings.save',
    'wordings.preview',
    'wordings.sendSample',
  ]
  const condition = ({ path }: { path: string }) => large.includes(path)
  return api.createClient({ links: [stepUpLink, splitLink({ condition, true: link(1), false: link(10) })] })
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
    if (failure.kind === 'refused' && failure.status === 401 && storedToken()) onUnauthorized()
  }
  client.getQueryCache().config.onError = watch
  client.getMutationCache().config.onError = watch
  return client
}
