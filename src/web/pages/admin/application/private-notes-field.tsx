import type { ComponentProps } from 'react'
import { TextAreaField } from '../../../ui/text-field.tsx'

export function PrivateNotesField(props: Omit<ComponentProps<typeof TextAreaField>, 'label'>) {
  return (
    <TextAreaField label="Notes" rows={3} hint="For you alone; the tenant does not see them." {...props} />
  )
}
