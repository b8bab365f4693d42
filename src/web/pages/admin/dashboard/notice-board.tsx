import { useState } from 'react'
import { Link } from 'wouter'
import { formatCents } from '../../../../domain/money.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { newRequestId } from '../../../api/request-id.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
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

type Action = NonNullable<OwnerNotice['action']>

async function attempt(work: Promise<{ message: string }>, failed: string) {
  try {
    toast.success((await work).message)
  } catch (error) {
    toastFailure(error, { failed, threw: failed })
  }
}

function NoticeAction({ action }: { action: OwnerNotice['action'] }) {
  const utils = api.useUtils()
  const done = { onSuccess: () => void utils.notices.invalidate() }
  const retry = api.notices.retryMail.useMutation(done)
  const dismiss = api.payments.dismissQuarantined.useMutation(done)

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
  return action?.kind === 'unexpected_payment' ? <UnexpectedPayment {...action} /> : null
}

/** The money of a deleted application has no page of its own, so that it is refunded from here. */
function UnexpectedPayment({
  applicationId,
  leftCents,
  paymentId,
}: Extract<Action, { kind: 'unexpected_payment' }>) {
  const utils = api.useUtils()
  const done = { onSuccess: () => void utils.invalidate() }
  const dismiss = api.payments.dismissUnexpected.useMutation(done)
  const refund = api.payments.refund.useMutation(done)
  /** Set while the question is open: one answer to it is one refund, however often it is sent. */
  const [requestId, setRequestId] = useState<string>()
  const amount = formatCents(leftCents)

  const send = async (requestId: string) => {
    const message = `${amount} refunded`
    await attempt(
      refund.mutateAsync({ paymentId, totalCents: leftCents, requestId }).then(() => ({ message })),
      'Refund failed',
    )
    setRequestId(undefined)
  }

  return (
    <div className="flex flex-wrap gap-2">
      {applicationId ? (
        <Button asChild size="sm" variant="secondary">
          <Link href={paths.adminApplication(applicationId)}>Open application</Link>
        </Button>
      ) : (
        <Button size="sm" variant="secondary" onClick={() => setRequestId(newRequestId())}>
          Refund to card
        </Button>
      )}
      <Button
        size="sm"
        variant="secondary"
        busy={dismiss.isPending}
        onClick={() => void attempt(dismiss.mutateAsync({ paymentId }), 'Failed to dismiss')}
      >
        Dismiss
      </Button>
      <ConfirmDialog
        open={requestId !== undefined}
        danger
        title={`Refund ${amount} to the card?`}
        body="The money leaves at once and cannot be called back."
        confirmLabel={`Refund ${amount}`}
        busy={refund.isPending}
        busyLabel="Refunding..."
        onConfirm={() => requestId && void send(requestId)}
        onCancel={() => setRequestId(undefined)}
      />
    </div>
  )
}
