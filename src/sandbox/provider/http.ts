import { ApiError } from './api-error.ts'
import { newId } from './ids.ts'

export type ProviderRequest = {
  method: string
  /** With its query string. */
  path: string
  headers: Record<string, string | undefined>
  body: string
}
/** `hangUp`: the server is to close the connection without an answer. */
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

/** A refusal as an answer; anything else is thrown on. */
export function errorResponse(error: unknown, headers?: Record<string, string>): ProviderResponse {
  if (!(error instanceof ApiError)) throw error
  return jsonResponse(error.status, error.body, headers)
}
