import { Pencil } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { GuestsList } from '../../../features/applications/guests-list.tsx'
import { personalItems } from '../../../features/applications/personal-info.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import type { Application } from './application-data.ts'
import { EditForm } from './edit-form.tsx'

/** The applicants, guests and requested dates, to view or edit. */
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
          <PersonalView application={application} />
        )}
      </CardBody>
    </Card>
  )
}

function PersonalView({ application }: { application: Application }) {
  const { additionalGuests, email, notes, userId } = application
  return (
    <div className="grid gap-5">
      <DefinitionList
        columns={3}
        items={[
          ...personalItems(application),
          ...(userId.email === email ? [] : [{ label: 'Account e-mail', value: userId.email }]),
          ...(notes ? [{ label: 'Notes to the tenant', value: <Notes>{notes}</Notes> }] : []),
        ]}
      />
      {additionalGuests.length > 0 && (
        <section aria-label="Additional Guests" className="border-t border-line pt-5">
          <h3 className="mb-2 font-semibold text-navy">Additional Guests</h3>
          <GuestsList guests={additionalGuests} />
        </section>
      )}
    </div>
  )
}

const Notes = ({ children }: { children: string }) => (
  <span className="font-normal whitespace-pre-line text-ink">{children}</span>
)
