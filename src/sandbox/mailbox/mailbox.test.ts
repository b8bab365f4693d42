import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { OutgoingMail } from '../../domain/content/outgoing-mail.ts'
import { mountMailbox } from '../../server/http/sandbox.ts'
import { testApp } from '../../testing/test-app.ts'
import { openMailbox } from './store.ts'

const mail: OutgoingMail = {
  messageId: '<one@localhost>',
  to: 'maya@guest.example',
  replyTo: null,
  subject: 'Hello & <b>welcome</b>',
  html: '<p style="color:red">Hello <a href="https://condo.example">there</a></p><script>alert(1)</script>',
  text: 'Hello <there>',
  attachments: [
    {
      filename: 'lease-APP-2026-0007.pdf',
      contentType: 'application/pdf',
      content: Buffer.from([37, 0, 255]),
    },
  ],
}
const now = () => new Date('2026-03-04T17:00:00.000Z')

async function appWithMailbox() {
  const mailbox = openMailbox(':memory:', now)
  const app = await testApp({ replace: { mail: mailbox } })
  mountMailbox(await app.fastify(), mailbox, app.deps)
  return { mailbox, get: (url: string) => app.http.inject({ url }) }
}

test('keeps mails and their exact attachments after a restart, newest first', async () => {
  const { folder } = await testApp()
  const file = join(folder, 'mailbox.sqlite')
  const first = openMailbox(file, now)
  await first.send(mail)
  await first.send({ ...mail, subject: 'Second', attachments: [] })
  first.close()
  const second = openMailbox(file, now)
  expect(second.list().map(({ subject, attachments }) => [subject, attachments])).toEqual([
    ['Second', 0],
    ['Hello & <b>welcome</b>', 1],
  ])
  expect(second.find(1)).toEqual({ ...mail, id: 1, receivedAt: '2026-03-04T17:00:00.000Z' })
  second.close()
})

test('keeps the last 200 mails', async () => {
  const mailbox = openMailbox(':memory:', now)
  for (let i = 1; i <= 203; i++) await mailbox.send({ ...mail, subject: `Mail ${i}` })
  expect(mailbox.list()).toHaveLength(200)
  expect(mailbox.list().at(-1)?.subject).toBe('Mail 4')
  expect(mailbox.find(3)).toBeUndefined()
  mailbox.close()
})

test('lists recipient, subject and time as escaped text', async () => {
  const { mailbox, get } = await appWithMailbox()
  expect((await get('/sandbox/mailbox')).body).toContain('No mail yet')
  await mailbox.send(mail)
  const { body, headers } = await get('/sandbox/mailbox')
  expect(body).toContain('Hello &amp; &lt;b&gt;welcome&lt;/b&gt;')
  expect(body).toContain('maya@guest.example')
  expect(body).toContain('Mar 4, 2026, 12:00 PM EST')
  expect(body).toContain('href="/sandbox/mailbox/1"')
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
})

test('shows a mail in a sandboxed frame under a policy without scripts', async () => {
  const { mailbox, get } = await appWithMailbox()
  await mailbox.send(mail)
  const { body, headers } = await get('/sandbox/mailbox/1')
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(headers['content-security-policy']).not.toContain('script-src')
  expect(body).toMatch(/<iframe[^>]+sandbox="allow-popups allow-popups-to-escape-sandbox"/)
  expect(body).not.toContain('<script')
  expect(body).toContain('Hello &lt;there&gt;')
})

test('the frame of a mail with long labels in its table is higher', async () => {
  const { mailbox, get } = await appWithMailbox()
  const narrow = async (text: string) => {
    await mailbox.send({ ...mail, text })
    const { body } = await get(`/sandbox/mailbox/${mailbox.list()[0]?.id}`)
    return Number(/--narrow:(\d+)px/.exec(body)?.[1])
  }
  const short = await narrow('1. Table   −$120.00')
  expect(await narrow('1. Cracked glass of the balcony table   −$120.00')).toBeGreaterThan(short)
})

test('serves an attachment as a download', async () => {
  const { mailbox, get } = await appWithMailbox()
  await mailbox.send(mail)
  const response = await get('/sandbox/mailbox/1/attachments/0')
  expect(response.headers['content-disposition']).toBe("attachment; filename*=UTF-8''lease-APP-2026-0007.pdf")
  expect(response.headers['x-content-type-options']).toBe('nosniff')
  expect(response.rawPayload).toEqual(Buffer.from([37, 0, 255]))
})

test.each(['/7', '/1/attachments/1', '/x', '/1/else', '/1/attachments/../../x', '/99999999999999999999'])(
  'returns 404 for %s',
  async path => {
    const { mailbox, get } = await appWithMailbox()
    await mailbox.send(mail)
    expect((await get(`/sandbox/mailbox${path}`)).statusCode).toBe(404)
  },
)

test('production refuses to mount the mailbox and has no route for it', async () => {
  const app = await testApp({
    env: {
      NODE_ENV: 'production',
      ORIGIN: 'https://condo.example',
      COMPANY_NAME: 'Sea',
      PROPERTY_NAME: 'Sea Condo',
      PROPERTY_ADDRESS: '1 Beach Walk',
      PROPERTY_TIMEZONE: 'America/New_York',
      OWNER_EMAIL: 'owner@condo.example',
      OWNER_PHONE: '850-555-0142',
    },
  })
  const mailbox = openMailbox(':memory:', now)
  const fastify = await app.fastify()
  expect(() => mountMailbox(fastify, mailbox, app.deps)).toThrow('demo')
  expect((await app.http.inject({ url: '/sandbox/mailbox' })).statusCode).toBe(404)
  mailbox.close()
})
