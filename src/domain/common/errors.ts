/** The table of error codes: HTTP status and tRPC code of each. */
export const errorCodes = {
  bad_request: { status: 400, trpc: 'BAD_REQUEST' },
  unauthorized: { status: 401, trpc: 'UNAUTHORIZED' },
  forbidden: { status: 403, trpc: 'FORBIDDEN' },
  not_found: { status: 404, trpc: 'NOT_FOUND' },
  conflict: { status: 409, trpc: 'CONFLICT' },
  gone: { status: 410, trpc: 'NOT_FOUND' },
  too_large: { status: 413, trpc: 'PAYLOAD_TOO_LARGE' },
  unsupported_type: { status: 415, trpc: 'UNSUPPORTED_MEDIA_TYPE' },
  too_many: { status: 429, trpc: 'TOO_MANY_REQUESTS' },
  internal: { status: 500, trpc: 'INTERNAL_SERVER_ERROR' },
  provider_failed: { status: 502, trpc: 'BAD_GATEWAY' },
  unavailable: { status: 503, trpc: 'SERVICE_UNAVAILABLE' },
} as const

export type ErrorCode = keyof typeof errorCodes
export type FieldErrors = Record<string, string>
/** The ways to confirm one's identity. */
export type StepUpMethod = 'totp' | 'passkey' | 'recovery' | 'password'

/** The message for unexpected errors, whose cause is only logged. */
export const internalErrorMessage = 'Something went wrong. Please try again.'

type AppErrorOptions = {
  fields?: FieldErrors
  /** The stored value, if the change was based on an older one; for nights that are taken, the key of their list. */
  current?: unknown
  retryAfterSeconds?: number
  /** The ways to confirm one's identity, if a step-up is missing (SAFE-17). */
  stepUp?: readonly StepUpMethod[]
  cause?: unknown
}

/** An error with a message for the user. Services throw it; the transports translate it. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly fields: FieldErrors | undefined
  readonly current: unknown
  readonly retryAfterSeconds: number | undefined
  readonly stepUp: readonly StepUpMethod[] | undefined

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.fields = options.fields
    this.current = options.current
    this.retryAfterSeconds = options.retryAfterSeconds
    this.stepUp = options.stepUp
  }

  get status(): number {
    return errorCodes[this.code].status
  }
}

/** An error that belongs to one field of a form. */
export function fieldError(field: string, message: string, code: ErrorCode = 'bad_request'): AppError {
  return new AppError(code, message, { fields: { [field]: message } })
}
