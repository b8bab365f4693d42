import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scanPdf } from '../build-lease.ts'
import { type Account, apply, openPortal, type Portal, scan } from './portal.ts'

let portal: Portal
let admin: Account
beforeAll(async () => {
  portal = await openPortal()
  admin = await portal.admin()
})
afterAll(() => portal.close())

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
