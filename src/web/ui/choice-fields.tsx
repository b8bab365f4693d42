import { ChevronDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import {
  Field,
  FieldNotes,
  type FieldTexts,
  inputClass,
  labelClass,
  RequiredMark,
  splitFieldProps,
  useFieldIds,
} from './field.tsx'

type SelectFieldProps = ComponentProps<'select'> & FieldTexts & { hideLabel?: boolean }

/** A native select; its children are the options. */
export function SelectField({ hideLabel, ...props }: SelectFieldProps) {
  const [field, select] = splitFieldProps(props)
  return (
    <Field {...field} label={hideLabel ? <span className="sr-only">{field.label}</span> : field.label}>
      {control => (
        <div className="relative">
          <select className={classNames(inputClass, 'appearance-none pr-10')} {...select} {...control} />
          <ChevronDown
            aria-hidden
            className="pointer-events-none absolute top-1/2 right-3 size-4.5 -translate-y-1/2 text-muted"
          />
        </div>
      )}
    </Field>
  )
}

type CheckboxFieldProps = Omit<ComponentProps<'input'>, 'type'> & FieldTexts & { hideLabel?: boolean }

export function CheckboxField({
  label,
  error,
  hint,
  required,
  id,
  className,
  hideLabel,
  ...props
}: CheckboxFieldProps) {
  const ids = useFieldIds(id, { error, hint })
  return (
    <div className={classNames('flex flex-col gap-1', className)}>
      <label htmlFor={ids.id} className="flex min-h-6 items-start gap-2.5">
        <input
          type="checkbox"
          aria-required={required || undefined}
          className={classNames(tickClass, 'rounded-[0.25rem]')}
          {...props}
          {...ids.control}
        />
        <span className={hideLabel ? 'sr-only' : 'leading-6'}>
          {label}
          {required && <RequiredMark />}
        </span>
      </label>
      <FieldNotes ids={ids} error={error} hint={hint} />
    </div>
  )
}

type RadioOption = { value: string; label: ReactNode; hint?: ReactNode; disabled?: boolean }

type RadioGroupFieldProps = Omit<ComponentProps<'input'>, 'type' | 'id'> &
  FieldTexts & {
    name: string
    options: readonly RadioOption[]
    /** Boxes side by side, for an important choice; otherwise plain rows. */
    cards?: boolean
  }

/** Native radio buttons, controlled by `value` and `onChange`, or uncontrolled with a form's field. */
export function RadioGroupField({
  label,
  error,
  hint,
  required,
  options,
  cards = false,
  className,
  value,
  defaultValue,
  ...props
}: RadioGroupFieldProps) {
  const ids = useFieldIds(undefined, { error, hint })
  return (
    <div
      role="radiogroup"
      aria-labelledby={`${ids.id}-label`}
      aria-describedby={ids.control['aria-describedby']}
      aria-invalid={ids.control['aria-invalid']}
      aria-required={required || undefined}
      className={classNames('flex min-w-0 flex-col gap-2', className)}
    >
      <span id={`${ids.id}-label`} className={labelClass}>
        {label}
        {required && <RequiredMark />}
      </span>
      <div
        className={
          cards
            ? 'grid gap-3 sm:grid-cols-[repeat(auto-fit,minmax(10rem,1fr))]'
            : 'flex flex-wrap gap-x-6 gap-y-2'
        }
      >
        {options.map(option => (
          <label key={option.value} className={classNames('flex items-start gap-2.5', cards && cardClass)}>
            <input
              {...props}
              type="radio"
              value={option.value}
              disabled={option.disabled || props.disabled}
              className={classNames(tickClass, 'rounded-full')}
              {...(value !== undefined && { checked: value === option.value })}
              {...(defaultValue !== undefined && { defaultChecked: defaultValue === option.value })}
            />
            <span className="min-w-0 leading-6">
              <span className={cards ? 'font-semibold text-navy' : undefined}>{option.label}</span>
              {option.hint && (
                <span className="block text-[0.9375rem] leading-snug text-muted">{option.hint}</span>
              )}
            </span>
          </label>
        ))}
      </div>
      <FieldNotes ids={ids} error={error} hint={hint} />
    </div>
  )
}

const tickClass = 'mt-0.5 size-5 shrink-0 accent-navy disabled:opacity-50'

const cardClass =
  'rounded-control border border-line-strong bg-white p-3.5 transition-colors hover:border-navy ' +
  'has-checked:border-navy has-checked:bg-glass-light has-checked:shadow-[inset_0_0_0_1px_var(--color-navy)]'
