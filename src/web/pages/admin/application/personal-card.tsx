import { useFormContext, useWatch } from 'react-hook-form'
import { type AdminEditValues, adminEditForm } from '../../../../domain/bookings/application-form.ts'
import { isCalendarDate } from '../../../../domain/common/dates.ts'
import { leaseMoveSentence, movedLease } from '../../../../domain/leases/lease.ts'
import { rentLabel } from '../../../../domain/money/lease-terms.ts'
import { api } from '../../../api/api.ts'
import { EmailLink, PhoneLink } from '../../../features/applications/contact-links.tsx'
import { EditFormFrame, personValues } from '../../../features/applications/edit-form-frame.tsx'
import { GuestFields } from '../../../features/applications/guest-fields.tsx'
import { fieldPairClass, PhoneField } from '../../../features/applications/person-fields.tsx'
import { GuestsList, personalItems } from '../../../features/applications/personal-info.tsx'
import { asDollars } from '../../../features/payments/dollar-amount.ts'
import { useReadAgain } from '../../../forms/change.ts'
import { useEditing } from '../../../forms/form-actions.tsx'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { MoneyField, TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { CalendarOverride, useCalendarOverride } from '../calendar-override.tsx'
import type { Application } from './application-data.ts'

/** The applicants, guests and requested dates, to view or edit. */
export function PersonalCard({ application }: { application: Application }) {
  const edit = useEditing()
  return (
    <Card aria-label="Personal Information">
      <CardHeader title="Personal Information" action={edit.button()} />
      <CardBody>
        {edit.isEditing ? (
          <EditForm application={application} onClose={edit.close} />
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
          ...personalItems(application, {
            Email: <EmailLink email={email} />,
            Phone: <PhoneLink phone={application.phone} />,
          }),
          ...(userId.email === email
            ? []
            : [{ label: 'Account email', value: <EmailLink email={userId.email} /> }]),
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

/** The form with everything that the admin can change. */
function EditForm({ application, onClose }: { application: Application; onClose: () => void }) {
  const edit = api.applications.adminEdit.useMutation()
  const readAgain = useReadAgain()
  const isLocked = application.leaseSigned
  const { email, requestedStartDate, requestedEndDate, rentalAmount, depositAmount } = application
  const { additionalGuests, notes } = application
  const form = useZodForm(adminEditForm, {
    ...personValues(application),
    email,
    requestedStartDate,
    requestedEndDate,
    rentalAmount,
    depositAmount,
    additionalGuests,
    notes,
  })
  const field = fieldPropsOf(form)
  const override = useCalendarOverride(
    useWatch({
      control: form.control,
      compute: values => `${values.requestedStartDate} ${values.requestedEndDate}`,
    }),
  )
  return (
    <EditFormFrame
      form={form}
      locked={isLocked}
      firstField={isLocked ? 'email' : 'firstName'}
      notice={<LeaseNotice application={application} />}
      contact={
        <div className={fieldPairClass}>
          <TextField
            label="Email"
            type="email"
            inputMode="email"
            autoComplete="off"
            required
            hint="The contact of this application, not the login of the account."
            {...field('email')}
          />
          <PhoneField />
        </div>
      }
      save={async draft => {
        await override.send(overrideCalendar =>
          edit.mutateAsync({ ...draft, ...overrideCalendar, id: application.id }),
        )
        void readAgain()
      }}
      onClose={onClose}
    >
      <StayFields locked={isLocked} />
      {!isLocked && <LeaseMove application={application} />}
      <fieldset className="grid gap-3">
        <legend className="mb-3 font-semibold text-navy">Additional guests</legend>
        {isLocked ? (
          <GuestsList guests={additionalGuests} />
        ) : (
          <GuestFields countBefore={application.guestCount} />
        )}
      </fieldset>
      <TextAreaField label="Notes" hint="The tenant reads these on the application." {...field('notes')} />
      <CalendarOverride {...override} />
    </EditFormFrame>
  )
}

/** Dates and amounts. Needs the form's FormProvider. */
function StayFields({ locked }: { locked: boolean }) {
  const form = useFormContext<AdminEditValues>()
  const field = fieldPropsOf(form)
  const [start, end] = useWatch({ control: form.control, name: ['requestedStartDate', 'requestedEndDate'] })
  return (
    <div className="grid items-start gap-5 sm:grid-cols-2 xl:grid-cols-4">
      <TextField
        label="Requested start date"
        type="date"
        required
        readOnly={locked}
        {...field('requestedStartDate', { deps: 'requestedEndDate' })}
      />
      <TextField
        label="Requested end date"
        type="date"
        required
        readOnly={locked}
        {...field('requestedEndDate')}
      />
      <MoneyField label={rentLabel(start, end)} readOnly={locked} {...field('rentalAmount', asDollars)} />
      <MoneyField label="Deposit" readOnly={locked} {...field('depositAmount', asDollars)} />
    </div>
  )
}

/** Explains what an edit does to the lease, or what can no longer change. */
function LeaseNotice({ application }: { application: Application }) {
  if (application.leaseSigned)
    return (
      <Notice>
        The lease is signed, so names, guests, dates, rent and deposit can no longer change. Delete the lease
        to change its terms.
      </Notice>
    )
  return (
    application.leaseGenerated && (
      <Notice>
        The lease is generated but not signed. If you change names, guests, dates, rent or deposit, it is
        rewritten, and the tenant gets an email.
      </Notice>
    )
  )
}

/** Shows how the new requested dates will move the lease's dates. */
function LeaseMove({ application }: { application: Application }) {
  const form = useFormContext<AdminEditValues>()
  const start = useWatch({ control: form.control, name: 'requestedStartDate' }) ?? ''
  const end = useWatch({ control: form.control, name: 'requestedEndDate' }) ?? ''
  const { leaseStartDate, leaseEndDate, requestedStartDate, requestedEndDate } = application
  const canMove = leaseStartDate && leaseEndDate && isCalendarDate(start) && isCalendarDate(end)
  const lease = { start: leaseStartDate ?? '', end: leaseEndDate ?? '' }
  const requested = { start: requestedStartDate, end: requestedEndDate }
  const sentence = canMove && leaseMoveSentence(lease, movedLease(lease, requested, { start, end }))
  return (
    <div role="status" className="contents">
      {sentence && <Notice>{sentence}</Notice>}
    </div>
  )
}
