import { ChevronDown, type LucideIcon } from 'lucide-react'
import { type ChangeEvent, type ReactNode, useState } from 'react'
import { cleanLine, cleanText, contentMessages } from '../../../../../domain/content-text.ts'
import { CheckboxField, SelectField } from '../../../../ui/choice-fields.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { Field, inputClass } from '../../../../ui/field.tsx'
import { errorOf, idOf, isNeeded, limitsOf, nameOfPath, type Part, type Place } from './section-part.ts'

type Texts = {
  /** The label; by default the field's name. */
  label?: string
  hint?: ReactNode
  /** Hides the label visually, for rows of a list. */
  hideLabel?: boolean
  className?: string
}

type LineFieldProps = Texts & {
  part: Part<string>
  type?: 'text' | 'email' | 'tel'
  /** Wraps long lines over several rows. */
  wraps?: boolean
}

/** A single-line text field with a character counter. */
export function LineField({ part, type = 'text', wraps = false, ...texts }: LineFieldProps) {
  return (
    <CountedField part={part} clean={cleanLine} {...texts}>
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

type ParagraphsFieldProps = Texts & {
  part: Part<string>
  rows?: number
  /** Rendered between the label and the field. */
  tools?: ReactNode
}

/** A multi-line text field; an empty line separates paragraphs. */
export function ParagraphsField({ part, rows = 4, tools, ...texts }: ParagraphsFieldProps) {
  return (
    <CountedField part={part} clean={cleanText} {...texts}>
      {control => (
        <>
          {tools}
          <textarea {...control} rows={rows} className={classNames(inputClass, 'resize-y')} />
        </>
      )}
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
  part: Part<string>
  /** Returns the text as it will be stored; its length is counted. */
  clean: (text: string) => string
  children: (control: CountedControl) => ReactNode
}

function CountedField({ part, clean, label, hint, hideLabel, className, children }: CountedFieldProps) {
  const { max = Number.POSITIVE_INFINITY } = limitsOf(part)
  const length = clean(part.value).length
  const counter = `${idOf(part)}-counter`
  const tooLong = length > max ? contentMessages.tooLong(part.path.split('.'), max) : undefined
  // In a row the counter is hidden until the limit is near.
  const isQuiet = hideLabel && length < max * 0.75
  return (
    <Field
      {...fieldTexts(part, { label, hint, hideLabel })}
      error={tooLong ?? currentError(part, length)}
      className={classNames('relative', className)}
    >
      {({ 'aria-describedby': described, ...control }) => (
        <>
          {children({
            ...control,
            'aria-describedby': [described, counter].filter(Boolean).join(' '),
            value: part.value,
            placeholder: hideLabel ? label : undefined,
            onChange: event => part.onChange(event.target.value),
            onBlur: part.onLeave,
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
function currentError(part: Part<string>, length: number): string | undefined {
  const error = errorOf(part)
  return length > 0 && error === contentMessages.required(part.path.split('.')) ? undefined : error
}

/** `12 of 60` */
export const formatCount = (count: number, max: number): string =>
  `${count.toLocaleString('en-US')} of ${max.toLocaleString('en-US')}`

function fieldTexts(part: Place, { label = nameOfPath(part.path), hint, hideLabel }: Texts) {
  return {
    id: idOf(part),
    label: hideLabel ? <span className="sr-only">{label}</span> : label,
    hint,
    required: isNeeded(part) && !hideLabel,
    error: errorOf(part),
  }
}

/** A number field; an invalid number is replaced by the last valid one. */
export function NumberField({ part, step = 1, ...texts }: Texts & { part: Part<number>; step?: number }) {
  const [typed, setTyped] = useState<string>()
  return (
    <Field {...fieldTexts(part, texts)} className={texts.className}>
      {control => (
        <input
          {...control}
          {...limitsOf(part)}
          type="number"
          inputMode={step < 1 ? 'decimal' : 'numeric'}
          step={step}
          value={typed ?? String(part.value)}
          className={classNames(inputClass, 'tabular-nums')}
          // Otherwise scrolling the page over a focused number input changes its value.
          onWheel={event => event.currentTarget.blur()}
          onChange={({ target }) => {
            setTyped(target.value)
            const number = readNumber(target.value)
            if (number !== undefined) part.onChange(number)
          }}
          onBlur={() => {
            setTyped(undefined)
            part.onLeave()
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

export function DateField({ part, ...texts }: Texts & { part: Part<string> }) {
  return (
    <Field {...fieldTexts(part, texts)} className={texts.className}>
      {control => (
        <input
          {...control}
          type="date"
          className={inputClass}
          value={part.value}
          onChange={event => part.onChange(event.target.value)}
          onBlur={part.onLeave}
        />
      )}
    </Field>
  )
}

export function SwitchField({
  part,
  disabled,
  ...texts
}: Texts & { part: Part<boolean>; disabled?: boolean }) {
  return (
    <CheckboxField
      {...fieldTexts(part, texts)}
      required={false}
      className={texts.className}
      disabled={disabled}
      checked={part.value}
      onChange={event => part.onChange(event.target.checked)}
      onBlur={part.onLeave}
    />
  )
}

type ChoiceFieldProps<Value extends string | number> = Texts & {
  part: Part<Value>
  options: readonly { value: Value; text: string }[]
}

export function ChoiceField<Value extends string | number>({
  part,
  options,
  ...texts
}: ChoiceFieldProps<Value>) {
  return (
    <SelectField
      {...fieldTexts(part, texts)}
      className={texts.className}
      value={part.value}
      onChange={({ target }) => {
        const chosen = options.find(({ value }) => String(value) === target.value)
        if (chosen) part.onChange(chosen.value)
      }}
      onBlur={part.onLeave}
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
  part: Part<Icon>
  icons: Record<Icon, { Icon: LucideIcon; text: string }>
}

/** Selects an icon by name from a list that opens over the form. */
export function IconField<Icon extends string>({ part, icons }: IconFieldProps<Icon>) {
  const Shown = icons[part.value].Icon
  return (
    <Field {...fieldTexts(part, { label: 'Icon', hideLabel: true })} className="shrink-0">
      {control => (
        <span
          title={icons[part.value].text}
          className="relative flex h-11 w-17 items-center justify-between rounded-control border border-line-strong bg-white px-2.5 has-focus-visible:outline-2 has-focus-visible:outline-lagoon-dark"
        >
          <Shown aria-hidden strokeWidth={1.5} className="size-6 text-lagoon-dark" />
          <ChevronDown aria-hidden className="size-4 text-muted" />
          <select
            {...control}
            className="absolute inset-0 size-full opacity-0"
            value={part.value}
            onChange={event => part.onChange(event.target.value as Icon)}
            onBlur={part.onLeave}
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
