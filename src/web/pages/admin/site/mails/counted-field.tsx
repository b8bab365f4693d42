import { TextAreaField, TextField } from '../../../../ui/text-field.tsx'

export type FieldElement = HTMLInputElement | HTMLTextAreaElement

type CountedFieldProps = {
  name: string
  label: string
  max: number
  isLong: boolean
  required: boolean
  value: string
  error: string | undefined
  onFocus: (field: FieldElement) => void
  onChange: (words: string) => void
}

/** A field with a character counter; text over the limit is marked, not cut off. */
export function CountedField({ isLong, label, max, onChange, onFocus, ...props }: CountedFieldProps) {
  const { length } = props.value
  const shared = {
    ...props,
    label,
    hint: (
      <span className={length > max ? 'font-semibold text-red' : undefined}>
        {length} of {max.toLocaleString('en-US')} characters
      </span>
    ),
    onFocus: (event: { currentTarget: FieldElement }) => onFocus(event.currentTarget),
    onChange: (event: { target: FieldElement }) => onChange(event.target.value),
  }
  return isLong ? <TextAreaField rows={5} {...shared} /> : <TextField {...shared} />
}
