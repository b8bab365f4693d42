import type { ReactNode } from 'react'
import { FormProvider, useFormContext, useWatch } from 'react-hook-form'
import { GuestFields, useGuestCount } from '../../../features/applications/guest-fields.tsx'
import {
  AddressFields,
  ApplicantFields,
  fieldPairClass,
  PhoneField,
  SecondApplicantFields,
} from '../../../features/applications/person-fields.tsx'
import { StayEstimate } from '../../../features/stays/stay-estimate.tsx'
import { typedStay } from '../../../features/stays/stay-selection.ts'
import { useToday } from '../../../features/stays/today.ts'
import { fieldPropsOf } from '../../../forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { TextAreaField } from '../../../ui/text-field.tsx'
import type { FormValues } from './application-draft.ts'
import { StayFields } from './stay-fields.tsx'
import { useApplicationForm } from './use-application-form.ts'

/** Creates and submits a new application in one step. */
export function ApplicationFormPage() {
  const { form, restored, startOver, submit, leave, formError, busy, maxGuests } = useApplicationForm()
  return (
    <Page
      title="Rental application"
      subtitle={
        <>
          It takes about five minutes. We review it within{' '}
          <span className="whitespace-nowrap">1-2 business days</span>.
        </>
      }
    >
      <FormProvider {...form}>
        {/* The scroll margin keeps a focused field's error, which is below the field, in view. */}
        <form noValidate onSubmit={submit} className="[&_:is(input,select)]:scroll-mb-16">
          {restored && (
            <Notice
              className="mb-6"
              title="We kept what you entered"
              action={
                <Button variant="secondary" size="sm" onClick={startOver}>
                  Start over
                </Button>
              }
            >
              It stays only in this browser tab, until you submit or cancel.
            </Notice>
          )}
          <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
            <Sections maxGuests={maxGuests} />
            <div>
              <FormError className="mb-5">
                {formError && (
                  <>
                    {formError.title}
                    {formError.detail && <span className="block font-normal">{formError.detail}</span>}
                  </>
                )}
              </FormError>
              <p className="mb-3 text-muted sm:text-right">Nothing is charged now.</p>
              <div className="flex flex-wrap-reverse gap-3 sm:justify-end">
                <Button variant="secondary" size="lg" className="max-sm:grow" onClick={leave}>
                  Cancel
                </Button>
                <Button type="submit" size="lg" className="max-sm:grow" busy={busy} busyLabel="Submitting...">
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

function Sections({ maxGuests }: { maxGuests: number | undefined }) {
  const today = useToday()
  const guests = useGuestCount()
  const form = useFormContext<FormValues>()
  const start = useWatch({ control: form.control, name: 'requestedStartDate' })
  const end = useWatch({ control: form.control, name: 'requestedEndDate' })
  return (
    <>
      <FormSection title="Your stay">
        <StayFields today={today} />
      </FormSection>
      <div className="lg:sticky lg:top-22 lg:col-start-2 lg:row-span-6 lg:row-start-1">
        <StayEstimate stay={typedStay(start, end)} guests={guests} />
      </div>
      <FormSection title="About you" hint="The main applicant, who signs the lease.">
        <ApplicantFields />
        <div className={fieldPairClass}>
          <PhoneField />
        </div>
      </FormSection>
      <FormSection title="Co-applicant" hint="Optional. Somebody who signs the lease with you.">
        <SecondApplicantFields titled />
      </FormSection>
      <FormSection title="Current address">
        <AddressFields />
      </FormSection>
      <FormSection
        title="Additional guests"
        hint="Optional. Everybody else who is staying, including children."
      >
        <GuestFields maxGuests={maxGuests} />
      </FormSection>
      <FormSection title="Message" hint="Optional. A late arrival, a question, anything that helps us.">
        <TextAreaField
          label={<span className="sr-only">Anything we should know?</span>}
          rows={3}
          maxLength={1000}
          {...fieldPropsOf(form)('guestNote')}
        />
      </FormSection>
    </>
  )
}

/** A section of a long form, with a heading. */
function FormSection({ title, hint, children }: { title: string; hint?: ReactNode; children: ReactNode }) {
  return (
    <Card aria-label={title}>
      <CardHeader title={title} subtitle={hint} />
      <CardBody className="grid gap-5">{children}</CardBody>
    </Card>
  )
}
