import type { OutgoingMail } from '../../domain/content/outgoing-mail.ts'

/** SMTP, or the demo's mailbox. */
export type MailTransport = {
  /**
   * Resolves once the mail server has accepted the mail; `signal` aborts.
   * @throws MailRejectedError for a permanent failure, anything else for a temporary one
   */
  send: (mail: OutgoingMail, signal?: AbortSignal) => Promise<void>
  close?: () => Promise<void> | void
}

/** The server rejected the mail permanently: do not retry. */
export class MailRejectedError extends Error {
  override name = 'MailRejectedError'
}
