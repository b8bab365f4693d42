import { isEnded } from '../../../../domain/bookings/application-status.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { formatBasisPoints } from '../../../../domain/money/charge.ts'
import type { LateFee } from '../../../../domain/money/payment-plan.ts'
import { ownOpenCents } from '../../../../domain/money/payment-plan-state.ts'
import { moneyCard } from '../../../features/payments/payment-cells.tsx'
import { PlanTable } from '../../../features/payments/plan-table.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { MenuSeparator, MoreActions } from '../../../ui/menu.tsx'
import type { Column } from '../../../ui/table.tsx'
import { planLabels } from '../price-labels.ts'
import {
  type Application,
  canChangePlan,
  type Installment,
  type OpenModal,
  type PlanView,
  usePlan,
} from './application-data.ts'
import { ModalButton, ModalItem } from './modal-button.tsx'

type PlanCardProps = { application: Application; open: OpenModal }

/** The payment plan of a lease; renders nothing if there is none. */
export function PlanCard({ application, open }: PlanCardProps) {
  const query = usePlan(application)
  const { data: view } = query
  if (view ? !view.plan : !query.isError) return null
  return (
    <Card aria-label="Payment plan">
      <CardHeader
        title="Payment plan"
        subtitle={view?.plan && describePlan(view.plan)}
        action={
          view &&
          canChangePlan(application) && (
            <ModalButton open={open} modal={{ kind: 'change-plan' }}>
              Change plan
            </ModalButton>
          )
        }
      />
      <CardBody>
        {view ? (
          <Plan view={view} open={isEnded(application.status) ? undefined : open} />
        ) : (
          <ErrorState message="Failed to load the payment plan" onRetry={() => query.refetch()} />
        )}
      </CardBody>
    </Card>
  )
}

/** `open` is undefined if nothing can be changed any more. */
function Plan({ view, open }: { view: PlanView; open: OpenModal | undefined }) {
  const { instalments, plan } = view
  const canAct = plan?.frozen && open !== undefined && instalments.some(({ openCents }) => openCents > 0)
  return (
    <PlanTable
      dense
      instalments={instalments}
      more={canAct ? [actionsColumn(open)] : []}
      className="sm:-mx-6"
    />
  )
}

type ActionProps = { installment: Installment; open: OpenModal }

const actionsColumn = (open: OpenModal): Column<Installment> => ({
  key: 'actions',
  header: 'Actions',
  hideLabelOnCard: true,
  className: moneyCard.menu,
  cell: installment => <InstallmentMenu installment={installment} open={open} />,
})

function InstallmentMenu({ installment, open }: ActionProps) {
  const { kind, label, lateFee, onItsWayCents } = installment
  if (ownOpenCents(installment) === 0) return null
  const canWaive = kind !== 'deposit' && onItsWayCents === 0
  return (
    <MoreActions label={`Actions for ${label}`} className="-my-1.5">
      <ModalItem open={open} modal={{ kind: 'postpone', installment }}>
        Postpone
      </ModalItem>
      {canWaive && (
        <ModalItem open={open} modal={{ kind: 'waive', installment }}>
          Waive
        </ModalItem>
      )}
      {lateFee && (
        <>
          <MenuSeparator />
          <ModalItem open={open} modal={{ kind: 'charge-late-fee', installment }}>
            Charge late fee
          </ModalItem>
          <ModalItem open={open} modal={{ kind: 'dismiss-late-fee', installment }}>
            No late fee
          </ModalItem>
        </>
      )}
    </MoreActions>
  )
}

/** `Monthly. Late fee: $50.00 after 5 days.` */
function describePlan({ kind, lateFee }: NonNullable<PlanView['plan']>): string {
  return lateFee ? `${planLabels[kind]}. ${describeLateFee(lateFee)}` : planLabels[kind]
}

function describeLateFee({ basisPoints, cents, graceDays, kind }: LateFee): string {
  const fee = kind === 'fixed' ? formatCents(cents) : `${formatBasisPoints(basisPoints)} of what is open`
  return `Late fee: ${fee} after ${plural(graceDays, 'day')}.`
}
