import { ApiError } from './api-error.ts'
import { newId } from './ids.ts'

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
