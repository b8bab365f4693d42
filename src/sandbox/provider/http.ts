import { newId } from './ids.ts'

type Details = {
  code?: string
  param?: string
  status?: number
  type?: 'api_error' | 'idempotency_error' | 'invalid_request_error'
}

/** An API error in the provider's format; status 400 by default. */
export class ApiError extends Error {
  readonly status: number
  readonly body: string

  constructor(message: string, { status = 400, type = 'invalid_request_error', ...details }: Details = {}) {
    super(message)
    this.status = status
    this.body = JSON.stringify({ error: { message, type, ...details } }, null, 2)
  }
}

/** A 404 for an unknown id. */
export function notFound(what: string, id: string): ApiError {
  return new ApiError(`No such ${what}: '${id}'`, { code: 'resource_missing', status: 404 })
}

export type ProviderRequest = {
  method: string
  /** Including the query string. */
  path: string
  headers: Record<string, string | undefined>
  body: string
}
/** With `hangUp` the server closes the connection without a response. */
export type ProviderResponse = {
  status: number
  headers: Record<string, string>
  body: string
  hangUp?: boolean
}

export function jsonResponse(
  status: number,
  body: string,
  headers: Record<string, string> = {},
): ProviderResponse {
  const base = { 'content-type': 'application/json', 'request-id': newId('req_', 14) }
  return { status, body, headers: { ...base, ...headers } }
}

/** Converts an `ApiError` to a response; rethrows any other error. */
export function errorResponse(error: unknown, headers?: Record<string, string>): ProviderResponse {
  if (!(error instanceof ApiError)) throw error
  return jsonResponse(error.status, error.body, headers)
}
