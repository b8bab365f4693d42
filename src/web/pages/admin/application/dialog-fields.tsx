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
    <div role="status" className={mailClass}>
      <p className="text-muted">The tenant gets an email:</p>
      <p className="font-semibold text-navy">{subject}</p>
      {children}
    </div>
  )
}

const mailClass = 'rounded-control bg-glass-light px-4 py-3 text-[0.9375rem] wrap-anywhere'

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
            <p className={`leading-7 whitespace-pre-line ${mailClass}`}>{linesOf(mail.data.words)}</p>
          </Disclosure>
        ) : null}
      </div>
    </>
  )
}

/** Without empty lines; the email shows a button instead of an address. */
const linesOf = (words: string) =>
  words.replaceAll(new RegExp(`^(.*) ${location.origin}/\\S+$`, 'gm'), '[$1]').replaceAll(/\n+/g, '\n')

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
