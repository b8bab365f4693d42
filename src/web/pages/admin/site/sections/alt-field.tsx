import { LineField } from './part-fields.tsx'
import type { Part } from './section-part.ts'

/** The alternative text of a picture. */
export function AltField({ part }: { part: Part<string> }) {
  return (
    <LineField
      part={part}
      wraps
      label="Description (alt)"
      hint="What the picture shows, for people who cannot see it."
    />
  )
}
