import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scanPdf } from '../build-lease.ts'
import { pdfText } from '../pdf-text.ts'
import {
  type Account,
  applicationForm,
  apply,
  checkout,
  openPortal,
  type Portal,
  scan,
  signature,
  waitFor,
} from './portal.ts'

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

test('ignores a role, status, owner or amount in the body of an application, a checkout or a signature', async () => {
  const [victim, eve, admin] = [await portal.tenant(), await portal.tenant(), await portal.admin()]
  const other = await apply(portal, victim, admin)
  const forged = {
    role: 'admin',
    status: 'completed',
    userId: victim.id,
    user: victim.id,
    id: other.id,
    _id: other.id,
    applicationNumber: 'APP-1999-0001',
    notes: 'forged',
    email: 'forged@guest.example',
    leaseGenerated: true,
    leaseSigned: true,
    depositPaid: true,
    submittedAt: '1999-01-01T00:00:00.000Z',
    rentalAmount: 1,
    depositAmount: 1,
    rentCents: 1,
    depositCents: 1,
    totalAmountCents: 1,
  }
  const serverFields = { status: 'draft', rentalAmount: null, depositAmount: null, leaseGenerated: false }
  const { token } = eve
  const { application } = await portal.expectOk(
    portal.call('POST', '/api/application', { token, body: applicationForm(forged) }),
  )
  expect(application).toMatchObject(serverFields)
  expect(JSON.stringify(application)).not.toMatch(/forged|APP-1999|1999-01/)
  const change = { ...applicationForm(forged), phone: '850-555-0199' }
  const path = `/api/application/${application.id}`
  await portal.expectOk(portal.call('PUT', path, { token, body: change }))
  const stored = () =>
    portal.database(db => db.prepare('select * from applications where id = ?').get(application.id))
  expect(stored()).toMatchObject({ user_id: eve.id, status: 'draft', rent_cents: null, deposit_cents: null })
  await portal.expectOk(portal.call('POST', `${path}/submit`, { token, body: forged }))
  expect(stored()).toMatchObject({ user_id: eve.id, status: 'pending', rent_cents: null })
  const leases = portal.database(db =>
    db.prepare('select id from leases where application_id = ?').all(application.id),
  )
  expect(leases).toEqual([])
  expect(JSON.stringify(stored())).not.toMatch(/forged|APP-1999|1999-01/)

  const paid = { ...checkout({ applicationId: application.id }), userId: victim.id, status: 'succeeded' }
  await portal.expectOk(portal.call('POST', '/api/payment/create-checkout-session', { token, body: paid }))
  const rows = portal.database(db =>
    db.prepare("select user_id, status from payments where method = 'card'").all(),
  )
  expect(rows).toEqual([{ user_id: eve.id, status: 'pending' }])

  const signed = signature({ ...forged, signedFileId: 'x', leaseTextSha256: other.leaseTextSha256 })
  await portal.expectOk(
    portal.call('POST', `/api/lease/sign/${other.id}`, { token: victim.token, body: signed }),
  )
  const events = portal.database(db => db.prepare("select * from events where kind = 'lease.signed'").all())
  expect(events).toMatchObject([{ actor_id: victim.id, actor_role: 'tenant', subject_id: other.id }])
})

const upload = ({ token }: Account, form: FormData) =>
  portal.call('POST', '/api/lease/upload-signed', { token, raw: form })

async function tenantWithLease() {
  const tenant = await portal.tenant()
  return { tenant, ...(await apply(portal, tenant, admin)) }
}

test('rejects a truncated or malformed form', async () => {
  const { tenant, id } = await tenantWithLease()
  const field = `--x\r\nContent-Disposition: form-data; name="applicationId"\r\n\r\n${id}\r\n`
  const file = '--x\r\nContent-Disposition: form-data; name="signedLease"; filename="a.pdf"\r\n\r\n%PDF-1.7'
  for (const raw of ['', 'x', '--x', field, `${field}--x\r\nnonsense`, `${field}${file}`, `${field}--x--`])
    await portal.expectRejected([400, 404], () =>
      portal.call('POST', '/api/lease/upload-signed', {
        token: tenant.token,
        raw,
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      }),
    )
})

test('../, NUL, CR LF and right-to-left marks in a name reach neither path nor header', async () => {
  const names = [
    '../../../etc/passwd.pdf',
    'a\u0000b.pdf',
    'a\r\nSet-Cookie: x=1.pdf',
    'fdp\u202Efdp.exe',
    '..\\..\\x.pdf',
    '".pdf',
    'ü'.repeat(300),
  ]
  for (const name of names) {
    const { tenant, id } = await tenantWithLease()
    const { status, body } = await upload(tenant, scan(id, { name }))
    if (status !== 200) {
      expect([400, 415]).toContain(status)
      continue
    }
    expect(body.uploadedLease.originalName).toMatch(/^[^\p{C}/\\]{1,120}\.pdf$/u)
    const { headers } = await portal.call('GET', `/api/lease/view-signed/${id}`, { token: tenant.token })
    expect(headers.get('set-cookie')).toBeNull()
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="[\x20-\x7e]*\.pdf"; filename\*=UTF-8''[\w%.~!-]*$/,
    )
  }
  // As no browser would send them: raw bytes, other encodings, an extended file name.
  const raws = [
    'filename="a\u0000b\u202Efdp.pdf"',
    'filename="..\\..\\x\tb.pdf"',
    "filename*=utf-16le''a%00b%00.%00p%00d%00f%00",
    "filename*=UTF-8''..%2f..%2fa%00%0d%0aSet-Cookie:%20x=1%e2%80%aeb.pdf",
    "filename*=iso-8859-1''%85%9f%ff.pdf",
    "filename*=nonsense''%ff.pdf",
    'filename=""',
  ]
  for (const raw of raws) {
    const { tenant, id } = await tenantWithLease()
    const part = (head: string, content: string | Buffer) =>
      Buffer.concat([
        Buffer.from(`--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
        Buffer.from(content),
        Buffer.from('\r\n'),
      ])
    const body = Buffer.concat([
      part('name="applicationId"', id),
      part(`name="signedLease"; ${raw}`, scanPdf()),
      Buffer.from('--x--\r\n'),
    ])
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const asked = { token: tenant.token, raw: new Uint8Array(body), headers }
    const reply = await portal.call('POST', '/api/lease/upload-signed', asked)
    expect([200, 400, 415], `${raw}: ${reply.text}`).toContain(reply.status)
    if (reply.status !== 200) continue
    expect(reply.body.uploadedLease.originalName, raw).toMatch(/^[^\p{C}/\\]{1,120}\.pdf$/u)
    const view = await portal.call('GET', `/api/lease/view-signed/${id}`, { token: tenant.token })
    expect(view.status).toBe(200)
    expect(view.headers.get('set-cookie')).toBeNull()
  }
  const stored = readdirSync(join(portal.folder, 'uploads'), { recursive: true, encoding: 'utf8' })
  for (const name of stored) expect(name).toMatch(/^[\w-]+(\/[\w-]+)*(\.\w+)?$/)
})
