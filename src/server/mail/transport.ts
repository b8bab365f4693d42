export type MailAttachment = { filename: string; contentType: string; content: Uint8Array }
export type OutgoingMail = {
  /** Stable over retries, so that a receiver can tell a repeat. */
  messageId: string
  to: string
  replyTo: string | null
  subject: string
  html: string
  text: string
  attachments: MailAttachment[]
}

/** The far end of mail: SMTP, or the demo's mailbox. Rejects when the mail was not taken. */
export type MailTransport = {
  send: (mail: OutgoingMail) => Promise<void>
  close?: () => Promise<void> | void
}
