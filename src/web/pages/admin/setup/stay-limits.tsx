import type { ReactNode } from 'react'
import { TextField } from '../../../ui/text-field.tsx'

/** The optional conditions of a rule, in a separate group. */
export function StayLimits({ children }: { children: ReactNode }) {
  return (
    <fieldset className="border-t border-line pt-5">
      <legend className="float-left w-full font-semibold text-navy">Only for some stays</legend>
      <p className="clear-both mb-4 text-[0.9375rem] text-muted">
        Optional. A field left empty sets no limit.
      </p>
      <div className="grid items-start gap-5 sm:grid-cols-2">{children}</div>
    </fieldset>
  )
}

type FieldProps = { name: string; error: string | undefined }

/** The range of arrival dates for which a rule applies. */
export function ValidityFields({ from, to }: { from: FieldProps; to: FieldProps }) {
  return (
    <>
      <TextField
        label="First arrival"
        type="date"
        hint="Example: the day a new rate takes effect."
        {...from}
      />
      <TextField label="Last arrival" type="date" hint="Example: the last day of the old rate." {...to} />
    </>
  )
}
