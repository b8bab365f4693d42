import { Trash2, UserPlus } from 'lucide-react'
import { useRef } from 'react'
import { useFieldArray, useFormContext } from 'react-hook-form'
import { maxAdditionalGuests } from '../../../domain/application.ts'
import { Button } from '../../ui/button.tsx'
import { CheckboxField } from '../../ui/choice-fields.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextField } from '../../ui/text-field.tsx'

type GuestValues = {
  additionalGuests: { firstName: string; lastName: string; isAdult: boolean }[]
}

/** The additional guests, one after another; inside a form of react-hook-form's FormProvider that has them. */
export function GuestFields() {
  const { control, register, formState } = useFormContext<GuestValues>()
  const { fields, append, remove } = useFieldArray({ control, name: 'additionalGuests' })
  const addButton = useRef<HTMLButtonElement>(null)
  const errors = formState.errors.additionalGuests

  return (
    <div className="grid justify-items-start gap-5">
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
                remove(index)
                addButton.current?.focus()
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
      <FormError>{errors?.root?.message ?? errors?.message}</FormError>
      <Button
        ref={addButton}
        variant="secondary"
        disabled={fields.length >= maxAdditionalGuests}
        onClick={() => append({ firstName: '', lastName: '', isAdult: true })}
      >
        <UserPlus aria-hidden />
        Add Guest
      </Button>
    </div>
  )
}
