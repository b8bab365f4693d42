import { Link } from 'wouter'
import { api, type Outputs } from '../../../app/api.ts'
import { paths } from '../../../app/paths.ts'
import { toastFailure } from '../../../features/forms/failure-toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { refreshMs } from './refresh.ts'

type OwnerNotice = Outputs['notices']['list']['notices'][number]

/** What the owner should know or do; nothing at all when all is well. */
export function NoticeBoard() {
  const notices = api.notices.list.useQuery(undefined, { refetchInterval: refreshMs }).data?.notices ?? []
  if (notices.length === 0) return null
  return (
    <section aria-label="Notices" className="mb-6 grid gap-2.5">
      {notices.map(notice => (
        <Notice
          key={notice.id}
          tone={notice.tone}
          title={notice.title}
          className="py-3"
          action={<NoticeAction action={notice.action} />}
        >
          <p className="text-[0.9375rem] wrap-anywhere">{notice.detail}</p>
        </Notice>
      ))}
    </section>
  )
}

function NoticeAction({ action }: { action: OwnerNotice['action'] }) {
  const utils = api.useUtils()
  const done = { onSuccess: () => void utils.notices.invalidate() }
  const retry = api.notices.retryMail.useMutation(done)
  const dismiss = api.payments.dismissSetAside.useMutation(done)

  const attempt = async (work: Promise<{ message: string }>, failed: string) => {
    try {
      toast.success((await work).message)
    } catch (error) {
      toastFailure(error, { failed, threw: failed })
    }
  }

  if (action?.kind === 'retry_mail')
    return (
      <Button
        size="sm"
        variant="secondary"
        busy={retry.isPending}
        busyLabel="Sending..."
        onClick={() =>
          void attempt(retry.mutateAsync({ id: action.outboxId }), 'Failed to send the mail again')
        }
      >
        Send again
      </Button>
    )
  if (action?.kind === 'dismiss_event')
    return (
      <Button
        size="sm"
        variant="secondary"
        busy={dismiss.isPending}
        onClick={() => void attempt(dismiss.mutateAsync({ eventId: action.eventId }), 'Failed to dismiss')}
      >
        Dismiss
      </Button>
    )
  if (action?.kind === 'application')
    return (
      <Button asChild size="sm" variant="secondary">
        <Link href={paths.adminApplication(action.applicationId)}>Open application</Link>
      </Button>
    )
  return null
}
