import { useFormContext } from 'react-hook-form'
import { plural } from '../../domain/common/plural.ts'
import { FormError } from '../ui/form-error.tsx'
import { TextField } from '../ui/text-field.tsx'
import { messageAt } from './zod-form.ts'

/** Days before and after a date as typed: `7, 1` and `1, 5`. */
export type DaysAround = { before: string; after: string }

/** Whole days around a date, negative before it; anything else becomes a fraction, which schemas of days reject. */
export function parseDaysAround({ after, before }: DaysAround): number[] {
  const numbers = (typed: string) =>
    typed
      .split(/[\s,;]+/)
      .filter(day => day !== '')
      .map(day => (/^\d+$/.test(day) ? Number(day) : 0.5))
  return [...numbers(before).map(day => 0 - day), ...numbers(after)].toSorted((a, b) => a - b)
}

export const daysAroundText = (days: readonly number[]): DaysAround => ({
  before: days.flatMap(day => (day < 0 ? -day : [])).join(', '),
  after: days.filter(day => day >= 0).join(', '),
})

/** 'Before: 7 days, 1 day · After: 1 day, 5 days'. */
export function describeDaysAround(days: readonly number[]): string {
  const list = (name: string, found: number[]) =>
    found.length > 0 ? [`${name}: ${found.map(day => plural(day, 'day')).join(', ')}`] : []
  return [
    ...list(
      'Before',
      days.flatMap(day => (day < 0 ? -day : [])),
    ),
    ...list(
      'After',
      days.filter(day => day >= 0),
    ),
  ].join(' · ')
}

type DaysAroundFieldProps = { name: string; label: string; hint: string }

/** Days before and after a date. Needs a FormProvider whose form has `DaysAround` at this name. */
export function DaysAroundField({ name, label, hint }: DaysAroundFieldProps) {
  const form = useFormContext()
  const error = messageAt(form, name)
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="float-left w-full font-semibold text-navy">{label}</legend>
      <FormError>{error}</FormError>
      <div className="clear-both grid grid-cols-2 gap-4">
        <TextField label="Before" autoComplete="off" {...form.register(`${name}.before`)} />
        <TextField label="After" autoComplete="off" {...form.register(`${name}.after`)} />
      </div>
      <p className="text-[0.9375rem] text-muted">{hint}</p>
    </fieldset>
  )
}
