import { useState } from 'react'
import { isCalendarDate, nightsBetween } from '../../../../domain/dates.ts'
import { leaseTermsForm } from '../../../../domain/lease-generation.ts'
import { describeTermRent, owedCents, termRent } from '../../../../domain/lease-terms.ts'
import { dollarsToCents, formatCents } from '../../../../domain/money.ts'
import { api } from '../../../api/api.ts'
import { useToday } from '../../../features/stays/today.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { MoneyField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { type Application, useInvalidateApplication } from './application-data.ts'
import { asDollars } from './money-values.ts'
import { type PartialTerms, startingTerms } from './starting-terms.ts'

type GenerateLeaseDialogProps = { application: Application; onClose: () => void }

/** The terms of the lease, with their sum while they are typed. */
export function GenerateLeaseDialog({ application, onClose }: GenerateLeaseDialogProps) {
  const { loadTerms, isGuess } = useStartingTerms(application)
  const generate = api.leases.generate.useMutation()
  const invalidate = useInvalidateApplication()
  const form = useZodForm(leaseTermsForm, loadTerms)
  const field = fieldPropsOf(form)
  const { isLoading } = form.formState
  const submission = useSubmit(form, 'Failed to generate lease', async terms => {
    await generate.mutateAsync({ ...terms, applicationId: application.id })
    toast.success('Lease generated', 'The tenant is told that it is ready to sign.')
    void invalidate()
    onClose()
  })
  return (
    <FormDialog
      {...submission}
      title={application.leaseGenerated ? 'Generate the lease again' : 'Generate the lease'}
      submitLabel="Generate Lease"
      busyLabel="Generating..."
      disabled={isLoading}
      onClose={onClose}
    >
      {isLoading ? (
        <Spinner label="Loading the terms..." />
      ) : (
        <>
          {isGuess && (
            <Notice tone="warning">
              The rates could not be loaded: please check the rent and the deposit.
            </Notice>
          )}
          {application.leaseGenerated && (
            <Notice>The lease is not signed yet. Generating it again replaces its text.</Notice>
          )}
          <div className="grid items-start gap-5 sm:grid-cols-2">
            <TextField
              label="Lease start date"
              type="date"
              required
              {...field('leaseStartDate', { deps: 'leaseEndDate' })}
            />
            <TextField label="Lease end date" type="date" required {...field('leaseEndDate')} />
            <MoneyField label="Monthly rent" required {...field('rentalAmount', asDollars)} />
            <MoneyField label="Deposit" required {...field('depositAmount', asDollars)} />
          </div>
          <TermsSum terms={form.watch()} />
        </>
      )}
    </FormDialog>
  )
}

/** Loads the terms that the form starts with; they are a guess where the rates could not be loaded. */
function useStartingTerms(application: Application) {
  const utils = api.useUtils()
  const today = useToday()
  const [isGuess, setIsGuess] = useState(false)
  const loadTerms = async () => {
    const suggested = await utils.leases.terms
      .fetch({ id: application.id }, { staleTime: 0, retry: false })
      .catch(() => setIsGuess(true))
    const requested = {
      leaseStartDate: application.requestedStartDate,
      leaseEndDate: application.requestedEndDate,
    }
    return startingTerms(today, suggested ?? undefined, application, requested)
  }
  return { loadTerms, isGuess }
}

/** What the tenant will owe; a placeholder while the terms are incomplete. */
function TermsSum({ terms }: { terms: PartialTerms }) {
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

function sumOf({ leaseStartDate: start, leaseEndDate: end, rentalAmount, depositAmount }: PartialTerms) {
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
