/** A file that comes with a mail. */
export type MailAttachment = { filename: string; contentType: string; content: Uint8Array }

/** A composed mail, as the mail server or the demo's mailbox gets it. */
export type OutgoingMail = {
  /** Stable over retries, so that receivers can detect duplicates. */
  messageId: string
  to: string
  replyTo: string | null
  subject: string
  html: string
  text: string
  attachments: MailAttachment[]
}
