import { useState } from 'react'
import { api } from '../../../api/api.ts'
import { useToday } from '../../../features/stays/today.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { MoneyField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { CalendarOverride, useCalendarOverride } from '../calendar-override.tsx'
import { type Application, useInvalidateApplication } from './application-data.ts'
import { ExtraLines, FeeChoice } from './lease-charge-fields.tsx'
import { leaseForm, typedLineOf } from './lease-form.ts'
import { LeaseSum } from './lease-sum.tsx'
import { asDollars } from './money-values.ts'
import { type LeasePlan, PlanChoice, startingChoice } from './plan-choice.tsx'
import { startingTerms } from './starting-terms.ts'
import { useLeaseCharges } from './use-lease-charges.ts'

type GenerateLeaseDialogProps = { application: Application; onClose: () => void }

/** The terms of the lease, with their sum while they are typed. */
export function GenerateLeaseDialog({ application, onClose }: GenerateLeaseDialogProps) {
  const { loadTerms, isGuess, hadLines, leasePlan } = useStartingTerms(application)
  const generate = api.leases.generate.useMutation()
  const invalidate = useInvalidateApplication()
  const form = useZodForm(async () => leaseForm, loadTerms)
  const field = fieldPropsOf(form)
  const { isLoading } = form.formState
  const values = form.watch()
  const charges = useLeaseCharges(application, values, !isLoading)
  const override = useCalendarOverride(`${values.leaseStartDate} ${values.leaseEndDate}`)
  const submission = useSubmit(form, 'Failed to generate lease', async ({ extraLines, plan, ...terms }) => {
    const feeIds = await charges.feeIdsFor(terms)
    await override.send(overrideCalendar =>
      generate.mutateAsync({
        ...terms,
        ...overrideCalendar,
        applicationId: application.id,
        ...(feeIds && { feeIds }),
        // Left out, the plan and the lines of the lease stay.
        ...(plan && leasePlan && plan !== startingChoice(leasePlan) && { plan }),
        ...((extraLines?.length || hadLines) && { extraLines }),
      }),
    )
    toast.success('Lease generated', 'The tenant is told that it is ready to sign.')
    void invalidate()
    onClose()
  })
  return (
    <FormDialog
      {...submission}
      formError={submission.formError === override.message ? undefined : submission.formError}
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
          {charges.fees.length > 0 && (
            <FeeChoice fees={charges.fees} chosen={charges.feeIds} onChange={charges.tick} />
          )}
          {charges.feesQuery.isError && (
            <Notice
              tone="danger"
              role="alert"
              title="Failed to load fees"
              action={
                <Button size="sm" variant="secondary" onClick={() => void charges.feesQuery.refetch()}>
                  Try Again
                </Button>
              }
            />
          )}
          <ExtraLines form={form} />
          <PlanChoice plan={leasePlan} field={field('plan', { setValueAs: text => text || null })} />
          <LeaseSum {...charges.sum} />
          <CalendarOverride {...override} />
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
  const [hadLines, setHadLines] = useState(false)
  const [leasePlan, setLeasePlan] = useState<LeasePlan>()
  const loadTerms = async () => {
    const suggested = await utils.leases.terms
      .fetch({ id: application.id }, { staleTime: 0, retry: false })
      .catch(() => setIsGuess(true))
    const requested = {
      leaseStartDate: application.requestedStartDate,
      leaseEndDate: application.requestedEndDate,
    }
    const terms = startingTerms(today, suggested ?? undefined, application, requested)
    const extraLines = suggested?.extraLines.map(typedLineOf) ?? []
    setHadLines(extraLines.length > 0)
    setLeasePlan(suggested?.plan)
    if (suggested) {
      const { leaseEndDate, leaseStartDate } = suggested
      utils.leases.terms.setData({ id: application.id, leaseStartDate, leaseEndDate }, suggested)
    }
    return { ...terms, extraLines, plan: suggested ? startingChoice(suggested.plan) : undefined }
  }
  return { loadTerms, isGuess, hadLines, leasePlan }
}
