import { type ReactNode, useEffect, useState } from 'react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import { FormProvider } from 'react-hook-form'
import { FormActions } from '../../forms/form-actions.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import type { ZodForm } from '../../forms/zod-form.ts'
import { FormError } from '../../ui/form-error.tsx'
import { toast } from '../../ui/toast.ts'
import { AddressFields, ApplicantFields, SecondApplicantFields } from './person-fields.tsx'

type Edit<Output> = {
  [Name in keyof Output]?: Name extends 'address' ? Partial<Output[Name]> : Output[Name]
}

type EditFormFrameProps<Values extends FieldValues, Output> = {
  form: ZodForm<Values, Output>
  /** The lease is signed, so the names cannot change. */
  locked: boolean
  firstField: FieldPath<Values>
  notice: ReactNode
  /** The fields between the names and the address. */
  contact: ReactNode
  /** The fields after the address. */
  children: ReactNode
  /** Gets only the changed fields, also within the address, so that saving undoes no change made meanwhile by others. */
  save: (edit: Edit<Output>) => Promise<void>
  onClose: () => void
}

/** The form in which the tenant or the admin edits an application. A refetch does not overwrite what was typed. */
export function EditFormFrame<Values extends FieldValues, Output extends object>({
  form,
  locked,
  firstField,
  notice,
  contact,
  children,
  save,
  onClose,
}: EditFormFrameProps<Values, Output>) {
  const { setFocus } = form
  const { dirtyFields } = form.formState
  const [focusedFirst] = useState(firstField)
  useEffect(() => setFocus(focusedFirst), [setFocus, focusedFirst])

  const texts = { failed: 'Failed to update application', noResponse: 'Error updating application' }
  const { submit, formError, busy } = useSubmit(form, texts, async edit => {
    await save(changedOf(edit, dirtyFields) as Edit<Output>)
    toast.success('Application updated successfully!')
    onClose()
  })

  return (
    <FormProvider {...form}>
      {/* The scroll margin keeps a focused field above the sticky buttons. */}
      <form noValidate onSubmit={submit} className="grid gap-5 **:scroll-mb-24">
        <FormError>{formError}</FormError>
        {notice}
        <ApplicantFields locked={locked} />
        <SecondApplicantFields locked={locked} />
        {contact}
        <AddressFields />
        {children}
        <FormActions busy={busy} onCancel={onClose} />
      </form>
    </FormProvider>
  )
}

/** The fields that were changed in the form, also within the address. */
function changedOf(edit: object, dirty: object): Record<string, unknown> {
  const isDirty = new Map<string, unknown>(Object.entries(dirty))
  const changed = Object.entries(edit).filter(([name]) => isDirty.get(name))
  return Object.fromEntries(
    changed.map(([name, value]) => [
      name,
      name === 'address' ? changedOf(value, Object(isDirty.get(name))) : value,
    ]),
  )
}

type Person = {
  firstName: string
  lastName: string
  secondApplicantFirstName: string
  secondApplicantLastName: string
  phone: string
  address: { street: string; city: string; state: string; zipCode: string }
}

/** The initial values that both edit forms share. */
export function personValues(application: Person): Person {
  const { firstName, lastName, secondApplicantFirstName, secondApplicantLastName, phone, address } =
    application
  return { firstName, lastName, secondApplicantFirstName, secondApplicantLastName, phone, address }
}
