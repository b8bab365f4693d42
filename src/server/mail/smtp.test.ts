import { createServer, Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import type { OutgoingMail } from '../../domain/content/outgoing-mail.ts'
import { fakeNetwork, pem } from '../../testing/build-setup.ts'
import { type RunningSmtp, startSmtp } from '../../testing/smtp.ts'
import { MailRejectedError } from '../kernel/mail-transport.ts'
import type { MailNetwork } from '../lib/mail-network.ts'
import { createSavedSmtpTransport, createSmtpTransport } from './smtp.ts'

const port = 4602
const closers: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const plain: OutgoingMail = {
  messageId: '<one@condo.example>',
  to: 'maya@guest.example',
  replyTo: null,
  subject: 'Hello',
  html: '<p>Hello</p>',
  text: 'Hello',
  attachments: [],
}

async function start(): Promise<RunningSmtp> {
  const smtp = await startSmtp(port)
  closers.push(smtp.close)
  return smtp
}
const from = { name: 'Condo', address: 'mail@condo.example' }
const transport = () => createSmtpTransport({ url: `smtp://127.0.0.1:${port}`, from })

test('delivers a mail with HTML, text, reply address, attachment and a non-ASCII subject', async () => {
  const smtp = await start()
  const content = Buffer.from([0, 255, 13, 10, 46, 13, 10, 128])
  await transport().send({
    ...plain,
    replyTo: 'jonas@guest.example',
    subject: 'Grüße aus Ålesund 🌊 Ωκεανός',
    html: '<p>Привет</p>',
    text: 'Привет\n.\n..',
    attachments: [{ filename: 'lease-APP-2026-0007.pdf', contentType: 'application/pdf', content }],
  })
  const { parsed } = smtp.received[0] ?? {}
  expect(parsed).toMatchObject({
    subject: 'Grüße aus Ålesund 🌊 Ωκεανός',
    messageId: '<one@condo.example>',
    replyTo: [{ address: 'jonas@guest.example' }],
    to: [{ address: 'maya@guest.example' }],
    attachments: [{ filename: 'lease-APP-2026-0007.pdf', mimeType: 'application/pdf' }],
  })
  expect(parsed?.html).toContain('Привет')
  expect(parsed?.text?.trim()).toBe('Привет\n.\n..')
  expect(Buffer.from(parsed?.attachments[0]?.content as ArrayBuffer)).toEqual(content)
})

test('rejects two addresses or a line break in an address field before sending', async () => {
  const smtp = await start()
  const wrong = [
    'a@guest.example,b@guest.example',
    'a@guest.example; b@guest.example',
    'a@guest.example b@guest.example',
    'a@guest.example\r\nBcc: b@guest.example',
    'a@guest.example>\r\nRCPT TO:<b@guest.example',
    'Maya <a@guest.example>',
    'group: a@guest.example, b@guest.example;',
    '',
  ]
  for (const address of wrong) {
    await expect(transport().send({ ...plain, to: address }), address).rejects.toThrow(MailRejectedError)
    await expect(transport().send({ ...plain, replyTo: address }), address).rejects.toThrow(MailRejectedError)
  }
  expect(smtp.received).toHaveLength(0)
})

test('a line break in a subject or file name adds no header and no recipient', async () => {
  const smtp = await start()
  const evil = 'Hello\r\nBcc: evil@guest.example\r\nX-Evil: yes\r\n\r\nbody'
  await transport().send({
    ...plain,
    subject: evil,
    attachments: [{ filename: evil, contentType: 'application/pdf', content: Buffer.from('x') }],
  })
  const [mail] = smtp.received
  expect(mail?.envelope.to).toEqual(['maya@guest.example'])
  const names = mail?.parsed.headers.map(({ key }) => key) ?? []
  expect(names).not.toContain('bcc')
  expect(names).not.toContain('x-evil')
  expect(mail?.raw).not.toMatch(/^(Bcc|X-Evil):/im)
})

test('tells a permanent rejection from a temporary one', async () => {
  const smtp = await start()
  smtp.behaviour = { recipient: () => ({ code: 550, message: 'unknown user' }) }
  await expect(transport().send(plain)).rejects.toThrow(MailRejectedError)
  smtp.behaviour = { recipient: () => ({ code: 451, message: 'later' }) }
  const error = await transport()
    .send(plain)
    .catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toBeInstanceOf(MailRejectedError)
})

test('never sends a password to another machine without encryption', async () => {
  const smtp = await startSmtp(
    port,
    {},
    {
      authMethods: ['PLAIN'],
      onAuth: (_auth, _session, done) => done(null, { user: 'u' }),
      allowInsecureAuth: true,
    },
  )
  closers.push(smtp.close)
  // An address of this machine that the code does not know as loopback.
  const elsewhere = createSmtpTransport({
    url: `smtp://user:secret@0.0.0.0:${port}`,
    from,
  })
  await expect(elsewhere.send(plain)).rejects.toThrow(/STARTTLS/i)
  expect(smtp.received).toHaveLength(0)
  const here = createSmtpTransport({
    url: `smtp://user:secret@127.0.0.1:${port}`,
    from,
  })
  await here.send(plain)
  expect(smtp.received).toHaveLength(1)
})

const blank = Buffer.from(`${' '.repeat(13)}\n`.repeat(4681))

/** A server that greets and then sends without end; returns how much it has sent. */
async function flood(chunk: Buffer, isSecure: boolean): Promise<() => number> {
  let sent = 0
  const onConnection = (socket: Socket) => {
    socket.on('error', () => {}).write('220 hi\r\n')
    const pump = () => {
      while (!socket.destroyed && sent < 200_000_000) {
        sent += chunk.byteLength
        if (!socket.write(chunk)) return void socket.once('drain', pump)
      }
    }
    pump()
  }
  const server = isSecure
    ? createTlsServer({ key: pem('site-key'), cert: pem('site') }, onConnection)
    : createServer(onConnection)
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  closers.push(() => new Promise(resolve => server.close(() => resolve())))
  return () => sent
}

const saved = (security: 'tls' | 'starttls', network: MailNetwork = fakeNetwork(port)) =>
  createSavedSmtpTransport(
    { host: 'feed.example', port, security, user: '', password: '', from: () => from },
    network,
  )

test.each([
  ['blank lines', transport, blank, false],
  ['empty lines', transport, Buffer.alloc(65_536, '\n'), false],
  ['blank lines to saved settings', () => saved('starttls'), blank, false],
  ['blank lines inside TLS', () => saved('tls'), blank, true],
])('a mail server that sends %s without end is cut off [FIX-26]', async (_name, open, chunk, isSecure) => {
  const sent = await flood(chunk, isSecure)
  await expect(open().send(plain)).rejects.toThrow()
  await new Promise(resolve => setTimeout(resolve, 300))
  expect(sent()).toBeLessThan(60_000_000)
})

test('a mail server may send 64 KB per connection, because each line takes a turn of the event loop [FIX-26]', async () => {
  const server = createServer(socket => void socket.on('error', () => {}).write('220-hi\r\n'.repeat(9000)))
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  closers.push(() => new Promise(resolve => server.close(() => resolve())))
  await expect(transport().send(plain, AbortSignal.timeout(4000))).rejects.toThrow('sent too much')
})

test.each([
  ['TLS from the beginning', 'tls', { secure: true }],
  ['STARTTLS', 'starttls', {}],
] as const)('a long mail arrives over %s', async (_name, security, options) => {
  const smtp = await startSmtp(
    port,
    {},
    { key: pem('site-key'), cert: pem('site'), ...options, disabledCommands: [] },
  )
  closers.push(smtp.close)
  const text = 'A line of the letter.\n'.repeat(100_000)
  await saved(security).send({ ...plain, text })
  expect(smtp.received.map(({ parsed }) => parsed.text?.trim())).toEqual([text.trim()])
})

test('inside TLS a mail server is cut off as soon as it has sent 64 KB', async () => {
  await flood(blank, true)
  const socket = new Socket()
  const connect = () => socket.connect(port, '127.0.0.1')
  await expect(saved('tls', { ...fakeNetwork(port), connect }).send(plain)).rejects.toThrow('sent too much')
  expect(socket.destroyed).toBe(true)
  expect(socket.bytesRead).toBeLessThan(200_000)
})
