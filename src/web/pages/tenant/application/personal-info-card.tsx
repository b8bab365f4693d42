import { applicationEditForm } from '../../../../domain/bookings/application-form.ts'
import { formatShortStay } from '../../../../domain/common/stay.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { EditFormFrame, personValues } from '../../../features/applications/edit-form-frame.tsx'
import { PhoneField } from '../../../features/applications/person-fields.tsx'
import { personalItems } from '../../../features/applications/personal-info.tsx'
import { useEditing } from '../../../forms/form-actions.tsx'
import { useZodForm } from '../../../forms/zod-form.ts'
import { useUser } from '../../../session/session.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { Notice } from '../../../ui/notice.tsx'

type Application = Outputs['applications']['get']['application']

/** The tenant's own data, to view or edit. */
export function PersonalInfoCard({ application }: { application: Application }) {
  const edit = useEditing()
  const isTenant = useUser().role === 'tenant'

  return (
    <Card aria-label="Personal Information">
      <CardHeader title="Personal Information" action={isTenant && edit.button()} />
      <CardBody>
        {edit.isEditing ? (
          <PersonalInfoForm application={application} onClose={edit.close} />
        ) : (
          <>
            <MissingContact application={application} />
            <DefinitionList items={personalItems(application)} />
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

type PersonalInfoFormProps = {
  application: Outputs['applications']['get']['application']
  onClose: () => void
}

function PersonalInfoForm({ application, onClose }: PersonalInfoFormProps) {
  const queries = api.useUtils()
  const update = api.applications.update.useMutation()
  const form = useZodForm(applicationEditForm, personValues(application))
  const isLocked = application.leaseSigned
  return (
    <EditFormFrame
      form={form}
      locked={isLocked}
      firstField={isLocked ? 'phone' : 'firstName'}
      notice={
        isLocked && (
          <Notice>
            The lease is signed, so the names in it can no longer change. Write to us if one is wrong.
          </Notice>
        )
      }
      contact={<PhoneField />}
      save={async edit => {
        const { id } = application
        // The procedure takes all fields.
        const now = personValues((await queries.applications.get.fetch({ id }, { staleTime: 0 })).application)
        const address = { ...now.address, ...edit.address }
        queries.applications.get.setData({ id }, await update.mutateAsync({ ...now, ...edit, address, id }))
        void queries.applications.status.invalidate()
      }}
      onClose={onClose}
    >
      <DefinitionList
        items={[
          { label: 'Email', value: application.email },
          {
            label: 'Requested dates',
            value: formatShortStay({
              start: application.requestedStartDate,
              end: application.requestedEndDate,
            }),
          },
        ]}
      />
      <p className="-mt-2 text-[0.9375rem] text-muted">Email and dates cannot be changed here.</p>
    </EditFormFrame>
  )
}
