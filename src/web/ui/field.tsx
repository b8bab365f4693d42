import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

/** Connects a control to its label, hint and error. Spread these props on the input. */
type ControlProps = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  'aria-required': true | undefined
}

/** The texts around a control. */
export type FieldTexts = {
  label: ReactNode
  error?: string | undefined
  hint?: ReactNode
}

type FieldProps = FieldTexts & {
  /** Marks the field as required; the form's schema validates it, not the browser. */
  required?: boolean | undefined
  id?: string | undefined
  className?: string | undefined
  children: (control: ControlProps) => ReactNode
}

export function Field({ label, error, hint, required, id, className, children }: FieldProps) {
  const ids = useFieldIds(id, { error, hint })
  return (
    <div className={classNames('flex min-w-0 flex-col gap-1.5 has-[>label>.sr-only]:gap-0', className)}>
      <label htmlFor={ids.id} className={labelClass}>
        {label}
        {required && <RequiredMark />}
      </label>
      {children({ ...ids.control, 'aria-required': required || undefined })}
      <FieldNotes ids={ids} error={error} hint={hint} />
    </div>
  )
}

/** Splits a field component's props into those for Field and those for the native control. */
export function splitFieldProps<Props extends Omit<FieldProps, 'children'>>(props: Props) {
  const { label, error, hint, required, id, className, ...control } = props
  return [{ label, error, hint, required, id, className }, control] as const
}

export function useFieldIds(id: string | undefined, { error, hint }: Pick<FieldTexts, 'error' | 'hint'>) {
  const generated = useId()
  const base = id ?? generated
  const hintId = `${base}-hint`
  const errorId = `${base}-error`
  const describedBy = [hint && hintId, error && errorId].filter(Boolean).join(' ') || undefined
  const invalid: true | undefined = error ? true : undefined
  return {
    id: base,
    hintId,
    errorId,
    control: { id: base, 'aria-describedby': describedBy, 'aria-invalid': invalid },
  }
}

export function FieldNotes({
  ids,
  error,
  hint,
}: { ids: { hintId: string; errorId: string } } & Omit<FieldTexts, 'label'>) {
  return (
    <>
      {hint && (
        <p id={ids.hintId} className="text-[0.9375rem] leading-snug text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={ids.errorId} className="flex gap-1.5 text-[0.9375rem] leading-snug font-semibold text-red">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      )}
    </>
  )
}

/** Focuses a control and scrolls the error below it into view. */
export function focusWithError(control: HTMLElement | null | undefined): void {
  control?.focus()
  const errorId = control?.getAttribute('aria-describedby')?.split(' ').at(-1)
  if (errorId) document.getElementById(errorId)?.scrollIntoView({ block: 'nearest' })
}

export function RequiredMark() {
  return (
    <span aria-hidden className="text-red">
      {' *'}
    </span>
  )
}

export const labelClass = 'text-[0.9375rem] font-semibold text-navy'

export const inputClass =
  'block min-h-11 w-full min-w-0 rounded-control border border-line-strong bg-white px-3 py-2 text-ink transition-colors ' +
  'placeholder:text-muted/80 hover:border-navy focus-visible:outline-offset-0 aria-invalid:border-red ' +
  'disabled:cursor-not-allowed disabled:border-line disabled:bg-shell disabled:text-muted [&[readonly]]:bg-shell'
