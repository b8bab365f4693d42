import { failureOf, refusalDetail } from '../api/api.ts'
import { isSessionExpired } from '../session/session.tsx'
import { toast } from '../ui/toasts.tsx'

/**
 * Says that an action failed: `failed` after an answer, with the server's sentence under it where it refused
 * with one; `threw` where nobody answered. With an `id` it takes that loading toast's place. Answers the words that were
 * shown. That the session is over is told by the screen that comes then, and by nothing else.
 */
export function toastFailure(error: unknown, texts: { failed: string; threw: string }, id?: string) {
  const failure = failureOf(error)
  const title = failure.kind === 'broken' && failure.status === undefined ? texts.threw : texts.failed
  const detail = refusalDetail(error)
  if (!isSessionExpired(error)) toast.error(title, detail, id)
  else if (id) toast.dismiss(id)
  return { title, detail, fields: failure.kind === 'refused' ? failure.fields : {} }
}
