import { getTRPCErrorShape, initTRPC, TRPCError } from '@trpc/server'
import { ZodError, type ZodType, z } from 'zod'
import { requireAdmin, requireSignedIn } from '../../domain/accounts/access.ts'
import { AppError, errorCodes, type FieldErrors, internalErrorMessage } from '../../domain/common/errors.ts'
import type { Context } from './context.ts'
import type { LimitName } from './limits.ts'
import { sessionDeps } from './session-write.ts'
import { isTrialGuest } from './trial.ts'

// The default message for rules without their own.
z.config({ customError: () => 'This value is not valid' })

/** Who may call a procedure. */
export type Access = 'public' | 'session' | 'admin'

/** A procedure's description: REST paths, OpenAPI, response cache and access tests are derived from it. */
export type ProcedureMeta = {
  access?: Access
  /** One line for the documentation. */
  summary?: string
  /** REST paths that call it; `{name}` becomes an input field. */
  rest?: readonly `${'GET' | 'POST' | 'PUT' | 'DELETE'} /api/${string}`[]
  /** HTTP status of a success over REST; default 200. */
  status?: number
  /** Error body over REST; default `{ error, fields?, requestId? }`. */
  failure?: { schema: ZodType; from: (answer: { error: string }) => Record<string, unknown> }
  /** The response depends only on the database and is the same for everybody: it is cached until the next write. */
  cache?: 'public'
  /** Counted separately from the tenant's other writes: its service has a limit, or it only reads. */
  ownLimit?: boolean
  stepUp?: StepUpRule
}

/**
 * Whether a call of a signed-in person requires a step-up (SAFE-16, FIX-32): if it can lead money or data out or
 * elsewhere, change a text that others rely on, or change who can log in. Not for drafts, the person's own application,
 * or a change whose mail goes to the address that the booking has. 'sometimes' depends on what changes. Every mutation
 * of a signed-in person says it; the service enforces it, and a test compares the two.
 */
export type StepUpRule = 'always' | 'sometimes' | 'never'

const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    errorFormatter({ shape, error, ctx }) {
      const { current, message, fields, status, stepUp } = describeError(error)
      return {
        ...shape,
        message,
        data: {
          code: shape.data.code,
          httpStatus: status,
          fields,
          current,
          stepUp,
          requestId: ctx?.requestId,
        },
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

/** Anyone signed in: `ctx.actor` is a tenant or an admin. A tenant's mutations are counted before their input is checked. */
export const sessionProcedure = publicProcedure
  .meta({ access: 'session' })
  .use(async ({ ctx, meta, next, path, type }) => {
    const actor = requireSignedIn(ctx.actor)
    if (type === 'mutation' && actor.role === 'tenant') {
      await ctx.deps.limits.consume('writeByTenant', actor.userId + (meta?.ownLimit ? ` ${path}` : ''))
      await ctx.deps.limits.consume('writeByTenantAndDay', actor.userId)
    }
    return next({ ctx: { ...ctx, actor, deps: depsOf(ctx, type) } })
  })

export const adminProcedure = publicProcedure
  .meta({ access: 'admin' })
  .use(({ ctx, next, type }) =>
    next({ ctx: { ...ctx, actor: requireAdmin(ctx.actor), deps: depsOf(ctx, type) } }),
  )

const depsOf = ({ deps, sessionId }: Context, type: string) =>
  type === 'mutation' ? sessionDeps(deps, sessionId) : deps

const notOpen = {
  never: 'This site is not open yet.',
  closed: 'This site is closed for now.',
}

/** Refuses visitors until the owner opens the site, and while it is closed (OPEN-01, OPEN-04). */
export const whenOpen = t.middleware(({ ctx, next }) => {
  const { actor, deps } = ctx
  requireOpen(ctx, actor.role === 'admin' || (actor.role === 'tenant' && isTrialGuest(deps.db, actor.userId)))
  return next()
})

/** Like `whenOpen`, for what screens of signed-in tenants need too. */
export const whenOpenOrSignedIn = t.middleware(({ ctx, next }) => {
  requireOpen(ctx, ctx.actor.role !== 'guest')
  return next()
})

function requireOpen({ deps }: Context, mayEnter: boolean): void {
  const opening = deps.opening()
  if (opening !== 'open' && !mayEnter) throw new AppError('unavailable', notOpen[opening])
}

/** A procedure's output schema; production skips validation and relies on the compiler. */
export function checked<Schema extends ZodType>(schema: Schema) {
  const check = (value: unknown): z.output<Schema> =>
    process.env.NODE_ENV === 'production' ? (value as z.output<Schema>) : schema.parse(value)
  return Object.assign(check, { schema })
}

/** Counts each call, also within a batch, by network address. */
export function limitedByAddress(name: LimitName) {
  return t.middleware(async ({ ctx, next }) => {
    const { actor } = ctx
    if (actor.role === 'guest' || 'requestOrigin' in actor)
      await ctx.deps.limits.consume(name, actor.requestOrigin.address)
    return next()
  })
}

/**
 * Validates the input with a schema that depends on how many people the property sleeps (SITE-14). Runs before the
 * procedure's own schema, so that one response reports all the errors.
 */
export function validateWithGuestLimit(schemaFor: (guestLimit: number) => ZodType) {
  return t.middleware(async ({ ctx, getRawInput, next }) => {
    const { sleeps } = ctx.deps.siteContent().content.facts
    const { error } = schemaFor(sleeps).safeParse(await getRawInput())
    if (error) throw new TRPCError({ code: 'BAD_REQUEST', cause: error })
    return next()
  })
}

type ErrorDescription = {
  status: number
  message: string
  fields?: FieldErrors
  current?: unknown
  retryAfterSeconds?: number
  stepUp?: AppError['stepUp']
  expected: boolean
}

/** Describes any error for both transports: an `AppError` keeps its message and fields, anything else is a 500. */
export function describeError(error: unknown): ErrorDescription {
  const cause = error instanceof TRPCError ? (error.cause ?? error) : error
  if (cause instanceof AppError) {
    return {
      status: cause.status,
      message: cause.message,
      fields: cause.fields,
      current: cause.current,
      retryAfterSeconds: cause.retryAfterSeconds,
      stepUp: cause.stepUp,
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

/** An error that occurred before any procedure was called, in the format of procedure errors. */
export function procedureErrorResponse(cause: unknown, requestId: string) {
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

const maxFieldErrors = 100

/** The first message of each field, by dotted path. */
function fieldErrors(error: ZodError): FieldErrors {
  const fields: FieldErrors = {}
  for (const issue of error.issues.slice(0, maxFieldErrors)) fields[issue.path.join('.')] ??= issue.message
  return fields
}
