import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pdfText } from '../pdf-text.ts'
import { type Account, apply, openPortal, type Portal, scan, signature } from './portal.ts'

let portal: Portal
let admin: Account
beforeAll(async () => {
  portal = await openPortal({ proxied: false })
  admin = await portal.admin()
})
afterAll(() => portal.close())

const sign = ({ token }: Account, id: string, body: object) =>
  portal.call('POST', `/api/lease/sign/${id}`, { token, body })
const trail = async (id: string) =>
  (await portal.expectOk(portal.query('leases.trail', { token: admin.token, body: { id } }))).result.data
    .events

test('rejects signing another’s lease, without consent, an outdated text, or a second time', async () => {
  const [tenant, stranger] = [await portal.tenant(), await portal.tenant()]
  const { id, leaseTextSha256 } = await apply(portal, tenant, admin)
  await portal.expectRejected(404, () => sign(stranger, id, signature()))
  await portal.expectRejected(403, () => sign(admin, id, signature()))
  for (const consent of [false, undefined, null, 'yes', 1, 'true'])
    await portal.expectRejected(400, () => sign(tenant, id, signature({ consent })))
  await portal.expectOk(
    portal.call('POST', `/api/lease/generate/${id}`, { token: admin.token, body: { rentalAmount: 2600 } }),
  )
  await portal.expectRejected(409, () => sign(tenant, id, signature({ leaseTextSha256 })))
  await portal.expectRejected(409, () => sign(tenant, id, signature({ leaseTextSha256: 'x' })))

  const shown = await portal.expectOk(portal.call('GET', `/api/lease/preview/${id}`, { token: tenant.token }))
  const signed = signature({ leaseTextSha256: shown.leaseTextSha256 })
  const both = await Promise.all([
    sign(tenant, id, signed),
    sign(tenant, id, signed),
    sign(tenant, id, signed),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  await portal.expectRejected(409, () => sign(tenant, id, signed))
  await portal.expectRejected(409, () =>
    portal.call('POST', '/api/lease/upload-signed', { token: tenant.token, raw: scan(id) }),
  )
})

test('ignores a time or address that the client sends with a signature', async () => {
  const tenant = await portal.tenant()
  const { id } = await apply(portal, tenant, admin)
  const forged = {
    signedAt: '1999-01-01T00:00:00.000Z',
    leaseSignedAt: '1999-01-01T00:00:00.000Z',
    ipAddress: '6.6.6.6',
    requestOrigin: { address: '6.6.6.6' },
  }
  const before = Date.now()
  const headers = {
    'x-forwarded-for': '6.6.6.6',
    'x-real-ip': '6.6.6.6',
    forwarded: 'for=6.6.6.6',
    date: 'Fri, 01 Jan 1999 00:00:00 GMT',
  }
  const { application } = await portal.expectOk(
    portal.call('POST', `/api/lease/sign/${id}`, { token: tenant.token, headers, body: signature(forged) }),
  )
  expect(Date.parse(application.leaseSignedAt)).toBeGreaterThanOrEqual(before)
  const event = (await trail(id)).find(({ kind }: { kind: string }) => kind === 'lease.signed')
  expect(event.address).toMatch(/127\.0\.0\.1|::1/)
  expect(Date.parse(event.at)).toBeGreaterThanOrEqual(before)
  const file = await fetch(`${portal.url}/api/lease/view-signed/${id}`, {
    headers: { authorization: `Bearer ${tenant.token}` },
  })
  const certificate = pdfText(new Uint8Array(await file.arrayBuffer()))
    .flat()
    .join('\n')
  expect(certificate).toMatch(/127\.0\.0\.1|::1/)
  expect(certificate).not.toMatch(/6\.6\.6\.6|1999/)
})

test('a bit flipped on disk fails the read, and the owner is notified', async () => {
  const tenant = await portal.tenant()
  const { id } = await apply(portal, tenant, admin)
  const folder = join(portal.folder, 'uploads')
  const list = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
  const known = list()
  await portal.expectOk(
    portal.call('POST', '/api/lease/upload-signed', { token: tenant.token, raw: scan(id) }),
  )
  const path = list().find(name => !known.includes(name)) ?? ''
  const content = readFileSync(path)
  content[content.length >> 1] = (content[content.length >> 1] ?? 0) ^ 1
  writeFileSync(path, content)
  for (const { token } of [tenant, admin]) {
    const reply = await portal.call('GET', `/api/lease/view-signed/${id}`, { token })
    expect(reply.status).toBeGreaterThanOrEqual(500)
    expect(reply.body.error).toEqual(expect.any(String))
  }
  const { notices } = (await portal.expectOk(portal.query('notices.list', { token: admin.token }))).result
    .data
  expect(notices.map(({ title }: { title: string }) => title)).toContainEqual(
    expect.stringMatching(/signed lease of APP-\d{4}-\d{4} is damaged/),
  )
})

test("a tenant cannot remove the admin's upload or a signature made in the app", async () => {
  const tenant = await portal.tenant()
  const remove = (id: string) =>
    portal.call('DELETE', `/api/lease/remove-signed/${id}`, { token: tenant.token })
  const [uploaded, signed] = [await apply(portal, tenant, admin), await apply(portal, tenant, admin)]
  await portal.expectOk(
    portal.call('POST', '/api/application/admin/upload-lease', {
      token: admin.token,
      raw: scan(uploaded.id, { field: 'leaseFile' }),
    }),
  )
  await portal.expectOk(sign(tenant, signed.id, signature()))
  await portal.expectRejected(403, () => remove(uploaded.id))
  await portal.expectRejected(403, () => remove(signed.id))
  await portal.expectRejected(403, () =>
    portal.call('DELETE', `/api/application/admin/remove-lease/${signed.id}`, { token: tenant.token }),
  )
})
