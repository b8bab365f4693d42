import { expect, test } from 'vitest'
import { outbox } from '../../../db/schema.ts'
import { type TestApp, testApp, visitor } from '../../testing/test-app.ts'
import type { Deps } from '../kernel/deps.ts'
import { createLimits } from '../kernel/limits.ts'

const message = { name: 'Jonas Åström', email: 'jonas@guest.example', message: 'Is it free in May?' }
const queued = ({ deps }: TestApp) => deps.db.select().from(outbox).all()

test("queues a message once for the owner, with replies to the visitor, and confirms it in the spec's words [CONTACT-09, MAIL-03]", async () => {
  const app = await testApp({ env: { OWNER_EMAIL: 'owner@condo.example' } })
  expect(await app.as(visitor).contact.send(message)).toEqual({
    message: "Message sent successfully! We'll get back to you soon.",
  })
  expect(queued(app)).toMatchObject([
    {
      kind: 'contact-message',
      toAddress: 'owner@condo.example',
      replyTo: 'jonas@guest.example',
      props: {
        from_name: 'Jonas Åström',
        from_email: 'jonas@guest.example',
        phone: 'Not provided',
        subject: 'Contact Form Submission',
        message: 'Is it free in May?',
        recipient: 'owner@condo.example',
        sent_date: app.deps.clock.now().toISOString(),
      },
    },
  ])
})

test('rejects an incomplete message and sends nothing [CONTACT-05]', async () => {
  const app = await testApp()
  const refusal = app.as(visitor).contact.send({ ...message, message: ' ' })
  await expect(refusal).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  expect(queued(app)).toEqual([])
})

test('reports to the form whether messages can be sent [CONTACT-11]', async () => {
  const on = await testApp({ env: { OWNER_EMAIL: 'owner@condo.example' } })
  expect(await on.as(visitor).contact.ready()).toEqual({
    ready: true,
    configured: true,
    ownerEmail: 'owner@condo.example',
  })
  const off = await testApp({ replace: { mail: undefined } })
  expect(await off.as(visitor).contact.ready()).toMatchObject({ ready: false, configured: false })
})

test("rejects a message with the owner's address and queues nothing when mail is not set up [CONTACT-13]", async () => {
  const app = await testApp({ env: { OWNER_EMAIL: 'owner@condo.example' }, replace: { mail: undefined } })
  await expect(app.as(visitor).contact.send(message)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: 'Contact service temporarily unavailable. Please email us directly at owner@condo.example',
  })
  expect(queued(app)).toEqual([])
})

test('rejects a message as not ready while the outbox cannot be written [CONTACT-12]', async () => {
  const app = await testApp()
  const failing: Deps['write'] = () => Promise.reject(new Error('database or disk is full'))
  Object.assign(app.deps, { write: failing })
  await expect(app.as(visitor).contact.send(message)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'Email service is not ready. Please try again in a moment.',
  })
})

test('returns the same response to a filled honeypot and sends nothing', async () => {
  const app = await testApp()
  const answer = await app.as(visitor).contact.send({ ...message, website: 'https://spam.example' })
  expect(answer).toEqual(await app.as(visitor).contact.send({ ...message, website: '' }))
  expect(queued(app)).toHaveLength(1)
})

test('limits messages by network address and by day', async () => {
  const app = await testApp({ replace: { limits: createLimits(true) } })
  const from = (address: string) =>
    app.as({ role: 'guest', requestOrigin: { address, userAgent: '' } }).contact.send(message)
  for (let i = 0; i < 5; i++) await from('203.0.113.9')
  await expect(from('203.0.113.9')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  for (let i = 0; i < 195; i++) await from(`198.51.${i}.1`)
  await expect(from('192.0.2.1')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  expect(queued(app)).toHaveLength(200)
})

test('a network address has 20 messages of a day’s 200, and its larger network 60', async () => {
  const app = await testApp({ replace: { limits: createLimits(true) } })
  const send = async (n: number) => {
    const address = `203.0.113.${n}`
    for (const key of [address, '203.0.113.0/24']) await app.deps.limits.reset('contactByAddress', key)
    await app.as({ role: 'guest', requestOrigin: { address, userAgent: '' } }).contact.send(message)
  }
  for (let n = 0; n < 60; n++) await send(Math.floor(n / 20))
  for (const n of [0, 3]) await expect(send(n)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  expect(queued(app)).toHaveLength(60)
})
