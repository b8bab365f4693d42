import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { namedPeople, pastStartMessage } from '../../../../domain/bookings/application.ts'
import {
  type ApplicationInput,
  applicationFormFor,
  crossFieldRule,
} from '../../../../domain/bookings/application-form.ts'
import { applicationRuleFields } from '../../../../domain/bookings/booking-rules.ts'
import type { CalendarDate } from '../../../../domain/common/dates.ts'
import { api, newId } from '../../../api/api.ts'
import { useGuestLimit } from '../../../api/site.ts'
import { clearSavedStay, readSavedStay } from '../../../features/stays/saved-stay.ts'
import { useToday } from '../../../features/stays/today.ts'
import { useBookingRules } from '../../../features/stays/use-booking-rules.ts'
import { failureTexts } from '../../../forms/failure-toast.ts'
import { useFormSubmit } from '../../../forms/use-submit.ts'
import { useZodForm } from '../../../forms/zod-form.ts'
import { paths } from '../../../routing/paths.ts'
import { isSessionExpired, useUser } from '../../../session/session.tsx'
import { toast } from '../../../ui/toast.ts'
import { blankValues, clearDraft, type FormValues, readDraft, saveDraft } from './application-draft.ts'

const texts = {
  failed: 'Failed to create application',
  noResponse: 'Failed to submit application. Please try again.',
}

/** The form for a new application, saved as a draft while it is filled in. */
export function useApplicationForm() {
  const { firstName, id, lastName, phone } = useUser()
  const today = useToday()
  const [, navigate] = useLocation()
  const queries = api.useUtils()
  const submission = api.applications.createAndSubmit.useMutation()
  const [draft] = useState(() => readDraft(id))
  const [restored, setRestored] = useState(draft !== undefined)
  const attempt = useRef(draft?.attempt)
  const done = useRef(false)

  const blank = { ...blankValues, firstName, lastName, phone }
  const [initial] = useState(() => withSavedStay(draft?.values ?? blank, today))
  const { brokenRules, maxGuests } = useBookingRules()
  const guestLimit = useGuestLimit()
  const form = useZodForm(() => schemaOf({ guestLimit, today, brokenRules }), initial)
  const { subscribe, getValues, reset } = form

  useEffect(() => {
    const save = () => {
      if (!done.current)
        saveDraft({ userId: id, values: getValues() as FormValues, attempt: attempt.current })
    }
    // The dates from the home page are now part of the draft.
    if (readSavedStay(today)) save()
    clearSavedStay()
    return subscribe({ formState: { values: true }, callback: save })
  }, [subscribe, getValues, id, today])

  const leave = () => {
    done.current = true
    clearDraft()
    navigate(paths.dashboard)
  }

  const startOver = () => {
    reset(blank)
    attempt.current = undefined
    clearDraft()
    setRestored(false)
  }

  const send = async (application: ApplicationInput) => {
    const sent = JSON.stringify(application)
    if (attempt.current?.sent !== sent) attempt.current = { requestId: newId(), sent }
    saveDraft({ userId: id, values: getValues() as FormValues, attempt: attempt.current })
    await submission.mutateAsync({ ...application, requestId: attempt.current.requestId })
    await queries.applications.invalidate()
    toast.success('Application submitted successfully!')
    leave()
  }
  // Said once: the reason at its field, else above the button.
  const explain = (error: unknown, isAtField: boolean) => {
    const { detail, title } = failureTexts(error, texts)
    return isSessionExpired(error) ? undefined : { title, detail: isAtField ? undefined : detail }
  }
  const { submit, formError, busy } = useFormSubmit(form, send, explain, {
    onInvalid: () => toast.error('Please fix the errors before submitting'),
  })
  return { form, restored, startOver, submit, leave, formError, busy, maxGuests }
}

type SchemaParams = {
  guestLimit: ReturnType<typeof useGuestLimit>
  today: CalendarDate
  brokenRules: ReturnType<typeof useBookingRules>['brokenRules']
}

/** The form's schema, including checks that depend on today's date and the owner's booking rules. */
function schemaOf({ guestLimit, today, brokenRules }: SchemaParams) {
  return applicationFormFor(guestLimit)
    .refine(({ requestedStartDate }) => requestedStartDate === '' || requestedStartDate >= today, {
      path: ['requestedStartDate'],
      error: pastStartMessage,
    })
    .superRefine(
      ...crossFieldRule(values =>
        brokenRules({
          start: String(values.requestedStartDate),
          end: String(values.requestedEndDate),
          people: namedPeople(values),
        }).map(({ about, message }) => ({ path: applicationRuleFields[about], message })),
      ),
    )
}

/** Dates chosen on the home page replace older dates. */
function withSavedStay(values: FormValues, today: string): FormValues {
  const stay = readSavedStay(today)
  return stay ? { ...values, requestedStartDate: stay.start, requestedEndDate: stay.end } : values
}
