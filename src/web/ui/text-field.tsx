import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { classNames } from './class-names.ts'
import { Field, type FieldTexts, inputClass, splitFieldProps } from './field.tsx'

type TextFieldProps = ComponentProps<'input'> & FieldTexts

/** A labeled input; accepts all native input attributes and a form's field. */
export function TextField({ type = 'text', ...props }: TextFieldProps) {
  const [field, input] = splitFieldProps(props)
  return (
    <Field {...field}>
      {control => <input type={type} className={inputClass} {...input} {...control} />}
    </Field>
  )
}

export function PasswordField(props: Omit<TextFieldProps, 'type'>) {
  const [field, input] = splitFieldProps(props)
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <Field {...field}>
      {control => (
        <div className="relative">
          <input
            type={shown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            className={classNames(inputClass, 'pr-12')}
            {...input}
            {...control}
          />
          <button
            type="button"
            aria-label={shown ? 'Hide password' : 'Show password'}
            title={shown ? 'Hide password' : 'Show password'}
            onClick={() => setShown(!shown)}
            className="absolute inset-y-0 right-0 flex w-11 items-center justify-center rounded-control text-muted hover:text-navy focus-visible:-outline-offset-2"
          >
            <Icon aria-hidden className="size-5" />
          </button>
        </div>
      )}
    </Field>
  )
}

/** An amount in US dollars and cents, as a number. */
export function MoneyField(props: Omit<TextFieldProps, 'type'>) {
  const [field, input] = splitFieldProps(props)
  return (
    <Field {...field}>
      {control => (
        <div className="relative">
          <span
            aria-hidden
            className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-muted"
          >
            $
          </span>
          <input
            type="number"
            inputMode="decimal"
            step="0.01"
            min="0"
            // Otherwise scrolling the page over a focused number input changes its value.
            onWheel={event => event.currentTarget.blur()}
            className={classNames(inputClass, 'pl-7 tabular-nums')}
            {...input}
            {...control}
          />
        </div>
      )}
    </Field>
  )
}

export function TextAreaField({ rows = 4, ...props }: ComponentProps<'textarea'> & FieldTexts) {
  const [field, textarea] = splitFieldProps(props)
  return (
    <Field {...field}>
      {control => (
        <textarea rows={rows} className={classNames(inputClass, 'resize-y')} {...textarea} {...control} />
      )}
    </Field>
  )
}
