import { afterAll, beforeAll, expect, test } from 'vitest'
import { pdfText } from '../pdf-text.ts'
import { type Account, apply, openPortal, type Portal, waitFor } from './portal.ts'

let portal: Portal
let admin: Account
beforeAll(async () => {
  portal = await openPortal()
  admin = await portal.admin()
})
afterAll(() => portal.close())

const evil = '<img src=x onerror=alert(1)>'
const mailTo = (address: string, subject: RegExp) =>
  waitFor(() =>
    portal.smtp.received.find(
      ({ envelope, parsed }) => envelope.to.includes(address) && subject.test(parsed.subject ?? ''),
    ),
  )

test('<img onerror> in every text field stays text in responses, mails and PDFs', async () => {
  const tenant = await portal.tenant({ firstName: evil, lastName: evil })
  // The mails to an unproven mailbox leave the name out.
  portal.database(db =>
    db.prepare('update users set mailbox_proven_at = created_at where id = ?').run(tenant.id),
  )
  const named = {
    firstName: evil,
    lastName: evil,
    secondApplicantFirstName: evil,
    secondApplicantLastName: evil,
    address: { street: evil, city: evil, state: 'AL', zipCode: '36602' },
    additionalGuests: [{ firstName: evil, lastName: evil, isAdult: true }],
  }
  const { id } = await apply(portal, tenant, admin, named)
  const { token } = admin
  await portal.expectOk(
    portal.call('PUT', `/api/application/admin/${id}/edit`, { token, body: { notes: evil } }),
  )
  const manual = {
    amount: 100,
    paymentType: 'other',
    checkNumber: evil.slice(0, 50),
    notes: evil,
    applicationId: id,
  }
  const { payment } = await portal.expectOk(
    portal.call('POST', '/api/payment/admin/manual-payment', { token, body: manual }),
  )
  await portal.expectOk(portal.mutate('payments.resendReceipt', { token, body: { paymentId: payment.id } }))
  await portal.expectOk(
    portal.mutate('contact.send', {
      body: { name: evil, email: tenant.email, phone: evil, subject: evil, message: evil },
    }),
  )

  for (const path of [
    `/api/application/${id}`,
    `/api/application/admin/all?search=${encodeURIComponent(evil)}`,
    `/api/lease/preview/${id}`,
  ]) {
    const reply = await portal.call('GET', path, { token })
    expect(reply.text).toContain('onerror')
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
  }
  await mailTo(tenant.email, /receipt/i)
  await mailTo('owner@condo.example', /img src=x/)
  const mails = portal.smtp.received.filter(({ parsed }) => /onerror/.test(`${parsed.html}${parsed.subject}`))
  expect(mails.length).toBeGreaterThanOrEqual(3)
  for (const { parsed } of mails) expect(parsed.html).not.toMatch(/<img[^>]*onerror/i)

  const bytesOf = async (path: string) => {
    const response = await fetch(`${portal.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
    return new Uint8Array(await response.arrayBuffer())
  }
  for (const path of [`/api/lease/download?applicationId=${id}`, `/api/payment/${payment.id}/receipt.pdf`]) {
    const bytes = await bytesOf(path)
    expect(Buffer.from(bytes).toString('latin1')).not.toMatch(
      /\/JavaScript|\/JS\b|\/OpenAction\s*<<\s*\/S\s*\/JavaScript|\/URI/,
    )
    expect(pdfText(bytes).flat().join(' ')).toContain('onerror')
  }
})

test('SQL in search and sort finds nothing and breaks nothing', async () => {
  const { token } = admin
  await apply(portal, await portal.tenant())
  const list = (search: string) => portal.call('GET', `/api/application/admin/all?${search}`, { token })
  for (const search of [
    "' or '1'='1",
    "'; drop table users; --",
    '%',
    '_',
    '\\',
    "%' union select password_hash from users --",
    '"; --',
    '\u0000',
  ]) {
    for (const paging of ['', '&page=1', '&page=1&status=pending&sort=firstName']) {
      const { body, text } = await portal.expectRejected(200, () =>
        list(`search=${encodeURIComponent(search)}${paging}`),
      )
      expect(body.applications, `${search}${paging}`).toEqual([])
      expect(text).not.toMatch(/argon2|SQLITE/)
    }
  }
  for (const sort of ['password_hash', 'createdAt; drop table users', '(select 1)', "status' --"])
    for (const paging of ['', '&page=1', '&page=1&search=maya'])
      await portal.expectRejected(400, () => list(`sort=${encodeURIComponent(sort)}${paging}`))
  await portal.expectRejected(400, () => list('order=asc;drop'))
  await portal.expectRejected(400, () => list("status=pending' or 1=1"))
  await portal.expectRejected([400, 401], () =>
    portal.call('POST', '/api/auth/login', {
      body: { email: `x'or'1'='1@guest.example`, password: "' or 1=1 --" },
    }),
  )
  await portal.expectRejected(404, () =>
    portal.call('GET', `/api/application/${encodeURIComponent("' or 1=1 --")}`, { token }),
  )
})

test('__proto__ in JSON is rejected or stays text, and pollutes nothing', async () => {
  const { token } = await portal.tenant()
  for (const body of [
    '{"__proto__":{"role":"admin"},"firstName":"Eve"}',
    '{"constructor":{"prototype":{"role":"admin"}},"firstName":"Eve"}',
    '{"firstName":"Eve","x":{"__proto__":{"isAdmin":true}}}',
  ]) {
    await portal.expectRejected(400, () => portal.call('PUT', '/api/auth/profile', { token, body }))
    await portal.expectRejected(400, () => portal.mutate('accounts.updateProfile', { token, body }))
  }
  await portal.expectRejected(400, () =>
    portal.mutate('accounts.updateProfile?batch=1', { token, body: '{"0":{"__proto__":{"role":"admin"}}}' }),
  )
  const { user } = await portal.expectOk(portal.call('GET', '/api/auth/profile', { token }))
  expect(user).toMatchObject({ role: 'tenant', firstName: 'Maya' })
  await portal.expectRejected(403, () => portal.query('notices.list', { token }))
})

test('CR LF in a name or subject adds no header and no recipient to a mail', async () => {
  const body = {
    name: 'Eve\r\nBcc: everybody@guest.example',
    email: 'eve@guest.example',
    subject: 'Hello-7\r\nBcc: everybody@guest.example\r\n\r\nA new body',
    message: 'x',
  }
  await portal.expectOk(portal.mutate('contact.send', { body }))
  const mail = await mailTo('owner@condo.example', /Hello-7/)
  expect(mail.envelope.to).toEqual(['owner@condo.example'])
  expect(mail.raw.split('\r\n\r\n')[0]).not.toMatch(/^bcc:/im)
  // The line breaks are already gone in the outbox.
  const waiting = portal.database(db => db.prepare('select props from outbox').pluck().all()) as string[]
  const message = waiting.map(props => JSON.parse(props)).find(({ subject }) => /Hello-7/.test(subject))
  expect(`${message.from_name}${message.subject}`).not.toMatch(/[\r\n]/)
  await portal.expectRejected(400, () =>
    portal.call('POST', '/api/auth/register', {
      body: {
        firstName: 'Eve\r\nBcc: x@guest.example',
        lastName: 'Low',
        email: 'eve2@guest.example',
        password: 'long enough',
      },
    }),
  )
})

test('rejects two addresses in one e-mail field everywhere', async () => {
  const person = { firstName: 'Eve', lastName: 'Low', password: 'long enough' }
  const { id } = await apply(portal, await portal.tenant())
  for (const email of [
    'a@guest.example,b@guest.example',
    'a@guest.example b@guest.example',
    'a@guest.example;b@guest.example',
    'a@guest.example\nb@guest.example',
    'A <a@guest.example>',
    'a@guest.example\r\nBcc: b@guest.example',
  ]) {
    await portal.expectRejected(400, () =>
      portal.call('POST', '/api/auth/register', { body: { ...person, email } }),
    )
    await portal.expectRejected(400, () =>
      portal.call('POST', '/api/auth/forgot-password', { body: { email } }),
    )
    await portal.expectRejected(400, () =>
      portal.mutate('contact.send', { body: { name: 'Eve', message: 'x', email } }),
    )
    await portal.expectRejected(400, () =>
      portal.call('PUT', `/api/application/admin/${id}/edit`, { token: admin.token, body: { email } }),
    )
  }
})

test('the reset link ignores a forged Host', async () => {
  const { email } = await portal.tenant()
  const forged: Record<string, string>[] = [
    { host: 'evil.example' },
    { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
    { origin: 'https://evil.example', referer: 'https://evil.example/' },
  ]
  for (const headers of forged)
    await portal.expectOk(portal.call('POST', '/api/auth/forgot-password', { body: { email }, headers }))
  await waitFor(
    () => portal.smtp.received.filter(({ envelope }) => envelope.to.includes(email)).length >= 3 || undefined,
  )
  const mails = portal.smtp.received.filter(({ envelope }) => envelope.to.includes(email))
  for (const { parsed } of mails) {
    expect(parsed.text).toContain(`${portal.url}/reset-password?token=`)
    expect(`${parsed.text}${parsed.html}`).not.toContain('evil.example')
  }
})
