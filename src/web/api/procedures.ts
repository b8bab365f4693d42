import type { TRPCClientError } from '@trpc/client'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../server/root-router.ts'

export type { AppRouter }
export type Procedures = AppRouter['_def']['record']
export type Outputs = inferRouterOutputs<AppRouter>
export type Inputs = inferRouterInputs<AppRouter>
/** How a call fails that was answered or that could not be sent. */
export type CallError = TRPCClientError<AppRouter>
/** Calls the same procedures on the server, which renders the public pages. */
export type ServerCaller = ReturnType<AppRouter['createCaller']>
