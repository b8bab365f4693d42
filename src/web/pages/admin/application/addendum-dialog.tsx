import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { addDays, formatLongDate } from '../../../../domain/common/dates.ts'
import { formatNights } from '../../../../domain/common/stay.ts'
import {
  defaultAddendumDays,
  type NewAddendumInput,
  newAddendumForm,
} from '../../../../domain/leases/addendum.ts'
import { rentLabel } from '../../../../domain/money/lease-terms.ts'
import { api } from '../../../api/api.ts'
import { failureOf, failureText } from '../../../api/failures.ts'
import { AddendumFacts } from '../../../features/addenda/addendum-facts.tsx'
import { LeaseText } from '../../../features/leases/lease-text.tsx'
import { asDollars, asSignedCents } from '../../../features/payments/dollar-amount.ts'
import { useToday } from '../../../features/stays/today.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckboxField, SelectField } from '../../../ui/choice-fields.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { MoneyField, TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Application, useInvalidateApplication } from './application-data.ts'

type AddendumDialogProps = { application: Application; onClose: () => void }

/** First what changes, then the text and the new payments; nothing is sent before the second step. */
export function AddendumDialog({ application, onClose }: AddendumDialogProps) {
  const [wanted, setWanted] = useState<NewAddendumInput>()
  const [hidden, setHidden] = useState(false)
  return (
    <>
      {(!wanted || hidden) && (
        <TermsDialog
          application={application}
          onClose={onClose}
          before={wanted}
          onNext={input => {
            setWanted(input)
            setHidden(false)
          }}
        />
      )}
      {wanted && !hidden && (
        <TextDialog
          application={application}
          input={wanted}
          onBack={() => setHidden(true)}
          onClose={onClose}
        />
      )}
    </>
  )
}

type TermsDialogProps = AddendumDialogProps & {
  before: NewAddendumInput | undefined
  onNext: (input: NewAddendumInput) => void
}

function TermsDialog({ application, before, onClose, onNext }: TermsDialogProps) {
  const { depositAmount, leaseEndDate, leaseStartDate, rentalAmount } = application
  const today = useToday()
  const client = api.useUtils().client
  const form = useZodForm(newAddendumForm, {
    leaseStartDate,
    leaseEndDate,
    rentalAmount,
    depositAmount,
    note: '',
    validUntil: addDays(today, defaultAddendumDays),
    ...(before as z.input<typeof newAddendumForm> | undefined),
  })
  const field = fieldPropsOf(form)
  const { dirtyFields } = form.formState
  const hasLine = form.watch('lines.0.label') !== undefined
  const submission = useSubmit(form, 'Failed to prepare the addendum', async input => {
    // A rent that was not touched follows the new dates.
    const terms = { ...input, ...(!dirtyFields.rentalAmount && !before && { rentalAmount: null }) }
    await client.addenda.preview.query({ ...terms, applicationId: application.id })
    onNext(terms)
  })
  return (
    <FormDialog
      {...submission}
      title="New Addendum"
      description="What you leave as it is stays as it is in the lease."
      submitLabel="Continue"
      busyLabel="Preparing..."
      onClose={onClose}
    >
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField label="First day" type="date" {...field('leaseStartDate')} />
        <TextField label="Last day" type="date" {...field('leaseEndDate')} />
      </div>
      <MoneyField
        label={rentLabel(leaseStartDate, leaseEndDate)}
        hint="For a stay of up to 31 nights, new dates propose the rent of your rates."
        {...field('rentalAmount', asDollars)}
      />
      <Disclosure summary="More">
        <div className="grid gap-5">
          <MoneyField label="Deposit" {...field('depositAmount', asDollars)} />
          {hasLine ? (
            <div className="grid items-start gap-5 sm:grid-cols-2">
              <SelectField label="Kind" {...field('lines.0.kind')}>
                <option value="fee">Fee</option>
                <option value="discount">Discount</option>
                <option value="adjustment">Adjustment</option>
              </SelectField>
              <MoneyField
                label="Amount"
                min={undefined}
                hint="A discount is below zero."
                {...field('lines.0.amountCents', asSignedCents)}
              />
              <TextField label="Label" autoComplete="off" {...field('lines.0.label')} />
              <CheckboxField label="Taxable" {...field('lines.0.taxable')} />
            </div>
          ) : (
            <Button
              size="sm"
              variant="secondary"
              className="justify-self-start"
              onClick={() =>
                form.setValue('lines', [{ kind: 'fee', label: '', amountCents: 0, taxable: false }])
              }
            >
              Add a fee or discount
            </Button>
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
    </FormDialog>
  )
}

type TextDialogProps = AddendumDialogProps & { input: NewAddendumInput; onBack: () => void }

function TextDialog({ application, input, onBack, onClose }: TextDialogProps) {
  const { client } = api.useUtils()
  const invalidate = useInvalidateApplication()
  const [error, setError] = useState<string>()
  const [isTaken, setTaken] = useState(false)
  const [busy, setBusy] = useState(false)
  const id = application.id
  const query = useQuery({
    queryKey: ['addendum preview', id, input],
    queryFn: () => client.addenda.preview.query({ ...input, applicationId: id }),
    gcTime: 0,
  })
  const send = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await client.addenda.make.mutate({
        ...input,
        ...(isTaken && { overrideCalendar: true }),
        applicationId: id,
      })
      toast.success('Addendum sent')
      await invalidate()
      onClose()
    } catch (failed) {
      const failure = failureOf(failed)
      setError(
        failureText(failed, {
          failed: 'Failed to send the addendum',
          noResponse: 'Error sending the addendum',
        }),
      )
      setTaken(failure.kind === 'refused' && 'overrideCalendar' in failure.fields)
    } finally {
      setBusy(false)
    }
  }
  return (
    <FormDialog
      title="New Addendum"
      submit={event => {
        event.preventDefault()
        void send()
      }}
      busy={busy}
      formError={error}
      submitLabel={isTaken ? 'Send all the same' : 'Send to the tenant'}
      busyLabel="Sending..."
      cancelLabel="Back"
      disabled={!query.data}
      onClose={onBack}
    >
      <QueryView query={query} loading="Preparing..." error="Failed to prepare the addendum">
        {({ addendumText, blockedNights, warnings, ...preview }) => (
          <div className="grid gap-5">
            {warnings.map(warning => (
              <Notice key={warning} tone="warning">
                {warning}
              </Notice>
            ))}
            {blockedNights.length > 0 && (
              <Notice tone="warning">You have blocked these nights: {formatNights(blockedNights)}.</Notice>
            )}
            <AddendumFacts {...preview} before={termsOf(application, preview.after)} />
            <p className="text-muted">
              The tenant gets an email and can sign until {formatLongDate(input.validUntil ?? '')}.
            </p>
            <Disclosure summary="The text">
              <LeaseText text={addendumText} headingLevel={3} />
            </Disclosure>
          </div>
        )}
      </QueryView>
    </FormDialog>
  )
}

type Terms = {
  leaseStartDate: string
  leaseEndDate: string
  rentalAmount: number
  depositAmount: number
}

const termsOf = (application: Application, after: Terms): Terms => ({
  leaseStartDate: application.leaseStartDate ?? after.leaseStartDate,
  leaseEndDate: application.leaseEndDate ?? after.leaseEndDate,
  rentalAmount: application.rentalAmount ?? after.rentalAmount,
  depositAmount: application.depositAmount ?? after.depositAmount,
})
