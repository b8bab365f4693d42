import { failureOf, refusalDetail } from '../api/api.ts'
import { isSessionExpired } from '../session/session.tsx'
import { toast } from '../ui/toast.ts'

/** What a failed action says: `failed` after an answer, `threw` where nobody answered, or one text for both. */
export type FailureTexts = string | { failed: string; threw: string }

/**
 * Shows that an action failed, with the server's sentence under the text where it refused with one. With an `id` it
 * replaces that loading toast. An expired session shows nothing: the login screen says so.
 */
export function toastFailure(error: unknown, texts: FailureTexts, id?: string) {
  const failure = failureOf(error)
  const { failed, threw } = typeof texts === 'string' ? { failed: texts, threw: texts } : texts
  const title = failure.kind === 'broken' && failure.status === undefined ? threw : failed
  const detail = refusalDetail(error)
  if (!isSessionExpired(error)) toast.error(title, detail, id)
  else if (id) toast.dismiss(id)
  return { title, detail, message: detail ?? title, fields: failure.kind === 'refused' ? failure.fields : {} }
}
