import { useState } from 'react'
import { useSite } from '../../../api/site.ts'
import type { Application, Modal } from './application-data.ts'
import { columnsClass, decisionsClass } from './columns-class.ts'
import { GuestsCard } from './guests-card.tsx'
import { LeaseCard } from './lease-card.tsx'
import { ModalView } from './modal.tsx'
import { PaymentCard } from './payment-card.tsx'
import { PersonalCard } from './personal-card.tsx'
import { StatusCard } from './status-card.tsx'
import { TrailCard } from './trail-card.tsx'

/** All sections of an application; each asks for what it needs besides. */
export function ApplicationDetails({ application }: { application: Application }) {
  const site = useSite()
  const [modal, setModal] = useState<Modal>()
  if (!site) return null
  return (
    <div className={columnsClass}>
      <div className="grid min-w-0 gap-5">
        <PersonalCard application={application} />
        <GuestsCard application={application} />
      </div>
      <div className={decisionsClass}>
        <StatusCard application={application} site={site} open={setModal} />
        <LeaseCard application={application} site={site} />
        <TrailCard application={application} site={site} />
      </div>
      <PaymentCard application={application} site={site} open={setModal} />
      {modal && <ModalView modal={modal} open={setModal} application={application} site={site} />}
    </div>
  )
}
