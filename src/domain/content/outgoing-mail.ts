/** A file attached to a mail. */
export type MailAttachment = { filename: string; contentType: string; content: Uint8Array }

/** A rendered mail, as passed to the mail server or the demo's mailbox. */
export type OutgoingMail = {
  /** The same for all retries, so that receivers can detect duplicates. */
  messageId: string
  to: string
  replyTo: string | null
  subject: string
  html: string
  text: string
  attachments: MailAttachment[]
}
