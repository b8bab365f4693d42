import { useState } from 'react'
import { FormProvider } from 'react-hook-form'
import { z } from 'zod'
import { isBooked } from '../../../../domain/bookings/application-status.ts'
import { offerForm } from '../../../../domain/bookings/offer-form.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { formatShortStay, stayOf } from '../../../../domain/common/stay.ts'
import { rentLabel } from '../../../../domain/money/lease-terms.ts'
import { api, newRequestId } from '../../../api/api.ts'
import { shortFieldPairClass } from '../../../features/applications/person-fields.tsx'
import { ApplicationCalendar } from '../../../features/stays/application-calendar.tsx'
import { typedSelection, typedStay } from '../../../features/stays/stay-selection.ts'
import { useToday } from '../../../features/stays/today.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { leaseForm } from '../application/lease-form.ts'
import { CalendarOverride, useCalendarOverride } from '../calendar-override.tsx'
import { asWhole, MessageField, orMissing, SecureDaysField } from './offer-fields.tsx'
import { PriceFields, PriceTotal, useOfferPrice } from './offer-price.tsx'

const { extraLines: typedLines } = leaseForm.shape
const form = z.object({ ...offerForm.shape, extraLines: typedLines })
type OfferDialogProps = { applicationId: string | undefined; onMade: () => void; onClose: () => void }

/** Nights held for a person by a clock, with their price; the guest gets an email. */
export function OfferDialog({ applicationId, ...props }: OfferDialogProps) {
  const list = api.applications.adminList.useQuery({ limit: 200 })
  if (list.isPending) return null
  const guests = (list.data?.applications ?? [])
    .filter(({ status, userId }) => isBooked(status) && userId.email !== '')
    .map(application => ({
      applicationId: application.id,
      firstName: application.firstName,
      lastName: application.lastName,
      email: application.userId.email,
      guests: application.guestCount,
      stay: formatShortStay(stayOf(application)),
    }))
  return (
    <OfferForm {...props} known={guests} first={guests.find(each => each.applicationId === applicationId)} />
  )
}

type Guest = {
  applicationId: string
  firstName: string
  lastName: string
  email: string
  guests: number
  stay: string
}
const nobody = { applicationId: undefined, firstName: '', lastName: '', email: '' }

type OfferFormProps = Omit<OfferDialogProps, 'applicationId'> & { known: Guest[]; first: Guest | undefined }

function OfferForm({ first, known, onClose, onMade }: OfferFormProps) {
  const { client } = api.useUtils()
  const today = useToday()
  const [requestId] = useState(newRequestId)
  const hours = api.settings.offers.get.useQuery().data?.body
  const fields = useZodForm(form, {
    ...{ startDate: '', endDate: '', guests: 2, ...(first ?? nobody) },
    ...{ rentalAmount: null, depositAmount: null, extraLines: [] },
  })
  const field = fieldPropsOf(fields)
  const values = fields.watch()
  const { endDate: end, startDate: start } = values
  const stay = typedStay(start, end)
  const price = useOfferPrice(
    stay && {
      ...{ startDate: start, endDate: end, guests: values.guests || 1 },
      ...{ rentalAmount: values.rentalAmount, depositAmount: values.depositAmount },
      ...(values.applicationId && { applicationId: values.applicationId }),
    },
    values.extraLines ?? [],
  )
  const override = useCalendarOverride(`${start} ${end}`)
  const submission = useSubmit(fields, 'Failed to send the offer', async ({ extraLines: _, ...offer }) => {
    const { warnings } = await override.send(overrideCalendar =>
      client.offers.make.mutate({ ...offer, ...price.given, ...overrideCalendar, requestId }),
    )
    toast.success('Offer sent')
    for (const warning of warnings) toast.info('Please note', warning)
    onMade()
  })
  return (
    <FormDialog
      {...submission}
      formError={submission.formError === override.message ? undefined : submission.formError}
      size="lg"
      title="Make an Offer"
      description="The nights are held for the guest until the offer ends."
      submitLabel="Send Offer"
      busyLabel="Sending..."
      onClose={onClose}
    >
      <FormProvider {...fields}>
        <div className={shortFieldPairClass}>
          <TextField label="Arrival" type="date" min={today} required {...field('startDate')} />
          <TextField label="Departure" type="date" min={start || today} required {...field('endDate')} />
        </div>
        <Disclosure summary="The calendar">
          <ApplicationCalendar
            isOwners
            today={today}
            selection={typedSelection(start, end)}
            onSelect={chosen => {
              fields.setValue('startDate', chosen?.start ?? '')
              fields.setValue('endDate', chosen?.end ?? '')
            }}
          />
        </Disclosure>
        {known.length > 0 && (
          <SelectField
            label="Guest"
            value={values.applicationId ?? ''}
            onChange={({ target }) => {
              const guest = known.find(each => each.applicationId === target.value)
              fields.reset({ ...values, ...(guest ?? nobody) })
            }}
          >
            <option value="">Somebody new</option>
            {known.map(({ applicationId, firstName, lastName, stay }) => (
              <option key={applicationId} value={applicationId}>
                {firstName} {lastName}, {stay}
              </option>
            ))}
          </SelectField>
        )}
        {!values.applicationId && (
          <>
            <div className={shortFieldPairClass}>
              <TextField label="First name" autoComplete="off" required {...field('firstName')} />
              <TextField label="Last name" autoComplete="off" required {...field('lastName')} />
            </div>
            <TextField label="Email" type="email" autoComplete="off" required {...field('email')} />
          </>
        )}
        <TextField label="Guests" type="number" min={1} required {...field('guests', asWhole)} />
        <PriceFields price={price} rentLabel={rentLabel(start, end)} />
        <PriceTotal price={price} />
        <TextField
          label="Valid until"
          type="date"
          hint={`To the end of that day. Left empty: ${plural(hours?.offerHours ?? 72, 'hour')} from now.`}
          {...field('until', orMissing)}
        />
        <Disclosure summary="More">
          <div className="grid gap-5">
            <SecureDaysField placeholder={hours?.secureDays.toString()} {...field('secureDays', asWhole)} />
            <MessageField {...field('message', orMissing)} />
          </div>
        </Disclosure>
        <CalendarOverride {...override} />
      </FormProvider>
    </FormDialog>
  )
}
