import type { AnyProcedure } from '@trpc/server'
import type { ZodType } from 'zod'
import { rootRouter } from './root-router.ts'
import type { Access, ProcedureMeta, RestRoute } from './trpc.ts'

export type DescribedProcedure = {
  /** `feature.name` */
  call: string
  type: 'query' | 'mutation'
  access: Access
  summary: string
  rest: readonly RestRoute[]
  cache: ProcedureMeta['cache']
  input: ZodType | undefined
  output: ZodType
}

type Definition = {
  type: 'query' | 'mutation'
  meta: ProcedureMeta
  inputs: ZodType[]
  output?: { schema?: ZodType }
}

/** Every procedure with what it says of itself. */
export const procedureList: readonly DescribedProcedure[] = Object.entries(
  rootRouter._def.procedures as unknown as Record<string, AnyProcedure>,
).map(([call, { _def }]) => {
  const { type, meta, inputs, output } = _def as unknown as Definition
  if (!meta.access || !output?.schema)
    throw new Error(`${call} does not say who may call it and what it answers`)
  return {
    call,
    type,
    access: meta.access,
    summary: meta.summary ?? '',
    rest: meta.rest ?? [],
    cache: meta.cache,
    input: inputs[0],
    output: output.schema,
  }
})

/** The documented paths with the procedure that answers each. */
export const restRoutes = procedureList.flatMap(procedure =>
  procedure.rest.map(route => ({ ...route, procedure })),
)
