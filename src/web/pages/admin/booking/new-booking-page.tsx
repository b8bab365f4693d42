import { Plus } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { FormProvider, useFormContext, useWatch } from 'react-hook-form'
import { Link, useLocation } from 'wouter'
import {
  type BookingEntry,
  type BookingEntryValues,
  bookingEntryFor,
  maxEntryPayments,
} from '../../../../domain/bookings/booking-entry.ts'
import { centsToDollars, formatCents } from '../../../../domain/common/money.ts'
import { rentLabel } from '../../../../domain/money/lease-terms.ts'
import { paymentTypeLabels } from '../../../../domain/money/ledger.ts'
import { manualTypes } from '../../../../domain/money/payment.ts'
import { quoteStay } from '../../../../domain/money/rent-quote.ts'
import { api, newId } from '../../../api/api.ts'
import { useGuestLimit, useSite } from '../../../api/site.ts'
import { GuestFields } from '../../../features/applications/guest-fields.tsx'
import {
  AddressFields,
  fieldPairClass,
  NameField,
  PhoneField,
  SecondApplicantFields,
  shortFieldPairClass,
} from '../../../features/applications/person-fields.tsx'
import { asCents, asDollars } from '../../../features/payments/dollar-amount.ts'
import { ApplicationCalendar } from '../../../features/stays/application-calendar.tsx'
import { type StaySelection, typedSelection, typedStay } from '../../../features/stays/stay-selection.ts'
import { useToday } from '../../../features/stays/today.ts'
import { useReadAgain } from '../../../forms/change.ts'
import { useRows } from '../../../forms/use-rows.ts'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm, type ZodForm } from '../../../forms/zod-form.ts'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { CheckboxField, SelectField } from '../../../ui/choice-fields.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { FormRow } from '../../../ui/form-row.tsx'
import { Page } from '../../../ui/page.tsx'
import { MoneyField, TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { CalendarOverride, useCalendarOverride } from '../calendar-override.tsx'

/** Enters a booking that was not made on this site. */
export function NewBookingPage() {
  const guestLimit = useGuestLimit()
  const form = useZodForm(() => bookingEntryFor(guestLimit), blank)
  const { override, submit, formError, busy } = useEntry(form)
  return (
    <Page
      title="New booking"
      subtitle="For a booking that was made elsewhere"
      action={
        <Button variant="secondary" asChild>
          <Link href={paths.adminOffers('new')}>Make an Offer</Link>
        </Button>
      }
    >
      <FormProvider {...form}>
        <form
          noValidate
          onSubmit={submit}
          className="grid max-w-3xl gap-6 lg:max-w-none lg:grid-cols-[minmax(0,48rem)_minmax(0,1fr)] lg:*:col-start-1"
        >
          <FormError>{override.otherError(formError)}</FormError>
          <StaySection />
          <Price />
          <GuestSection />
          <RentSection />
          <MoreSection />
          <CalendarOverride {...override} />
          <div className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
            <Button variant="ghost" size="lg" asChild>
              <Link href={paths.adminAvailability}>Cancel</Link>
            </Button>
            <Button type="submit" size="lg" busy={busy} busyLabel="Saving...">
              Add booking
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
  const readAgain = useReadAgain()
  const [, navigate] = useLocation()
  const [requestId] = useState(newId)
  const override = useCalendarOverride(
    useWatch({ control: form.control, compute: values => `${values.startDate} ${values.endDate}` }),
  )
  const submission = useSubmit(form, 'Failed to enter the booking', async entry => {
    const { application, warnings } = await override.send(overrideCalendar =>
      create.mutateAsync({ ...entry, ...overrideCalendar, requestId }),
    )
    toast.success('Booking entered')
    for (const warning of warnings) toast.info('Please note', warning)
    void readAgain()
    navigate(paths.adminApplication(application.id), { replace: true })
  })
  return { override, ...submission }
}

const useFields = () => fieldPropsOf(useFormContext<BookingEntryValues>())

function StaySection() {
  const form = useFormContext<BookingEntryValues>()
  const field = useFields()
  const [start, end] = useWatch({ control: form.control, name: ['startDate', 'endDate'] })
  const pick = (selection: StaySelection | undefined) => {
    const options = { shouldDirty: true, shouldValidate: form.formState.isSubmitted }
    form.setValue('startDate', selection?.start ?? '', options)
    form.setValue('endDate', selection?.end ?? '', options)
  }
  return (
    <Section title="Stay">
      <div className={shortFieldPairClass}>
        <TextField label="Arrival" type="date" required {...field('startDate', { deps: 'endDate' })} />
        <TextField label="Departure" type="date" required {...field('endDate')} />
      </div>
      <ApplicationCalendar
        isOwners
        today={useToday()}
        selection={typedSelection(start, end)}
        onSelect={pick}
      />
    </Section>
  )
}

/** The price of the chosen nights, with which the rent and the deposit are filled in until the owner changes them. */
function Price() {
  const { control } = useFormContext<BookingEntryValues>()
  const [start, end] = useWatch({ control, name: ['startDate', 'endDate'] })
  const rates = api.rates.list.useQuery().data?.rates
  const site = useSite()
  const stay = typedStay(start, end)
  const quote = stay && rates && quoteStay(rates, stay)
  const rentCents = quote?.rentCents || null
  useFilledIn('rentalAmount', rentCents)
  useFilledIn('depositAmount', rentCents && site ? (site.depositCents ?? rentCents) : null)
  return (
    <Card
      aria-label="Price by your rates"
      className={classNames(
        'self-start lg:sticky lg:top-24 lg:col-start-2! lg:row-span-5 lg:row-start-1',
        !stay && 'max-lg:hidden',
      )}
    >
      <CardHeader title="Price by your rates" />
      <CardBody role="status">
        {quote && (
          <>
            <p className="text-xl font-semibold text-navy">{formatCents(quote.totalCents)}</p>
            {quote.parts.map(({ label }) => (
              <p key={label} className="text-muted">
                {label}
              </p>
            ))}
          </>
        )}
        {stay && rates && !quote && 'Your rates have no price for these nights.'}
        {!stay && <p className="text-muted">Choose the dates to see it.</p>}
      </CardBody>
    </Card>
  )
}

/** Fills in an amount, and changes it with the dates unless the owner has entered another. */
function useFilledIn(name: 'rentalAmount' | 'depositAmount', cents: number | null) {
  const { getValues, setValue } = useFormContext<BookingEntryValues>()
  const filledIn = useRef<number | null>(null)
  useEffect(() => {
    if (getValues(name) !== filledIn.current) return
    filledIn.current = cents && centsToDollars(cents)
    setValue(name, filledIn.current)
  }, [cents, getValues, name, setValue])
}

function GuestSection() {
  const field = useFields()
  const { control } = useFormContext<BookingEntryValues>()
  const [isInvited, end] = useWatch({ control, name: ['invite', 'endDate'] })
  const today = useToday()
  const isOver = end !== '' && end <= today
  return (
    <Section title="Guest">
      <div className={shortFieldPairClass}>
        <NameField label="First name" required {...field('firstName')} />
        <NameField label="Last name" required {...field('lastName')} />
      </div>
      <CheckboxField
        label="Invite the guest"
        hint={
          isOver
            ? 'The stay has ended: nobody is invited. With the email you can make an offer.'
            : 'By email, with a link to set a password.'
        }
        {...field('invite')}
      />
      {(isInvited || isOver) && (
        <TextField
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="off"
          required={isInvited}
          hint="The guest’s account. A new one is created if there is none."
          // Where the field is not shown, what was typed does not count.
          {...field('email', { shouldUnregister: true })}
        />
      )}
    </Section>
  )
}

function RentSection() {
  const field = useFields()
  const depositCents = useSite()?.depositCents
  const [generatesLease, start, end] = useWatch({
    control: useFormContext<BookingEntryValues>().control,
    name: ['generateLease', 'startDate', 'endDate'],
  })
  return (
    <Section title="Rent and lease">
      <div className={shortFieldPairClass}>
        <MoneyField
          label={start && end ? rentLabel(start, end) : 'Rent'}
          hint={generatesLease ? 'From your rates when left empty' : 'None when left empty'}
          {...field('rentalAmount', asDollars)}
        />
        <MoneyField
          label="Deposit"
          hint={generatesLease ? 'The usual deposit when left empty' : 'None when left empty'}
          placeholder={generatesLease && depositCents ? (depositCents / 100).toFixed(2) : undefined}
          {...field('depositAmount', asDollars)}
        />
      </div>
      <CheckboxField
        label="Generate the lease"
        hint="Without it, only rent and deposit are owed. You can generate it later."
        {...field('generateLease')}
      />
    </Section>
  )
}

/** What a booking from elsewhere often does not have. */
function MoreSection() {
  return (
    <Card aria-label="More details">
      <CardBody>
        <Disclosure
          summary={
            <span>
              More details
              <span className="block text-[0.9375rem] font-normal text-muted">
                Payments received, phone, address, guests, note
              </span>
            </span>
          }
        >
          <div className="grid gap-8 pt-3">
            <EnteredPayments />
            <div className={fieldPairClass}>
              <PhoneField required={false} />
            </div>
            <AddressFields required={false} />
            <SecondApplicantFields />
            <GuestFields />
            <TextAreaField label="Note" hint="Only you see it." {...useFields()('note')} />
          </div>
        </Disclosure>
      </CardBody>
    </Card>
  )
}

type SectionProps = { title: string; children: ReactNode }

function Section({ title, children }: SectionProps) {
  return (
    <Card aria-label={title}>
      <CardHeader title={title} />
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
  invite: false,
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
        Add payment
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
