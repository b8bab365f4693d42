import { useState } from 'react'
import { useSite } from '../../../api/site.ts'
import { type Application, type Modal, useCharges } from './application-data.ts'
import { DetailsSkeleton } from './details-skeleton.tsx'
import { columnsClass, contentClass, decisionsClass, historyClass } from './layout.ts'
import { LeaseCard } from './lease-card.tsx'
import { LeaseHistoryCard } from './lease-history-card.tsx'
import { ModalView } from './modal.tsx'
import { OpenDecisions } from './open-decisions.tsx'
import { PaymentCard } from './payment-card.tsx'
import { PersonalCard } from './personal-card.tsx'
import { PlanCard } from './plan-card.tsx'
import { usePlan, usePlanSettings } from './plan-data.ts'
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
