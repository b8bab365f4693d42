import {
  type QueryClient,
  type UseMutationOptions,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { getUntypedClient } from '@trpc/client'
import { createTRPCQueryUtils } from '@trpc/react-query'
import type { AnyTRPCMutationProcedure, AnyTRPCQueryProcedure, inferProcedureInput } from '@trpc/server'
import { type ApiClient, apiClient } from './client.ts'
import type { AppRouter, CallError, Outputs, Procedures } from './procedures.ts'

export type { CallError, Inputs, Outputs, ServerCaller } from './procedures.ts'

type QueryOptionsFor<Output, Data> = Omit<UseQueryOptions<Output, CallError, Data>, 'queryKey' | 'queryFn'>
type MutationOptionsFor<Input, Output, Context> = Omit<
  UseMutationOptions<Output, CallError, Input, Context>,
  'mutationKey' | 'mutationFn'
>
type QueryHook<Input, Output> = {
  /** The input can be omitted if the procedure takes none. */
  useQuery: <Data = Output>(
    ...of: undefined extends Input
      ? [input?: Input, options?: QueryOptionsFor<Output, Data>]
      : [input: Input, options?: QueryOptionsFor<Output, Data>]
  ) => UseQueryResult<Data, CallError>
}
type MutationHook<Input, Output> = {
  useMutation: <Context = unknown>(
    options?: MutationOptionsFor<Input, Output, Context>,
  ) => UseMutationResult<Output, CallError, Input, Context>
}
type Hooks<Record, Answers> = {
  [Name in keyof Record & keyof Answers]: Record[Name] extends AnyTRPCQueryProcedure
    ? QueryHook<inferProcedureInput<Record[Name]>, Answers[Name]>
    : Record[Name] extends AnyTRPCMutationProcedure
      ? MutationHook<inferProcedureInput<Record[Name]>, Answers[Name]>
      : Hooks<Record[Name], Answers[Name]>
}
export type Utils = ReturnType<typeof createTRPCQueryUtils<AppRouter>> & { client: ApiClient }
type Path = readonly string[]
type QueryUtils = { queryOptions: (input: unknown) => UseQueryOptions }

const utilsOf = new WeakMap<QueryClient, Utils>()

/** Fetches, updates and invalidates cached queries, and calls procedures directly. */
export function useUtils(): Utils {
  const queryClient = useQueryClient()
  const known = utilsOf.get(queryClient)
  if (known) return known
  const utils = Object.assign(Object.create(null), { client: apiClient })
  const made = createTRPCQueryUtils<AppRouter>({ queryClient, client: apiClient })
  const both = new Proxy(utils, { get: (own, name) => own[name] ?? made[name as keyof typeof made] }) as Utils
  utilsOf.set(queryClient, both)
  return both
}

/**
 * `useQuery` and `useMutation` for each procedure, with tRPC's own query keys. `createTRPCReact` has more hooks than
 * the screens use, and adds 4 KiB to every screen.
 */
export const api = hooksAt([]) as Hooks<Procedures, Outputs> & { useUtils: typeof useUtils }

function hooksAt(path: Path): object {
  const inner: Record<string, unknown> = {
    useUtils,
    useQuery: (input: unknown, options: object) => {
      const utils = path.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], useUtils())
      return useQuery({ ...(utils as QueryUtils).queryOptions(input), ...options })
    },
    useMutation: (options: object) =>
      useMutation({
        ...options,
        mutationKey: [path],
        mutationFn: (input: unknown) => getUntypedClient(apiClient).mutation(path.join('.'), input),
      }),
  }
  return new Proxy(inner, {
    get: (_, name) => {
      if (typeof name !== 'string') return undefined
      inner[name] ??= hooksAt([...path, name])
      return inner[name]
    },
  })
}

/** A random UUID. `crypto.randomUUID` is missing if the site is served without TLS, such as on a home network. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
