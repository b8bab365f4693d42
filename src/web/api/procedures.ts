import type { TRPCClientError } from '@trpc/client'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../server/root-router.ts'

export type { AppRouter }
export type Procedures = AppRouter['_def']['record']
export type Outputs = inferRouterOutputs<AppRouter>
export type Inputs = inferRouterInputs<AppRouter>
/** The error of a call: the server refused it, or there was no response. */
export type CallError = TRPCClientError<AppRouter>
/** Calls procedures in-process, for rendering the public pages on the server. */
export type ServerCaller = ReturnType<AppRouter['createCaller']>
