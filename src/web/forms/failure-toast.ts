import { failureOf, refusalDetail } from '../api/failures.ts'
import { stepUpMethodsOf } from '../api/step-up.ts'
import { isSessionExpired } from '../session/session.tsx'
import { toast } from '../ui/toast.ts'

/** The id of the error toast of an action whose step-up was canceled; a later proof dismisses the toast. */
export const stepUpToastId = 'step-up'

/** The texts of a failed action: `failed` after a response, `noResponse` without one, or one text for both. */
export type ToastTexts = string | { failed: string; noResponse: string }

/** The texts for a failed action: its fixed text, and the server's message if it refused the action. */
export function failureTexts(error: unknown, texts: ToastTexts) {
  const failure = failureOf(error)
  const { failed, noResponse } = typeof texts === 'string' ? { failed: texts, noResponse: texts } : texts
  const title = failure.kind === 'broken' && failure.status === undefined ? noResponse : failed
  const detail = refusalDetail(error)
  return { title, detail, message: detail ?? title, fields: failure.kind === 'refused' ? failure.fields : {} }
}

/**
 * Shows a toast that an action failed, with the server's message below the text if it refused the action. With an `id`
 * it replaces that loading toast. An expired session shows no toast: the login screen has a notice.
 * @param isAtField whether the server's message stands at its field, and needs no second place
 */
export function toastFailure(error: unknown, texts: ToastTexts, id?: string, isAtField = false) {
  const found = failureTexts(error, texts)
  if (!isSessionExpired(error))
    toast.error(
      found.title,
      isAtField ? undefined : found.detail,
      id ?? (stepUpMethodsOf(error) && stepUpToastId),
    )
  else if (id) toast.dismiss(id)
  return found
}
