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

/** The far end of mail: SMTP, or the demo's mailbox. */
export type MailTransport = {
  /**
   * Resolves once the far end took the mail; `signal` hangs up.
   * @throws MailRejectedError for good, anything else for now
   */
  send: (mail: OutgoingMail, signal?: AbortSignal) => Promise<void>
  close?: () => Promise<void> | void
}

/** The far end will never take this mail: trying again is of no use. */
export class MailRejectedError extends Error {
  override name = 'MailRefused'
}
