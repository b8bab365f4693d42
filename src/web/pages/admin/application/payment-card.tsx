import { Plus } from 'lucide-react'
import { Link } from 'wouter'
import { onItsWayCents } from '../../../../domain/bookings/tenant-step.ts'
import { BalanceSummary } from '../../../features/payments/balance-summary.tsx'
import { ChargeList } from '../../../features/payments/charge-list.tsx'
import {
  type ChargeSummary,
  type ChargeView,
  canAddCharge,
  canVoid,
  isListed,
} from '../../../features/payments/charge-view.ts'
import { paths } from '../../../routing/paths.ts'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { combineQueries } from '../../../ui/combine-queries.ts'
import { QueryView } from '../../../ui/query-view.tsx'
import { type Application, type OpenModal, useCharges, usePayments } from './application-data.ts'
import { ModalButton } from './modal-button.tsx'
import { PaymentsTable } from './payments-table.tsx'
import { useTransfer } from './use-transfer.ts'

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
              <BalanceSummary summary={summary} charges={charges} onItsWayCents={onItsWayCents(payments)} />
              {isListed(charges) && (
                <ChargeList
                  title="Charges"
                  charges={charges}
                  owedCents={summary.owedCents}
                  action={charge => canVoid(charge) && <VoidButton charge={charge} open={open} />}
                />
              )}
              {payments.length === 0 ? (
                <p className="text-muted">No payments found</p>
              ) : (
                <PaymentsTable payments={payments.slice(0, shownPayments)} open={open} />
              )}
              <HistoryLink application={application} count={payments.length} />
            </div>
          )}
        </QueryView>
      </CardBody>
    </Card>
  )
}

type MoneyActionsProps = PaymentCardProps & {
  /** Undefined while loading. */
  charges: { charges: readonly ChargeView[]; summary: ChargeSummary } | undefined
}

/** The actions that are possible in the current state. */
function MoneyActions({ application, charges, open }: MoneyActionsProps) {
  const { isPossible, query } = useTransfer(application)
  return (
    <>
      {charges && canAddCharge(application, charges.charges) && (
        <ModalButton open={open} modal={{ kind: 'add-charge' }}>
          <Plus aria-hidden className="max-sm:hidden" />
          Add Charge
        </ModalButton>
      )}
      <ModalButton open={open} modal={{ kind: 'manual-payment' }}>
        <Plus aria-hidden className="max-sm:hidden" />
        Add Manual Payment
      </ModalButton>
      {/* If it is unknown whether a transfer is possible, the dialog reports that and retries. */}
      {(isPossible || query.isError) && (
        <ModalButton open={open} modal={{ kind: 'transfer' }}>
          Transfer Amount
        </ModalButton>
      )}
      {charges && charges.summary.paidCents > 0 && (
        <ModalButton open={open} modal={{ kind: 'record-return' }}>
          Give Money Back
        </ModalButton>
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
