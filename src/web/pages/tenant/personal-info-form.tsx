import { useEffect, useState } from 'react'
import { FormProvider } from 'react-hook-form'
import { applicationEditForm } from '../../../domain/application.ts'
import { formatStay } from '../../../domain/stay.ts'
import { api, type Outputs } from '../../app/api.ts'
import {
  AddressFields,
  ApplicantFields,
  PhoneField,
  SecondApplicantFields,
} from '../../features/applications/person-fields.tsx'
import { toastFailure } from '../../features/forms/failure-toast.ts'
import { showFieldErrors, useZodForm } from '../../features/forms/zod-form.ts'
import { Button } from '../../ui/button.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toasts.tsx'

type Application = Outputs['applications']['get']['application']

/** A draft of the personal information: taken when it opens, so that a refresh behind it changes nothing in it. */
export function PersonalInfoForm({
  application,
  onClose,
}: {
  application: Application
  onClose: () => void
}) {
  const queries = api.useUtils()
  const update = api.applications.update.useMutation()
  const [refusal, setRefusal] = useState<string>()
  const form = useZodForm(applicationEditForm, {
    firstName: application.firstName,
    lastName: application.lastName,
    secondApplicantFirstName: application.secondApplicantFirstName,
    secondApplicantLastName: application.secondApplicantLastName,
    phone: application.phone,
    address: application.address,
  })
  const { handleSubmit, formState, setFocus } = form
  const isLocked = application.leaseSigned

  useEffect(() => setFocus(isLocked ? 'phone' : 'firstName'), [setFocus, isLocked])

  const save = handleSubmit(async edit => {
    setRefusal(undefined)
    try {
      const answer = await update.mutateAsync({ ...edit, id: application.id })
      queries.applications.get.setData({ id: application.id }, answer)
      void queries.applications.status.invalidate()
      toast.success('Application updated successfully!')
      onClose()
    } catch (error) {
      const { title, detail, fields } = toastFailure(error, {
        failed: 'Failed to update application',
        threw: 'Error updating application',
      })
      setRefusal(detail ?? title)
      showFieldErrors(form, fields)
    }
  })

  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={save} className="grid gap-5">
        <FormError>{refusal}</FormError>
        {isLocked && (
          <Notice>
            The lease is signed, so the names in it can no longer change. Write to us if one is wrong.
          </Notice>
        )}
        <ApplicantFields locked={isLocked} />
        <SecondApplicantFields locked={isLocked} />
        <PhoneField />
        <AddressFields />
        <DefinitionList
          items={[
            { label: 'Email', value: application.email },
            {
              label: 'Requested dates',
              value: formatStay({ start: application.requestedStartDate, end: application.requestedEndDate }),
            },
          ]}
        />
        <p className="-mt-2 text-[0.9375rem] text-muted">Email and dates cannot be changed here.</p>
        <div className="flex flex-wrap-reverse gap-3 sm:justify-end">
          <Button variant="secondary" className="max-sm:grow" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" className="max-sm:grow" busy={formState.isSubmitting} busyLabel="Saving...">
            Save
          </Button>
        </div>
      </form>
    </FormProvider>
  )
}
