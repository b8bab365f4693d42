import { createServer, type Socket } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export type ReceivedMail = { envelope: { from: string; to: string[] }; raw: string; parsed: Email }
type Refusal = { code: number; message: string }
/** The server's reply to each step of the SMTP dialogue. It accepts by default. */
export type SmtpBehaviour = {
  mailFrom?: (address: string) => Refusal | undefined
  recipient?: (address: string) => Promise<Refusal | undefined> | Refusal | undefined
  /** Called with the complete mail; the result is the reply. */
  data?: (mail: ReceivedMail) => Promise<Refusal | undefined> | Refusal | undefined
}

export type RunningSmtp = {
  url: string
  port: number
  received: ReceivedMail[]
  behaviour: SmtpBehaviour
  close: () => Promise<void>
}

/** A real SMTP server on this machine that keeps accepted mails, and rejects what the test wants rejected. */
export async function startSmtp(
  port: number,
  behaviour: SmtpBehaviour = {},
  options: SMTPServerOptions = {},
): Promise<RunningSmtp> {
  const received: ReceivedMail[] = []
  const running: Omit<RunningSmtp, 'close'> = { url: `smtp://127.0.0.1:${port}`, port, received, behaviour }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 200,
    onMailFrom: ({ address }, _session, done) => done(asError(running.behaviour.mailFrom?.(address))),
    onRcptTo: async ({ address }, _session, done) =>
      done(asError(await running.behaviour.recipient?.(address))),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks)
        const { mailFrom, rcptTo } = session.envelope
        const mail: ReceivedMail = {
          envelope: { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) },
          raw: raw.toString('latin1'),
          parsed: await PostalMime.parse(raw),
        }
        const refusal = await running.behaviour.data?.(mail)
        if (!refusal) received.push(mail)
        done(asError(refusal))
      })
    },
    ...options,
  })
  // Some tests disconnect clients in the middle of the dialogue.
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return Object.assign(running, {
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  })
}

export type SmtpStep = 'greeting' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'end of the mail'
const replies: Record<Exclude<SmtpStep, 'greeting'>, string> = {
  EHLO: '250 slow.example',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  'end of the mail': '250 taken',
}

/**
 * A mail server that waits `pauseMs` before each reply, and never replies at the `silentAt` step. `connections`
 * returns the number of open connections.
 */
export async function startSlowSmtp(
  port: number,
  { silentAt, pauseMs = 0 }: { silentAt?: SmtpStep; pauseMs?: number },
) {
  const open = new Set<Socket>()
  const server = createServer(socket => {
    const reply = (step: SmtpStep, line: string) =>
      step === silentAt || setTimeout(() => socket.writable && socket.write(`${line}\r\n`), pauseMs)
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => {})
    reply('greeting', '220 slow.example ESMTP')
    let inMail = false
    let read = ''
    socket.on('data', chunk => {
      read += chunk.toString('latin1')
      const lines = read.split('\r\n')
      read = lines.pop() ?? ''
      for (const line of lines) {
        const [command = ''] = line.split(' ')
        const step = inMail ? (line === '.' ? 'end of the mail' : undefined) : command
        if (step === undefined || !(step in replies)) continue
        inMail = step === 'DATA'
        reply(step as SmtpStep, replies[step as keyof typeof replies])
      }
    })
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return {
    connections: () => open.size,
    close: () =>
      new Promise<void>(resolve => {
        for (const socket of open) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

function asError(refusal: Refusal | undefined): Error | null {
  return refusal ? Object.assign(new Error(refusal.message), { responseCode: refusal.code }) : null
}
