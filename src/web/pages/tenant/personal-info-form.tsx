import { useEffect, useState } from 'react'
import { FormProvider } from 'react-hook-form'
import { applicationEditForm } from '../../../domain/application.ts'
import { formatStay } from '../../../domain/stay.ts'
import { api, type Outputs } from '../../api/api.ts'
import {
  AddressFields,
  ApplicantFields,
  PhoneField,
  SecondApplicantFields,
} from '../../features/applications/person-fields.tsx'
import { FormActions } from '../../forms/form-actions.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import { useZodForm } from '../../forms/zod-form.ts'
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
  const form = useZodForm(applicationEditForm, {
    firstName: application.firstName,
    lastName: application.lastName,
    secondApplicantFirstName: application.secondApplicantFirstName,
    secondApplicantLastName: application.secondApplicantLastName,
    phone: application.phone,
    address: application.address,
  })
  const { formState, setFocus } = form
  const isLocked = application.leaseSigned

  const [firstField] = useState(isLocked ? ('phone' as const) : ('firstName' as const))
  useEffect(() => setFocus(firstField), [setFocus, firstField])

  const texts = { failed: 'Failed to update application', threw: 'Error updating application' }
  const { submit, formError } = useSubmit(form, texts, async edit => {
    const answer = await update.mutateAsync({ ...edit, id: application.id })
    queries.applications.get.setData({ id: application.id }, answer)
    void queries.applications.status.invalidate()
    toast.success('Application updated successfully!')
    onClose()
  })

  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={submit} className="grid gap-5">
        <FormError>{formError}</FormError>
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
        <FormActions busy={formState.isSubmitting} onCancel={onClose} />
      </form>
    </FormProvider>
  )
}
