import { onItsWayCents } from '../../../../domain/bookings/tenant-step.ts'
import { formatMomentDate, formatShortDate } from '../../../../domain/common/dates.ts'
import { api } from '../../../api/api.ts'
import {
  type Cancellation,
  OnItsWayNotice,
  type Refund,
  RefundRow,
} from '../../../features/deposits/cancellation-parts.tsx'
import { DepositSection } from '../../../features/deposits/deposit-parts.tsx'
import { useTimeZone } from '../../../features/stays/today.ts'
import { useReadAgain } from '../../../forms/change.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Application, type OpenModal, usePayments } from './application-data.ts'
import { ModalButton } from './modal-button.tsx'

type CancellationProps = { application: Application; cancellation: Cancellation; open: OpenModal }

/** The tenant's request while it waits, or what the stay was cancelled by and its refunds. */
export function CancellationCard({ application, cancellation, open }: CancellationProps) {
  const payments = usePayments(application).data?.payments ?? []
  if (cancellation.state === 'requested') return <Request cancellation={cancellation} open={open} />
  const { reason, receivedOn, refunds, side } = cancellation
  return (
    <Card aria-label="Cancellation">
      <CardHeader title="Cancellation" />
      <CardBody className="grid gap-5">
        <DefinitionList
          items={[
            { label: 'Cancelled by', value: side === 'tenant' ? 'The tenant' : 'You' },
            { label: 'Counts from', value: formatShortDate(receivedOn) },
          ]}
        />
        <p className="whitespace-pre-line wrap-anywhere text-muted">{reason}</p>
        <OnItsWayNotice cents={onItsWayCents(payments)} />
        {refunds.length > 0 && (
          <DepositSection title="Refunds">
            {refunds.map(refund => (
              <RefundRow key={refund.id} refund={refund}>
                <OpenRefund refund={refund} open={open} isNext={application.nextStep?.kind === 'give_back'} />
              </RefundRow>
            ))}
          </DepositSection>
        )}
      </CardBody>
    </Card>
  )
}

function Request({ cancellation: { reason, requestedAt }, open }: Omit<CancellationProps, 'application'>) {
  const timeZone = useTimeZone()
  return (
    <Notice
      tone="warning"
      title="The tenant asks to cancel"
      action={
        <span className="flex flex-wrap gap-2.5">
          <ModalButton variant="primary" open={open} modal={{ kind: 'cancel-stay', side: 'tenant' }}>
            Cancel Stay
          </ModalButton>
          <ModalButton open={open} modal={{ kind: 'keep-booking' }}>
            Keep the Booking
          </ModalButton>
        </span>
      }
    >
      <span className="block whitespace-pre-line wrap-anywhere">{reason}</span>
      {requestedAt && (
        <span className="block text-sm">Asked on {formatMomentDate(requestedAt, timeZone)}</span>
      )}
    </Notice>
  )
}

type OpenRefundProps = {
  refund: Refund
  open: OpenModal
  /** The button for a manual refund is in the next step. */
  isNext: boolean
}

/** What the owner can do with a refund that has not gone back. */
function OpenRefund({ isNext, open, refund }: OpenRefundProps) {
  const retry = api.cancellations.retryRefund.useMutation()
  const readAgain = useReadAgain()
  const { by, error, id, state } = refund
  const again = async () => {
    try {
      const { refund } = await retry.mutateAsync({ refundId: id })
      if (refund.state === 'done') toast.success('Returned')
      else toast.info('The card provider has it', refund.error ?? 'It is on its way.')
    } catch (cause) {
      toastFailure(cause, 'The refund was not asked for again')
    }
    await readAgain()
  }
  const canRetry = state === 'failed' || state === 'sent'
  const canRecord = state === 'failed' || (state === 'waiting' && by === 'hand' && !isNext)
  if (!canRetry && !canRecord) return null
  return (
    <>
      {error && <span className="text-sm text-red">{error}</span>}
      <span className="flex flex-wrap gap-2.5">
        {canRetry && (
          <Button
            size="sm"
            variant="secondary"
            busy={retry.isPending}
            busyLabel="Asking..."
            onClick={() => void again()}
          >
            Try Again
          </Button>
        )}
        {canRecord && (
          <ModalButton open={open} modal={{ kind: 'refund-by-hand', refund }}>
            Record refund
          </ModalButton>
        )}
      </span>
    </>
  )
}
