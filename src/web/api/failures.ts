import type { FieldErrors } from '../../domain/errors.ts'
import type { CallError } from './procedures.ts'

/** How a call failed: the server refused it (4xx), usually with a sentence, or broke, or did not answer. */
export type Failure =
  | { kind: 'refused'; status: number; message: string | undefined; fields: FieldErrors }
  | { kind: 'broken'; status: number | undefined }

/** Reads a failed call. After a 500 or no answer a screen shows its fixed text; after a refusal, the server's sentence. */
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

/** By its name: the class itself would come with the whole client. */
export function isCallError(error: unknown): error is CallError {
  return error instanceof Error && error.name === 'TRPCClientError'
}

/** What is stored, where a change of something older was refused. */
export function currentOf<Stored>(error: unknown): Stored | undefined {
  return isCallError(error) ? ((error.data?.current as Stored | null) ?? undefined) : undefined
}

/** For a foreign answer, such as a proxy's, the HTTP status. */
function statusOf({ data, meta }: CallError): number | undefined {
  if (data) return data.httpStatus
  const response = meta?.response
  return response instanceof Response && !response.ok ? response.status : undefined
}

/** Whether a message is meant for people; the bare name of a code is not. */
function isSentence(message: unknown): message is string {
  return typeof message === 'string' && message.trim() !== '' && !/^[A-Z_]+$/.test(message)
}

/** The server's sentence after a refusal, else the fixed text. */
export function refusalOr(error: unknown, fixedText: string): string {
  return refusalDetail(error) ?? fixedText
}

export type FailureTexts = {
  /** After an answer without a sentence. */
  failed: string
  /** Without an answer. */
  threw: string
  /** After a refusal without a sentence, where that is not `failed`. */
  refused?: string
}

/** What a failed call shows where an action has two fixed texts; the server's sentence comes before them. */
export function failureText(error: unknown, { failed, threw, refused = failed }: FailureTexts): string {
  const failure = failureOf(error)
  if (failure.kind === 'refused') return failure.message ?? refused
  return failure.status === undefined ? threw : failed
}

/** The server's sentence to show below a fixed text, where the answer was a refusal with one. */
export function refusalDetail(error: unknown): string | undefined {
  const failure = failureOf(error)
  return failure.kind === 'refused' ? failure.message : undefined
}
