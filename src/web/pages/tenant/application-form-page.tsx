import { useEffect, useRef, useState } from 'react'
import { FormProvider, useWatch } from 'react-hook-form'
import { useLocation } from 'wouter'
import { type ApplicationInput, applicationForm, pastStartMessage } from '../../../domain/application.ts'
import { api } from '../../api/api.ts'
import { newRequestId } from '../../api/request-id.ts'
import { GuestFields } from '../../features/applications/guest-fields.tsx'
import {
  AddressFields,
  ApplicantFields,
  PhoneField,
  SecondApplicantFields,
} from '../../features/applications/person-fields.tsx'
import { clearSavedStay, readSavedStay } from '../../features/stays/saved-stay.ts'
import { StayEstimate } from '../../features/stays/stay-estimate.tsx'
import { useToday } from '../../features/stays/today.ts'
import { toastFailure } from '../../forms/failure-toast.ts'
import { showFieldErrors, useZodForm } from '../../forms/zod-form.ts'
import { paths } from '../../routing/paths.ts'
import { useUser } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type FormValues, forgetDraft, keepDraft, readDraft } from './application-draft.ts'
import { FormSection } from './form-section.tsx'
import { chosenStayOf, StayFields } from './stay-fields.tsx'

/** A new application, created and submitted in one go. */
export function ApplicationFormPage() {
  const user = useUser()
  const today = useToday()
  const [, navigate] = useLocation()
  const queries = api.useUtils()
  const submission = api.applications.createAndSubmit.useMutation()
  const [kept] = useState(() => readDraft(user.id))
  const [restored, setRestored] = useState(kept !== undefined)
  const [refusal, setRefusal] = useState<{ title: string; detail?: string | undefined }>()
  const attempt = useRef(kept?.attempt)
  const done = useRef(false)

  const blank: FormValues = {
    firstName: user.firstName,
    lastName: user.lastName,
    secondApplicantFirstName: '',
    secondApplicantLastName: '',
    phone: user.phone,
    address: { street: '', city: '', state: '', zipCode: '' },
    requestedStartDate: '',
    requestedEndDate: '',
    additionalGuests: [],
  }
  const [initial] = useState(() => withKeptStay(kept?.values ?? blank, today))
  const form = useZodForm(
    applicationForm.refine(
      ({ requestedStartDate }) => requestedStartDate === '' || requestedStartDate >= today,
      { path: ['requestedStartDate'], error: pastStartMessage },
    ),
    initial,
  )
  const { control, handleSubmit, formState, subscribe, getValues, reset } = form

  useEffect(() => {
    const keep = () => {
      if (!done.current)
        keepDraft({ userId: user.id, values: getValues() as FormValues, attempt: attempt.current })
    }
    // The dates that came from the home page are the form's from here on.
    if (readSavedStay(today)) keep()
    clearSavedStay()
    return subscribe({ formState: { values: true }, callback: keep })
  }, [subscribe, getValues, user.id, today])

  const leave = () => {
    done.current = true
    forgetDraft()
    navigate(paths.dashboard)
  }

  const send = async (application: ApplicationInput) => {
    setRefusal(undefined)
    const sent = JSON.stringify(application)
    if (attempt.current?.sent !== sent) attempt.current = { requestId: newRequestId(), sent }
    keepDraft({ userId: user.id, values: getValues() as FormValues, attempt: attempt.current })
    try {
      await submission.mutateAsync({ ...application, requestId: attempt.current.requestId })
      await queries.applications.invalidate()
      toast.success('Application submitted successfully!')
      leave()
    } catch (error) {
      const { title, detail, fields } = toastFailure(error, {
        failed: 'Failed to create application',
        threw: 'Failed to submit application. Please try again.',
      })
      setRefusal({ title, detail })
      showFieldErrors(form, fields)
    }
  }
  const submit = handleSubmit(send, () => {
    setRefusal(undefined)
    toast.error('Please fix the errors before submitting')
  })

  const [start, end] = useWatch({ control, name: ['requestedStartDate', 'requestedEndDate'] })
  return (
    <Page
      title="Rental Application"
      subtitle="It takes about five minutes. We review it within 1-2 business days."
    >
      <FormProvider {...form}>
        {/* A field that gets the focus brings the line below it along, where its error stands. */}
        <form noValidate onSubmit={submit} className="[&_:is(input,select)]:scroll-mb-16">
          {restored && (
            <Notice
              className="mb-6"
              title="We kept what you had entered"
              action={
                <Button
                  variant="secondary"
                  size="sm"
                  onClick={() => {
                    reset(blank)
                    attempt.current = undefined
                    forgetDraft()
                    setRestored(false)
                  }}
                >
                  Start Over
                </Button>
              }
            >
              It stays in this browser tab only, until you submit or cancel.
            </Notice>
          )}
          <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
            <FormSection title="Your stay" hint="The days of your arrival and of your departure.">
              <StayFields today={today} />
            </FormSection>
            <div className="lg:sticky lg:top-22 lg:col-start-2 lg:row-span-6 lg:row-start-1">
              <StayEstimate stay={chosenStayOf(start, end)} />
            </div>
            <FormSection title="About you" hint="The main applicant, who signs the lease.">
              <ApplicantFields />
              <PhoneField />
            </FormSection>
            <FormSection
              title="Second applicant"
              hint="Optional. Somebody who signs the lease together with you."
            >
              <SecondApplicantFields />
            </FormSection>
            <FormSection title="Current address">
              <AddressFields />
            </FormSection>
            <FormSection title="Additional guests" hint="Optional. Everybody else who stays, children too.">
              <GuestFields />
            </FormSection>
            <div>
              <FormError className="mb-5">
                {refusal && (
                  <>
                    {refusal.title}
                    {refusal.detail && <span className="block font-normal">{refusal.detail}</span>}
                  </>
                )}
              </FormError>
              <div className="flex flex-wrap-reverse gap-3 sm:justify-end">
                <Button variant="secondary" size="lg" className="max-sm:grow" onClick={leave}>
                  Cancel
                </Button>
                <Button
                  type="submit"
                  size="lg"
                  className="max-sm:grow"
                  busy={formState.isSubmitting}
                  busyLabel="Submitting..."
                >
                  Submit Application
                </Button>
              </div>
            </div>
          </div>
        </form>
      </FormProvider>
    </Page>
  )
}

/** The dates that were chosen on the home page win over older ones. */
function withKeptStay(values: FormValues, today: string): FormValues {
  const stay = readSavedStay(today)
  return stay ? { ...values, requestedStartDate: stay.start, requestedEndDate: stay.end } : values
}
