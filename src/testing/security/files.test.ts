import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scanPdf } from '../build-lease.ts'
import { chunk, signaturePng } from '../png.ts'
import { type Account, apply, openPortal, type Portal, scan, signature } from './portal.ts'

const maxBytes = 10_485_760
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

test('rejects HTML, SVG, a script or an executable named .pdf', async () => {
  const { tenant, id } = await tenantWithLease()
  const contents: [string, string | Buffer][] = [
    ['HTML', '<!doctype html><html><script>alert(1)</script></html>'],
    ['SVG', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['script', '#!/bin/sh\nrm -rf /\n'],
    ['JavaScript', 'alert(document.cookie)'],
    ['ELF', Buffer.concat([Buffer.from('7f454c46020101000000000000000000', 'hex'), Buffer.alloc(500)])],
    ['EXE', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(500)])],
    ['ZIP', Buffer.from('504b0304140000000000', 'hex')],
    ['GIF', Buffer.from('GIF89a\u0001\u0000\u0001\u0000')],
    ['nothing', ''],
  ]
  for (const [what, content] of contents) {
    const form = scan(id, { content: Buffer.from(content), name: `${what}.pdf` })
    await portal.expectRejected([400, 415], () => upload(tenant, form))
    const byAdmin = scan(id, { content: Buffer.from(content), name: `${what}.pdf`, field: 'leaseFile' })
    await portal.expectRejected([400, 415], () =>
      portal.call('POST', '/api/application/admin/upload-lease', { token: admin.token, raw: byAdmin }),
    )
  }
})

test('rejects a PDF that starts with script, and serves one with script inside only as a sandboxed download', async () => {
  const { tenant, id } = await tenantWithLease()
  const front = Buffer.concat([Buffer.from('<script>alert(1)</script>\n'), scanPdf()])
  await portal.expectRejected(415, () => upload(tenant, scan(id, { content: front })))
  const inside = scanPdf(4000)
  inside.write('<</Type/Action/S/JavaScript/JS(app.alert(1))>><script>alert(1)</script>', 200)
  await portal.expectOk(upload(tenant, scan(id, { content: inside, name: 'lease.html' })))
  for (const token of [tenant.token, admin.token]) {
    const { headers, status } = await portal.call('GET', `/api/lease/view-signed/${id}`, { token })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/pdf')
    expect(headers.get('content-disposition')).toMatch(/^attachment; /)
    expect(headers.get('content-disposition')).not.toMatch(/\.html"/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'; sandbox")
    expect(headers.get('cache-control')).toBe('no-store')
  }
})

test('rejects 10 MB plus one byte, with a length and chunked without one, and leaves no file behind', async () => {
  const { tenant, id } = await tenantWithLease()
  await portal.expectRejected(413, () => upload(tenant, scan(id, { content: scanPdf(maxBytes + 1) })))
  const form = new Response(scan(id, { content: scanPdf(maxBytes + 1) }))
  const type = form.headers.get('content-type') ?? ''
  const body = form.body
  if (!body) throw new Error('the form is empty')
  await portal.expectRejected(413, () =>
    portal.call('POST', '/api/lease/upload-signed', {
      token: tenant.token,
      raw: body,
      headers: { 'content-type': type },
    }),
  )
  const names = readdirSync(join(portal.folder, 'uploads'), { recursive: true, encoding: 'utf8' })
  expect(names.filter(name => /tmp|part|temp/i.test(name))).toEqual([])
  await portal.expectOk(upload(tenant, scan(id, { content: scanPdf(maxBytes) })))
})

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

test('rejects most of a hundred uploads for a while', async () => {
  const { tenant, id } = await tenantWithLease()
  const statuses: number[] = []
  for (let at = 0; at < 100; at++)
    statuses.push((await upload(tenant, scan(id, { content: Buffer.from('none') }))).status)
  expect(statuses.filter(status => status === 429).length).toBeGreaterThanOrEqual(70)
  const { headers } = await portal.expectRejected(429, () => upload(tenant, scan(id)))
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})

test('rejects a decompression bomb as a signature', async () => {
  const { tenant, id } = await tenantWithLease()
  const header = Buffer.alloc(13)
  header.writeUInt32BE(100, 0)
  header.writeUInt32BE(100, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const bomb = Buffer.concat([
    signaturePng().subarray(0, 8),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(200 * 1024 * 1024))),
    chunk('IEND', Buffer.alloc(0)),
  ])
  const images = [
    bomb,
    signaturePng(2001, 20),
    signaturePng(20, 1001),
    Buffer.from('<svg/>'),
    Buffer.alloc(600 * 1024, 1),
  ]
  let tookMs = 0
  for (const image of images)
    for (const prefix of ['', 'data:image/png;base64,']) {
      const body = signature({ typedName: '', signatureImageBase64: `${prefix}${image.toString('base64')}` })
      await portal.expectRejected(400, async () => {
        const asked = performance.now()
        const reply = await portal.call('POST', `/api/lease/sign/${id}`, { token: tenant.token, body })
        tookMs += performance.now() - asked
        return reply
      })
    }
  expect(tookMs).toBeLessThan(4000)
})
