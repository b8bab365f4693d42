import { type RefObject, useEffect } from 'react'
import type { z } from 'zod'
import { condoForm } from '../../../domain/content/install.ts'
import { api, type Outputs } from '../../api/api.ts'
import { useAccountForm } from '../../forms/account-form.tsx'
import { useZodForm } from '../../forms/zod-form.ts'
import { useUser } from '../../session/session.tsx'
import { SelectField } from '../../ui/choice-fields.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { TextField } from '../../ui/text-field.tsx'

export type Install = Outputs['install']['get']

const failed = 'Your answers could not be saved. Please try again.'
const texts = { failed, noResponse: failed, atFields: true }
const hereZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

type Answers = z.input<typeof condoForm>

type CondoStepProps = {
  install: Install
  /** The answers as they were left without being saved. */
  draft: RefObject<Answers | undefined>
  formId: string
  onBusy: (busy: boolean) => void
  onSaved: (now: Install) => void
}

/** Who rents the condo out, where it is, and how guests reach them. */
export function CondoStep({ install, draft, formId, onBusy, onSaved }: CondoStepProps) {
  const { condo, fixedTimeZone } = install
  const zone = fixedTimeZone ?? install.timeZone ?? hereZone()
  const { email } = useUser()
  const save = api.install.saveCondo.useMutation()
  const form = useZodForm(
    condoForm,
    draft.current ?? { ...condo, ownerEmail: condo.ownerEmail || email, timeZone: zone },
  )
  useEffect(
    () => () => {
      draft.current = form.getValues()
    },
    [draft, form],
  )
  const { submit, formError, field } = useAccountForm(form, texts, async answers => {
    onBusy(true)
    onSaved(await save.mutateAsync(answers).finally(() => onBusy(false)))
  })
  return (
    <form id={formId} noValidate onSubmit={submit} className="grid gap-5">
      <FormError>{formError}</FormError>
      <TextField
        label="Company name"
        required
        autoComplete="organization"
        hint="The landlord in leases and emails. Your own name will do."
        {...field('companyName')}
      />
      <TextField
        label="Property name"
        required
        hint="What guests call the place."
        {...field('propertyName')}
      />
      <TextField
        label="Property address"
        required
        hint="Street, unit, town, state and ZIP code."
        {...field('propertyAddress')}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="Owner email"
          type="email"
          required
          autoComplete="email"
          hint="Guests write to it."
          {...field('ownerEmail')}
        />
        <TextField label="Owner phone" type="tel" required autoComplete="tel" {...field('ownerPhone')} />
      </div>
      {fixedTimeZone ? (
        <TextField label="Time zone" readOnly value={fixedTimeZone} hint="Set on the server." />
      ) : (
        <SelectField
          label="Time zone"
          required
          hint="Of the condo: every date of your site follows it."
          {...field('timeZone')}
        >
          {[...new Set([zone, ...Intl.supportedValuesOf('timeZone')])].toSorted().map(name => (
            <option key={name} value={name}>
              {name.replaceAll('_', ' ')}
            </option>
          ))}
        </SelectField>
      )}
    </form>
  )
}
