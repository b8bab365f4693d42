import type { ComponentProps, ReactNode } from 'react'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'

type TenantEmailPreviewProps = {
  /** The subject of the email to the tenant. */
  subject: string
  children: ReactNode
}

/** Previews the text that the tenant will get about a change. */
export function TenantEmailPreview({ subject, children }: TenantEmailPreviewProps) {
  return (
    <div role="status" className="rounded-control bg-glass-light px-4 py-3 text-[0.9375rem]">
      <p className="text-muted">The tenant gets an email:</p>
      <p className="font-semibold wrap-anywhere text-navy">{subject}</p>
      <div className="wrap-anywhere">{children}</div>
    </div>
  )
}

type SentenceAndMailProps = {
  message: string
  onChange: (message: string) => void
  mail: { data: { subject: string; words: string } | undefined; isError: boolean }
  /** Shows the email at once. */
  open?: boolean
}

/** A sentence of the owner's own, and the email with it as the guest will read it. */
export function SentenceAndMail({ mail, message, onChange, open = false }: SentenceAndMailProps) {
  return (
    <>
      <TextAreaField
        label="A sentence to the guest"
        rows={2}
        maxLength={1000}
        hint="Optional. It is in the email."
        value={message}
        onChange={event => onChange(event.target.value)}
      />
      <div role="status" className="min-h-9">
        {mail.isError ? (
          'The email could not be shown.'
        ) : mail.data ? (
          <Disclosure open={open} summary={`The email: ${mail.data.subject}`}>
            <p className="whitespace-pre-line wrap-anywhere">{withoutAddresses(mail.data.words)}</p>
          </Disclosure>
        ) : null}
      </div>
    </>
  )
}

/** The email shows a button instead of this address. */
const withoutAddresses = (words: string) =>
  words.replaceAll(new RegExp(` ${location.origin}/\\S+$`, 'gm'), '')

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
