import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { failureOf, refusalOr } from '../../../api/api.ts'
import { showFieldErrors, type ZodForm } from '../../../forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { StaleNotice } from './stale-notice.tsx'

type Versioned<Body> = { version: number; body: Body }
export type Reload<Saved> = () => Promise<{ data: Saved | undefined }>

type SectionOptions<Input extends FieldValues, Output, Body> = {
  form: ZodForm<Input, Output>
  /** As it was loaded last. */
  saved: Versioned<Body>
  reload: Reload<Versioned<Body>>
  /** As the inputs hold them. */
  valuesOf: (body: Body) => Input
  failedText: string
  /** Saves over the version that was read, and answers what is saved now. */
  save: (change: { version: number; body: Output }) => Promise<Versioned<Body>>
}

/**
 * Saves a section of the settings over the version that this form shows. What somebody else saved meanwhile comes in by
 * itself where nothing would be lost, else on request.
 */
export function useSectionForm<Input extends FieldValues, Output, Body>({
  form,
  saved,
  reload,
  valuesOf,
  failedText,
  save,
}: SectionOptions<Input, Output, Body>): SectionFormProps {
  const [version, setVersion] = useState(saved.version)
  const [refusal, setRefusal] = useState<string>()
  const [formError, setFormError] = useState<string>()
  const { isDirty, isSubmitting } = form.formState
  const isStale = saved.version > version

  const show = (shown: Versioned<Body>) => {
    form.reset(valuesOf(shown.body))
    setVersion(shown.version)
    setRefusal(undefined)
    setFormError(undefined)
  }
  useEffect(() => {
    if (!isStale || isDirty || isSubmitting) return
    form.reset(valuesOf(saved.body))
    setVersion(saved.version)
  }, [isStale, isDirty, isSubmitting, form.reset, saved, valuesOf])

  const submit = form.handleSubmit(
    async body => {
      setFormError(undefined)
      try {
        show(await save({ version, body }))
      } catch (cause) {
        const failure = failureOf(cause)
        if (failure.kind === 'refused' && failure.status === 409) {
          setRefusal(failure.message)
          await reload()
          return
        }
        const fields = failure.kind === 'refused' ? formFields(failure.fields) : {}
        if (!showFieldErrors(form, fields)) setFormError(refusalOr(cause, failedText))
      }
    },
    undefined,
    () => setFormError(failedText),
  )
  const stale = isStale && isDirty && <StaleNotice message={refusal} onLoad={() => show(saved)} />
  return { submit, busy: isSubmitting, formError, stale }
}

type SectionFormProps = {
  submit: (event: FormEvent) => unknown
  busy: boolean
  formError: string | undefined
  stale: ReactNode
}

/** The fields of a section between what went wrong and the button that saves it. */
export function SectionForm({
  submit,
  busy,
  formError,
  stale,
  children,
}: SectionFormProps & { children: ReactNode }) {
  return (
    <form noValidate onSubmit={submit} className="grid gap-6">
      <FormError>{formError}</FormError>
      {stale}
      {children}
      <div className="flex justify-end">
        <Button type="submit" className="max-sm:grow" busy={busy} busyLabel="Saving...">
          Save
        </Button>
      </div>
    </form>
  )
}

/** The server's `body.leadDays` as the form's `leadDays`. */
function formFields(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, message]) => [name.replace(/^body\./, ''), message]),
  )
}
