import { keepPreviousData } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { dollarsToCents } from '../../../../domain/common/money.ts'
import { maxExtraLines } from '../../../../domain/leases/lease-generation.ts'
import { isRentForStay, termRent, termRentParts } from '../../../../domain/money/lease-terms.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { failureOf, refusalOr } from '../../../api/failures.ts'
import { AmountList } from '../../../features/payments/amount-list.tsx'
import { useDebounced } from '../../../forms/use-debounced.ts'
import { useRows } from '../../../forms/use-rows.ts'
import { type FieldPropsOf, fieldPropsOf } from '../../../forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckboxField, SelectField } from '../../../ui/choice-fields.tsx'
import { FormRow } from '../../../ui/form-row.tsx'
import { MoneyField, TextField } from '../../../ui/text-field.tsx'
import { describeFeePrice } from '../price-labels.ts'
import type { Application } from './application-data.ts'
import { type CompleteTerms, completeLines, completeTerms, type LeaseFormValues } from './lease-form.ts'

type FeeChoiceProps = {
  fees: readonly { id: string; name: string; price: string }[]
  chosen: readonly string[]
  onChange: (id: string, isChosen: boolean) => void
}

/** Checkboxes for the fees and discounts that apply to the selected dates. */
export function FeeChoice({ fees, chosen, onChange }: FeeChoiceProps) {
  return (
    <fieldset className="grid gap-2.5">
      <legend className="mb-2.5 font-semibold text-navy">Fees and discounts</legend>
      {fees.map(fee => (
        <CheckboxField
          key={fee.id}
          label={
            <>
              {fee.name} <span className="text-muted">{fee.price}</span>
            </>
          }
          checked={chosen.includes(fee.id)}
          onChange={event => onChange(fee.id, event.target.checked)}
        />
      ))}
    </fieldset>
  )
}

/** Fees and discounts of this document only, with `canAdjust` also other amounts; only the Add button if there are none. Needs a FormProvider. */
export function ExtraLines({ canAdjust = false }: { canAdjust?: boolean }) {
  const form = useFormContext<Pick<LeaseFormValues, 'extraLines'>>()
  const { addButton, append, fields, remove } = useRows({ control: form.control, name: 'extraLines' })
  const extraLines = useWatch({ control: form.control, name: 'extraLines' })
  const field = fieldPropsOf(form)
  return (
    <>
      {fields.map(({ id }, index) => (
        <ExtraLine
          key={id}
          field={field}
          index={index}
          kind={extraLines?.[index]?.kind}
          canAdjust={canAdjust}
          onRemove={() => remove(index)}
        />
      ))}
      {fields.length < maxExtraLines ? (
        <Button
          ref={addButton}
          size="sm"
          variant="secondary"
          className="justify-self-start"
          onClick={() => append({ kind: 'fee', label: '', amountCents: '', taxable: false })}
        >
          <Plus aria-hidden />
          Add a line
        </Button>
      ) : (
        <p className="text-[0.9375rem] text-muted">At most {maxExtraLines} lines can be added.</p>
      )}
    </>
  )
}

type ExtraLineProps = {
  field: FieldPropsOf<Pick<LeaseFormValues, 'extraLines'>>
  index: number
  kind: string | undefined
  canAdjust: boolean
  onRemove: () => void
}

function ExtraLine({ canAdjust, field, index, kind, onRemove }: ExtraLineProps) {
  const name = `extraLines.${index}` as const
  return (
    <FormRow noun="Line" index={index} onRemove={onRemove}>
      <div className="grid items-start gap-4 sm:grid-cols-[8rem_minmax(0,1fr)_9rem]">
        <SelectField label="Kind" {...field(`${name}.kind`)}>
          <option value="fee">Fee</option>
          <option value="discount">Discount</option>
          {canAdjust && <option value="adjustment">Adjustment</option>}
        </SelectField>
        <TextField label="Label" required autoComplete="off" {...field(`${name}.label`)} />
        <MoneyField
          label="Amount"
          required
          {...(kind === 'adjustment' && { min: undefined, hint: 'Less than zero lowers what is owed.' })}
          {...field(`${name}.amountCents`)}
        />
      </div>
      {/* A discount always lowers the taxable amount. */}
      {kind !== 'discount' && (
        <CheckboxField label="Taxable" className="mt-4" {...field(`${name}.taxable`)} />
      )}
    </FormRow>
  )
}

type Preview = {
  lines: readonly Pick<
    Outputs['leases']['previewCharges']['lines'][number],
    'amountCents' | 'kind' | 'label'
  >[]
  owedCents: number
}

type LeaseTotalProps = {
  /** The name of the sum. */
  label: string
  /** Undefined while the terms are incomplete. */
  terms: CompleteTerms | undefined
  preview: { data: Preview | undefined; error: unknown; isPlaceholderData: boolean; refetch: () => unknown }
}

/** What the tenant will owe, as calculated by the server; a placeholder while the terms are incomplete. */
export function LeaseTotal(props: LeaseTotalProps) {
  return (
    <div
      role="status"
      // As high as rent, deposit and sum.
      className="grid min-h-38 content-center rounded-control bg-glass-light px-4 py-3 text-[0.9375rem]"
    >
      {totalView(props)}
    </div>
  )
}

function totalView({ label, preview, terms }: LeaseTotalProps): ReactNode {
  if (!terms)
    return <p className="text-muted">The total appears here once the dates and amounts are complete.</p>
  if (preview.error) return <Failed error={preview.error} onRetry={preview.refetch} />
  const { data } = preview
  if (!data) return <p className="text-muted">Adding up...</p>
  return (
    <AmountList
      className={preview.isPlaceholderData ? 'opacity-60' : ''}
      amounts={data.lines.map(line => ({
        label: line.kind === 'rent' ? <RentName {...terms} /> : line.label,
        cents: line.amountCents,
      }))}
      total={{ label, cents: data.owedCents }}
    />
  )
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  const canRetry = failureOf(error).kind === 'broken'
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="font-semibold text-red">{refusalOr(error, 'Failed to add up the charges')}</p>
      {canRetry && (
        <Button size="sm" variant="secondary" onClick={onRetry}>
          Try Again
        </Button>
      )}
    </div>
  )
}

/** The label of the field, except for a monthly rent, and how the rent adds up. */
function RentName({ leaseEndDate, leaseStartDate, rentalAmount }: CompleteTerms) {
  const rent = termRent(leaseStartDate, leaseEndDate, dollarsToCents(rentalAmount))
  return (
    <>
      {isRentForStay(leaseStartDate, leaseEndDate) ? 'Rent for the stay' : 'Rent for the term'}
      <span className="block text-sm text-muted">{termRentParts(rent)}</span>
    </>
  )
}

/** The fees that apply to the typed dates, which of them are selected, and a preview of the lease's charges. */
export function useLeaseCharges({ id }: Application, values: LeaseFormValues, isReady: boolean) {
  const utils = api.useUtils()
  // Fees that the owner has selected or cleared; the server suggests the rest based on the dates.
  const [feeSelections, setFeeSelections] = useState<Record<string, boolean>>({})
  const typed = completeTerms(values)
  const terms = useDebounced(typed)
  const extraLines = useDebounced(completeLines(values.extraLines ?? []))

  const dates = terms && datesOf(terms)
  const suggested = api.leases.terms.useQuery(
    { id, ...dates },
    { enabled: isReady && dates !== undefined, placeholderData: keepPreviousData },
  )
  const feeIds = suggested.data && chosenIds(suggested.data, feeSelections)
  const preview = api.leases.previewCharges.useQuery(
    { applicationId: id, ...terms, extraLines, ...(feeIds && { feeIds }) },
    {
      // The placeholder's fees are for other dates and may not apply.
      enabled: isReady && terms !== undefined && !suggested.isPending && !suggested.isPlaceholderData,
      placeholderData: keepPreviousData,
    },
  )

  /** The selected fees that apply to these dates; undefined if there were none to select, and the server decides. */
  const feeIdsFor = async (dates: Dates): Promise<string[] | undefined> => {
    if (!suggested.data?.fees.length && Object.keys(feeSelections).length === 0) return undefined
    return chosenIds(await utils.leases.terms.fetch({ id, ...dates }), feeSelections)
  }
  return {
    fees: suggested.data?.fees.map(fee => ({ ...fee, price: describeFeePrice(fee) })) ?? [],
    feeIds: feeIds ?? [],
    feesQuery: suggested,
    selectFee: (feeId: string, isChosen: boolean) =>
      setFeeSelections({ ...feeSelections, [feeId]: isChosen }),
    feeIdsFor,
    total: { terms: typed && (terms ?? typed), preview },
  }
}

type Dates = Pick<LeaseFormValues, 'leaseStartDate' | 'leaseEndDate'>

const datesOf = ({ leaseEndDate, leaseStartDate }: CompleteTerms) => ({ leaseStartDate, leaseEndDate })

type Suggested = { fees: readonly { id: string }[]; feeIds: readonly string[] }

function chosenIds({ feeIds, fees }: Suggested, feeSelections: Record<string, boolean>): string[] {
  return fees.map(({ id }) => id).filter(id => feeSelections[id] ?? feeIds.includes(id))
}
