import { useState } from 'react'
import { useSite } from '../../../api/site.ts'
import type { Application, Modal } from './application-data.ts'
import { GuestsCard } from './guests-card.tsx'
import { columnsClass, decisionsClass } from './layout.ts'
import { LeaseCard } from './lease-card.tsx'
import { LeaseHistoryCard } from './lease-history-card.tsx'
import { ModalView } from './modal.tsx'
import { PaymentCard } from './payment-card.tsx'
import { PersonalCard } from './personal-card.tsx'
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
        <LeaseCard application={application} />
        <LeaseHistoryCard application={application} />
      </div>
      <PaymentCard application={application} open={setModal} />
      {modal && <ModalView modal={modal} open={setModal} application={application} />}
    </div>
  )
}
