import { useState } from 'react'
import { useSite } from '../../../api/site.ts'
import { classNames } from '../../../ui/class-names.ts'
import type { Application, Modal, OpenModal } from './application-data.ts'
import { GuestsCard } from './guests-card.tsx'
import { columnsClass, decisionsClass } from './layout.ts'
import { LeaseCard } from './lease-card.tsx'
import { LeaseHistoryCard } from './lease-history-card.tsx'
import { ModalView } from './modal.tsx'
import { PaymentCard } from './payment-card.tsx'
import { PersonalCard } from './personal-card.tsx'
import { PlanCard } from './plan-card.tsx'
import { usePlan, usePlanSettings } from './plan-data.ts'
import { StatusCard } from './status-card.tsx'

export function ApplicationDetails({ application }: { application: Application }) {
  const [modal, setModal] = useState<Modal>()
  // Today and the time zone at the property come with it.
  if (!useSite()) return null
  return (
    <div className={columnsClass}>
      <div className="grid min-w-0 gap-5">
        <PersonalCard application={application} />
        <GuestsCard application={application} />
      </div>
      <div className={decisionsClass}>
        <StatusCard application={application} open={setModal} />
        <LeaseCard application={application} open={setModal} />
        <LeaseHistoryCard application={application} />
      </div>
      <MoneyCards application={application} open={setModal} />
      {modal && <ModalView modal={modal} open={setModal} application={application} />}
    </div>
  )
}

function MoneyCards(props: { application: Application; open: OpenModal }) {
  const isPending = [usePlan(props.application), usePlanSettings()].some(({ isPending }) => isPending)
  return (
    // Hidden until the plan is loaded, which would otherwise push the payments down.
    <div className={classNames('grid min-w-0 gap-5', isPending && 'invisible')}>
      <PlanCard {...props} />
      <PaymentCard {...props} />
    </div>
  )
}
