import { useEffect, useState } from 'react'
import { FormProvider, useWatch } from 'react-hook-form'
import { type AdminEditValues, adminEditForm } from '../../../../domain/application.ts'
import { isCalendarDate } from '../../../../domain/dates.ts'
import { leaseMoveSentence, movedLease } from '../../../../domain/lease.ts'
import { api } from '../../../api/api.ts'
import { GuestFields } from '../../../features/applications/guest-fields.tsx'
import { GuestsList } from '../../../features/applications/guests-list.tsx'
import {
  AddressFields,
  ApplicantFields,
  PhoneField,
  SecondApplicantFields,
} from '../../../features/applications/person-fields.tsx'
import { FormActions } from '../../../forms/form-actions.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { type FieldPropsOf, fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { FormError } from '../../../ui/form-error.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { MoneyField, TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { type Application, useInvalidateApplication } from './application-data.ts'
import { asDollars } from './money-values.ts'

type EditFormProps = { application: Application; onClose: () => void }

/** Edits the application as a draft, which a refresh behind it does not change. */
export function EditForm({ application, onClose }: EditFormProps) {
  const edit = api.applications.adminEdit.useMutation()
  const invalidate = useInvalidateApplication()
  const isLocked = application.leaseSigned
  // The schema drops what cannot be edited.
  const form = useZodForm(adminEditForm, application)
  const field = fieldPropsOf(form)

  const { setFocus } = form
  const [firstField] = useState(isLocked ? ('email' as const) : ('firstName' as const))
  useEffect(() => setFocus(firstField), [setFocus, firstField])

  const texts = { failed: 'Failed to update application', threw: 'Error updating application' }
  const { submit, formError, busy } = useSubmit(form, texts, async draft => {
    await edit.mutateAsync({ ...draft, id: application.id })
    void invalidate()
    toast.success('Application updated successfully!')
    onClose()
  })

  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={submit} className="grid gap-5">
        <FormError>{formError}</FormError>
        <LeaseNotice application={application} />
        <ApplicantFields locked={isLocked} />
        <SecondApplicantFields locked={isLocked} />
        <div className={pairClass}>
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
        <AddressFields />
        <TermFields field={field} readOnly={isLocked} />
        {!isLocked && <MovedLeaseNotice application={application} />}
        <fieldset className="grid gap-3">
          <legend className="mb-3 font-semibold text-navy">Additional guests</legend>
          {isLocked ? (
            <GuestsList guests={application.additionalGuests} />
          ) : (
            <GuestFields countBefore={application.guestCount} />
          )}
        </fieldset>
        <TextAreaField label="Notes" hint="The tenant reads these on the application." {...field('notes')} />
        <FormActions busy={busy} onCancel={onClose} />
      </form>
    </FormProvider>
  )
}

/** What the lease does not allow, or what the edit does to the lease. */
function LeaseNotice({ application }: { application: Application }) {
  if (application.leaseSigned)
    return (
      <Notice>
        The lease is signed, so names, guests, dates, rent and deposit can no longer change. Delete the lease
        to change its terms.
      </Notice>
    )
  if (!application.leaseGenerated) return null
  return (
    <Notice>
      The lease is generated, but not signed: new names, guests, dates, rent or deposit write it anew, and the
      tenant is told.
    </Notice>
  )
}

type TermFieldsProps = { field: FieldPropsOf<AdminEditValues>; readOnly: boolean }

function TermFields({ field, readOnly }: TermFieldsProps) {
  return (
    <div className={pairClass}>
      <TextField
        label="Requested start date"
        type="date"
        required
        readOnly={readOnly}
        {...field('requestedStartDate', { deps: 'requestedEndDate' })}
      />
      <TextField
        label="Requested end date"
        type="date"
        required
        readOnly={readOnly}
        {...field('requestedEndDate')}
      />
      <MoneyField label="Monthly rent" readOnly={readOnly} {...field('rentalAmount', asDollars)} />
      <MoneyField label="Deposit" readOnly={readOnly} {...field('depositAmount', asDollars)} />
    </div>
  )
}

/** Which dates of the lease the new requested dates will move. */
function MovedLeaseNotice({ application }: { application: Application }) {
  const [start = '', end = ''] = useWatch<AdminEditValues, ['requestedStartDate', 'requestedEndDate']>({
    name: ['requestedStartDate', 'requestedEndDate'],
  })
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

const pairClass = 'grid items-start gap-5 sm:grid-cols-2'
