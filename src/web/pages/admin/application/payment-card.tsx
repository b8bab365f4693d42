import { Plus } from 'lucide-react'
import { Link } from 'wouter'
import { onItsWayCents } from '../../../../domain/bookings/tenant-step.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { paymentTypeLabels } from '../../../../domain/money/ledger.ts'
import { api } from '../../../api/api.ts'
import { BalanceSummary } from '../../../features/payments/balance-summary.tsx'
import {
  type ChargeSummary,
  type ChargeView,
  canAddCharge,
  canVoid,
} from '../../../features/payments/charge-view.ts'
import { moneyCard, paidWith } from '../../../features/payments/payment-cells.tsx'
import { PaymentTable } from '../../../features/payments/payment-table.tsx'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { paths } from '../../../routing/paths.ts'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { combineQueries } from '../../../ui/combine-queries.ts'
import { MenuItem, MenuSeparator, MoreActions } from '../../../ui/menu.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import type { Column } from '../../../ui/table.tsx'
import { toast } from '../../../ui/toast.ts'
import {
  type Application,
  isBankPayment,
  type Modal,
  type OpenModal,
  type Payment,
  refundableCents,
  refundLabel,
  useCharges,
  usePayments,
  useTransfer,
} from './application-data.ts'
import { ModalButton, ModalItem } from './modal-button.tsx'

type PaymentCardProps = { application: Application; open: OpenModal }

/** Older payments are in the payment history. */
const shownPayments = 5

export function PaymentCard({ application, open }: PaymentCardProps) {
  const charges = useCharges(application)
  const query = combineQueries(usePayments(application), charges)
  return (
    <Card aria-label="Payment Information">
      <CardHeader
        title="Payment Information"
        // On a phone the menu is beside the title, and the button below them.
        className="max-sm:[&>div:last-child]:contents"
        action={<MoneyActions application={application} charges={query.data} open={open} />}
      />
      <CardBody>
        <QueryView
          query={query}
          loading="Loading payments..."
          error={charges.isError ? 'Failed to load charges' : 'Failed to load payment history'}
        >
          {({ charges, payments, summary }) => (
            <div className="grid gap-5">
              {(charges.length > 0 || payments.length > 0 || summary.owedCents !== 0) && (
                <BalanceSummary
                  summary={summary}
                  charges={charges}
                  action={charge => canVoid(charge) && <VoidButton charge={charge} open={open} />}
                  onItsWayCents={onItsWayCents(payments)}
                  depositKeptCents={keptOf(payments)}
                  isOwner
                />
              )}
              {payments.length === 0 ? (
                <p className="text-muted">No payments found</p>
              ) : (
                <PaymentTable
                  dense
                  caption="Recent payments"
                  columns={['type', 'amount', 'date', 'status']}
                  payments={payments.slice(0, shownPayments)}
                  charges={charges}
                  detail={detailOf}
                  more={[actionsColumn(open)]}
                  className="sm:-mx-6"
                />
              )}
              <HistoryLink application={application} count={payments.length} />
            </div>
          )}
        </QueryView>
      </CardBody>
    </Card>
  )
}

/** What was kept of the deposit. */
const keptOf = (payments: readonly Payment[]) =>
  payments.reduce((sum, { amount, paymentType, status }) => {
    const isKept = paymentType === 'deduction' && status === 'succeeded'
    return isKept ? sum - amount : sum
  }, 0)

type MoneyActionsProps = PaymentCardProps & {
  /** Undefined while loading. */
  charges: { charges: readonly ChargeView[]; summary: ChargeSummary } | undefined
}

/** The actions that are possible in the current state; on a phone only one is a button, and the others are in a menu. */
function MoneyActions({ application, charges, open }: MoneyActionsProps) {
  const { isPossible, query } = useTransfer(application)
  const others: { label: string; modal: Modal }[] = []
  if (charges && canAddCharge(application, charges.charges))
    others.push({ label: 'Add charge', modal: { kind: 'add-charge' } })
  // If it is unknown whether a transfer is possible, the dialog reports that and retries.
  if (isPossible || query.isError) others.push({ label: 'Transfer Amount', modal: { kind: 'transfer' } })
  if (charges && charges.summary.paidCents > 0)
    others.push({ label: 'Give money back', modal: { kind: 'record-return' } })
  return (
    <>
      {others.map(({ label, modal }) => (
        <ModalButton key={label} className="max-sm:hidden" open={open} modal={modal}>
          {label}
        </ModalButton>
      ))}
      <ModalButton className="max-sm:order-last max-sm:w-full" open={open} modal={{ kind: 'manual-payment' }}>
        <Plus aria-hidden />
        Add Manual Payment
      </ModalButton>
      {others.length > 0 && (
        <span className="-mr-2.5 sm:hidden">
          <MoreActions label="More money actions">
            {others.map(({ label, modal }) => (
              <ModalItem key={label} open={open} modal={modal}>
                {label}
              </ModalItem>
            ))}
          </MoreActions>
        </span>
      )}
    </>
  )
}

function VoidButton({ charge, open }: { charge: ChargeView; open: OpenModal }) {
  return (
    <ModalButton aria-label={`Void ${charge.label}`} open={open} modal={{ kind: 'void-charge', charge }}>
      Void
    </ModalButton>
  )
}

function HistoryLink({ application, count }: { application: Application; count: number }) {
  const tenantId = application.userId.id
  return (
    <Link
      href={paths.adminPaymentHistory(tenantId)}
      state={{ tenantId, tenantName: `${application.firstName} ${application.lastName}` }}
      className="link justify-self-start"
    >
      {count > shownPayments ? `View all ${count} payments` : 'View payment history'}
    </Link>
  )
}

const actionsColumn = (open: OpenModal): Column<Payment> => ({
  key: 'actions',
  header: 'Actions',
  hideLabelOnCard: true,
  className: moneyCard.menu,
  cell: payment => <PaymentMenu payment={payment} open={open} />,
})

function detailOf(payment: Payment): string {
  const method = { card: 'Card', manual: 'By hand', transfer: 'Transfer' }[payment.method]
  const paid =
    payment.cardLast4 || isBankPayment(payment)
      ? paidWith(payment)
      : [method, paidWith(payment)].filter(Boolean).join(', ')
  return [paid, payment.description, payment.notes].filter(Boolean).join(' · ')
}

function PaymentMenu({ payment, open }: { payment: Payment; open: OpenModal }) {
  const sendReceipt = api.payments.resendReceipt.useMutation({
    onSuccess: () => toast.success('Receipt is on its way', `To ${payment.userId.email}`),
    onError: error => toastFailure(error, 'Failed to send email receipt'),
  })
  const canRefund = refundableCents(payment) > 0
  const hasReceipt = payment.status === 'succeeded' && payment.amount > 0
  return (
    <MoreActions
      label={`Actions for ${paymentTypeLabels[payment.paymentType]} of ${formatCents(payment.amount)}`}
      className="-my-1.5"
    >
      {canRefund && (
        <ModalItem open={open} modal={{ kind: 'card-refund', payment }}>
          {refundLabel(payment)}
        </ModalItem>
      )}
      {hasReceipt && (
        <MenuItem onSelect={() => sendReceipt.mutate({ paymentId: payment.id })}>Send receipt</MenuItem>
      )}
      {(canRefund || hasReceipt) && <MenuSeparator />}
      <ModalItem danger open={open} modal={{ kind: 'remove-payment', payment }}>
        Delete
      </ModalItem>
    </MoreActions>
  )
}
