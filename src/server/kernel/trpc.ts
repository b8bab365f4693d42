import { getTRPCErrorShape, initTRPC, TRPCError } from '@trpc/server'
import { ZodError, type ZodType, z } from 'zod'
import { requireAdmin, requireSignedIn } from '../../domain/access.ts'
import { AppError, errorCodes, type FieldErrors, internalErrorMessage } from '../../domain/errors.ts'
import { rateLimitKey } from '../lib/rate-limit-key.ts'
import type { Context } from './context.ts'
import type { LimitName } from './limits.ts'
import { depsOfSession } from './session-write.ts'

// A value of a wrong kind gets a sentence; rules with a sentence of their own keep it.
z.config({ customError: () => 'This value is not valid' })

/** Who may call a procedure. */
export type Access = 'public' | 'session' | 'admin'

/** All that is derived from a procedure's description: the REST paths, OpenAPI, the response cache, the access tests. */
export type ProcedureMeta = {
  access?: Access
  /** What it is for, in one line of the documentation. */
  summary?: string
  /** The documented paths that call it, with `{name}` for each part that the input gets under this name. */
  rest?: readonly `${'GET' | 'POST' | 'PUT' | 'DELETE'} /api/${string}`[]
  /** What they answer to a success, unless it is 200. */
  status?: number
  /** How they tell a failure, unless it is `{ error, fields?, requestId? }`. */
  failure?: { schema: ZodType; from: (answer: { error: string }) => Record<string, unknown> }
  /**
   * The answer depends on nothing but the database (`public`), or on that and the session (`session`): until the next
   * write it is the same.
   */
  cache?: 'public' | 'session'
  /** Over REST, an answer that may be too long to be made at once: its text in parts, or undefined where the procedure answers. */
  stream?: (context: Context, input: unknown) => AsyncIterable<string> | undefined
  /** Not counted among a tenant's writes: it has a limit of its own, or only reads. */
  ownLimit?: boolean
}

const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    errorFormatter({ shape, error, ctx }) {
      const { message, fields, status } = describeError(error)
      return {
        ...shape,
        message,
        data: { code: shape.data.code, httpStatus: status, fields, requestId: ctx?.requestId },
      }
    },
  })

export const router = t.router
export const createCallerFactory = t.createCallerFactory

const translateErrors = t.middleware(async ({ ctx, next }) => {
  await ctx.waitForTurn?.()
  const result = await next()
  if (!result.ok && result.error.cause instanceof AppError) {
    const { cause } = result.error
    throw new TRPCError({ code: errorCodes[cause.code].trpc, message: cause.message, cause })
  }
  return result
})

/** Open to anyone. The public procedures are listed in one test. */
export const publicProcedure = t.procedure.meta({ access: 'public' }).use(translateErrors)

/**
 * Anyone signed in: `ctx.actor` is a tenant or an admin. A tenant's mutations are limited, each one also inside a batch
 * and also when it is refused; `ownLimit` in the meta leaves out those that are counted by themselves.
 */
export const sessionProcedure = publicProcedure
  .meta({ access: 'session' })
  .use(async ({ ctx, next, type, meta }) => {
    const actor = requireSignedIn(ctx.actor)
    if (type === 'mutation' && actor.role === 'tenant' && !meta?.ownLimit)
      await ctx.deps.limits.consume('writeByTenant', actor.userId)
    return next({ ctx: { ...ctx, actor, deps: depsOf(ctx, type) } })
  })

export const adminProcedure = publicProcedure
  .meta({ access: 'admin' })
  .use(({ ctx, next, type }) =>
    next({ ctx: { ...ctx, actor: requireAdmin(ctx.actor), deps: depsOf(ctx, type) } }),
  )

const depsOf = ({ deps, sessionId }: Context, type: string) =>
  type === 'mutation' ? depsOfSession(deps, sessionId) : deps

/**
 * A procedure's output. Tests and development check each answer against the schema; in production the compiler's word
 * is enough.
 */
export function checked<Schema extends ZodType>(schema: Schema) {
  const check = (value: unknown): z.output<Schema> =>
    process.env.NODE_ENV === 'production' ? (value as z.output<Schema>) : schema.parse(value)
  return Object.assign(check, { schema })
}

/** Counts each call, also inside a batch, by the caller's network address. */
export function limitedByAddress(name: LimitName) {
  return t.middleware(async ({ ctx, next }) => {
    const { actor } = ctx
    if (actor.role === 'guest' || 'requestOrigin' in actor)
      await ctx.deps.limits.consume(name, rateLimitKey(actor.requestOrigin.address))
    return next()
  })
}

type ErrorDescription = {
  status: number
  message: string
  fields?: FieldErrors
  retryAfterSeconds?: number
  expected: boolean
}

/** One reading of any failure for both transports: a refusal keeps its sentence and fields, all else becomes a 500. */
export function describeError(error: unknown): ErrorDescription {
  const cause = error instanceof TRPCError ? (error.cause ?? error) : error
  if (cause instanceof AppError) {
    return {
      status: cause.status,
      message: cause.message,
      fields: cause.fields,
      retryAfterSeconds: cause.retryAfterSeconds,
      expected: cause.code !== 'internal',
    }
  }
  if (cause instanceof ZodError) {
    const fields = fieldErrors(cause)
    return {
      status: 400,
      message: cause.issues[0]?.message ?? 'Please check the form.',
      fields,
      expected: true,
    }
  }
  if (error instanceof TRPCError && error.code !== 'INTERNAL_SERVER_ERROR') {
    const known = Object.values(errorCodes).find(({ trpc }) => trpc === error.code)
    return {
      status: known?.status ?? 400,
      message: error.code === 'NOT_FOUND' ? 'Not found' : 'This request could not be read.',
      expected: true,
    }
  }
  return { status: 500, message: internalErrorMessage, expected: false }
}

/** A failure before any procedure was asked, told as procedures tell theirs. */
export function procedureFailure(cause: unknown, requestId: string) {
  const code = cause instanceof AppError ? errorCodes[cause.code].trpc : 'INTERNAL_SERVER_ERROR'
  const shape = getTRPCErrorShape({
    config: t._config,
    error: new TRPCError({ code, cause }),
    type: 'unknown',
    path: undefined,
    input: undefined,
    ctx: undefined,
  })
  return { error: { ...shape, data: { ...shape.data, requestId } } }
}

/** Messages by dotted path, the first of each field. */
function fieldErrors(error: ZodError): FieldErrors {
  const fields: FieldErrors = {}
  for (const issue of error.issues) fields[issue.path.join('.')] ??= issue.message
  return fields
}
