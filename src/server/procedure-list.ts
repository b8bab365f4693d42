import type { AnyProcedure } from '@trpc/server'
import type { ZodType } from 'zod'
import type { ProcedureMeta } from './kernel/trpc.ts'
import { rootRouter } from './root-router.ts'

type Definition = {
  type: 'query' | 'mutation'
  meta: ProcedureMeta
  inputs: ZodType[]
  output?: { schema?: ZodType }
}

/** Every procedure by its name, `feature.name`, with its description. */
export const procedureList = Object.entries(
  rootRouter._def.procedures as unknown as Record<string, AnyProcedure>,
).map(([call, { _def }]) => {
  const { type, meta, inputs, output } = _def as unknown as Definition
  const { access, summary = '', rest = [], ...others } = meta
  if (!access || !output?.schema) throw new Error(`${call} has no access rule or no output schema`)
  if (type === 'mutation' && access !== 'public' && !meta.stepUp)
    throw new Error(`${call} does not say in its meta whether it requires a step-up (\`stepUp\`)`)
  return {
    call,
    type,
    access,
    summary,
    rest,
    ...others,
    input: inputs[0],
    inputs,
    output: output.schema,
  }
})

/** The documented paths, each with its procedure. */
export const restRoutes = procedureList.flatMap(procedure =>
  procedure.rest.map(route => {
    const [method, path] = route.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string]
    // The path as Fastify's router spells it.
    return { method, path, pattern: path.replaceAll(/\{(\w+)\}/g, ':$1'), procedure }
  }),
)
