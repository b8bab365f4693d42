import { Plus } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { type DefaultValues, type FieldValues, FormProvider, useFormContext } from 'react-hook-form'
import { formatShortDate } from '../../../../domain/common/dates.ts'
import { parseDollars, toDollarText } from '../../../features/payments/dollar-amount.ts'
import { useToday } from '../../../features/stays/today.ts'
import { useDialogSubmit } from '../../../forms/change.ts'
import { RemoveDialog } from '../../../forms/confirm-action.tsx'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { EditAndRemove } from '../../../ui/edit-and-remove.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { SetupCard } from '../../../ui/setup-card.tsx'
import { TextField } from '../../../ui/text-field.tsx'

type Rule = { id: string; name: string; validTo: string | null; updatedAt?: string | undefined }
type Mutation<Input> = { mutateAsync: (input: Input) => Promise<unknown> }

/** A kind of rule, and the form in which a rule of this kind is added or changed. */
type RuleForm<R extends Rule, Values extends FieldValues, Output> = {
  /** 'Fee' and 'fees'. */
  noun: string
  nouns: string
  /** What the dialog is about, after Add or Edit. */
  dialogTitle: string
  schema: Parameters<typeof useZodForm<Values, Output>>[0]
  valuesOf: (rule: R) => Values
  empty: Values
  /** The form's values that the owner can start with; they are not saved yet. */
  example: Values
  create: Mutation<Output>
  update: Mutation<Pick<Rule, 'id' | 'updatedAt'> & Output>
  remove: Mutation<{ id: string }>
  /** The fields before the conditions, and the conditions besides the dates of arrival. They need a FormProvider. */
  fields: ReactNode
  limits: ReactNode
}

type RuleListCardProps<R extends Rule, Values extends FieldValues, Output> = RuleForm<R, Values, Output> & {
  title: string
  subtitle: string
  query: ComponentProps<typeof QueryView<readonly R[]>>['query']
  emptyHint: string
  /** A description of what a rule charges, and when. */
  detailsOf: (rule: R) => string[]
}

/** The owner's rules of one kind, which can be edited and removed, and a dialog to add a rule. */
export function RuleListCard<R extends Rule, Values extends FieldValues & Validity, Output>(
  props: RuleListCardProps<R, Values, Output>,
) {
  const { title, subtitle, noun, nouns, query, emptyHint, detailsOf } = props
  const [edited, setEdited] = useState<R | 'new' | 'example'>()
  const [removed, setRemoved] = useState<R>()
  const today = useToday()
  const isEnded = ({ validTo }: R) => validTo !== null && validTo < today
  const addButton = (
    <Button variant="secondary" size="sm" onClick={() => setEdited('new')}>
      <Plus aria-hidden />
      Add {noun.toLowerCase()}
    </Button>
  )
  return (
    <SetupCard title={title} subtitle={subtitle} action={query.data?.length !== 0 && addButton}>
      <QueryView
        query={query}
        loading="Loading..."
        error={`Failed to load ${nouns}`}
        empty={rules =>
          rules.length === 0 && (
            <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
              <div>
                <p className="font-semibold text-navy">No {nouns} yet</p>
                <p className="text-muted">{emptyHint}</p>
              </div>
              <div className="flex flex-wrap gap-2 sm:flex-row-reverse">
                {addButton}
                <Button variant="ghost" size="sm" onClick={() => setEdited('example')}>
                  Fill in an example
                </Button>
              </div>
            </div>
          )
        }
      >
        {rules => (
          <ul className="divide-y divide-line">
            {rules.every(isEnded) && <li className="pb-3 text-muted">No {nouns} are charged now.</li>}
            {rules.map(rule => (
              <RuleRow
                key={rule.id}
                isEnded={isEnded(rule)}
                name={rule.name}
                details={detailsOf(rule)}
                onEdit={() => setEdited(rule)}
                onRemove={() => setRemoved(rule)}
              />
            ))}
          </ul>
        )}
      </QueryView>
      {edited && <RuleDialog {...props} edited={edited} onClose={() => setEdited(undefined)} />}
      {removed && <RemoveRule {...props} rule={removed} onClose={() => setRemoved(undefined)} />}
    </SetupCard>
  )
}

type RuleRowProps = {
  name: string
  isEnded: boolean
  details: string[]
  onEdit: () => void
  onRemove: () => void
}

function RuleRow({ name, details, isEnded, onEdit, onRemove }: RuleRowProps) {
  return (
    <li className="flex items-start justify-between gap-4 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0">
        <span className="font-semibold wrap-anywhere text-navy">{name}</span>{' '}
        {isEnded && <Badge className="ml-1">Ended</Badge>}
        <span className="block text-[0.9375rem] wrap-anywhere text-muted">{details.join(' · ')}</span>
      </div>
      <EditAndRemove name={name} onEdit={onEdit} onRemove={onRemove} />
    </li>
  )
}

/** The fields that are folded away until one of them has a value or an error. */
const limitFields = ['minNights', 'maxNights', 'maxMonths', 'validFrom', 'validTo']

type RuleDialogProps<R extends Rule, Values extends FieldValues, Output> = RuleForm<R, Values, Output> & {
  edited: R | 'new' | 'example'
  onClose: () => void
}

/** Adds or changes a rule. */
function RuleDialog<R extends Rule, Values extends FieldValues & Validity, Output>(
  props: RuleDialogProps<R, Values, Output>,
) {
  const { edited, onClose, noun, dialogTitle, schema, valuesOf, empty, example, ...rule } = props
  const stored = typeof edited === 'object' ? edited : undefined
  const starting = stored ? valuesOf(stored) : edited === 'example' ? example : empty
  const form = useZodForm<Values, Output>(schema, starting as DefaultValues<Values>)
  const submission = useDialogSubmit(form, `Failed to save ${noun.toLowerCase()}`, onClose, async typed => {
    if (stored) await rule.update.mutateAsync({ id: stored.id, updatedAt: stored.updatedAt, ...typed })
    else await rule.create.mutateAsync(typed)
    return `${noun} saved`
  })
  const { errors } = form.formState
  const isLimited = limitFields.some(field => field in errors || starting[field])
  return (
    <FormDialog {...submission} title={`${stored ? 'Edit' : 'Add'} ${dialogTitle}`} submitLabel="Save">
      <FormProvider {...form}>
        {rule.fields}
        <Disclosure summary="More: only for some stays" open={isLimited}>
          <p className="mb-4 text-[0.9375rem] text-muted">A field left empty sets no limit.</p>
          <div className="grid items-start gap-5 sm:grid-cols-2">
            {rule.limits}
            <ValidityFields />
          </div>
        </Disclosure>
      </FormProvider>
    </FormDialog>
  )
}

/** The range of arrival dates for which a rule applies. */
function ValidityFields() {
  const field = fieldPropsOf(useFormContext<Validity>())
  return (
    <>
      <TextField label="First arrival" type="date" {...field('validFrom')} />
      <TextField label="Last arrival" type="date" {...field('validTo')} />
    </>
  )
}

type RemoveRuleProps<R extends Rule> = {
  rule: R
  noun: string
  remove: Mutation<{ id: string }>
  onClose: () => void
}

function RemoveRule<R extends Rule>({ rule, noun, remove, onClose }: RemoveRuleProps<R>) {
  return (
    <RemoveDialog
      name={rule.name}
      noun={noun}
      body="New estimates and leases go without it. Leases that have it keep it."
      remove={() => remove.mutateAsync({ id: rule.id })}
      onClose={onClose}
    />
  )
}

type Validity = { validFrom: string; validTo: string }

/** Describes when a rule applies; empty if it always applies. */
export function describeValidity({
  validFrom,
  validTo,
}: { [Date in keyof Validity]: string | null }): string[] {
  return [
    ...(validFrom ? [`Arrivals from ${formatShortDate(validFrom)}`] : []),
    ...(validTo ? [`Arrivals until ${formatShortDate(validTo)}`] : []),
  ]
}

// The forms contain what was typed: amounts in dollars, rates in percent, empty text if not set.

/** Converts dollars to cents, or percent to basis points; an empty text is null. */
export const hundredths = (text: string) => (text.trim() === '' ? null : (parseDollars(text) ?? Number.NaN))
export const count = (text: string) => (text.trim() === '' ? null : Number(text))

export const textOf = (value: number | string | null) => String(value ?? '')
export const hundredthsText = (value: number | null) => (value === null ? '' : toDollarText(value))
