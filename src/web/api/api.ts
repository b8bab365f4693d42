import {
  type CancelOptions,
  type FetchQueryOptions,
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type QueryClient,
  type QueryKey,
  type UseMutationOptions,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { AnyTRPCMutationProcedure, AnyTRPCQueryProcedure, inferProcedureInput } from '@trpc/server'
import { useMemo } from 'react'
import { byPath, type Path } from './by-path.ts'
import type { CallError } from './call-error.ts'
import { type Calls, calls, client } from './client.ts'
import type { Outputs, Procedures, With } from './procedures.ts'
import { queryKeyOf } from './site-queries.ts'

export type { CallError } from './call-error.ts'
export type { Inputs, Outputs, ServerCaller } from './procedures.ts'

type Asking<Output, Data> = Omit<UseQueryOptions<Output, CallError, Data>, 'queryKey' | 'queryFn'>
type Query<Input, Output> = {
  useQuery: <Data = Output>(...of: With<Input, Asking<Output, Data>>) => UseQueryResult<Data, CallError>
  /** For the hooks of the query library itself. */
  queryOptions: (...of: With<Input, never>) => { queryKey: QueryKey; queryFn: () => Promise<Output> }
}
type Mutation<Input, Output> = {
  useMutation: <Context = unknown>(
    options?: Omit<UseMutationOptions<Output, CallError, Input, Context>, 'mutationKey' | 'mutationFn'>,
  ) => UseMutationResult<Output, CallError, Input, Context>
}
type QueryUtils<Input, Output> = {
  cancel: (...of: With<Input | undefined, CancelOptions>) => Promise<void>
  fetch: (...of: With<Input, Pick<FetchQueryOptions, 'staleTime' | 'retry'>>) => Promise<Output>
  getData: (...of: With<Input, never>) => Output | undefined
  setData: (
    input: Input,
    data: Output | ((before: Output | undefined) => Output | undefined) | undefined,
  ) => void
}
type Invalidating<Input = undefined> = {
  invalidate: (input?: Input, filters?: InvalidateQueryFilters, options?: InvalidateOptions) => Promise<void>
}

type Hooks<Record, Answers> = {
  [Name in keyof Record & keyof Answers]: Record[Name] extends AnyTRPCQueryProcedure
    ? Query<inferProcedureInput<Record[Name]>, Answers[Name]>
    : Record[Name] extends AnyTRPCMutationProcedure
      ? Mutation<inferProcedureInput<Record[Name]>, Answers[Name]>
      : Hooks<Record[Name], Answers[Name]>
}
type Utils<Record, Answers> = Invalidating & {
  [Name in keyof Record & keyof Answers]: Record[Name] extends AnyTRPCQueryProcedure
    ? QueryUtils<inferProcedureInput<Record[Name]>, Answers[Name]> &
        Invalidating<inferProcedureInput<Record[Name]>>
    : Record[Name] extends AnyTRPCMutationProcedure
      ? unknown
      : Utils<Record[Name], Answers[Name]>
}
type Api = Hooks<Procedures, Outputs> & { useUtils: () => Utils<Procedures, Outputs> & { client: Calls } }

const queryOptions = (path: Path, input?: unknown) => ({
  queryKey: queryKeyOf(path.join('.'), input),
  queryFn: () => client.query(path.join('.'), input),
})

/**
 * The hooks of the query library for each procedure of the server, and under `useUtils` what changes the answers that
 * are kept. All of what @trpc/react-query offers would be 6 KiB more on every screen.
 */
export const api = byPath({
  queryOptions,
  useQuery: (path, input, options: object) =>
    useQuery({ ...options, ...queryOptions(path, input) } as UseQueryOptions),
  useMutation: (path, options: object) =>
    useMutation({
      ...options,
      mutationKey: [path],
      mutationFn: (input: unknown) => client.mutation(path.join('.'), input),
    }),
  useUtils: () => {
    const queries = useQueryClient()
    return useMemo(() => utilsOf(queries), [queries])
  },
}) as Api

const utilsOf = (queries: QueryClient) =>
  Object.assign(
    byPath({
      cancel: (path, input, options: CancelOptions) => queries.cancelQueries(some(path, input), options),
      fetch: (path, input, options: object) =>
        queries.fetchQuery({ ...options, ...queryOptions(path, input) }),
      getData: (path, input) => queries.getQueryData(queryOptions(path, input).queryKey),
      setData: (path, input, data: unknown) => queries.setQueryData(queryOptions(path, input).queryKey, data),
      invalidate: (path, input, filters: object, options: InvalidateOptions) =>
        queries.invalidateQueries({ ...filters, ...some(path, input) }, options),
    }),
    { client: calls },
  )

/** All queries of a procedure with an input, of a procedure, of a part of the server or of all of it. */
const some = (path: Path, input: unknown) => ({
  queryKey: [...(path.length > 0 ? [path] : []), ...(input === undefined ? [] : [{ input }])],
})
