import { connect } from 'node:net'
import { createTransport, type Transporter } from 'nodemailer'
import type SMTPTransport from 'nodemailer/lib/smtp-transport'
import { z } from 'zod'
import type { MailSettings } from '../../domain/content/connections.ts'
import type { OutgoingMail } from '../../domain/content/outgoing-mail.ts'
import { isLoopback } from '../kernel/config.ts'
import { MailRejectedError, type MailTransport } from '../kernel/mail-transport.ts'
import { limitReceived } from '../lib/limited-socket.ts'
import { connectMail, type MailNetwork } from '../lib/mail-network.ts'

type Sender = { name: string; address: string }
export type SmtpOptions = { url: string; from: Sender }
/** What the owner saved. `from` is read for each mail, because the site's name can change. */
export type SavedSmtp = Pick<MailSettings, 'host' | 'port' | 'security' | 'user'> & {
  password: string
  from: () => Sender
}

const emailAddress = z.email()

/**
 * Sends mail over SMTP. Each mail has one recipient; names, subject and addresses cannot add headers. A password is
 * never sent unencrypted, except to this machine.
 */
export function createSmtpTransport({ url, from }: SmtpOptions): MailTransport {
  const { hostname, port, protocol, username } = new URL(url)
  const defaultPort = protocol === 'smtps:' ? 465 : 587
  const host = hostname.replaceAll(/^\[|\]$/g, '')
  const getSocket: GetSocket = ({ tls }, done) => {
    const connection = connect(Number(port) || defaultPort, host)
    connection.setTimeout(limits.connectionTimeout, () => connection.destroy(new Error('Connection timeout')))
    connection.once('error', done).once('connect', () => {
      connection.off('error', done).setTimeout(0)
      done(null, limitReceived(connection, maxReceivedBytes, tls))
    })
  }
  const requireTLS = username !== '' && !isLoopback(hostname)
  return transportOf(createTransport({ ...limits, url, requireTLS, getSocket }), () => from)
}

/**
 * The same for settings that the owner saved. It connects only where `connectMail` allows, always with encryption
 * except to this machine, and no error quotes the password, whatever the server answers (INST-23).
 */
export function createSavedSmtpTransport(saved: SavedSmtp, network: MailNetwork): MailTransport {
  const { from, host, password, port, security, user } = saved
  const secure = security === 'tls'
  const smtp = createTransport({
    ...limits,
    host,
    port,
    secure,
    requireTLS: !secure && !isLoopback(host),
    ...(user && { auth: { user, pass: password } }),
    tls: { ca: network.ca },
    getSocket: ({ tls }, done) =>
      void connectMail(network, host, port).then(
        connection => done(null, limitReceived(connection, maxReceivedBytes, tls)),
        error => done(error),
      ),
  })
  const { send, close } = transportOf(smtp, from)
  return {
    send: (mail, signal) =>
      send(mail, signal).catch(error => {
        throw withoutPassword(error, user, password)
      }),
    close,
  }
}

/** A mail server answers a mail with a few KB, with the certificates of TLS. */
const maxReceivedBytes = 64 * 1024
type GetSocket = NonNullable<SMTPTransport.Options['getSocket']>

const limits = {
  connectionTimeout: 20_000,
  greetingTimeout: 20_000,
  // The caller's signal limits the whole delivery.
  socketTimeout: 60_000,
  disableFileAccess: true,
  disableUrlAccess: true,
}

/** An error like this one, with only the server's words and its code, in which the password is blanked out. */
function withoutPassword(error: unknown, user: string, password: string): Error {
  const { command, message, response, responseCode } = error as Error & Partial<Record<string, unknown>>
  const encoded = [password, `\0${user}\0${password}`].map(text => Buffer.from(text).toString('base64'))
  const spellings =
    password === '' ? [] : [password, ...encoded, ...encoded.map(text => text.replace(/=+$/, ''))]
  const words = spellings.reduce(
    (text, spelling) => text.replaceAll(spelling, '…'),
    typeof response === 'string' ? response : message,
  )
  const Kind = error instanceof MailRejectedError ? MailRejectedError : Error
  return Object.assign(new Kind(words), { command, responseCode })
}

function transportOf(smtp: Transporter, from: () => Sender): MailTransport {
  return {
    async send(mail, signal) {
      const to = oneAddress(mail.to)
      const replyTo = mail.replyTo === null ? undefined : { name: '', address: oneAddress(mail.replyTo) }
      try {
        await smtp.sendMail({
          envelope: { from: from().address, to: [to] },
          from: from(),
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

/** Nodemailer would take `a@x.example,b@y.example` as two recipients. */
function oneAddress(text: OutgoingMail['to']): string {
  if (!emailAddress.safeParse(text).success) throw new MailRejectedError('This is not one email address.')
  return text
}

/** 5xx for the recipient or the mail itself. A rejected login or sender is for the owner to fix, so the mail waits. */
function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error) || !('command' in error)) return false
  return Number(error.responseCode) >= 500 && (error.command === 'RCPT TO' || error.command === 'DATA')
}
