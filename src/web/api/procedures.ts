import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../server/root-router.ts'

export type Procedures = AppRouter['_def']['record']
export type Outputs = inferRouterOutputs<AppRouter>
export type Inputs = inferRouterInputs<AppRouter>
/** Calls the same procedures on the server, which renders the public pages. */
export type ServerCaller = ReturnType<AppRouter['createCaller']>
/** What a refusal says besides its sentence. */
export type RefusalData = Partial<ErrorData> & Pick<ErrorData, 'httpStatus'>
type ErrorData = AppRouter['_def']['_config']['$types']['errorShape']['data']

/** `undefined` may be left out where a procedure takes nothing. */
export type With<Input, Options> = undefined extends Input
  ? [input?: Input, options?: Options]
  : [input: Input, options?: Options]
