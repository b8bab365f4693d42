import { afterAll, beforeAll, expect, test } from 'vitest'
import { pdfText } from '../pdf-text.ts'
import { type Account, apply, openPortal, type Portal, signature } from './portal.ts'

let portal: Portal
let admin: Account
beforeAll(async () => {
  portal = await openPortal({ proxied: false })
  admin = await portal.admin()
})
afterAll(() => portal.close())

const trail = async (id: string) =>
  (await portal.expectOk(portal.query('leases.trail', { token: admin.token, body: { id } }))).result.data
    .events

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
