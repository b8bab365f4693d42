import { ChevronDown, type LucideIcon } from 'lucide-react'
import { type ChangeEvent, type ReactNode, useState } from 'react'
import { cleanLine, cleanText, contentMessages } from '../../../../../domain/content/content-text.ts'
import { CheckboxField, SelectField } from '../../../../ui/choice-fields.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { Field, inputClass } from '../../../../ui/field.tsx'
import {
  errorOf,
  type FieldBinding,
  type FieldLocation,
  idOf,
  isRequiredToPublish,
  labelOfPath,
  limitsOf,
} from './field-binding.ts'

type Texts = {
  /** The label; by default the field's name. */
  label?: string
  hint?: ReactNode
  /** Hides the label visually, for rows of a list. */
  hideLabel?: boolean
  className?: string
}

type LineFieldProps = Texts & {
  field: FieldBinding<string>
  type?: 'text' | 'email' | 'tel'
  /** Wraps long lines over several rows. */
  wraps?: boolean
}

/** A single-line text field with a character counter. */
export function LineField({ field, type = 'text', wraps = false, ...texts }: LineFieldProps) {
  return (
    <CountedField field={field} clean={cleanLine} {...texts}>
      {control =>
        wraps ? (
          <textarea
            {...control}
            rows={1}
            className={classNames(inputClass, 'resize-none [field-sizing:content]')}
            onKeyDown={event => event.key === 'Enter' && event.preventDefault()}
          />
        ) : (
          <input {...control} type={type} className={inputClass} />
        )
      }
    </CountedField>
  )
}

/** The alternative text of a picture. */
export function AltField({ field }: { field: FieldBinding<string> }) {
  return <LineField field={field} wraps hint="For people who cannot see it." />
}

type ParagraphsFieldProps = Texts & {
  field: FieldBinding<string>
  rows?: number
}

/** A multi-line text field; an empty line separates paragraphs. */
export function ParagraphsField({ field, rows = 4, ...texts }: ParagraphsFieldProps) {
  return (
    <CountedField field={field} clean={cleanText} {...texts}>
      {control => <textarea {...control} rows={rows} className={classNames(inputClass, 'resize-y')} />}
    </CountedField>
  )
}

type CountedControl = {
  id: string
  value: string
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void
  onBlur: () => void
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  'aria-required': true | undefined
  placeholder: string | undefined
}

type CountedFieldProps = Texts & {
  field: FieldBinding<string>
  /** Returns the text as it will be stored; its length is counted. */
  clean: (text: string) => string
  children: (control: CountedControl) => ReactNode
}

function CountedField({ field, clean, label, hint, hideLabel, className, children }: CountedFieldProps) {
  const { max = Number.POSITIVE_INFINITY } = limitsOf(field)
  const length = clean(field.value).length
  const counter = `${idOf(field)}-counter`
  const tooLong = length > max ? contentMessages.tooLong(field.path.split('.'), max) : undefined
  // In a row the counter is hidden until the limit is near.
  const isQuiet = hideLabel && length < max * 0.75
  return (
    <Field
      {...fieldTexts(field, { label, hint, hideLabel })}
      error={tooLong ?? currentError(field, length)}
      className={classNames('relative', className)}
    >
      {({ 'aria-describedby': described, ...control }) => (
        <>
          {children({
            ...control,
            'aria-describedby': [described, counter].filter(Boolean).join(' '),
            value: field.value,
            placeholder: hideLabel ? label : undefined,
            onChange: event => field.onChange(event.target.value),
            onBlur: field.onLeave,
          })}
          <span
            id={counter}
            className={
              isQuiet
                ? 'sr-only'
                : classNames(
                    'text-sm tabular-nums',
                    hideLabel ? 'self-end' : 'absolute top-0 right-0 leading-6',
                    tooLong ? 'font-semibold text-red' : 'text-muted',
                  )
            }
          >
            {formatCount(length, max)}
          </span>
        </>
      )}
    </Field>
  )
}

/** The current error: a text that was missing in the saved version may have been typed since. */
function currentError(field: FieldBinding<string>, length: number): string | undefined {
  const error = errorOf(field)
  return length > 0 && error === contentMessages.required(field.path.split('.')) ? undefined : error
}

/** `12 of 60` */
export const formatCount = (count: number, max: number): string =>
  `${count.toLocaleString('en-US')} of ${max.toLocaleString('en-US')}`

function fieldTexts(field: FieldLocation, { label = labelOfPath(field.path), hint, hideLabel }: Texts) {
  return {
    id: idOf(field),
    label: hideLabel ? <span className="sr-only">{label}</span> : label,
    hint,
    required: isRequiredToPublish(field) && !hideLabel,
    error: errorOf(field),
  }
}

/** A number field; an invalid number is replaced by the last valid one. */
export function NumberField({
  field,
  step = 1,
  ...texts
}: Texts & { field: FieldBinding<number>; step?: number }) {
  const [typed, setTyped] = useState<string>()
  return (
    <Field {...fieldTexts(field, texts)} className={texts.className}>
      {control => (
        <input
          {...control}
          {...limitsOf(field)}
          type="number"
          inputMode={step < 1 ? 'decimal' : 'numeric'}
          step={step}
          value={typed ?? String(field.value)}
          className={classNames(inputClass, 'tabular-nums')}
          // Otherwise scrolling the page over a focused number input changes its value.
          onWheel={event => event.currentTarget.blur()}
          // Typing replaces the number.
          onFocus={event => event.currentTarget.select()}
          onChange={({ target }) => {
            setTyped(target.value)
            const number = readNumber(target.value)
            if (number !== undefined) field.onChange(number)
          }}
          onBlur={() => {
            setTyped(undefined)
            field.onLeave()
          }}
        />
      )}
    </Field>
  )
}

/** Parses a number; undefined if the text is not a number. */
export function readNumber(typed: string): number | undefined {
  const number = typed.trim() === '' ? Number.NaN : Number(typed)
  return Number.isFinite(number) ? number : undefined
}

export function DateField({ field, ...texts }: Texts & { field: FieldBinding<string> }) {
  return (
    <Field {...fieldTexts(field, texts)} className={texts.className}>
      {control => (
        <input
          {...control}
          type="date"
          className={inputClass}
          value={field.value}
          onChange={event => field.onChange(event.target.value)}
          onBlur={field.onLeave}
        />
      )}
    </Field>
  )
}

export function SwitchField({
  field,
  disabled,
  ...texts
}: Texts & { field: FieldBinding<boolean>; disabled?: boolean }) {
  return (
    <CheckboxField
      {...fieldTexts(field, texts)}
      required={false}
      className={texts.className}
      disabled={disabled}
      checked={field.value}
      onChange={event => field.onChange(event.target.checked)}
      onBlur={field.onLeave}
    />
  )
}

type ChoiceFieldProps<Value extends string | number> = Texts & {
  field: FieldBinding<Value>
  options: readonly { value: Value; text: string }[]
}

export function ChoiceField<Value extends string | number>({
  field,
  options,
  ...texts
}: ChoiceFieldProps<Value>) {
  return (
    <SelectField
      {...fieldTexts(field, texts)}
      className={texts.className}
      value={field.value}
      onChange={({ target }) => {
        const chosen = options.find(({ value }) => String(value) === target.value)
        if (chosen) field.onChange(chosen.value)
      }}
      onBlur={field.onLeave}
    >
      {options.map(({ text, value }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </SelectField>
  )
}

type IconFieldProps<Icon extends string> = {
  field: FieldBinding<Icon>
  icons: Record<Icon, { Icon: LucideIcon; text: string }>
}

/** Selects an icon by name from a list that opens over the form. */
export function IconField<Icon extends string>({ field, icons }: IconFieldProps<Icon>) {
  const Shown = icons[field.value].Icon
  return (
    <Field {...fieldTexts(field, { label: 'Icon', hideLabel: true })} className="shrink-0">
      {control => (
        <span
          title={icons[field.value].text}
          className="relative flex h-11 w-17 items-center justify-between rounded-control border border-line-strong bg-white px-2.5 has-focus-visible:outline-2 has-focus-visible:outline-lagoon-dark"
        >
          <Shown aria-hidden strokeWidth={1.5} className="size-6 text-lagoon-dark" />
          <ChevronDown aria-hidden className="size-4 text-muted" />
          <select
            {...control}
            className="absolute inset-0 size-full opacity-0"
            value={field.value}
            onChange={event => field.onChange(event.target.value as Icon)}
            onBlur={field.onLeave}
          >
            {Object.entries<{ text: string }>(icons).map(([name, { text }]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        </span>
      )}
    </Field>
  )
}
