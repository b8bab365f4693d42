import type { ComponentProps } from 'react'
import { TextAreaField } from '../../../ui/text-field.tsx'

/** Registers a field whose schema may miss. */
export const orMissing = { setValueAs: (text: string | undefined) => text || undefined }

export const MessageField = (field: Omit<ComponentProps<typeof TextAreaField>, 'label'>) => (
  <TextAreaField label="A sentence to the guest" rows={3} hint="Optional. It is in the email." {...field} />
)
