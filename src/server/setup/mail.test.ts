import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { events, outbox } from '../../../db/schema.ts'
import {
  codeIn,
  fakeNetwork,
  mailBody,
  mailPassword,
  setupApp,
  startMailServer,
  turnMailOn,
} from '../../testing/build-setup.ts'
import { noMailSources } from '../../testing/no-mail-sources.ts'
import { startSlowSmtp } from '../../testing/smtp.ts'
import { testApp } from '../../testing/test-app.ts'
import { connectMail } from '../lib/mail-network.ts'
import { createSmtpTransport } from '../mail/smtp.ts'
import { startMailWorker } from '../mail/worker.ts'
import { saveMail } from './save-mail.ts'
import { senderAdvice } from './sender-advice.ts'
import { sendTestMail } from './test-mail.ts'

const port = 4671
const to = 'owner@condo.example'
const secrets = { password: mailPassword }

test('the six digits of the test mail turn mail on, and waiting mails go out without a restart [INST-18, INST-22]', async () => {
  const smtp = await startMailServer(port)
  const app = await setupApp({ mailNetwork: fakeNetwork(port) })
  const worker = startMailWorker(app.deps, noMailSources)
  expect(await app.setup.mail()).toMatchObject({ version: 0, on: false, source: 'here' })
  const saved = await app.setup.saveMail({ version: 0, body: mailBody, secrets })
  expect(saved).toMatchObject({ version: 1, on: false, isTested: false, body: mailBody })
  expect(saved.secrets.password).toMatchObject({ set: true, hint: 'hore', from: 'saved', isLost: false })
  await worker.deliverDue()
  expect(smtp.received).toHaveLength(0)

  expect(await app.setup.testMail({ to })).toMatchObject({ words: `The mail server took the mail to ${to}.` })
  expect(smtp.received[0]?.envelope).toEqual({ from: mailBody.from, to: [to] })
  expect(app.deps.mail).toBeUndefined()
  expect(await app.setup.mail()).toMatchObject({ on: false, isCodeSent: true })
  expect(await app.setup.confirmMail({ code: codeIn(smtp) })).toEqual({ on: true })
  expect(await app.setup.mail()).toMatchObject({ on: true, isTested: true, isCodeSent: false })
  await worker.deliverDue()
  await worker.stop()
  expect(smtp.received.map(({ parsed }) => parsed.subject)).toEqual([
    'Test mail from Seaglass Shore Rentals',
    'Mail: the settings were changed',
  ])
  // The code is in no row.
  const rows = JSON.stringify([
    app.deps.db.select().from(outbox).all(),
    app.deps.db.select().from(events).all(),
  ])
  expect(rows).not.toContain(codeIn({ ...smtp, received: smtp.received.slice(0, 1) }))
})

test('wrong, old and replaced digits do not turn mail on, and the fifth wrong ones end the test [INST-18]', async () => {
  const smtp = await startMailServer(port)
  const app = await setupApp({ mailNetwork: fakeNetwork(port) })
  await expect(app.setup.testMail({ to })).rejects.toThrow('Please save the mail server')
  await app.setup.saveMail({ version: 0, body: mailBody, secrets })
  await expect(app.setup.confirmMail({ code: '123456' })).rejects.toThrow('no longer works')
  await app.setup.testMail({ to })
  const first = codeIn(smtp)
  await app.setup.testMail({ to })
  const code = codeIn(smtp)
  await expect(app.setup.confirmMail({ code: first })).rejects.toThrow('not right')
  const wrong = code === '000000' ? '000001' : '000000'
  for (let tries = 2; tries <= 5; tries++)
    await expect(app.setup.confirmMail({ code: wrong })).rejects.toThrow('not right')
  await expect(app.setup.confirmMail({ code })).rejects.toThrow('no longer works')

  await app.setup.testMail({ to })
  app.advance(15 * 60_000)
  await expect(app.setup.confirmMail({ code: codeIn(smtp) })).rejects.toThrow('no longer works')
  await app.setup.testMail({ to })
  // The digits prove the server that sent them, not one that was saved afterwards.
  await app.setup.saveMail({ version: 1, body: { ...mailBody, dkimSelector: '' } })
  await expect(app.setup.confirmMail({ code: codeIn(smtp) })).rejects.toThrow('no longer works')
  expect(await app.setup.mail()).toMatchObject({ on: false, isCodeSent: false })
})

test('the settings in use stay in use until the test mail of new ones has arrived [INST-18]', async () => {
  const smtp = await startMailServer(port)
  const app = await setupApp({ mailNetwork: fakeNetwork(port) })
  await turnMailOn(app, smtp)
  const inUse = app.deps.mail
  await app.setup.saveMail({ version: 1, body: { ...mailBody, from: 'new@condo.example' } })
  expect(await app.setup.mail()).toMatchObject({ on: true, isTested: false, version: 2 })
  expect(app.deps.mail).toBe(inUse)
  await app.setup.testMail({ to })
  await app.setup.confirmMail({ code: codeIn(smtp) })
  expect(app.deps.mail).not.toBe(inUse)
})

test('shows the words of a mail server that refuses, without the password that it quotes, and ends after 20 s of silence [INST-18, INST-23]', async () => {
  const smtp = await startMailServer(port)
  const app = await setupApp({ mailNetwork: fakeNetwork(port) })
  const wrong = 'not-the-password-1'
  await app.setup.saveMail({ version: 0, body: mailBody, secrets: { password: wrong } })
  const refusal = await app.setup.testMail({ to }).catch((error: Error) => error)
  expect(refusal).toMatchObject({ message: expect.stringContaining('535 No such password: …') })
  expect(String(refusal)).not.toContain(wrong)
  expect(await app.setup.mail()).toMatchObject({ isCodeSent: false })
  await app.setup.saveMail({ version: 1, body: mailBody, secrets })
  smtp.behaviour = { recipient: () => ({ code: 550, message: `No such user ${'x'.repeat(400)}` }) }
  const long = await app.setup.testMail({ to }).catch((error: Error) => error.message)
  expect(long).toContain('550 No such user')
  expect(String(long).length).toBeLessThan(350)

  const slow = await startSlowSmtp(port + 1, { silentAt: 'greeting' })
  app.deps.mailNetwork = fakeNetwork(port + 1)
  const { db } = app.deps
  const admin = app.owner
  await expect(sendTestMail(app.deps, admin, { to }, 200)).rejects.toThrow(
    'did not answer within 0.2 seconds',
  )
  await expect.poll(slow.connections).toBe(0)
  await slow.close()
  expect(db.select().from(events).where(eq(events.kind, 'setup.mail_on')).all()).toEqual([])
})

test('names the two encryptions when the one chosen does not fit the port, not the words of a library [INST-18]', async () => {
  const smtp = await startMailServer(port)
  const app = await setupApp({ mailNetwork: fakeNetwork(port) })
  await app.setup.saveMail({ version: 0, body: { ...mailBody, security: 'tls' }, secrets })
  await expect(app.setup.testMail({ to })).rejects.toThrow(
    'The mail was not sent. The mail server does not speak TLS at port 587. Try STARTTLS, or another port.',
  )
  expect(smtp.received).toEqual([])
})

test('keeps a password only for its server and user, so that no other server can be made to receive it [INST-23]', async () => {
  const app = await setupApp({ mailNetwork: fakeNetwork(port) })
  await app.setup.saveMail({ version: 0, body: mailBody, secrets })
  for (const change of [{ host: 'evil.example' }, { port: 465 }, { user: 'other' }])
    await expect(app.setup.saveMail({ version: 1, body: { ...mailBody, ...change } })).rejects.toThrow(
      'Please enter the password of this mail server',
    )
  expect(await app.setup.saveMail({ version: 1, body: { ...mailBody, security: 'tls' } })).toMatchObject({
    version: 2,
  })
  expect(await app.setup.saveMail({ version: 2, body: { ...mailBody, user: '' } })).toMatchObject({
    secrets: { password: { set: false } },
  })
  await expect(app.setup.saveMail({ version: 2, body: mailBody, secrets })).rejects.toThrow('in the meantime')
})

test('changing needs a step-up and mails the owner; what the environment or the demo sets stays [INST-22]', async () => {
  const app = await setupApp()
  const change = { version: 0, body: mailBody, secrets }
  const stolen = { ...app.owner, sessionId: 'without proof' }
  await expect(saveMail(app.deps, stolen, change)).rejects.toThrow('Please confirm that it is you.')
  const mails = () => app.deps.db.select().from(outbox).all()
  expect(mails()).toEqual([])
  await app.setup.saveMail(change)
  expect(mails()).toMatchObject([{ kind: 'owner-connection-changed', toAddress: 'owner@condo.example' }])

  const env = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@condo.example' }
  const set = await setupApp({ env })
  const { mail } = await testApp({ replace: { mail: undefined } }).then(async demo => ({
    mail: demo.as(await demo.makeAdmin()).setup.mail,
  }))
  expect(await mail()).toMatchObject({ source: 'demo' })
  expect(await set.setup.mail()).toMatchObject({
    source: 'server',
    secrets: { password: { set: true, hint: '', from: 'server' } },
  })
  await expect(set.setup.saveMail(change)).rejects.toThrow('This is set on the server.')
  await expect(set.setup.testMail({ to })).rejects.toThrow('This is set on the server.')
  await expect(set.setup.confirmMail({ code: '123456' })).rejects.toThrow('This is set on the server.')
})

test('in a private network only the ports of mail servers are reached, and nothing that is link-local [INST-18]', async () => {
  const reached: string[] = []
  const network = (address: string) => ({
    ...fakeNetwork(port),
    lookup: async () => [address],
    connect: () => {
      reached.push(address)
      throw new Error('reached')
    },
  })
  const tries: [address: string, port: number, isReached: boolean][] = [
    ['127.0.0.1', 25, true],
    ['127.0.0.1', 6379, false],
    ['::1', 587, true],
    ['::ffff:127.0.0.1', 5432, false],
    ['192.168.1.20', 465, true],
    ['10.1.2.3', 22, false],
    ['169.254.169.254', 25, false],
    ['fe80::1', 25, false],
    ['0.0.0.0', 25, false],
    ['93.184.215.14', 2526, true],
  ]
  for (const [address, target, isReached] of tries)
    for (const host of [address, 'name.example'])
      await expect(
        connectMail(network(address), host, target),
        `${host} ${address}:${target}`,
      ).rejects.toThrow(isReached ? 'reached' : 'is in a private network')
  expect(reached).toHaveLength(8)
})

test('says which records the sender’s domain lacks, and nothing of what cannot be looked up [INST-18]', async () => {
  const from = 'stay@mail.condo.example'
  const good = {
    'mail.condo.example': ['google-site-verification=1', 'v=spf1 -all'],
    '_dmarc.condo.example': ['v=DMARC1; p=none'],
    'k1._domainkey.mail.condo.example': ['v=DKIM1; p=MIIB'],
  }
  const advice = (dns: Record<string, string[]>, dkimSelector = 'k1') =>
    senderAdvice(fakeNetwork(port, dns), { from, dkimSelector })
  expect(await advice(good)).toEqual([])
  expect(await advice({})).toEqual([
    'mail.condo.example has no SPF record.',
    'mail.condo.example has no DMARC record.',
    'There is no DKIM key at k1._domainkey.mail.condo.example.',
  ])
  expect(await advice({ ...good, 'k1._domainkey.mail.condo.example': [] }, '')).toEqual([])
  const broken = { ...fakeNetwork(port), texts: () => Promise.reject(new Error('SERVFAIL')) }
  const silent = { ...fakeNetwork(port), texts: () => new Promise<string[]>(() => {}) }
  expect(await senderAdvice(broken, { from, dkimSelector: '' })).toEqual([])
  expect(await senderAdvice(silent, { from, dkimSelector: '' }, 20)).toEqual([])
})

test('with nothing saved, the mail server of the environment is used as before [INST-22]', async () => {
  const mail = createSmtpTransport({
    url: 'smtp://127.0.0.1:9',
    from: { name: '', address: 'a@condo.example' },
  })
  const app = await testApp({ replace: { mail } })
  expect(app.deps.mail).toBe(mail)
})
