import { Pencil } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Outputs } from '../../api/api.ts'
import { PersonalInfo } from '../../features/applications/personal-info.tsx'
import { useUser } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PersonalInfoForm } from './personal-info-form.tsx'

type Application = Outputs['applications']['get']['application']

/** The tenant's own data, to view or edit. */
export function PersonalInfoCard({ application }: { application: Application }) {
  const [editing, setEditing] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  const isTenant = useUser().role === 'tenant'

  const close = () => {
    flushSync(() => setEditing(false))
    editButton.current?.focus()
  }

  return (
    <Card aria-label="Personal Information">
      <CardHeader
        title="Personal Information"
        action={
          isTenant &&
          !editing && (
            <Button ref={editButton} variant="secondary" size="sm" onClick={() => setEditing(true)}>
              <Pencil aria-hidden />
              Edit
            </Button>
          )
        }
      />
      <CardBody>
        {editing ? (
          <PersonalInfoForm application={application} onClose={close} />
        ) : (
          <>
            <MissingContact application={application} />
            <PersonalInfo application={application} />
          </>
        )}
      </CardBody>
    </Card>
  )
}

/** A booking that the owner entered may lack phone and address. */
function MissingContact({ application: { address, phone } }: { application: Application }) {
  const missing = [!phone && 'phone number', !address.street && 'address'].filter(Boolean)
  if (missing.length === 0) return null
  return <Notice className="mb-5">Please add your {missing.join(' and your ')}.</Notice>
}
