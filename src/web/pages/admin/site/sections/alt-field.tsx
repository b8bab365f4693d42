import { LineField } from './part-fields.tsx'
import type { Part } from './section-part.ts'

/** What a picture shows, in words. */
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
