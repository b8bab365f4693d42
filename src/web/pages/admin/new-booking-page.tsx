import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { FormProvider, useFormContext, useWatch } from 'react-hook-form'
import { useLocation } from 'wouter'
import {
  type BookingEntry,
  type BookingEntryValues,
  bookingEntryFor,
  maxEntryPayments,
} from '../../../domain/bookings/booking-entry.ts'
import { paymentTypeLabels } from '../../../domain/money/ledger.ts'
import { manualTypes } from '../../../domain/money/payment.ts'
import { api } from '../../api/api.ts'
import { useGuestLimit } from '../../api/site.ts'
import { GuestFields } from '../../features/applications/guest-fields.tsx'
import {
  AddressFields,
  fieldPairClass,
  NameField,
  PhoneField,
  SecondApplicantFields,
} from '../../features/applications/person-fields.tsx'
import { asCents, asDollars } from '../../features/payments/dollar-amount.ts'
import { useToday } from '../../features/stays/today.ts'
import { useRows } from '../../forms/use-rows.ts'
import { useSubmit } from '../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm, type ZodForm } from '../../forms/zod-form.ts'
import { BackLink } from '../../routing/back-link.tsx'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { CheckboxField, SelectField } from '../../ui/choice-fields.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { FormRow } from '../../ui/form-row.tsx'
import { Page } from '../../ui/page.tsx'
import { MoneyField, TextAreaField, TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { CalendarOverride, useCalendarOverride } from './calendar-override.tsx'

/** Enters a booking that was not made on this site. */
export function NewBookingPage() {
  const guestLimit = useGuestLimit()
  const form = useZodForm(() => bookingEntryFor(guestLimit), blank)
  const { override, submit, formError, busy } = useEntry(form)
  return (
    <Page
      title="Enter a Booking"
      subtitle="For a booking that was made elsewhere"
      width="narrow"
      back={<BackLink href={paths.adminAvailability}>Back to Availability</BackLink>}
    >
      <FormProvider {...form}>
        <form noValidate onSubmit={submit} className="grid gap-6">
          <FormError>{formError === override.message ? undefined : formError}</FormError>
          <GuestSection />
          <StaySection />
          <RentSection />
          <Section title="Payments Received">
            <EnteredPayments />
          </Section>
          <InvitationSection />
          <CalendarOverride {...override} />
          <div className="flex justify-end max-sm:*:grow">
            <Button type="submit" size="lg" busy={busy} busyLabel="Saving...">
              Enter Booking
            </Button>
          </div>
        </form>
      </FormProvider>
    </Page>
  )
}

/** Submits the booking once and opens it; if another calendar has taken the nights, offers the override first. */
function useEntry(form: ZodForm<BookingEntryValues, BookingEntry>) {
  const create = api.manualBookings.create.useMutation()
  const utils = api.useUtils()
  const [, navigate] = useLocation()
  const [requestId] = useState(() => crypto.randomUUID())
  const override = useCalendarOverride(
    useWatch({ control: form.control, compute: values => `${values.startDate} ${values.endDate}` }),
  )
  const submission = useSubmit(form, 'Failed to enter the booking', async entry => {
    const { application, warnings } = await override.send(overrideCalendar =>
      create.mutateAsync({ ...entry, ...overrideCalendar, requestId }),
    )
    toast.success('Booking entered')
    for (const warning of warnings) toast.info('Please note', warning)
    void Promise.all([utils.applications.invalidate(), utils.availability.invalidate()])
    navigate(paths.adminApplication(application.id), { replace: true })
  })
  return { override, ...submission }
}

const useFields = () => fieldPropsOf(useFormContext<BookingEntryValues>())

function GuestSection() {
  const field = useFields()
  return (
    <Section title="Guest" subtitle="You can leave the phone and address empty: the guest is asked for them.">
      <div className={fieldPairClass}>
        <NameField label="First name" required {...field('firstName')} />
        <NameField label="Last name" required {...field('lastName')} />
      </div>
      <div className={fieldPairClass}>
        <TextField
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="off"
          required
          hint="The guest’s account. A new one is created if there is none."
          {...field('email')}
        />
        <PhoneField required={false} />
      </div>
      <AddressFields required={false} />
    </Section>
  )
}

function StaySection() {
  const field = useFields()
  return (
    <Section title="Stay">
      <div className={fieldPairClass}>
        <TextField label="Arrival" type="date" required {...field('startDate', { deps: 'endDate' })} />
        <TextField label="Departure" type="date" required {...field('endDate')} />
      </div>
      <SecondApplicantFields />
      <GuestFields />
    </Section>
  )
}

function RentSection() {
  const field = useFields()
  const generatesLease = useWatch({
    control: useFormContext<BookingEntryValues>().control,
    name: 'generateLease',
  })
  return (
    <Section title="Rent and Lease">
      <CheckboxField
        label="Generate the lease"
        hint="Without it, only rent and deposit are owed. You can generate it later."
        {...field('generateLease')}
      />
      <div className={fieldPairClass}>
        <MoneyField
          label="Monthly rent"
          hint={generatesLease ? 'From your rates when left empty' : 'None when left empty'}
          {...field('rentalAmount', asDollars)}
        />
        <MoneyField
          label="Deposit"
          hint={generatesLease ? 'The usual deposit when left empty' : 'None when left empty'}
          {...field('depositAmount', asDollars)}
        />
      </div>
    </Section>
  )
}

function InvitationSection() {
  const field = useFields()
  return (
    <Section title="Invitation and Note">
      <CheckboxField
        label="Invite the guest"
        hint="By e-mail, with a link to set a password. Nobody is invited to a stay that has ended."
        {...field('invite')}
      />
      <TextAreaField label="Note" hint="Only you see it." {...field('note')} />
    </Section>
  )
}

type SectionProps = { title: string; subtitle?: string; children: ReactNode }

function Section({ title, subtitle, children }: SectionProps) {
  return (
    <Card aria-label={title}>
      <CardHeader title={title} subtitle={subtitle} />
      <CardBody className="grid gap-5">{children}</CardBody>
    </Card>
  )
}

const blank = {
  firstName: '',
  lastName: '',
  email: '',
  startDate: '',
  endDate: '',
  phone: '',
  address: { street: '', city: '', state: '', zipCode: '' },
  secondApplicantFirstName: '',
  secondApplicantLastName: '',
  additionalGuests: [],
  rentalAmount: null,
  depositAmount: null,
  generateLease: true,
  payments: [],
  invite: true,
  note: '',
}

/** The payments of a booking that the owner enters. Needs the booking form's FormProvider. */
function EnteredPayments() {
  const { control } = useFormContext<BookingEntryValues>()
  const { addButton, append, fields, remove } = useRows({ control, name: 'payments' })
  const today = useToday()
  return (
    <div className="grid justify-items-start gap-5">
      {fields.map(({ id }, index) => (
        <Payment key={id} index={index} today={today} onRemove={() => remove(index)} />
      ))}
      <Button
        ref={addButton}
        variant="secondary"
        disabled={fields.length >= maxEntryPayments}
        onClick={() =>
          append({ amount: Number.NaN, paymentType: 'rent', paymentDate: today, checkNumber: '' })
        }
      >
        <Plus aria-hidden />
        Add Payment
      </Button>
    </div>
  )
}

type PaymentProps = { index: number; today: string; onRemove: () => void }

function Payment({ index, today, onRemove }: PaymentProps) {
  const field = fieldPropsOf(useFormContext<BookingEntryValues>())
  return (
    <FormRow noun="Payment" index={index} onRemove={onRemove}>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <MoneyField label="Amount" required {...field(`payments.${index}.amount`, asCents)} />
        <SelectField label="Payment type" required {...field(`payments.${index}.paymentType`)}>
          {manualTypes.map(type => (
            <option key={type} value={type}>
              {paymentTypeLabels[type]}
            </option>
          ))}
        </SelectField>
        <TextField label="Payment date" type="date" max={today} {...field(`payments.${index}.paymentDate`)} />
        <TextField label="Check number" autoComplete="off" {...field(`payments.${index}.checkNumber`)} />
      </div>
    </FormRow>
  )
}
