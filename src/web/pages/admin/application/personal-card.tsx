import { Pencil } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { PersonalInfo } from '../../../features/applications/personal-info.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import type { Application } from './application-data.ts'
import { EditForm } from './edit-form.tsx'

export function PersonalCard({ application }: { application: Application }) {
  const [editing, setEditing] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  const close = () => {
    flushSync(() => setEditing(false))
    editButton.current?.focus()
  }
  return (
    <Card aria-label="Personal Information">
      <CardHeader
        title="Personal Information"
        action={
          !editing && (
            <Button ref={editButton} size="sm" variant="secondary" onClick={() => setEditing(true)}>
              <Pencil aria-hidden />
              Edit
            </Button>
          )
        }
      />
      <CardBody>
        {editing ? (
          <EditForm application={application} onClose={close} />
        ) : (
          <>
            <PersonalInfo application={application} />
            <DefinitionList
              className="mt-4"
              items={[
                { label: 'Account e-mail', value: application.userId.email },
                {
                  label: 'Notes to the tenant',
                  value: application.notes && (
                    <span className="font-normal whitespace-pre-line text-ink">{application.notes}</span>
                  ),
                },
              ]}
            />
          </>
        )}
      </CardBody>
    </Card>
  )
}
