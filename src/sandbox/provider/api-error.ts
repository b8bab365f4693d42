export type ApiErrorType =
  | 'invalid_request_error'
  | 'idempotency_error'
  | 'card_error'
  | 'api_error'
  | 'authentication_error'

type Details = { code?: string; param?: string; status?: number; type?: ApiErrorType }

/** A refusal in the provider's shape; status 400 unless told otherwise. */
export class ApiError extends Error {
  readonly status: number
  readonly type: ApiErrorType
  readonly code?: string
  readonly param?: string

  constructor(message: string, { code, param, status = 400, type = 'invalid_request_error' }: Details = {}) {
    super(message)
    this.status = status
    this.type = type
    this.code = code
    this.param = param
  }

  /** The body that the provider sends: `{error: {type, code, message, param}}`, absent fields left out. */
  toBody() {
    const { code, message, param, type } = this
    return { error: { code, message, param, type } }
  }
}

/** The 404 for an id that does not exist; `param` is the name the provider gives the id. */
export function noSuch(what: string, id: string, param = 'id'): ApiError {
  return new ApiError(`No such ${what}: '${id}'`, { code: 'resource_missing', param, status: 404 })
}
