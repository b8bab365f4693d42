import { useId, useState } from 'react'
import { isCalendarDate, nightsBetween } from '../../../../domain/dates.ts'
import { leaseTermsForm } from '../../../../domain/lease-generation.ts'
import { describeTermRent, owedCents, termRent } from '../../../../domain/lease-terms.ts'
import { dollarsToCents, formatCents } from '../../../../domain/money.ts'
import { api } from '../../../api/api.ts'
import type { Site } from '../../../api/site.ts'
import { useSubmit } from '../../../forms/use-submit.ts'
import { useZodForm } from '../../../forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { MoneyField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { asDollars } from './amount-input.ts'
import { type Application, useInvalidateApplication } from './application-data.ts'
import { startingTerms, type Terms } from './starting-terms.ts'

type GenerateLeaseDialogProps = { application: Application; site: Site; onClose: () => void }

/** The terms of the lease, with what they add up to while they are typed. */
export function GenerateLeaseDialog({ application, site, onClose }: GenerateLeaseDialogProps) {
  const formId = useId()
  const [busy, setBusy] = useState(false)
  const known = api.leases.terms.useQuery({ id: application.id }, { staleTime: 0, gcTime: 0, retry: false })
  return (
    <Dialog
      open
      onOpenChange={next => !next && !busy && onClose()}
      title={application.leaseGenerated ? 'Generate the lease again' : 'Generate the lease'}
      footer={
        <>
          <Button variant="secondary" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            disabled={known.isPending}
            busy={busy}
            busyLabel="Generating..."
          >
            Generate Lease
          </Button>
        </>
      }
    >
      {known.isPending ? (
        <Spinner label="Loading the terms..." />
      ) : (
        <TermsForm
          formId={formId}
          application={application}
          start={startingTerms(site.today, known.data, application, {
            leaseStartDate: application.requestedStartDate,
            leaseEndDate: application.requestedEndDate,
          })}
          isGuess={known.isError}
          onBusy={setBusy}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

type TermsFormProps = {
  formId: string
  application: Application
  start: Terms
  /** The rates could not be asked. */
  isGuess: boolean
  onBusy: (busy: boolean) => void
  onClose: () => void
}

function TermsForm({ formId, application, start, isGuess, onBusy, onClose }: TermsFormProps) {
  const generate = api.leases.generate.useMutation()
  const invalidate = useInvalidateApplication()
  const form = useZodForm(leaseTermsForm, start)
  const { register, formState, watch } = form
  const { errors } = formState

  const failed = 'Failed to generate lease'
  const { submit, refusal } = useSubmit(form, { failed, threw: failed }, async terms => {
    onBusy(true)
    try {
      await generate.mutateAsync({ ...terms, applicationId: application.id })
      toast.success('Lease generated', 'The tenant is told that it is ready to sign.')
      void invalidate()
      onClose()
    } finally {
      onBusy(false)
    }
  })

  return (
    <form id={formId} noValidate onSubmit={submit} className="grid gap-5">
      <FormError>{refusal}</FormError>
      {isGuess && (
        <Notice tone="warning">The rates could not be loaded: please check the rent and the deposit.</Notice>
      )}
      {application.leaseGenerated && (
        <Notice>The lease is not signed yet. Generating it again replaces its text.</Notice>
      )}
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField
          label="Lease start date"
          type="date"
          required
          error={errors.leaseStartDate?.message}
          {...register('leaseStartDate', { deps: 'leaseEndDate' })}
        />
        <TextField
          label="Lease end date"
          type="date"
          required
          error={errors.leaseEndDate?.message}
          {...register('leaseEndDate')}
        />
        <MoneyField
          label="Monthly rent"
          required
          error={errors.rentalAmount?.message}
          {...register('rentalAmount', asDollars)}
        />
        <MoneyField
          label="Deposit"
          required
          error={errors.depositAmount?.message}
          {...register('depositAmount', asDollars)}
        />
      </div>
      <TermsSum terms={watch()} />
    </form>
  )
}

type TypedTerms = { [Term in keyof Terms]?: Terms[Term] | null }

/** What the tenant will owe; silent while the terms make no sum. */
function TermsSum({ terms }: { terms: TypedTerms }) {
  const sum = sumOf(terms)
  return (
    <div
      role="status"
      className="grid min-h-24 content-center gap-1 rounded-control bg-glass-light px-4 py-3 text-[0.9375rem]"
    >
      {sum ? (
        <>
          <p>
            <span className="text-muted">Rent of the term:</span> {sum.rent}
          </p>
          <p>
            <span className="text-muted">Deposit:</span> {sum.deposit}
          </p>
          <p className="font-semibold text-navy">Total due: {sum.owed}</p>
        </>
      ) : (
        <p className="text-muted">The sum appears here once dates and amounts are complete.</p>
      )}
    </div>
  )
}

function sumOf({ leaseStartDate: start, leaseEndDate: end, rentalAmount, depositAmount }: TypedTerms) {
  if (!start || !end || !isCalendarDate(start) || !isCalendarDate(end) || nightsBetween(start, end) < 1)
    return undefined
  const isAmount = (dollars: number | null | undefined) => Number.isFinite(dollars) && Number(dollars) >= 0
  if (!isAmount(rentalAmount) || !isAmount(depositAmount)) return undefined
  const rent = termRent(start, end, dollarsToCents(rentalAmount ?? 0))
  const depositCents = dollarsToCents(depositAmount ?? 0)
  return {
    rent: describeTermRent(rent),
    deposit: formatCents(depositCents),
    owed: formatCents(owedCents(rent, depositCents)),
  }
}
