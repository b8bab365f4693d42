import { LineField } from './bound-fields.tsx'
import type { FieldBinding } from './field-binding.ts'

/** The alternative text of a picture. */
export function AltField({ field }: { field: FieldBinding<string> }) {
  return (
    <LineField
      field={field}
      wraps
      label="Description (alt)"
      hint="What the picture shows, for people who cannot see it."
    />
  )
}
