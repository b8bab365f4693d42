import { CopyPlus, X } from 'lucide-react'
import { useEffect } from 'react'
import { useWatch } from 'react-hook-form'
import { addMonths, formatShortDate } from '../../../../domain/common/dates.ts'
import {
  defaultMinStayNights,
  type Rate,
  type RateFormValues,
  rateFieldsForm,
} from '../../../../domain/money/rate.ts'
import { api, type Inputs } from '../../../api/api.ts'
import { refusalOr } from '../../../api/failures.ts'
import { useFormSubmit } from '../../../forms/use-submit.ts'
import { type FieldPropsOf, fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { CheckboxField } from '../../../ui/choice-fields.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { MoneyField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { overlapsOf } from './rates-table.tsx'

const failedText = 'Failed to save rate'

type RateFormProps = {
  rate: Rate | undefined
  /** The season that a new one begins as a copy of, a year later (LOOK-91). */
  copied?: Rate | undefined
  rates: readonly Rate[]
  onCopy: (rate: Rate) => void
  onClose: () => void
}

export function RateForm({ rate, copied, rates, onCopy, onClose }: RateFormProps) {
  const save = useSaveRate(rate)
  const form = useZodForm(rateFieldsForm, copied ? nextYearOf(copied) : rate ? valuesOf(rate) : emptyValues)
  const { setFocus } = form
  const field = fieldPropsOf(form)

  useEffect(() => setFocus('period'), [setFocus])

  const { submit, formError, busy } = useFormSubmit(
    form,
    async input => {
      await save(input)
      onClose()
    },
    (error, isAtField) => (isAtField ? undefined : refusalOr(error, failedText)),
  )

  const [startDate, endDate, isActive] = useWatch({
    control: form.control,
    name: ['startDate', 'endDate', 'isActive'],
  })
  const title = rate ? 'Edit rate' : 'Add Rate'
  return (
    <Card aria-label={title} className="mb-6">
      <CardHeader
        title={title}
        action={
          <IconButton label="Close" onClick={onClose}>
            <X aria-hidden />
          </IconButton>
        }
      />
      <CardBody>
        <form noValidate onSubmit={submit} className="grid gap-5">
          <FormError>{formError}</FormError>
          <RateFields field={field} />
          <p className="text-[0.9375rem] text-muted">
            A week or night with no price of its own costs one thirtieth of the monthly rate per night.
          </p>
          <OverlapHint
            rates={rates}
            period={{ id: rate?.id, startDate, endDate, isActive: isActive !== false }}
          />
          <div className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
            {rate && (
              <Button variant="ghost" className="sm:mr-auto" onClick={() => onCopy(rate)}>
                <CopyPlus aria-hidden />
                Copy to next year
              </Button>
            )}
            <Button variant="secondary" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" busy={busy} busyLabel="Saving...">
              {rate ? 'Update rate' : 'Create rate'}
            </Button>
          </div>
        </form>
      </CardBody>
    </Card>
  )
}

/** Adds a rate or saves its changes. */
function useSaveRate(rate: Rate | undefined) {
  const utils = api.useUtils()
  const create = api.rates.create.useMutation()
  const update = api.rates.update.useMutation()
  return async (input: Inputs['rates']['create']) => {
    try {
      if (rate) await update.mutateAsync({ id: rate.id, updatedAt: rate.updatedAt, ...input })
      else await create.mutateAsync(input)
      toast.success(rate ? 'Rate updated successfully' : 'Rate created successfully')
    } finally {
      // After a conflict this loads the version that somebody else saved.
      await utils.rates.invalidate()
    }
  }
}

function RateFields({ field }: { field: FieldPropsOf<RateFormValues> }) {
  return (
    <div className="grid items-start gap-x-5 gap-y-4 sm:grid-cols-2 lg:grid-cols-4">
      <TextField
        label="Period Name"
        placeholder="Summer"
        required
        className="sm:col-span-2"
        {...field('period')}
      />
      <TextField label="Start Date" type="date" required {...field('startDate')} />
      <TextField label="End Date" type="date" required {...field('endDate')} />
      <MoneyField label="Monthly Rate" required {...field('monthly')} />
      <MoneyField label="Weekly Rate" {...field('weekly')} />
      <MoneyField label="Nightly Rate" {...field('nightly')} />
      <MoneyField label="Weekend Night" hint="Friday and Saturday" {...field('weekendNight')} />
      <TextField
        label="Min Stay"
        type="number"
        inputMode="numeric"
        min={1}
        step={1}
        hint={`Nights; ${defaultMinStayNights} when left empty`}
        {...field('minStay')}
      />
      <TextField
        label="Max Stay"
        type="number"
        inputMode="numeric"
        min={1}
        step={1}
        hint="Nights; no limit when left empty"
        {...field('maxStay')}
      />
      <CheckboxField
        label="Active"
        hint="Shown to visitors and used for prices"
        className="lg:col-span-2 lg:pt-8"
        {...field('isActive')}
      />
    </div>
  )
}

type OverlapHintProps = { rates: readonly Rate[]; period: Parameters<typeof overlapsOf>[0] }

function OverlapHint({ period, rates }: OverlapHintProps) {
  const overlaps = overlapsOf(period, rates).map(
    ({ rate, from, to }) => `${rate.period} (${formatShortDate(from)} – ${formatShortDate(to)})`,
  )
  return (
    <p aria-live="polite" className="text-[0.9375rem] font-semibold text-yellow empty:hidden">
      {overlaps.length > 0 &&
        `Overlaps ${overlaps.join(', ')}. Where active periods overlap, the shortest one sets the price.`}
    </p>
  )
}

const emptyValues: RateFormValues = {
  period: '',
  startDate: '',
  endDate: '',
  monthly: '',
  weekly: '',
  nightly: '',
  weekendNight: '',
  minStay: String(defaultMinStayNights),
  maxStay: '',
  isActive: true,
}

/** The same days a year later, with the year in the name if it has one. */
const nextYearOf = (rate: Rate): RateFormValues => ({
  ...valuesOf(rate),
  period: rate.period.replaceAll(/\b20\d\d\b/g, year => String(Number(year) + 1)),
  startDate: addMonths(rate.startDate, 12),
  endDate: addMonths(rate.endDate, 12),
  isActive: true,
})

/** The initial values of the inputs; a missing price is empty. */
function valuesOf(rate: Rate): RateFormValues {
  const text = (value: number | null) => (value === null ? '' : String(value))
  return {
    ...rate,
    monthly: text(rate.monthly),
    weekly: text(rate.weekly),
    nightly: text(rate.nightly),
    weekendNight: text(rate.weekendNight),
    minStay: String(rate.minStay || defaultMinStayNights),
    maxStay: text(rate.maxStay),
  }
}
