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
