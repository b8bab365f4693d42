import { useEffect, useEffectEvent, useState } from 'react'
import { FormProvider } from 'react-hook-form'
import { dollarsToCents } from '../../../../domain/common/money.ts'
import { rentLabel } from '../../../../domain/money/lease-terms.ts'
import type { PlanChoice as Choice } from '../../../../domain/money/payment-plan.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { asDollars } from '../../../features/payments/dollar-amount.ts'
import { useToday } from '../../../features/stays/today.ts'
import { useDialogSubmit } from '../../../forms/change.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { type FieldPropsOf, fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { MoneyField, TextField } from '../../../ui/text-field.tsx'
import { CalendarOverride, useCalendarOverride } from '../calendar-override.tsx'
import { type Application, usePlan, usePlanSettings } from './application-data.ts'
import { LeasePreview, PlanOptions } from './change-plan-dialog.tsx'
import { ExtraLines, FeeChoice, LeaseTotal, useLeaseCharges } from './lease-charges.tsx'
import { type LeaseFormValues, leaseForm, startingTerms, typedLineOf } from './lease-form.ts'
import { previewOf, startingChange } from './plan-change-form.ts'

type LeaseCharges = ReturnType<typeof useLeaseCharges>

type GenerateLeaseDialogProps = { application: Application; onClose: () => void }

/** The terms of the lease, with a total that updates while they are typed. */
export function GenerateLeaseDialog({ application, onClose }: GenerateLeaseDialogProps) {
  const generation = useGeneration(application, onClose)
  const { form, values, isLoading, isGuess, leasePlan, charges, override, submission } = generation
  const field = fieldPropsOf(form)
  return (
    <FormDialog
      {...submission}
      formError={override.otherError(submission.formError)}
      title={application.leaseGenerated ? 'Generate the lease again' : 'Generate the lease'}
      description={application.leaseGenerated && 'It is not signed yet. This replaces its text.'}
      submitLabel="Generate lease"
      busyLabel="Generating..."
      disabled={isLoading}
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
          <Terms field={field} label={rentLabel(values.leaseStartDate, values.leaseEndDate)} />
          <Fees charges={charges} />
          <FormProvider {...form}>
            <ExtraLines />
          </FormProvider>
          <PlanChoice plan={leasePlan} field={field('plan', { setValueAs: text => text || null })} />
          <PlannedPayments application={application} choice={leasePlan && values.plan} charges={charges} />
          <LeaseTotal label="Total in the lease" {...charges.total} />
          <CalendarOverride {...override} />
        </>
      )}
    </FormDialog>
  )
}

/** The form, the charges for its terms, and the request that generates the lease. */
function useGeneration(application: Application, onClose: () => void) {
  const generate = api.leases.generate.useMutation()
  const form = useZodForm(leaseForm, {})
  const { isLoading, isGuess, hadLines, leasePlan } = useStartingTerms(application, form.reset)
  const values = form.watch()
  const charges = useLeaseCharges(application, values, !isLoading)
  const override = useCalendarOverride(`${values.leaseStartDate} ${values.leaseEndDate}`)
  const submission = useDialogSubmit(
    form,
    'Failed to generate lease',
    onClose,
    async ({ extraLines, plan, ...terms }) => {
      const feeIds = await charges.feeIdsFor(terms)
      await override.send(overrideCalendar =>
        generate.mutateAsync({
          ...terms,
          ...overrideCalendar,
          applicationId: application.id,
          ...(feeIds && { feeIds }),
          // If omitted, the lease keeps its plan and its extra lines.
          ...(plan && leasePlan && plan !== startingChoice(leasePlan) && { plan }),
          ...((extraLines?.length || hadLines) && { extraLines }),
        }),
      )
      return { title: 'Lease generated', detail: 'The tenant gets an email that it is ready to sign.' }
    },
  )
  return { form, values, isLoading, isGuess, leasePlan, charges, override, submission }
}

function Terms({ field, label }: { field: FieldPropsOf<LeaseFormValues>; label: string }) {
  return (
    <div className="grid grid-cols-2 items-start gap-x-3 gap-y-5 sm:gap-x-5">
      <TextField
        label="Lease start date"
        type="date"
        required
        {...field('leaseStartDate', { deps: 'leaseEndDate' })}
      />
      <TextField label="Lease end date" type="date" required {...field('leaseEndDate')} />
      <MoneyField label={label} required {...field('rentalAmount', asDollars)} />
      <MoneyField label="Deposit" required {...field('depositAmount', asDollars)} />
    </div>
  )
}

function Fees({ charges: { feeIds, fees, feesQuery, selectFee } }: { charges: LeaseCharges }) {
  return (
    <>
      {fees.length > 0 && <FeeChoice fees={fees} chosen={feeIds} onChange={selectFee} />}
      {feesQuery.isError && (
        <Notice
          tone="danger"
          role="alert"
          title="Failed to load fees"
          action={
            <Button size="sm" variant="secondary" onClick={() => void feesQuery.refetch()}>
              Try Again
            </Button>
          }
        />
      )}
    </>
  )
}

/** Loads the initial terms; they are a guess if the rates could not be loaded. */
function useStartingTerms(application: Application, show: (terms: LeaseFormValues) => void) {
  const utils = api.useUtils()
  const today = useToday()
  const [isLoading, setIsLoading] = useState(true)
  const [isGuess, setIsGuess] = useState(false)
  const [hadLines, setHadLines] = useState(false)
  const [leasePlan, setLeasePlan] = useState<LeasePlan>()
  const load = useEffectEvent(async () => {
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
    show({ ...terms, extraLines, plan: suggested ? startingChoice(suggested.plan) : undefined })
    setIsLoading(false)
  })
  useEffect(() => void load(), [])
  return { isLoading, isGuess, hadLines, leasePlan }
}

type LeasePlan = Outputs['leases']['terms']['plan']

/** The initial choice; null keeps the owner's custom payments. */
const startingChoice = ({ choice, kind }: LeasePlan): Choice | null => (kind === 'custom' ? null : choice)

type PlanChoiceProps = {
  /** Undefined if the terms could not be loaded. */
  plan: LeasePlan | undefined
  field: ReturnType<FieldPropsOf<LeaseFormValues>>
}

/** Selects the payment plan of this lease; renders nothing if no plan was ever set up or chosen. */
function PlanChoice({ field, plan }: PlanChoiceProps) {
  const isSetUp = (usePlanSettings().data?.version ?? 0) > 0
  if (!plan || !(isSetUp || plan.choice !== 'setup' || plan.kind !== null)) return null
  return (
    <SelectField label="Payment plan" {...field}>
      <PlanOptions setup={plan.setup} />
      {plan.kind === 'custom' && <option value="">Keep the custom payments</option>}
    </SelectField>
  )
}

type PlannedPaymentsProps = {
  application: Application
  /** Null keeps the custom payments; undefined if there is nothing to choose. */
  choice: LeaseFormValues['plan']
  charges: LeaseCharges
}

/** The payments that the lease will print under the chosen plan (LOOK-59). */
function PlannedPayments({ application, choice, charges }: PlannedPaymentsProps) {
  const today = useToday()
  const settings = usePlanSettings().data
  const view = usePlan(application).data
  const { preview, terms } = charges.total
  if (choice === undefined || !settings || settings.version === 0 || !view || !terms || !preview.data)
    return null
  const { leaseEndDate: end, leaseStartDate: start, rentalAmount } = terms
  const lines = preview.data.lines
  const planTerms = { start, end, monthlyRentCents: dollarsToCents(rentalAmount), charges: lines, today }
  const { instalments } = startingChange(view, 0)
  const values = { choice: choice ?? ('custom' as const), instalments }
  const text = previewOf(values, planTerms, settings.body)?.text
  return text !== '' && <LeasePreview text={text} />
}
