import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { Notice } from '../../../ui/notice.tsx'
import { type Application, type OpenModal, useCharges } from './application-data.ts'
import { decisionRowClass } from './layout.ts'
import { ModalButton } from './modal-button.tsx'
import { usePlan } from './plan-data.ts'

type OpenDecisionsProps = { application: Application; open: OpenModal }

/** Decisions for the owner besides the status: proposed late fees, and money of a declined application. */
export function OpenDecisions(props: OpenDecisionsProps) {
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
    instalment =>
      instalment.lateFee && (
        <Notice
          key={instalment.id}
          tone="warning"
          className={decisionRowClass}
          title={`A late fee of ${formatCents(instalment.lateFee.amountCents)} is proposed`}
          action={
            <span className="flex flex-wrap gap-2">
              <ModalButton open={open} modal={{ kind: 'charge-late-fee', instalment }}>
                Charge late fee
              </ModalButton>
              <ModalButton open={open} modal={{ kind: 'dismiss-late-fee', instalment }}>
                No late fee
              </ModalButton>
            </span>
          }
        >
          {instalment.label} is {plural(instalment.daysOverdue, 'day')} overdue.
        </Notice>
      ),
  )
}
