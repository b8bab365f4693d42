import type { ComponentType } from 'react'
import type { SectionName, SiteContent } from '../../../../domain/content.ts'
import type { FieldErrors } from '../../../../domain/errors.ts'

/** What the form of a section of the site's words is given. */
export type SectionFormProps<Name extends SectionName> = {
  body: SiteContent[Name]
  /** With each change the whole body, which is saved after a second's rest. */
  onChange: (body: SiteContent[Name]) => void
  /** When a field is left: what was typed is saved now. */
  onLeave: () => void
  /** What is wrong or missing, by path within the section: `headline`, `pictures.0.alt`. */
  faults: FieldErrors
}
export type SectionForm<Name extends SectionName> = ComponentType<SectionFormProps<Name>>
