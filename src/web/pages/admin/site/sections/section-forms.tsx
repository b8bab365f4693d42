import type { SectionName } from '../../../../../domain/content.ts'
import { sectionNames } from '../../../../../domain/content.ts'
import type { SectionForm } from '../section-form.ts'

export const sectionForms = Object.fromEntries(sectionNames.map(name => [name, () => null])) as unknown as {
  [Name in SectionName]: SectionForm<Name>
}
export const sectionLabels = Object.fromEntries(sectionNames.map(name => [name, name])) as Record<
  SectionName,
  string
>
