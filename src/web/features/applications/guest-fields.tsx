import { Trash2, UserPlus } from 'lucide-react'
import { useId, useRef } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { maxAdditionalGuests } from '../../../domain/bookings/application.ts'
import { guestCount } from '../../../domain/bookings/people.ts'
import { guestLimitMessage, maxGuestsMessage } from '../../../domain/common/guest-limit.ts'
import { useGuestLimit } from '../../api/site.ts'
import { useRows } from '../../forms/use-rows.ts'
import { fieldPropsOf, messageAt } from '../../forms/zod-form.ts'
import { Button } from '../../ui/button.tsx'
import { CheckboxField } from '../../ui/choice-fields.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { NameField } from './person-fields.tsx'

type GuestValues = {
  secondApplicantFirstName: string
  secondApplicantLastName: string
  additionalGuests: { firstName: string; lastName: string; isAdult: boolean }[]
}

type GuestFieldsProps = { countBefore?: number; maxGuests?: number | undefined }

/**
 * The list of additional guests. Needs a FormProvider whose form has the guests and the co-applicant. `countBefore`
 * people are saved already: they may stay even if the condo sleeps fewer. `maxGuests` is the limit in the owner's
 * rules, if there is one.
 */
export function GuestFields({ countBefore = 0, maxGuests: ownLimit }: GuestFieldsProps) {
  const guestLimit = useGuestLimit()
  // If the property sleeps fewer than the owner's rule allows, the property's limit applies.
  const maxGuests = ownLimit !== undefined && ownLimit <= guestLimit ? ownLimit : undefined
  const form = useFormContext<GuestValues>()
  const { addButton, append, fields, remove } = useRows({ control: form.control, name: 'additionalGuests' })
  const list = useRef<HTMLDivElement>(null)
  const noticeId = useId()
  const message = messageAt(form, 'additionalGuests')
  const count = useGuestCount()
  const allowed = Math.max(maxGuests ?? guestLimit, countBefore)
  // The names of the applicants do not update the list's error, so the limit is checked here.
  const isLimit = message === guestLimitMessage(guestLimit) || message === maxGuestsMessage(allowed)
  const error = isLimit && count <= allowed ? undefined : message

  const removeGuest = (index: number) => {
    remove(index)
    if (addButton.current?.disabled) list.current?.focus()
  }

  return (
    <div ref={list} tabIndex={-1} className="grid justify-items-start gap-5 outline-none">
      {fields.map(({ id }, index) => (
        <Guest key={id} index={index} onRemove={() => removeGuest(index)} />
      ))}
      <FormError>{error}</FormError>
      {!error && <GuestLimitNotice id={noticeId} count={count} allowed={allowed} maxGuests={maxGuests} />}
      <Button
        ref={addButton}
        variant="secondary"
        disabled={count >= allowed || fields.length >= maxAdditionalGuests}
        aria-describedby={noticeId}
        onClick={() => append({ firstName: '', lastName: '', isAdult: true })}
      >
        <UserPlus aria-hidden />
        Add guest
      </Button>
    </div>
  )
}

/** The number of people with a name so far, including applicants. Needs the form's FormProvider. */
export function useGuestCount(): number {
  return useWatch({
    control: useFormContext<GuestValues>().control,
    compute: values =>
      guestCount({
        secondApplicantFirstName: values.secondApplicantFirstName.trim(),
        secondApplicantLastName: values.secondApplicantLastName.trim(),
        additionalGuests: values.additionalGuests.filter(
          guest => guest.firstName.trim() || guest.lastName.trim(),
        ),
      }),
  })
}

/** One row per guest; on a phone the two names share a line, and the rest goes below. */
function Guest({ index, onRemove }: { index: number; onRemove: () => void }) {
  const field = fieldPropsOf(useFormContext<GuestValues>())
  const [first, last] = [`additionalGuests.${index}.firstName`, `additionalGuests.${index}.lastName`] as const
  return (
    <fieldset className="w-full">
      <legend className="sr-only">Guest {index + 1}</legend>
      <div className="grid grid-cols-2 items-start gap-x-4 gap-y-1 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto_auto] sm:gap-x-5">
        <NameField label="First name" {...field(first, { deps: last })} />
        <NameField label="Last name" {...field(last, { deps: first })} />
        <div className="col-span-2 flex items-center justify-between gap-4 sm:contents">
          {/* Aligned with the inputs, which are below their labels. */}
          <CheckboxField
            label="Adult (18+ years old)"
            className="min-h-11 justify-center sm:mt-7"
            {...field(`additionalGuests.${index}.isAdult`)}
          />
          <IconButton
            label={`Remove guest ${index + 1}`}
            className="text-muted not-disabled:hover:text-red sm:mt-7.5"
            onClick={onRemove}
          >
            <Trash2 aria-hidden />
          </IconButton>
        </div>
      </div>
    </fieldset>
  )
}

type GuestLimitNoticeProps = {
  id: string
  /** The number of people with a name so far. */
  count: number
  /** The limit: how many the condo sleeps, or how many were saved before there was a limit. */
  allowed: number
  /** The owner's own limit, if it is lower. */
  maxGuests?: number | undefined
}

/** Explains why no guest can be added, or that there are too many guests. */
function GuestLimitNotice({ id, count, allowed, maxGuests }: GuestLimitNoticeProps) {
  const guestLimit = useGuestLimit()
  const limit =
    maxGuests === undefined ? `The condo sleeps ${guestLimit}` : maxGuestsMessage(maxGuests).slice(0, -1)
  return (
    <div id={id} role="status" className="contents">
      {count > allowed ? (
        <Notice tone="warning" title={limit}>
          You have named {count} people, applicants included. Please name at most {allowed}.
        </Notice>
      ) : (
        count === allowed && (
          <p className="text-[0.9375rem] text-muted">{limit}, so no more guests can be added.</p>
        )
      )}
    </div>
  )
}
