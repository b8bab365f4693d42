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
import { useZodForm } from '../../../forms/zod-form.ts'
import { FormError } from '../../../ui/form-error.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { MoneyField, TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { asDollars } from './amount-input.ts'
import { type Application, useInvalidateApplication } from './application-data.ts'

/** Everything that the admin may change, as a draft: a refresh behind it changes nothing in it. */
export function EditForm({ application, onClose }: { application: Application; onClose: () => void }) {
  const edit = api.applications.adminEdit.useMutation()
  const invalidate = useInvalidateApplication()
  const isLocked = application.leaseSigned
  const form = useZodForm(adminEditForm, {
    firstName: application.firstName,
    lastName: application.lastName,
    email: application.email,
    secondApplicantFirstName: application.secondApplicantFirstName,
    secondApplicantLastName: application.secondApplicantLastName,
    phone: application.phone,
    address: application.address,
    requestedStartDate: application.requestedStartDate,
    requestedEndDate: application.requestedEndDate,
    rentalAmount: application.rentalAmount,
    depositAmount: application.depositAmount,
    additionalGuests: application.additionalGuests,
    notes: application.notes,
  })
  const { register, formState, setFocus } = form
  const { errors } = formState

  const [firstField] = useState(isLocked ? ('email' as const) : ('firstName' as const))
  useEffect(() => setFocus(firstField), [setFocus, firstField])

  const texts = { failed: 'Failed to update application', threw: 'Error updating application' }
  const { submit, refusal } = useSubmit(form, texts, async draft => {
    await edit.mutateAsync({ ...draft, id: application.id })
    void invalidate()
    toast.success('Application updated successfully!')
    onClose()
  })

  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={submit} className="grid gap-5">
        <FormError>{refusal}</FormError>
        {isLocked && (
          <Notice>
            The lease is signed, so names, guests, dates, rent and deposit can no longer change. Delete the
            lease to change its terms.
          </Notice>
        )}
        {!isLocked && application.leaseGenerated && (
          <Notice>
            The lease is generated, but not signed: new names, guests, dates, rent or deposit write it anew,
            and the tenant is told.
          </Notice>
        )}
        <ApplicantFields locked={isLocked} />
        <SecondApplicantFields locked={isLocked} />
        <div className={pair}>
          <TextField
            label="Email"
            type="email"
            inputMode="email"
            autoComplete="off"
            required
            hint="The contact of this application, not the login of the account."
            error={errors.email?.message}
            {...register('email')}
          />
          <PhoneField />
        </div>
        <AddressFields />
        <div className={pair}>
          <TextField
            label="Requested start date"
            type="date"
            required
            readOnly={isLocked}
            error={errors.requestedStartDate?.message}
            {...register('requestedStartDate', { deps: 'requestedEndDate' })}
          />
          <TextField
            label="Requested end date"
            type="date"
            required
            readOnly={isLocked}
            error={errors.requestedEndDate?.message}
            {...register('requestedEndDate')}
          />
          <MoneyField
            label="Monthly rent"
            readOnly={isLocked}
            error={errors.rentalAmount?.message}
            {...register('rentalAmount', asDollars)}
          />
          <MoneyField
            label="Deposit"
            readOnly={isLocked}
            error={errors.depositAmount?.message}
            {...register('depositAmount', asDollars)}
          />
        </div>
        {!isLocked && <LeaseMove application={application} />}
        <fieldset className="grid gap-3">
          <legend className="mb-3 font-semibold text-navy">Additional guests</legend>
          {isLocked ? (
            <GuestsList guests={application.additionalGuests} />
          ) : (
            <GuestFields countBefore={application.guestCount} />
          )}
        </fieldset>
        <TextAreaField
          label="Notes"
          hint="The tenant reads these on the application."
          error={errors.notes?.message}
          {...register('notes')}
        />
        <FormActions busy={formState.isSubmitting} onCancel={onClose} />
      </form>
    </FormProvider>
  )
}

/** Which of the lease's dates these requested ones will move. */
function LeaseMove({ application }: { application: Application }) {
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

const pair = 'grid items-start gap-5 sm:grid-cols-2'
