import { Plus } from 'lucide-react'
import { useState } from 'react'
import { FormProvider, useFormContext, useWatch } from 'react-hook-form'
import { formatCents } from '../../../../domain/common/money.ts'
import { sumOf } from '../../../../domain/money/charge.ts'
import {
  customPlanError,
  leaseTotals,
  maxInstallments,
  type PlanSettings,
  type PlanTerms,
  planChoices,
  planMessages,
  type SettingKind,
} from '../../../../domain/money/payment-plan.ts'
import { api } from '../../../api/api.ts'
import { useToday } from '../../../features/stays/today.ts'
import { useDialogSubmit } from '../../../forms/change.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useRows } from '../../../forms/use-rows.ts'
import { fieldPropsOf, messageAt, useZodForm } from '../../../forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { combineQueries } from '../../../ui/combine-queries.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormRow } from '../../../ui/form-row.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { MoneyField, TextField } from '../../../ui/text-field.tsx'
import { choiceLabel, planLabels } from '../price-labels.ts'
import { StaleNotice } from '../stale-notice.tsx'
import { type Application, type PlanView, useCharges, usePlan, usePlanSettings } from './application-data.ts'
import {
  type PlanChangeValues,
  planChangeForm,
  planTermsOf,
  previewOf,
  rowsOf,
  startingChange,
  typedRowOf,
} from './plan-change-form.ts'

type ChangePlanDialogProps = { application: Application; onClose: () => void }

/** Changes the payment plan of a lease that is not signed yet. */
export function ChangePlanDialog({ application, onClose }: ChangePlanDialogProps) {
  const today = useToday()
  const plan = usePlan(application)
  const settings = usePlanSettings()
  const charges = useCharges(application)
  const terms = charges.data && planTermsOf(application, charges.data.charges, today)
  if (plan.data && settings.data && terms)
    return (
      <ChangePlanForm
        application={application}
        view={plan.data}
        settings={settings.data.body}
        terms={terms}
        onClose={onClose}
      />
    )
  return (
    <Dialog open onOpenChange={onClose} title={plan.data?.plan ? 'Change plan' : 'Add payment plan'}>
      <QueryView
        query={combineQueries(combineQueries(plan, settings), charges)}
        loading="Loading..."
        error="Failed to load the payment plan"
      >
        {() => <p className="text-muted">This application has no lease.</p>}
      </QueryView>
    </Dialog>
  )
}

type ChangePlanFormProps = ChangePlanDialogProps & {
  view: PlanView
  settings: PlanSettings
  terms: PlanTerms
}

function ChangePlanForm({ application, onClose, settings, terms, view }: ChangePlanFormProps) {
  const save = api.leases.changePlan.useMutation()
  const start = () => startingChange(view, leaseTotals(terms.charges).totalCents, settings.kind)
  const [starting, setStarting] = useState(start)
  const form = useZodForm(planChangeForm, starting)
  const newest = view.plan?.version ?? 0
  const [version, setVersion] = useState(newest)
  const submission = useDialogSubmit(
    form,
    'Failed to change the payment plan',
    onClose,
    async ({ choice, instalments }) => {
      const wanted = choice === 'custom' ? { instalments } : { kind: choice }
      await save.mutateAsync({ applicationId: application.id, version, ...wanted })
      return 'Payment plan changed'
    },
  )
  const values = form.watch()
  const preview = previewOf(values, terms, settings)
  const isStale = version !== newest && !submission.busy
  const load = () => {
    setStarting(start())
    form.reset(start())
    setVersion(newest)
  }
  return (
    <FormDialog
      {...submission}
      formError={isStale ? undefined : submission.formError}
      title={view.plan ? 'Change plan' : 'Add payment plan'}
      description="The lease is rewritten, and the tenant gets an email that it is ready to sign."
      submitLabel={view.plan ? 'Change plan' : 'Add plan'}
      busyLabel="Saving..."
      disabled={
        !isStale && (view.plan ? JSON.stringify(values) === JSON.stringify(starting) : preview?.text === '')
      }
    >
      {isStale && (
        <StaleNotice title={planMessages.stale} choices={[{ label: 'Load current plan', onChoose: load }]}>
          Loading replaces what you have entered here.
        </StaleNotice>
      )}
      <SelectField
        label="Payment plan"
        {...fieldPropsOf(form)('choice', {
          // Custom payments start with the payments of the plan that was selected before.
          onChange: ({ target }) => {
            const isTyped =
              JSON.stringify(form.getValues('instalments')) !== JSON.stringify(starting.instalments)
            if (target.value === 'custom' && preview?.rows.length && !isTyped)
              form.setValue('instalments', preview.rows.map(typedRowOf))
          },
        })}
      >
        <PlanOptions setup={settings.kind} />
        <option value="custom">{planLabels.custom}</option>
      </SelectField>
      {values.choice === 'custom' && (
        <FormProvider {...form}>
          <PaymentRows
            name="instalments"
            dueHint="Leave it empty for the day the lease is signed."
            today={terms.today}
            end={terms.end}
          />
          <Sum terms={terms} />
        </FormProvider>
      )}
      <LeasePreview text={preview?.text} />
    </FormDialog>
  )
}

type Rows = Record<'instalments' | 'rentDue', PlanChangeValues['instalments']>
type PaymentRowsProps = { name: keyof Rows; dueHint?: string; today: string; end: string | undefined }

/** Rows of a form with amounts and due dates. */
export function PaymentRows({ dueHint, end, name, today }: PaymentRowsProps) {
  const form = useFormContext<Rows>()
  const { addButton, append, fields, remove } = useRows({ control: form.control, name })
  const field = fieldPropsOf(form)
  return (
    <>
      {fields.map(({ id }, index) => (
        <FormRow key={id} noun="Payment" index={index} onRemove={() => remove(index)}>
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <MoneyField label="Amount" required {...field(`${name}.${index}.amount`)} />
            <TextField
              label="Due date"
              type="date"
              min={today}
              max={end}
              hint={dueHint}
              {...field(`${name}.${index}.dueDate`)}
            />
          </div>
        </FormRow>
      ))}
      {fields.length < maxInstallments && (
        <Button
          ref={addButton}
          size="sm"
          variant="secondary"
          className="justify-self-start"
          onClick={() => append({ amount: '', dueDate: '' })}
        >
          <Plus aria-hidden />
          Add a payment
        </Button>
      )}
    </>
  )
}

/** Whether the sum of the payments is right. */
function Sum({ terms }: { terms: PlanTerms }) {
  const form = useFormContext<PlanChangeValues>()
  const rows = rowsOf(useWatch({ control: form.control, name: 'instalments' }))
  const problem = customPlanError(rows, terms) ?? messageAt(form, 'instalments')
  return (
    <p role="status" className={classNames('font-semibold tabular-nums', problem ? 'text-red' : 'text-navy')}>
      {problem ?? `The payments add up to ${formatCents(sumOf(rows))}, as needed.`}
    </p>
  )
}

/** The choices of a plan, the first of which is what the settings say now. */
export const PlanOptions = ({ setup }: { setup: SettingKind }) =>
  planChoices.map(choice => (
    <option key={choice} value={choice}>
      {choiceLabel(choice, setup)}
    </option>
  ))

/** The payment schedule as the lease will print it. `text` is undefined while the payments do not add up. */
export function LeasePreview({ text }: { text: string | undefined }) {
  return (
    <div className="border-l-2 border-line-strong pl-3 text-[0.9375rem]">
      <p className="text-muted">The tenant will read in the lease:</p>
      <p className="whitespace-pre-line wrap-anywhere">{text === '' ? noPlan : (text ?? notYet)}</p>
    </div>
  )
}

const noPlan = 'No payment dates.'
const notYet = 'It appears here once the payments add up.'
