import type { FieldErrors } from '../../domain/common/errors.ts'
import type { CallError } from './procedures.ts'

/**
 * How a call failed: the server refused it (4xx), usually with a message; the server failed; or there was no response.
 */
export type Failure =
  | { kind: 'refused'; status: number; message: string | undefined; fields: FieldErrors }
  | { kind: 'broken'; status: number | undefined }

/**
 * Classifies a failed call. After a 500 or no response a screen shows its fixed text; after a refusal, the server's
 * message.
 */
export function failureOf(error: unknown): Failure {
  if (!isCallError(error)) return { kind: 'broken', status: undefined }
  const status = statusOf(error)
  if (status === undefined || status === 500 || (status > 500 && !error.data))
    return { kind: 'broken', status }
  const fields: FieldErrors = error.data?.fields ?? {}
  return {
    kind: 'refused',
    status,
    message: isSentence(error.message) && error.data ? error.message : undefined,
    fields: Object.fromEntries(Object.entries(fields).filter(([, message]) => isSentence(message))),
  }
}

/** Checked by name, because importing the class would pull in the whole client. */
export function isCallError(error: unknown): error is CallError {
  return error instanceof Error && error.name === 'TRPCClientError'
}

/** The currently stored value, if the server refused a change that was based on an older version. */
export function conflictingVersionOf<Stored>(error: unknown): Stored | undefined {
  return isCallError(error) ? ((error.data?.current as Stored | null) ?? undefined) : undefined
}

/** The HTTP status, also of responses that are not from our server, such as a proxy's. */
function statusOf({ data, meta }: CallError): number | undefined {
  if (data) return data.httpStatus
  const response = meta?.response
  return response instanceof Response && !response.ok ? response.status : undefined
}

/** Whether a message is meant for people, and is not just an error code. */
function isSentence(message: unknown): message is string {
  return typeof message === 'string' && message.trim() !== '' && !/^[A-Z_]+$/.test(message)
}

/** The server's message if it refused the call, else the fixed text. */
export function refusalOr(error: unknown, fixedText: string): string {
  return refusalDetail(error) ?? fixedText
}

export type FailureTexts = {
  /** When the server responded without a message. */
  failed: string
  /** When there was no response. */
  noResponse: string
  /** When the server refused the call without a message; `failed` by default. */
  refused?: string
}

/** The message for a failed call of an action with two fixed texts. The server's message takes precedence. */
export function failureText(error: unknown, { failed, noResponse, refused = failed }: FailureTexts): string {
  const failure = failureOf(error)
  if (failure.kind === 'refused') return failure.message ?? refused
  return failure.status === undefined ? noResponse : failed
}

/** The server's message to show below a fixed text, if the server refused the call with a message. */
export function refusalDetail(error: unknown): string | undefined {
  const failure = failureOf(error)
  return failure.kind === 'refused' ? failure.message : undefined
}
