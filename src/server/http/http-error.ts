import { AppError, type ErrorCode } from '../../domain/common/errors.ts'

const codes: Record<number, [ErrorCode, string]> = {
  413: ['too_large', 'This is too large.'],
  415: ['unsupported_type', 'This kind of content is not accepted here.'],
}

/** Converts Fastify's client errors (a body that is too large or not JSON) to `AppError`; returns others unchanged. */
export function toAppError(error: unknown): unknown {
  if (error instanceof AppError) return error
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (!(status >= 400 && status < 500)) return error
  const [code, message] = codes[status] ?? ['bad_request', 'This request could not be read.']
  return new AppError(code, message, { cause: error })
}
