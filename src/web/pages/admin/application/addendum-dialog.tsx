import { useState } from 'react'
import { FormProvider } from 'react-hook-form'
import { z } from 'zod'
import { addDays, type CalendarDate, formatShortDate } from '../../../../domain/common/dates.ts'
import { formatNights } from '../../../../domain/common/stay.ts'
import {
  defaultAddendumDays,
  givenLine,
  type NewAddendumInput,
  newAddendumForm,
} from '../../../../domain/leases/addendum.ts'
import { isRentForStay, rentLabel } from '../../../../domain/money/lease-terms.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { AddendumFacts } from '../../../features/leases/addendum-facts.tsx'
import { LeaseText } from '../../../features/leases/lease-text.tsx'
import { asDollars, asSignedCents } from '../../../features/payments/dollar-amount.ts'
import { useToday } from '../../../features/stays/today.ts'
import { useDialogSubmit } from '../../../forms/change.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, messageAt, useZodForm, type ZodForm } from '../../../forms/zod-form.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { MoneyField, TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { CalendarOverride, useCalendarOverride, Warnings } from '../calendar-override.tsx'
import { type Application, usePlan } from './application-data.ts'
import { PaymentRows } from './change-plan-dialog.tsx'
import { ExtraLines } from './lease-charges.tsx'
import { paymentRow } from './plan-change-form.ts'

/** A line as typed. As in a lease, a discount is typed above zero and lowers the taxable amount. */
const typedLine = z
  .object({ ...givenLine.shape, amountCents: z.string() })
  .transform(({ amountCents, ...line }): z.input<typeof givenLine> => {
    const cents = asSignedCents.setValueAs(amountCents) ?? Number.NaN
    return line.kind === 'discount'
      ? { ...line, amountCents: -Math.abs(cents), taxable: true }
      : { ...line, amountCents: cents }
  })
  .pipe(givenLine)

const typedPayment = paymentRow.transform(({ amountCents, dueDate }, context) => {
  if (dueDate === null)
    context.addIssue({ code: 'custom', path: ['dueDate'], message: 'Please choose a date' })
  return { amountCents, dueDate: dueDate ?? '' }
})

/** The form for an addendum, with lines and payments as typed. */
export const addendumForm = newAddendumForm
  .omit({ lines: true, overrideCalendar: true })
  .extend({ extraLines: z.array(typedLine), rentDue: z.array(typedPayment) })

/** The terms in force; nothing has changed yet. */
export const startingAddendum = (
  { depositAmount, leaseEndDate, leaseStartDate, rentalAmount }: Application,
  today: CalendarDate,
): z.input<typeof addendumForm> => ({
  leaseStartDate,
  leaseEndDate,
  rentalAmount,
  depositAmount,
  extraLines: [],
  rentDue: [],
  note: '',
  validUntil: addDays(today, defaultAddendumDays),
})

type Preview = Outputs['addenda']['preview']
type AddendumDialogProps = { application: Application; onClose: () => void }
type StepProps = AddendumDialogProps & {
  form: ZodForm<z.input<typeof addendumForm>, z.output<typeof addendumForm>>
}

/** First what changes, then the text and the new payments; nothing is sent before the second step. */
export function AddendumDialog({ application, onClose }: AddendumDialogProps) {
  const form = useZodForm(addendumForm, startingAddendum(application, useToday()))
  const [shown, setShown] = useState<{ input: NewAddendumInput; preview: Preview }>()
  const props = { application, form, onClose }
  return shown ? (
    <TextDialog {...props} {...shown} onBack={() => setShown(undefined)} />
  ) : (
    <TermsDialog {...props} onNext={(input, preview) => setShown({ input, preview })} />
  )
}

type TermsDialogProps = StepProps & { onNext: (input: NewAddendumInput, preview: Preview) => void }

function TermsDialog({ application, form, onClose, onNext }: TermsDialogProps) {
  const { id, leaseEndDate, leaseStartDate } = application
  const { client } = api.useUtils()
  const today = useToday()
  const hasPlan = Boolean(usePlan(application).data?.plan)
  const field = fieldPropsOf(form)
  const { dirtyFields } = form.formState
  const [start, end] = form.watch(['leaseStartDate', 'leaseEndDate'])
  const submission = useSubmit(form, 'Failed to prepare the addendum', async typed => {
    const { extraLines: lines, rentDue, ...terms } = typed
    const input = {
      ...terms,
      lines,
      // A rent that was not touched follows the new dates.
      ...(!dirtyFields.rentalAmount && { rentalAmount: null }),
      ...(rentDue.length > 0 && { rentDue }),
    }
    onNext(input, await client.addenda.preview.query({ ...input, applicationId: id }))
  })
  return (
    <FormDialog
      {...submission}
      title="New Addendum"
      description="Change only what is new."
      submitLabel="Continue"
      busyLabel="Preparing..."
      onClose={onClose}
    >
      <FormProvider {...form}>
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <TextField label="Arrival" type="date" {...field('leaseStartDate')} />
          <TextField label="Departure" type="date" {...field('leaseEndDate')} />
        </div>
        <MoneyField
          label={rentLabel(leaseStartDate, leaseEndDate)}
          hint={isRentForStay(start, end) ? 'New dates fill in your usual rent.' : undefined}
          {...field('rentalAmount', asDollars)}
        />
        <Disclosure summary="More">
          <div className="grid gap-5">
            <MoneyField label="Deposit" {...field('depositAmount', asDollars)} />
            <h3 className="-mb-2.5 font-semibold text-navy">Fees and discounts</h3>
            <ExtraLines canAdjust />
            {hasPlan && (
              <>
                <div>
                  <h3 className="font-semibold text-navy">Payments of the added rent</h3>
                  <p className="text-[0.9375rem] text-muted">
                    Without any, it is one payment, 7 days after the signature.
                  </p>
                </div>
                <PaymentRows name="rentDue" today={today} end={form.watch('leaseEndDate') ?? undefined} />
                <p className="font-semibold text-red empty:hidden">{messageAt(form, 'rentDue')}</p>
              </>
            )}
            <TextField label="Valid until" type="date" {...field('validUntil')} />
            <TextAreaField
              label="A sentence to the guest"
              rows={2}
              hint="Optional. It is in the email."
              {...field('note')}
            />
          </div>
        </Disclosure>
      </FormProvider>
    </FormDialog>
  )
}

type TextDialogProps = StepProps & { input: NewAddendumInput; preview: Preview; onBack: () => void }

function TextDialog({ application, form, input, onBack, onClose, preview }: TextDialogProps) {
  const { id, depositAmount, leaseEndDate, leaseStartDate, rentalAmount } = application
  const { addendumText, addendumTextSha256, after, blockedNights, warnings } = preview
  const make = api.addenda.make.useMutation()
  const override = useCalendarOverride('')
  const submission = useDialogSubmit(form, 'Failed to send the addendum', onClose, async () => {
    await override.send(overrideCalendar =>
      make.mutateAsync({ ...input, ...overrideCalendar, addendumTextSha256, applicationId: id }),
    )
    return 'Addendum sent'
  })
  return (
    <FormDialog
      {...submission}
      formError={override.otherError(submission.formError)}
      title="New Addendum"
      submitLabel="Send to the tenant"
      busyLabel="Sending..."
      cancelLabel="Back"
      onClose={onBack}
    >
      <Warnings of={warnings} />
      {blockedNights.length > 0 && (
        <Notice tone="warning">You have blocked these nights: {formatNights(blockedNights)}.</Notice>
      )}
      <AddendumFacts
        {...preview}
        before={{
          leaseStartDate: leaseStartDate ?? after.leaseStartDate,
          leaseEndDate: leaseEndDate ?? after.leaseEndDate,
          rentalAmount: rentalAmount ?? after.rentalAmount,
          depositAmount: depositAmount ?? after.depositAmount,
        }}
      />
      <p className="text-muted">
        The tenant gets an email and can sign until {formatShortDate(input.validUntil ?? '')}.
      </p>
      <Disclosure summary="The text">
        <LeaseText text={addendumText} headingLevel={3} />
      </Disclosure>
      <CalendarOverride {...override} />
    </FormDialog>
  )
}
