import { TextField } from '../../../ui/text-field.tsx'

type FieldProps = { name: string; error: string | undefined }

/** The arrivals for which a rule is valid. */
export function ValidityFields({ from, to }: { from: FieldProps; to: FieldProps }) {
  return (
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <TextField
        label="First arrival"
        type="date"
        hint="Example: the day on which a new rate takes effect. Empty: no first day."
        {...from}
      />
      <TextField
        label="Last arrival"
        type="date"
        hint="Example: the last day of the old rate. Empty: no last day."
        {...to}
      />
    </div>
  )
}
