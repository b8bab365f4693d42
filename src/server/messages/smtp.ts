import { createTransport } from 'nodemailer'
import { z } from 'zod'
import type { OutgoingMail } from '../../domain/content/outgoing-mail.ts'
import { isLoopback } from '../kernel/config.ts'
import { MailRejectedError, type MailTransport } from '../kernel/mail-transport.ts'

export type SmtpOptions = { url: string; from: string }

const emailAddress = z.email()

/**
 * Sends mail over SMTP. Each mail has one recipient; names, subject and addresses cannot add headers. A password is
 * never sent unencrypted, except to this machine.
 * @throws Error when `from` is not one address, with or without a name
 */
export function createSmtpTransport({ url, from }: SmtpOptions): MailTransport {
  const sender = parseSender(from)
  if (!sender) throw new Error('MAIL_FROM must be one address, for example Condo <mail@condo.example>')
  const { username, hostname } = new URL(url)
  const smtp = createTransport({
    url,
    requireTLS: username !== '' && !isLoopback(hostname),
    connectionTimeout: 20_000,
    greetingTimeout: 20_000,
    // The caller's signal limits the whole delivery.
    socketTimeout: 60_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(mail, signal) {
      const to = oneAddress(mail.to)
      const replyTo = mail.replyTo === null ? undefined : { name: '', address: oneAddress(mail.replyTo) }
      try {
        await smtp.sendMail({
          envelope: { from: sender.address, to: [to] },
          from: sender,
          to: { name: '', address: to },
          replyTo,
          messageId: mail.messageId,
          subject: mail.subject,
          html: mail.html,
          text: mail.text,
          attachments: mail.attachments.map(({ filename, contentType, content }) => ({
            filename,
            contentType,
            content: Buffer.from(content),
          })),
          headers: { 'Auto-Submitted': 'auto-generated' },
          ...(signal && { signal }),
        })
      } catch (error) {
        if (isPermanent(error)) throw new MailRejectedError(String(error), { cause: error })
        throw error
      }
    },
    close: () => smtp.close(),
  }
}

/** `Condo, Inc. <mail@condo.example>` or `mail@condo.example`; undefined for anything else. */
export function parseSender(text: string): { name: string; address: string } | undefined {
  const named = /^([^<>\r\n]*)<([^<>]+)>$/.exec(text.trim())
  const address = named?.[2] ?? text.trim()
  if (!emailAddress.safeParse(address).success) return undefined
  return { name: (named?.[1] ?? '').trim().replace(/^"(.*)"$/, '$1'), address }
}

/** Nodemailer would take `a@x.example,b@y.example` as two recipients. */
function oneAddress(text: OutgoingMail['to']): string {
  if (!emailAddress.safeParse(text).success) throw new MailRejectedError('This is not one e-mail address.')
  return text
}

/** 5xx for the recipient or the mail itself. A rejected login or sender is for the owner to fix, so the mail waits. */
function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error) || !('command' in error)) return false
  return Number(error.responseCode) >= 500 && (error.command === 'RCPT TO' || error.command === 'DATA')
}
