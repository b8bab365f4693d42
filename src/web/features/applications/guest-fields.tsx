import { Trash2, UserPlus } from 'lucide-react'
import { useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form'
import { guestCount, maxAdditionalGuests } from '../../../domain/application.ts'
import { guestLimit, guestLimitMessage } from '../../../domain/guest-limit.ts'
import { Button } from '../../ui/button.tsx'
import { CheckboxField } from '../../ui/choice-fields.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { GuestLimitNotice } from './guest-limit-notice.tsx'

type GuestValues = {
  secondApplicantFirstName: string
  secondApplicantLastName: string
  additionalGuests: { firstName: string; lastName: string; isAdult: boolean }[]
}

/**
 * The additional guests, one after another; inside a form of react-hook-form's FormProvider that has them and the second
 * applicant. `countBefore` people are named already: they may stay, even if they are more than the condo sleeps.
 */
export function GuestFields({ countBefore = 0 }: { countBefore?: number }) {
  const { control, register, formState } = useFormContext<GuestValues>()
  const { fields, append, remove } = useFieldArray({ control, name: 'additionalGuests' })
  const addButton = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const noticeId = useId()
  const errors = formState.errors.additionalGuests
  const message = errors?.root?.message ?? errors?.message

  const [secondApplicantFirstName = '', secondApplicantLastName = '', guests = []] = useWatch<
    GuestValues,
    ['secondApplicantFirstName', 'secondApplicantLastName', 'additionalGuests']
  >({ name: ['secondApplicantFirstName', 'secondApplicantLastName', 'additionalGuests'] })
  const count = guestCount({
    secondApplicantFirstName: secondApplicantFirstName.trim(),
    secondApplicantLastName: secondApplicantLastName.trim(),
    additionalGuests: guests.filter(guest => guest.firstName.trim() || guest.lastName.trim()),
  })
  const allowed = Math.max(guestLimit, countBefore)
  // The limit is looked at as people come and go, which changes no error of the list.
  const error = message === guestLimitMessage && count <= allowed ? undefined : message

  return (
    <div ref={list} tabIndex={-1} className="grid justify-items-start gap-5 outline-none">
      {fields.map((field, index) => (
        <fieldset
          key={field.id}
          className="w-full rounded-control border border-line bg-canvas/60 p-4 pt-2 sm:p-5 sm:pt-2"
        >
          <legend className="sr-only">Guest {index + 1}</legend>
          <div className="mb-1 flex items-center justify-between">
            <span aria-hidden className="font-semibold text-navy">
              Guest {index + 1}
            </span>
            <IconButton
              label={`Remove guest ${index + 1}`}
              tone="danger"
              className="-mr-2"
              onClick={() => {
                flushSync(() => remove(index))
                const next = addButton.current?.disabled ? list : addButton
                next.current?.focus()
              }}
            >
              <Trash2 aria-hidden />
            </IconButton>
          </div>
          <div className="grid items-start gap-5 sm:grid-cols-2">
            <TextField
              label="First name"
              autoComplete="off"
              autoCapitalize="words"
              error={errors?.[index]?.firstName?.message}
              {...register(`additionalGuests.${index}.firstName`, {
                deps: `additionalGuests.${index}.lastName`,
              })}
            />
            <TextField
              label="Last name"
              autoComplete="off"
              autoCapitalize="words"
              error={errors?.[index]?.lastName?.message}
              {...register(`additionalGuests.${index}.lastName`, {
                deps: `additionalGuests.${index}.firstName`,
              })}
            />
          </div>
          <CheckboxField
            label="Adult (18+ years old)"
            className="mt-4"
            error={errors?.[index]?.isAdult?.message}
            {...register(`additionalGuests.${index}.isAdult`)}
          />
        </fieldset>
      ))}
      <FormError>{error}</FormError>
      {!error && <GuestLimitNotice id={noticeId} count={count} allowed={allowed} />}
      <Button
        ref={addButton}
        variant="secondary"
        disabled={count >= allowed || fields.length >= maxAdditionalGuests}
        aria-describedby={noticeId}
        onClick={() => append({ firstName: '', lastName: '', isAdult: true })}
      >
        <UserPlus aria-hidden />
        Add Guest
      </Button>
    </div>
  )
}
