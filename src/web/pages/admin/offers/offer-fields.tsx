import type { ComponentProps } from 'react'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'

/** Registers a field whose schema may miss. */
export const orMissing = { setValueAs: (text: string | undefined) => text || undefined }
/** Registers a field for a whole number whose schema may miss. */
export const asWhole = {
  setValueAs: (text: unknown) => (text === '' || text === undefined ? undefined : Number(text)),
}

export const SecureDaysField = (field: Omit<ComponentProps<typeof TextField>, 'label'>) => (
  <TextField
    label="Days to sign and pay the deposit"
    hint="After accepting. 0: without an end."
    type="number"
    min={0}
    max={14}
    {...field}
  />
)

export const MessageField = (field: Omit<ComponentProps<typeof TextAreaField>, 'label'>) => (
  <TextAreaField label="A sentence to the guest" rows={3} hint="Optional. It is in the email." {...field} />
)
