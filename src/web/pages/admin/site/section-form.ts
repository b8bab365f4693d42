import type { ComponentType } from 'react'
import type { FieldErrors } from '../../../../domain/common/errors.ts'
import type { SectionName, SiteContent } from '../../../../domain/content/content.ts'

/** The props of a section's form. */
export type SectionFormProps<Name extends SectionName> = {
  body: SiteContent[Name]
  /** Called with the complete body on each change; it is saved after a second without changes. */
  onChange: (body: SiteContent[Name]) => void
  /** Called when a field loses focus, to save immediately. */
  onLeave: () => void
  /** Errors by path within the section: `headline`, `pictures.0.alt`. */
  errors: FieldErrors
}
export type SectionForm<Name extends SectionName> = ComponentType<SectionFormProps<Name>>
