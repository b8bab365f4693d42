import type { ReactNode } from 'react'
import { useState } from 'react'
import { Link } from 'wouter'
import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { api, newRequestId, type Outputs } from '../../../api/api.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { openSettings } from '../../../routing/open-settings.ts'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { ConfirmRefund } from '../revenue/confirm-refund.tsx'
import { pollIntervalMs } from './paged-list.tsx'

type OwnerTask = Outputs['notices']['ownerDay']['tasks'][number]
type OwnerNotice = Outputs['notices']['list']['notices'][number]

/** What the card 'Open your site' asks for as well. */
const inOpeningCard = ['no-provider', 'no-mail', 'missing-rates']

/** What is done in an application is among the tasks (LOOK-70). */
export const toTask = ({ action, detail, id, title, tone }: OwnerNotice) =>
  tone === 'warning' && action?.kind === 'application'
    ? { id, applicationId: action.applicationId, kind: 'notice' as const, title, detail, action: 'Open' }
    : []

/** The owner's notices, except those that `tasks` or the card above cover. Renders nothing if there are none. */
export function NoticeBoard({ tasks }: { tasks: readonly OwnerTask[] }) {
  const isClosed = api.opening.get.useQuery().data?.open === false
  const isSaid = (notice: OwnerNotice) =>
    (isClosed && inOpeningCard.includes(notice.id)) ||
    'title' in toTask(notice) ||
    tasks.some(task => notice.id === `plan-overdue-${task.applicationId}`)
  return <NoticeList notices={useBoard().data?.notices.filter(notice => !isSaid(notice)) ?? []} />
}

/** The owner's notices, refetched periodically. */
export function useBoard(enabled = true) {
  return api.notices.list.useQuery(undefined, { enabled, refetchInterval: pollIntervalMs })
}

type NoticeListProps = { notices: readonly OwnerNotice[]; className?: string }

/** A list of notices with their actions; renders nothing if there are none. */
export function NoticeList({ className, notices }: NoticeListProps) {
  if (notices.length === 0) return null
  return (
    <section aria-label="Notices" className={classNames('grid gap-2.5', className)}>
      {notices.map(notice => (
        <Notice
          key={notice.id}
          tone={notice.tone}
          title={notice.title}
          className="py-3"
          action={<NoticeAction {...notice} />}
        >
          <p className="text-[0.9375rem] wrap-anywhere">{notice.detail}</p>
        </Notice>
      ))}
    </section>
  )
}

type Action = NonNullable<OwnerNotice['action']>

function NoticeAction({ action, id }: Pick<OwnerNotice, 'action' | 'id'>) {
  switch (action?.kind) {
    case 'failed_mail':
      return <FailedMail {...action} />
    case 'held_mails':
      return <HeldMails />
    case 'dismiss_event':
      return <DismissEvent {...action} />
    case 'application':
      return <OpenApplication {...action} />
    case 'arrival':
      return <OpenLink href={paths.adminArrival}>Open arrival</OpenLink>
    case 'books':
      return <OpenLink href={`${paths.adminRevenue}/books`}>Open books</OpenLink>
    case 'calendars':
      return <OpenLink href={paths.adminCalendars}>Open calendars</OpenLink>
    case 'rates':
      return <OpenLink href={paths.adminRates}>Add rates</OpenLink>
    case 'setup':
      return <OpenLink href={paths.adminHowGuestsPay}>Open</OpenLink>
    case 'server':
      return <OpenLink href={paths.adminServer}>Set up</OpenLink>
    case 'site':
      return <OpenLink href={paths.adminSite}>Open site</OpenLink>
    case 'two_step':
      return (
        <Advice id={action.id}>
          <Button size="sm" variant="secondary" onClick={() => openSettings('security')}>
            Set up
          </Button>
        </Advice>
      )
    case 'backups':
      return (
        <Advice id={action.id}>
          <OpenLink href={paths.adminServer}>See how</OpenLink>
        </Advice>
      )
    case 'unexpected_payment':
      return <UnexpectedPayment {...action} isLate={id.startsWith('claim-late-')} />
    default:
      return null
  }
}

function FailedMail({ canRetry, outboxId }: Extract<Action, { kind: 'failed_mail' }>) {
  const utils = api.useUtils()
  const retry = api.notices.retryMail.useMutation(
    withToasts('Failed to send the email again', () => utils.notices.invalidate()),
  )
  const dismiss = api.notices.dismissMail.useMutation(
    withToasts('Failed to dismiss', () => utils.notices.invalidate()),
  )
  return (
    <div className="flex flex-wrap gap-2">
      {canRetry && (
        <Button
          size="sm"
          variant="secondary"
          busy={retry.isPending}
          busyLabel="Sending..."
          onClick={() => retry.mutate({ id: outboxId })}
        >
          Send again
        </Button>
      )}
      <DismissButton busy={dismiss.isPending} onClick={() => dismiss.mutate({ id: outboxId })} />
    </div>
  )
}

function HeldMails() {
  const utils = api.useUtils()
  const decide = api.notices.heldMails.useMutation({
    onSuccess: ({ count }, { send }) => {
      toast.success(`${plural(count, 'mail')} ${send ? 'queued' : 'discarded'}`)
      void utils.notices.invalidate()
    },
    onError: error => toastFailure(error, 'Failed to save'),
  })
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        size="sm"
        variant="secondary"
        busy={decide.isPending}
        busyLabel="Saving..."
        onClick={() => decide.mutate({ send: true })}
      >
        Send
      </Button>
      <Button
        size="sm"
        variant="secondary"
        disabled={decide.isPending}
        onClick={() => decide.mutate({ send: false })}
      >
        Discard
      </Button>
    </div>
  )
}

function DismissEvent({ eventId }: { eventId: string }) {
  const utils = api.useUtils()
  const dismiss = api.payments.dismissQuarantined.useMutation(
    withToasts('Failed to dismiss', () => utils.notices.invalidate()),
  )
  return <DismissButton busy={dismiss.isPending} onClick={() => dismiss.mutate({ eventId })} />
}

/** The action of a piece of advice, and a button that postpones it. */
function Advice({ children, id }: { children: ReactNode; id: Extract<Action, { kind: 'backups' }>['id'] }) {
  const utils = api.useUtils()
  const putOff = api.notices.putOff.useMutation(
    withToasts('Failed to set the reminder', () => utils.notices.invalidate()),
  )
  return (
    <div className="flex flex-wrap gap-2">
      {children}
      <Button
        size="sm"
        variant="secondary"
        busy={putOff.isPending}
        busyLabel="Setting..."
        onClick={() => putOff.mutate({ id })}
      >
        Remind me in 30 days
      </Button>
    </div>
  )
}

type UnexpectedPaymentProps = Extract<Action, { kind: 'unexpected_payment' }> & {
  /** Whether it came after an accepted offer had lapsed: then the owner can still book it. */
  isLate: boolean
}

/** A deleted application has no page, so its payment goes back from the notice. */
function UnexpectedPayment(payment: UnexpectedPaymentProps) {
  const { applicationId, byHand, isBank, isLate, leftCents, paymentId } = payment
  const utils = api.useUtils()
  const dismiss = api.payments.dismissUnexpected.useMutation(
    withToasts('Failed to dismiss', () => utils.invalidate()),
  )
  const refund = api.payments.refund.useMutation({
    onSuccess: () => {
      toast.success(`${formatCents(leftCents)} refunded`)
      void utils.invalidate()
    },
    onError: error => toastFailure(error, 'Refund failed'),
    onSettled: () => setRequestId(undefined),
  })
  // One idempotency key per confirmation dialog, so that a retry does not refund twice.
  const [requestId, setRequestId] = useState<string>()
  const recordReturn = api.payments.recordReturn.useMutation()

  return (
    <div className="flex flex-wrap gap-2">
      {applicationId && isLate ? (
        <>
          <OpenLink href={paths.adminApplication(applicationId, 'book')}>Book All the Same</OpenLink>
          <OpenLink href={paths.adminApplication(applicationId, 'give_back')}>Give It Back</OpenLink>
        </>
      ) : applicationId ? (
        <OpenApplication applicationId={applicationId} />
      ) : (
        <Button size="sm" variant="secondary" onClick={() => setRequestId(newRequestId())}>
          {byHand ? 'Record its return' : isBank ? 'Refund to bank account' : 'Refund to card'}
        </Button>
      )}
      <DismissButton busy={dismiss.isPending} onClick={() => dismiss.mutate({ paymentId })} />
      {requestId && byHand && (
        <ConfirmAction
          title={`Record ${formatCents(leftCents)} as returned today?`}
          body="This moves no money: give it back by hand first."
          confirmLabel="Record it"
          busyLabel="Saving..."
          action={async () => {
            await recordReturn.mutateAsync({ ...byHand, amount: leftCents })
            return 'Return recorded'
          }}
          failedText="Failed to save"
          onSuccess={() => utils.invalidate()}
          onClose={() => setRequestId(undefined)}
        />
      )}
      {requestId && !byHand && (
        <ConfirmRefund
          amountCents={leftCents}
          source={isBank ? 'the bank account' : 'the card'}
          busy={refund.isPending}
          onConfirm={() => refund.mutate({ paymentId, totalCents: leftCents, requestId })}
          onCancel={() => setRequestId(undefined)}
        />
      )}
    </div>
  )
}

function DismissButton(props: { busy: boolean; onClick: () => void }) {
  return (
    <Button size="sm" variant="secondary" {...props}>
      Dismiss
    </Button>
  )
}

function OpenApplication({ applicationId }: { applicationId: string }) {
  return <OpenLink href={paths.adminApplication(applicationId)}>Open application</OpenLink>
}

function OpenLink({ children, href }: { children: string; href: string }) {
  return (
    <Button asChild size="sm" variant="secondary">
      <Link href={href}>{children}</Link>
    </Button>
  )
}

function withToasts(failedText: string, refresh: () => Promise<void>) {
  return {
    onSuccess: ({ message }: { message: string }) => {
      toast.success(message)
      void refresh()
    },
    onError: (error: unknown) => void toastFailure(error, failedText),
  }
}
