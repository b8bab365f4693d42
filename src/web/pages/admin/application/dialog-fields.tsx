import type { ComponentProps, ReactNode } from 'react'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'

type TenantEmailPreviewProps = {
  /** The subject of the e-mail to the tenant. */
  subject: string
  children: ReactNode
}

/** Previews the text that the tenant will get about a change. */
export function TenantEmailPreview({ subject, children }: TenantEmailPreviewProps) {
  return (
    <div role="status" className="rounded-control bg-glass-light px-4 py-3 text-[0.9375rem]">
      <p className="text-muted">The tenant gets an e-mail:</p>
      <p className="font-semibold wrap-anywhere text-navy">{subject}</p>
      <div className="wrap-anywhere">{children}</div>
    </div>
  )
}

export function PrivateNotesField(props: Omit<ComponentProps<typeof TextAreaField>, 'label'>) {
  return (
    <TextAreaField label="Notes" rows={3} hint="For you alone; the tenant does not see them." {...props} />
  )
}

/** Why the owner changes what a tenant owes. */
export function ReasonField(props: Omit<ComponentProps<typeof TextField>, 'label'>) {
  return (
    <TextField
      label="Reason"
      required
      autoComplete="off"
      hint="For you alone; the tenant does not see it."
      {...props}
    />
  )
}
