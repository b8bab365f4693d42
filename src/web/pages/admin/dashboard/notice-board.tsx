import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { Link } from 'wouter'
import { formatCents } from '../../../../domain/common/money.ts'
import { noBreak } from '../../../../domain/common/no-break.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { api, newId, type Outputs } from '../../../api/api.ts'
import { useChange } from '../../../forms/change.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { openSettings } from '../../../routing/open-settings.ts'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { noticeTones } from '../../../ui/notice.tsx'
import { ConfirmRefund } from '../revenue/confirm-refund.tsx'
import { pollIntervalMs } from './paged-list.tsx'

type OwnerTask = Outputs['notices']['ownerDay']['tasks'][number]
type OwnerNotice = Outputs['notices']['list']['notices'][number]

/** What the card 'Open your site' asks for as well. */
const inOpeningCard = ['no-provider', 'no-mail', 'missing-rates', 'local-address']

const taskOf: Record<string, { kind: 'give_back' | 'send_statement'; action: string }> = {
  'deposit-re': { kind: 'give_back', action: 'Return deposit' },
  'deposit-claim': { kind: 'send_statement', action: 'Send statement' },
  'cancellation-refund': { kind: 'give_back', action: 'Record refund' },
}

/** Warnings with a button that opens the dialog for returning money (LOOK-70). */
export const toTask = ({ action, detail, id, title, tone }: OwnerNotice) => {
  if (tone !== 'warning' || action?.kind !== 'application') return []
  const [, what] = /^(deposit-re|deposit-claim|cancellation-refund)/.exec(id) ?? []
  const named = taskOf[what ?? '']
  return {
    ...{ id, applicationId: action.applicationId, title, detail },
    kind: action.returnCents ? ('give_back' as const) : (named?.kind ?? ('notice' as const)),
    action: action.returnCents ? returnLabel(action.returnCents) : (named?.action ?? 'Open'),
  }
}

const returnLabel = (cents: number) => `Return ${formatCents(cents)}`

/** The owner's notices, except those that `tasks` or the card above cover. Renders nothing if there are none. */
export function NoticeBoard({ tasks }: { tasks: readonly OwnerTask[] }) {
  const isClosed = api.opening.get.useQuery().data?.open === false
  const isSaid = (notice: OwnerNotice) =>
    (isClosed && inOpeningCard.includes(notice.id)) ||
    'title' in toTask(notice) ||
    tasks.some(
      ({ applicationId, kind }) => kind === 'overdue' && notice.id === `plan-overdue-${applicationId}`,
    )
  return <NoticeList isFolded notices={useBoard().data?.notices.filter(notice => !isSaid(notice)) ?? []} />
}

/** The owner's notices, refetched periodically. */
export function useBoard(enabled = true) {
  return api.notices.list.useQuery(undefined, { enabled, refetchInterval: pollIntervalMs })
}

type NoticeListProps = {
  notices: readonly OwnerNotice[]
  className?: string
  /** On a phone, folds several warnings into one line below the dangers, so that the tasks are on the first screen. */
  isFolded?: boolean
}

/** The owner's notices in one box per tone. Renders nothing if there are none. */
export function NoticeList({ className, isFolded = false, notices }: NoticeListProps) {
  const [isOpen, setIsOpen] = useState(false)
  if (notices.length === 0) return null
  const warnings = notices.filter(({ tone }) => tone === 'warning')
  const folded = isFolded && warnings.length > 1
  return (
    <section aria-label="Notices" className={classNames('grid gap-2.5', className)}>
      <NoticeBox tone="danger" notices={notices.filter(({ tone }) => tone === 'danger')} />
      {folded && (
        <button
          type="button"
          aria-expanded={isOpen}
          className="flex min-h-11 items-center justify-between rounded-card border border-yellow/30 bg-yellow-tint px-4 text-left font-semibold text-navy sm:hidden"
          onClick={() => setIsOpen(!isOpen)}
        >
          {plural(warnings.length, 'notice')}
          <ChevronDown aria-hidden className={classNames('size-5', isOpen && 'rotate-180')} />
        </button>
      )}
      <NoticeBox
        tone="warning"
        notices={warnings}
        className={classNames(folded && !isOpen && 'max-sm:hidden')}
      />
    </section>
  )
}

/** On a phone the details have their own line below the title and the button. */
export const taskRow =
  'flex min-h-13 items-center gap-x-3 px-4 py-2 max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-y-1 sm:px-6'

type NoticeBoxProps = { className?: string; notices: readonly OwnerNotice[]; tone: OwnerNotice['tone'] }

function NoticeBox({ className, notices, tone }: NoticeBoxProps) {
  const { Icon, boxClass, iconClass } = noticeTones[tone]
  if (notices.length === 0) return null
  return (
    <ul className={classNames('divide-y divide-line rounded-card border', boxClass, className)}>
      {notices.map(({ detail, title, ...notice }) => (
        <li key={notice.id} className={taskRow}>
          <div className="mr-auto min-w-0 grow leading-snug wrap-anywhere max-sm:contents">
            <p className="font-semibold text-navy">
              <Icon aria-hidden className={classNames('mr-1.5 inline size-4 align-[-2px]', iconClass)} />
              {noBreak(title)}
            </p>
            <p className="text-sm text-ink max-sm:order-last max-sm:col-span-2">{noBreak(detail)}</p>
          </div>
          <NoticeAction {...notice} />
        </li>
      ))}
    </ul>
  )
}

type Action = NonNullable<OwnerNotice['action']>

/** Several buttons: on a phone below the details, because beside the title they would squeeze it. */
const buttons = 'flex flex-wrap gap-2 sm:shrink-0 max-sm:order-last max-sm:col-span-2'

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
      return action.applicationId ? (
        <OpenLink href={`${paths.adminArrival}/${action.applicationId}`}>View stay</OpenLink>
      ) : (
        <OpenLink href={paths.adminArrival}>See codes to set</OpenLink>
      )
    case 'books':
      return <OpenLink href={`${paths.adminRevenue}/books`}>Open books</OpenLink>
    case 'calendars':
      return <OpenLink href={paths.adminCalendars}>Open calendars</OpenLink>
    case 'rates':
      return <OpenLink href={paths.adminRates}>Add rates</OpenLink>
    case 'setup':
      return <OpenLink href={paths.adminHowGuestsPay}>Open</OpenLink>
    case 'server':
      return id === 'local-address' ? (
        <OpenLink href={paths.thisInstallation}>See how</OpenLink>
      ) : (
        <OpenLink href={paths.adminServer}>Set up</OpenLink>
      )
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
  const { notices } = api.useUtils().client
  const id = outboxId
  const retry = useChange('Failed to send the email again', () => told(notices.retryMail.mutate({ id })))
  const dismiss = useChange('Failed to dismiss', () => told(notices.dismissMail.mutate({ id })))
  return (
    <div className={buttons}>
      {canRetry && (
        <Button
          size="sm"
          variant="secondary"
          busy={retry.isPending}
          busyLabel="Sending..."
          onClick={() => retry.mutate()}
        >
          Send Again
        </Button>
      )}
      <DismissButton busy={dismiss.isPending} onClick={() => dismiss.mutate()} />
    </div>
  )
}

function HeldMails() {
  const { client } = api.useUtils()
  const decide = useChange('Failed to save', async (send: boolean) => {
    const { count } = await client.notices.heldMails.mutate({ send })
    return `${plural(count, 'mail')} ${send ? 'queued' : 'discarded'}`
  })
  return (
    <div className={buttons}>
      <Button
        size="sm"
        variant="secondary"
        busy={decide.isPending}
        busyLabel="Saving..."
        onClick={() => decide.mutate(true)}
      >
        Send
      </Button>
      <Button size="sm" variant="secondary" disabled={decide.isPending} onClick={() => decide.mutate(false)}>
        Discard
      </Button>
    </div>
  )
}

function DismissEvent({ eventId }: { eventId: string }) {
  const { payments } = api.useUtils().client
  const dismiss = useChange('Failed to dismiss', () => told(payments.dismissQuarantined.mutate({ eventId })))
  return <DismissButton busy={dismiss.isPending} onClick={() => dismiss.mutate()} />
}

/** The action of a piece of advice, and a button that postpones it. */
function Advice({ children, id }: { children: ReactNode; id: Extract<Action, { kind: 'backups' }>['id'] }) {
  const { notices } = api.useUtils().client
  const putOff = useChange('Failed to set the reminder', () => told(notices.putOff.mutate({ id })))
  return (
    <div className={buttons}>
      {children}
      <Button
        size="sm"
        variant="secondary"
        busy={putOff.isPending}
        busyLabel="Setting..."
        onClick={() => putOff.mutate()}
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
  const { payments } = api.useUtils().client
  const dismiss = useChange('Failed to dismiss', () => told(payments.dismissUnexpected.mutate({ paymentId })))
  const refund = useChange('Refund failed', async (requestId: string) => {
    try {
      await payments.refund.mutate({ paymentId, totalCents: leftCents, requestId })
    } finally {
      setRequestId(undefined)
    }
    return `${formatCents(leftCents)} refunded`
  })
  // One idempotency key per confirmation dialog, so that a retry does not refund twice.
  const [requestId, setRequestId] = useState<string>()
  const recordReturn = api.payments.recordReturn.useMutation()

  return (
    <div className={buttons}>
      {applicationId && isLate ? (
        <>
          <OpenLink href={paths.adminApplication(applicationId, 'book')}>Book All the Same</OpenLink>
          <OpenLink href={paths.adminApplication(applicationId, 'give_back')}>Give It Back</OpenLink>
        </>
      ) : applicationId ? (
        <OpenApplication applicationId={applicationId} />
      ) : (
        <Button size="sm" variant="secondary" onClick={() => setRequestId(newId())}>
          {byHand ? 'Record its return' : isBank ? 'Refund to bank account' : 'Refund to card'}
        </Button>
      )}
      <DismissButton busy={dismiss.isPending} onClick={() => dismiss.mutate()} />
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
          onClose={() => setRequestId(undefined)}
        />
      )}
      {requestId && !byHand && (
        <ConfirmRefund
          amountCents={leftCents}
          source={isBank ? 'the bank account' : 'the card'}
          busy={refund.isPending}
          onConfirm={() => refund.mutate(requestId)}
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

type Opened = { applicationId: string; returnCents?: number | undefined }

function OpenApplication({ applicationId, returnCents }: Opened) {
  return (
    <OpenLink href={paths.adminApplication(applicationId, returnCents ? 'give_back' : undefined)}>
      {returnCents ? returnLabel(returnCents) : 'Open application'}
    </OpenLink>
  )
}

function OpenLink({ children, href }: { children: string; href: string }) {
  return (
    <Button asChild size="sm" variant="secondary">
      <Link href={href}>{children}</Link>
    </Button>
  )
}

/** The server's message. */
const told = async (answer: Promise<{ message: string }>) => (await answer).message
