import { formatCents } from '../../../../domain/common/money.ts'
import { paymentTypeLabels } from '../../../../domain/money/ledger.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import {
  type Application,
  isBankPayment,
  type Modal,
  type OpenModal,
  type Payment,
  refundLabel,
  usePayments,
  useTransfer,
} from './application-data.ts'

type ToReturn = Outputs['applications']['adminStatusPreview']['paymentsToRefund'][number]

const returnTo = { kind: 'return-options' } as const
const methodLabels = { card: 'by card', manual: 'by hand', transfer: 'by transfer' }

type ReturnOptionsDialogProps = { application: Application; open: OpenModal; onClose: () => void }

/** The ways to return the money of a declined application, payment by payment. */
export function ReturnOptionsDialog({ application, open, onClose }: ReturnOptionsDialogProps) {
  const preview = api.applications.adminStatusPreview.useQuery(
    { id: application.id },
    { staleTime: 0, gcTime: 0 },
  )
  const payments = usePayments(application).data?.payments ?? []
  const transfer = useTransfer(application)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Give the money back"
      footer={
        <>
          {(transfer.isPossible || transfer.query.isError) && (
            <Button variant="secondary" onClick={() => open({ kind: 'transfer', returnTo })}>
              Transfer Amount
            </Button>
          )}
          <Button onClick={onClose}>Done</Button>
        </>
      }
    >
      <QueryView
        query={preview}
        loading="Loading..."
        error="Failed to load payment history"
        empty={({ paidCents }) =>
          paidCents <= 0 && (
            <Notice tone="success">Nothing of the tenant’s money is left on this application.</Notice>
          )
        }
      >
        {({ paidCents, paymentsToRefund }) => (
          <>
            <p className="mb-3">
              The application is declined, and <strong>{formatCents(paidCents)}</strong> of the tenant’s money
              is still on it.
            </p>
            <ul className="divide-y divide-line">
              {paymentsToRefund.map(toReturn => (
                <PaymentToReturn
                  key={toReturn.id}
                  toReturn={toReturn}
                  payment={payments.find(({ id }) => id === toReturn.id)}
                  paidCents={paidCents}
                  open={open}
                />
              ))}
            </ul>
          </>
        )}
      </QueryView>
    </Dialog>
  )
}

type PaymentToReturnProps = {
  toReturn: ToReturn
  /** Undefined while loading. */
  payment: Payment | undefined
  /** The amount paid and not returned yet. */
  paidCents: number
  open: OpenModal
}

function PaymentToReturn({ toReturn, payment, paidCents, open }: PaymentToReturnProps) {
  const { amountCents, method, type } = toReturn
  const byCard = method === 'card' && payment
  const suggestedCents = Math.min(amountCents, paidCents)
  const modal: Modal = byCard
    ? { kind: 'card-refund', payment, returnTo }
    : { kind: 'record-return', suggestedCents, returnTo }
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-2.5">
      <span>
        <span className="font-semibold text-navy tabular-nums">{formatCents(amountCents)}</span>{' '}
        <span className="text-muted">
          {paymentTypeLabels[type]},{' '}
          {payment && isBankPayment(payment) ? 'from a bank account' : methodLabels[method]}
        </span>
      </span>
      <Button size="sm" variant="secondary" onClick={() => open(modal)}>
        {byCard ? refundLabel(payment) : 'Record money given back'}
      </Button>
    </li>
  )
}
