import { useState } from 'react'
import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { useSite } from '../../../api/site.ts'
import { Notice } from '../../../ui/notice.tsx'
import {
  type Application,
  type Modal,
  type OpenModal,
  useCharges,
  usePlan,
  usePlanSettings,
} from './application-data.ts'
import {
  columnsClass,
  contentClass,
  DetailsSkeleton,
  decisionRowClass,
  decisionsClass,
  historyClass,
} from './layout.tsx'
import { LeaseCard } from './lease-card.tsx'
import { LeaseHistoryCard } from './lease-history-card.tsx'
import { ModalButton, ModalView } from './modal.tsx'
import { PaymentCard } from './payment-card.tsx'
import { PersonalCard } from './personal-card.tsx'
import { PlanCard } from './plan-card.tsx'
import { StatusCard } from './status-card.tsx'

export function ApplicationDetails({ application }: { application: Application }) {
  const [modal, setModal] = useState<Modal>()
  const money = [usePlan(application), usePlanSettings(), useCharges(application)]
  // The site data has the date and time zone at the property. Decisions about money would push the rest down if they
  // appeared later.
  if (!useSite() || money.some(({ isFetched }) => !isFetched)) return <DetailsSkeleton />
  const props = { application, open: setModal }
  return (
    <div className={columnsClass}>
      <div className={decisionsClass}>
        <OpenDecisions {...props} />
        <StatusCard {...props} />
        <LeaseCard {...props} />
      </div>
      <div className={contentClass}>
        <PersonalCard application={application} />
        <PlanCard {...props} />
        <PaymentCard {...props} />
      </div>
      <div className={historyClass}>
        <LeaseHistoryCard application={application} />
      </div>
      {modal && <ModalView {...props} modal={modal} />}
    </div>
  )
}

type OpenDecisionsProps = { application: Application; open: OpenModal }

/** Decisions for the owner besides the status: proposed late fees, and money of a declined application. */
function OpenDecisions(props: OpenDecisionsProps) {
  return props.application.status === 'rejected' ? (
    <MoneyToReturn {...props} />
  ) : (
    <ProposedLateFees {...props} />
  )
}

function MoneyToReturn({ application, open }: OpenDecisionsProps) {
  const paidCents = useCharges(application).data?.summary.paidCents ?? 0
  if (paidCents <= 0) return null
  return (
    <Notice
      tone="warning"
      className={decisionRowClass}
      title={`Declined, but ${formatCents(paidCents)} of the tenant’s money has not been returned`}
      action={
        <ModalButton variant="primary" open={open} modal={{ kind: 'return-options' }}>
          Give it back
        </ModalButton>
      }
    />
  )
}

function ProposedLateFees({ application, open }: OpenDecisionsProps) {
  const { instalments = [], plan } = usePlan(application).data ?? {}
  if (!plan?.frozen) return null
  return instalments.map(
    installment =>
      installment.lateFee && (
        <Notice
          key={installment.id}
          tone="warning"
          className={decisionRowClass}
          title={`A late fee of ${formatCents(installment.lateFee.amountCents)} is proposed`}
          action={
            <span className="flex flex-wrap gap-2">
              <ModalButton open={open} modal={{ kind: 'charge-late-fee', installment }}>
                Charge late fee
              </ModalButton>
              <ModalButton open={open} modal={{ kind: 'dismiss-late-fee', installment }}>
                No late fee
              </ModalButton>
            </span>
          }
        >
          {installment.label} is {plural(installment.daysOverdue, 'day')} overdue.
        </Notice>
      ),
  )
}
