import { Pencil } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Outputs } from '../../api/api.ts'
import { PersonalInfo } from '../../features/applications/personal-info.tsx'
import { useUser } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { PersonalInfoForm } from './personal-info-form.tsx'

type Application = Outputs['applications']['get']['application']

/** The tenant's own data, to read or to edit. */
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
          <PersonalInfo application={application} />
        )}
      </CardBody>
    </Card>
  )
}
