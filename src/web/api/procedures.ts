import type { TRPCClientError } from '@trpc/client'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../server/root-router.ts'

export type { AppRouter }
export type Procedures = AppRouter['_def']['record']
export type Outputs = inferRouterOutputs<AppRouter>
export type Inputs = inferRouterInputs<AppRouter>
/** The error of a call: the server's refusal, or no answer. */
export type CallError = TRPCClientError<AppRouter>
/** Calls the same procedures on the server, which renders the public pages. */
export type ServerCaller = ReturnType<AppRouter['createCaller']>
