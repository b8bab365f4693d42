import { useState } from 'react'
import { FormProvider } from 'react-hook-form'
import { z } from 'zod'
import { isBooked } from '../../../../domain/bookings/application-status.ts'
import { offerForm } from '../../../../domain/bookings/offer-form.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { formatShortStay, stayOf } from '../../../../domain/common/stay.ts'
import { rentLabel } from '../../../../domain/money/lease-terms.ts'
import { api, newId, type Outputs } from '../../../api/api.ts'
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
import { SentenceAndMail } from '../application/dialog-fields.tsx'
import { leaseForm } from '../application/lease-form.ts'
import { CalendarOverride, useCalendarOverride } from '../calendar-override.tsx'
import { orMissing, PriceFields, PriceTotal, useOfferPrice } from './offer-price.tsx'

const { extraLines: typedLines } = leaseForm.shape
const form = z.object({ ...offerForm.shape, extraLines: typedLines })
const asWhole = {
  setValueAs: (text: unknown) => (text === '' || text === undefined ? undefined : Number(text)),
}

type OfferDialogProps = { applicationId: string | undefined; onMade: () => void; onClose: () => void }

/** Nights held for a person by a clock, with their price; the guest gets an email. */
export function OfferDialog({ applicationId, ...props }: OfferDialogProps) {
  const list = api.applications.adminList.useQuery({ limit: 200 })
  if (list.isPending) return null
  const isKnown = ({ status, userId }: Application) => isBooked(status) && userId.email !== ''
  const known = list.data?.applications.filter(isKnown) ?? []
  return <OfferForm {...props} known={known} first={known.find(({ id }) => id === applicationId)} />
}

type Application = Outputs['applications']['adminList']['applications'][number]

/** The tenant of a booking, or somebody new. */
const personOf = (known: Application | undefined) => ({
  applicationId: known?.id,
  firstName: known?.firstName ?? '',
  lastName: known?.lastName ?? '',
  email: known?.userId.email ?? '',
  guests: known?.guestCount ?? 2,
})

type OfferFormProps = Omit<OfferDialogProps, 'applicationId'> & {
  known: Application[]
  first: Application | undefined
}

function OfferForm({ first, known, onClose, onMade }: OfferFormProps) {
  const { client } = api.useUtils()
  const today = useToday()
  const [requestId] = useState(newId)
  const hours = api.settings.offers.get.useQuery().data?.body
  const fields = useZodForm(form, {
    startDate: '',
    endDate: '',
    ...personOf(first),
    rentalAmount: null,
    depositAmount: null,
    extraLines: [],
  })
  const field = fieldPropsOf(fields)
  const values = fields.watch()
  const { endDate: end, startDate: start } = values
  const stay = typedStay(start, end)
  const price = useOfferPrice(
    stay && {
      startDate: start,
      endDate: end,
      guests: values.guests || 1,
      rentalAmount: values.rentalAmount,
      depositAmount: values.depositAmount,
      ...(values.applicationId && { applicationId: values.applicationId }),
    },
    values.extraLines ?? [],
    {
      email: values.email,
      firstName: values.firstName,
      message: values.message,
      secureDays: values.secureDays,
      until: values.until,
    },
  )
  const override = useCalendarOverride(`${start} ${end}`)
  const submission = useSubmit(fields, 'Failed to send the offer', async ({ extraLines: _, ...offer }) => {
    const { warnings } = await override
      .send(overrideCalendar =>
        client.offers.make.mutate({
          ...offer,
          ...price.given,
          ...price.seen,
          ...overrideCalendar,
          requestId,
        }),
      )
      .catch(error => {
        void price.lookAgain()
        throw error
      })
    toast.success('Offer sent')
    for (const warning of warnings) toast.info('Please note', warning)
    onMade()
  })
  return (
    <FormDialog
      {...submission}
      formError={override.otherError(submission.formError)}
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
            onChange={({ target }) =>
              fields.reset({ ...values, ...personOf(known.find(({ id }) => id === target.value)) })
            }
          >
            <option value="">Somebody new</option>
            {known.map(application => (
              <option key={application.id} value={application.id}>
                {application.firstName} {application.lastName}, {formatShortStay(stayOf(application))}
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
        <PriceFields price={price} rentLabel={start && end ? rentLabel(start, end) : 'Rent'} />
        <PriceTotal price={price} />
        <div className={shortFieldPairClass}>
          <TextField
            label="Valid until"
            type="date"
            hint={`To the end of that day. Left empty: ${plural(hours?.offerHours ?? 72, 'hour')} from now.`}
            {...field('until', orMissing)}
          />
          <TextField
            label="Days to sign and pay the deposit"
            hint="After accepting. 0: without an end."
            type="number"
            placeholder={hours?.secureDays.toString()}
            {...field('secureDays', asWhole)}
          />
        </div>
        <SentenceAndMail
          mail={price.mail}
          message={values.message ?? ''}
          onChange={message => fields.setValue('message', message || undefined)}
        />
        <CalendarOverride {...override} />
      </FormProvider>
    </FormDialog>
  )
}
