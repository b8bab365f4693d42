import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../domain/common/errors.ts'
import { dates, makeBooking } from '../../testing/build-application.ts'
import {
  makeLease,
  scanPdf,
  signLease,
  snapshotState,
  storedLease,
  tokenOf,
} from '../../testing/build-lease.ts'
import { buildManualPayment } from '../../testing/build-payment.ts'
import { afterThisTest } from '../../testing/cleanups.ts'
import { pdfText } from '../../testing/pdf-text.ts'
import { signatureDataUrl, signaturePng } from '../../testing/png.ts'
import { preparedSite, type TestApp } from '../../testing/test-app.ts'
import { sweepFiles } from '../kernel/files/stored-file.ts'
import { readSignedLease } from '../leases/queries.ts'
import { collect } from './receive-body.ts'

const tenantPath = '/api/lease/upload-signed'
const adminPath = '/api/application/admin/upload-lease'
const limitBytes = 10_485_760
type Sent = { content?: Uint8Array; name?: string; idFirst?: boolean; field?: string }

const prepared = preparedSite(app => makeLease(app))

/** A listening site with a lease, and functions that call it over real HTTP. */
async function site() {
  const { app, ...lease } = await prepared()
  const url = await app.listen()
  const stranger = await app.makeTenant()
  const tokens = {
    guest: undefined,
    tenant: await tokenOf(app, lease.tenant),
    admin: await tokenOf(app, lease.admin),
    stranger: await tokenOf(app, stranger),
  }
  type Who = keyof typeof tokens
  const call = async (who: Who, method: string, path: string, body?: FormData | object) => {
    const isForm = body instanceof FormData
    return fetch(`${url}${path}`, {
      method,
      headers: {
        ...(tokens[who] && { authorization: `Bearer ${tokens[who]}` }),
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
  }
  const upload = (who: Who, path: string, sent: Sent = {}, applicationId = lease.id) =>
    call(who, 'POST', path, form(applicationId, path, sent))
  return { app, url, tokens, call, upload, ...lease }
}

function form(applicationId: string, path: string, sent: Sent): FormData {
  const { content = scanPdf(), name = 'scan.pdf', idFirst = true } = sent
  const field = sent.field ?? (path === adminPath ? 'leaseFile' : 'signedLease')
  const data = new FormData()
  if (idFirst) data.append('applicationId', applicationId)
  data.append(field, new Blob([new Uint8Array(content)], { type: 'text/plain' }), name)
  if (!idFirst) data.append('applicationId', applicationId)
  return data
}

async function refused(
  app: TestApp,
  call: () => Promise<Response>,
  status: number,
  error: string | RegExp,
): Promise<Response> {
  const before = snapshotState(app)
  const response = await call()
  expect([response.status, await response.json()]).toMatchObject([
    status,
    { error: typeof error === 'string' ? error : expect.stringMatching(error) },
  ])
  expect(snapshotState(app)).toEqual(before)
  return response
}

describe('uploading a signed lease', () => {
  test('stores a tenant’s scan as the signed lease, with the application id before or after the file', async () => {
    for (const idFirst of [true, false]) {
      const { upload, app, id } = await site()
      const response = await upload('tenant', tenantPath, { idFirst, name: 'Mietvertrag Müller.pdf' })
      expect([response.status, await response.json()]).toMatchObject([
        200,
        {
          uploadedLease: {
            originalName: 'Mietvertrag Müller.pdf',
            uploadedBy: 'user',
            size: 2000,
            applicationId: id,
          },
        },
      ])
      const { lease, file } = storedLease(app, id)
      expect(lease).toMatchObject({ signedBy: 'user_upload', signedAt: '2026-03-04T17:00:00.000Z' })
      expect(file && (await app.deps.files.read(file))).toEqual(scanPdf())
    }
  })

  test('stores the admin’s scan as uploaded by the admin [ADMAPP-27]', async () => {
    const { upload } = await site()
    const response = await upload('admin', adminPath, { content: signaturePng(), name: 'page.png' })
    expect([response.status, await response.json()]).toMatchObject([
      200,
      {
        application: {
          leaseSigned: true,
          signedLeaseFile: { originalName: 'page.png', uploadedBy: 'admin' },
        },
      },
    ])
  })

  test('rejects an unauthorized upload before the file is read', async () => {
    const { url, tokens, id } = await site()
    // The responses arrive while the body is still open, before or after the application id was sent.
    expect(await startEndlessUpload(url, undefined, '')).toBe(401)
    expect(await startEndlessUpload(url, tokens.admin, '')).toBe(403)
    expect(await startEndlessUpload(url, tokens.stranger, head(id))).toBe(404)
  })

  test('rejects an upload before the lease is generated [LEASE-41]', async () => {
    const { app, upload, tenant, admin } = await site()
    const { id } = await makeBooking(app, tenant, admin, dates('2026-08-01', '2026-09-01'))
    const message = 'Lease not yet generated by admin'
    await refused(app, () => upload('tenant', tenantPath, {}, id), 404, message)
    await refused(app, () => upload('admin', adminPath, {}, id), 409, message)
  })

  test('rejects a second signed lease, even when two arrive at the same time', async () => {
    const { app, upload } = await site()
    const both = await Promise.all([upload('tenant', tenantPath), upload('admin', adminPath)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(snapshotState(app).files).toHaveLength(1)
    expect(snapshotState(app).stored).toHaveLength(3)
    await refused(app, () => upload('tenant', tenantPath), 409, 'This lease is signed already.')
    await refused(app, () => upload('admin', adminPath), 409, 'This lease is signed already.')
  })

  test.each([
    [
      'HTML called lease.pdf',
      Buffer.from('<script>alert(1)</script>'),
      415,
      'Please upload a PDF, JPEG, or PNG file',
    ],
    ['HTML in front of a PDF', Buffer.from(`<b>${scanPdf()}`), 415, 'Please upload a PDF, JPEG, or PNG file'],
    ['an empty file', Buffer.alloc(0), 400, 'Please select a file to upload'],
    ['one byte too much', scanPdf(limitBytes + 1), 413, 'File size must be less than 10MB'],
  ])('rejects %s [LEASE-34, LEASE-35, ADMAPP-26]', async (_title, content, status, message) => {
    const { app, upload } = await site()
    await refused(app, () => upload('tenant', tenantPath, { content, name: 'lease.pdf' }), status, message)
    await refused(app, () => upload('admin', adminPath, { content, name: 'lease.pdf' }), status, message)
  })

  test('rejects a body that is too large and has no Content-Length while it arrives, and leaves no file behind', async () => {
    const { app, url, tokens, id } = await site()
    const before = snapshotState(app)
    expect(await startEndlessUpload(url, tokens.tenant, head(id), scanPdf(limitBytes + 1))).toBe(413)
    expect(await sendChunked(url, tokens.tenant, id, limitBytes + 1)).toEqual([
      413,
      'File size must be less than 10MB',
    ])
    expect(snapshotState(app)).toEqual(before)
  })

  test('accepts exactly 10485760 bytes, with and without Content-Length', async () => {
    const { app, url, tokens, upload, id, call } = await site()
    expect((await upload('tenant', tenantPath, { content: scanPdf(limitBytes) })).status).toBe(200)
    await call('tenant', 'DELETE', `/api/lease/remove-signed/${id}`)
    expect(await sendChunked(url, tokens.tenant, id, limitBytes)).toEqual([200, undefined])
    expect(storedLease(app, id).file?.sizeBytes).toBe(limitBytes)
  })

  test('rejects a form without a file, without an application id, with two files or as JSON', async () => {
    const { app, call, id } = await site()
    const empty = new FormData()
    empty.append('applicationId', id)
    await refused(app, () => call('tenant', 'POST', tenantPath, empty), 400, 'Please select a file to upload')
    const anonymous = new FormData()
    anonymous.append('signedLease', new Blob([new Uint8Array(scanPdf())]), 'a.pdf')
    await refused(app, () => call('tenant', 'POST', tenantPath, anonymous), 404, 'Application not found')
    const two = form(id, tenantPath, {})
    two.append('other', new Blob([new Uint8Array(scanPdf())]), 'b.pdf')
    await refused(app, () => call('tenant', 'POST', tenantPath, two), 413, 'This is too large.')
    await refused(
      app,
      () => call('tenant', 'POST', tenantPath, { applicationId: id }),
      400,
      /could not be read/,
    )
  })

  test('removes folders and bidi control characters from the file name, and corrects its extension', async () => {
    const { upload, app, id } = await site()
    await upload('tenant', tenantPath, { name: '..\\..\\a\u202Efdp.exe' })
    expect(storedLease(app, id).file?.originalName).toBe('afdp.pdf')
  })

  test('stores nothing when the connection breaks in the middle', async () => {
    const { app, url, tokens, id } = await site()
    const before = snapshotState(app)
    await sendHalf(url, tokens.tenant, id)
    expect(snapshotState(app)).toEqual(before)
  })

  test('rejects the 31st upload within an hour', async () => {
    const { upload, app, tenant } = await site()
    const content = Buffer.from('no lease')
    expect((await upload('tenant', tenantPath, { content })).status).toBe(415)
    for (let i = 1; i < 30; i++) await app.deps.limits.consume('uploadByUser', tenant.userId)
    const response = await refused(app, () => upload('tenant', tenantPath), 429, /Too many attempts/)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('reading the stored lease', () => {
  test('serves the unchanged file to its tenant and the admin, as a sandboxed download [LEASE-42]', async () => {
    const { call, upload, id } = await site()
    await upload('tenant', tenantPath, { name: 'Lease “Müller”.pdf' })
    for (const [who, path] of [
      ['tenant', `/api/lease/view-signed/${id}`],
      ['tenant', '/api/lease/view-signed'],
      ['admin', `/api/lease/view-signed/${id}`],
    ] as const) {
      const response = await call(who, 'GET', path)
      expect(response.status).toBe(200)
      expect(Buffer.from(await response.arrayBuffer())).toEqual(scanPdf())
      const header = (name: string) => response.headers.get(name)
      expect(header('content-type')).toBe('application/pdf')
      expect(header('content-disposition')).toBe(
        `attachment; filename="Lease Muller.pdf"; filename*=UTF-8''Lease%20%E2%80%9CM%C3%BCller%E2%80%9D.pdf`,
      )
      expect(header('x-content-type-options')).toBe('nosniff')
      expect(header('content-security-policy')).toMatch(/default-src 'none'.*sandbox/)
      expect(header('cache-control')).toBe('no-store')
    }
  })

  test('returns 404 before the upload, and to a caller without a signed lease', async () => {
    const { app, call, upload, id } = await site()
    const view = (who: 'guest' | 'tenant' | 'stranger' | 'admin', path = `/${id}`) => refusedView(who, path)
    const refusedView = (who: 'guest' | 'tenant' | 'stranger' | 'admin', path: string) => () =>
      call(who, 'GET', `/api/lease/view-signed${path}`)
    await refused(app, view('tenant'), 404, 'No signed lease available to view')
    await refused(app, view('tenant', ''), 404, 'No signed lease available to view')
    await upload('tenant', tenantPath)
    await refused(app, view('stranger', ''), 404, 'No signed lease available to view')
    await refused(app, view('admin', ''), 404, 'No signed lease available to view')
  })

  test('sends the file in pieces, and at most 30 in ten minutes', async () => {
    const { app, call, upload, id, tenant } = await site()
    await upload('tenant', tenantPath)
    const { content } = await readSignedLease(app.deps, tenant, id)
    expect(content).toBeInstanceOf(Readable)
    content.destroy()
    for (let i = 1; i < 30; i++) await app.deps.limits.consume('signedLeaseByUser', tenant.userId)
    await refused(app, () => call('tenant', 'GET', '/api/lease/view-signed'), 429, /Too many attempts/)
  })

  test('without an id serves the newest signed lease', async () => {
    const { app, call, upload, tenant, admin } = await site()
    await upload('tenant', tenantPath)
    app.advance(60_000)
    const newer = await makeBooking(app, tenant, admin, dates('2026-08-01', '2026-09-01'))
    await app.as(admin).leases.generate({ applicationId: newer.id })
    await upload('tenant', tenantPath, { content: signaturePng(), name: 'newer.png' }, newer.id)
    const response = await call('tenant', 'GET', '/api/lease/view-signed')
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await response.arrayBuffer())).toEqual(signaturePng())
  })

  test('refuses a file with a changed byte and records the damage for the owner, until the file is intact again', async () => {
    const { app, call, tenant, id } = await site()
    await signLease(app, tenant, id)
    const path = join(app.deps.config.uploadsDir, storedLease(app, id).file?.storageName ?? '')
    const whole = readFileSync(path)
    const flipped = Buffer.from(whole)
    flipped.writeUInt8(flipped.readUInt8(5000) ^ 1, 5000)
    writeFileSync(path, flipped)
    const view = () => call('tenant', 'GET', `/api/lease/view-signed/${id}`)
    const response = await view()
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({
      error: 'This file is damaged or missing. The owner has been told.',
      requestId: expect.any(String),
    })
    expect(storedLease(app, id).file?.damagedAt).toBe('2026-03-04T17:00:00.000Z')
    expect(snapshotState(app).events.filter(({ kind }) => kind === 'file.damaged')).toHaveLength(1)
    await view()
    expect(snapshotState(app).events.filter(({ kind }) => kind === 'file.damaged')).toHaveLength(1)
    writeFileSync(path, whole)
    const again = await view()
    expect([again.status, Buffer.from(await again.arrayBuffer())]).toEqual([200, whole])
    expect(storedLease(app, id).file?.damagedAt).toBeNull()
  })
})

describe('downloading the lease', () => {
  test('serves the PDF of the stored terms and ignores terms in the URL', async () => {
    const { call, id, leaseText } = await site()
    const query = `applicationId=${id}&leaseStartDate=2030-01-01&leaseEndDate=2030-02-01&rentalAmount=1&depositAmount=1`
    const response = await call('tenant', 'GET', `/api/lease/download?${query}`)
    expect(response.headers.get('content-type')).toBe('application/pdf')
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="lease-agreement-Maya-Rivers.pdf"/,
    )
    const text = pdfText(Buffer.from(await response.arrayBuffer()))
      .flat()
      .join('')
    expect(text.replace(/\s/g, '')).toContain(leaseText.slice(0, 1500).replace(/\s/g, ''))
    expect(text).toContain('$2,500.00')
  })

  test('is refused without an application, before generation, and after 30 downloads', async () => {
    const { app, call, id, tenant, admin } = await site()
    const bare = await makeBooking(app, tenant, admin, dates('2026-08-01', '2026-09-01'))
    const download = (who: 'guest' | 'tenant' | 'stranger' | 'admin', query: string) => () =>
      call(who, 'GET', `/api/lease/download${query}`)
    await refused(app, download('tenant', ''), 400, /./)
    await refused(
      app,
      download('tenant', `?applicationId=${bare.id}`),
      404,
      'Lease not yet generated by admin',
    )
    expect((await download('admin', `?applicationId=${id}`)()).status).toBe(200)
    for (let i = 1; i < 30; i++) await app.deps.limits.consume('leasePdfByUser', admin.userId)
    await refused(app, download('admin', `?applicationId=${id}`), 429, /Too many attempts/)
  })
})

test('a scan counts in the memory of arriving bodies until its form ends', async () => {
  const { tokens, url } = await site()
  const { host, hostname, port } = new URL(url)
  const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"`
  const file = `${part('signedLease')}; filename="a.pdf"\r\n\r\n${scanPdf(1_000_000).toString('latin1')}\r\n`
  const socket = connect(Number(port), hostname)
  afterThisTest(() => void socket.destroy())
  const head = [
    `POST ${tenantPath} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${tokens.tenant}`,
    'Content-Type: multipart/form-data; boundary=b',
    'Content-Length: 1100000',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${file}${part('applicationId')}\r\n\r\n`, 'latin1')
  const hasRoom = () =>
    collect(Readable.from([Buffer.alloc(200_000)]), 1e6, () => new AppError('too_large', ''), {
      sender: { role: 'tenant' },
      spareBytes: 47 * 1024 * 1024,
    })
  await expect.poll(() => hasRoom().catch(({ code }) => code)).toBe('unavailable')
  socket.destroy()
  await expect.poll(() => hasRoom().catch(({ code }) => code)).not.toBe('unavailable')
})

test('a request whose address is no longer known is answered', async () => {
  const { app, url } = await site()
  const { server } = await app.fastify()
  server.prependListener('connection', socket =>
    Object.defineProperty(socket, 'remoteAddress', { value: undefined }),
  )
  const body = new FormData()
  body.set('token', 'x')
  const response = await fetch(`${url}/api/message/reply/file`, { method: 'POST', body })
  expect(response.status).toBe(404)
})

test('serves the receipt of a payment as a PDF to its tenant and the admin', async () => {
  const { app, call, id, admin, tenant } = await site()
  await app.as(admin).payments.addManual(buildManualPayment(id))
  const { payments } = await app.as(tenant).payments.history({ applicationId: id })
  const path = `/api/payment/${payments[0]?.id}/receipt.pdf`
  for (const who of ['tenant', 'admin'] as const) {
    const response = await call(who, 'GET', path)
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="receipt-/)
    expect(
      pdfText(Buffer.from(await response.arrayBuffer()))
        .flat()
        .join(' '),
    ).toContain('$1,000.00')
  }
})

test('serves the other lease calls over REST, and accepts the largest drawn signature', async () => {
  const { call, id, leaseTextSha256 } = await site()
  const json = async (response: Promise<Response>) => [(await response).status, await (await response).json()]
  expect(await json(call('tenant', 'GET', '/api/lease/status'))).toMatchObject([200, { applicationId: id }])
  expect(await json(call('tenant', 'GET', `/api/lease/preview/${id}`))).toMatchObject([
    200,
    { leaseTextSha256 },
  ])
  expect(await json(call('tenant', 'POST', `/api/lease/generate/${id}`, { rentalAmount: 1 }))).toMatchObject([
    200,
    { leaseAgreement: expect.stringContaining('$2,500.00') },
  ])
  const padding = Buffer.alloc(480 * 1024, 'x').toString('base64')
  expect(
    await json(call('tenant', 'POST', `/api/lease/sign/${id}`, { signatureImageBase64: padding })),
  ).toMatchObject([400, { error: 'Please provide consent to sign electronically.' }])
  const signature = {
    id: 'another',
    typedName: 'Maya Rivers',
    signatureImageBase64: signatureDataUrl(),
    consent: true,
  }
  expect(await json(call('tenant', 'POST', `/api/lease/sign/${id}`, signature))).toMatchObject([
    200,
    { message: 'Lease signed successfully', application: { id, leaseSigned: true } },
  ])
  expect(await json(call('tenant', 'DELETE', `/api/lease/remove-signed/${id}`))).toMatchObject([403, {}])
  expect(await json(call('admin', 'DELETE', `/api/application/admin/remove-lease/${id}`))).toMatchObject([
    200,
    { message: 'Lease deleted successfully!' },
  ])
})

const boundary = 'boundary-of-the-form'
const head = (id: string) =>
  `--${boundary}\r\ncontent-disposition: form-data; name="applicationId"\r\n\r\n${id}\r\n` +
  `--${boundary}\r\ncontent-disposition: form-data; name="signedLease"; filename="scan.pdf"\r\n` +
  'content-type: application/pdf\r\n\r\n'

function openUpload(url: string, token: string | undefined) {
  return httpRequest(`${url}${tenantPath}`, {
    method: 'POST',
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'transfer-encoding': 'chunked',
    },
  })
}

/** Sends a chunked form without Content-Length; expects the server to read all of it, even if it is rejected. */
async function sendChunked(url: string, token: string | undefined, id: string, sizeBytes: number) {
  const request = openUpload(url, token)
  request.end(
    Buffer.concat([Buffer.from(head(id)), scanPdf(sizeBytes), Buffer.from(`\r\n--${boundary}--\r\n`)]),
  )
  const [response] = await Promise.all([answerTo(request), once(request, 'finish')])
  return [response.status, response.body.error]
}

/** Starts an upload and returns the status that arrives while the body is still open. */
async function startEndlessUpload(url: string, token: string | undefined, ...start: (string | Buffer)[]) {
  const request = openUpload(url, token)
  request.flushHeaders()
  for (const part of start) request.write(part)
  const { status } = await answerTo(request)
  request.destroy()
  return status
}

async function answerTo(request: ClientRequest) {
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const body = JSON.parse(Buffer.concat(await response.toArray()).toString())
  return { status: response.statusCode, body }
}

/** Sends half of a form and cuts the connection; resolves after the server has noticed. */
async function sendHalf(url: string, token: string | undefined, id: string): Promise<void> {
  const request = openUpload(url, token).on('error', () => {})
  request.write(head(id))
  request.write(scanPdf(100_000))
  await new Promise(resolve => setTimeout(resolve, 100))
  request.destroy()
  await new Promise(resolve => setTimeout(resolve, 200))
}

test('the startup sweep moves files without a row to orphans/ and reports rows without a file to the owner', async () => {
  const { app, upload, id } = await site()
  await upload('tenant', tenantPath)
  const { uploadsDir } = app.deps.config
  expect(await sweepFiles(app.deps)).toEqual({ orphaned: 0, missing: 0 })
  await app.deps.files.save(scanPdf(), { originalName: 'x', contentType: 'x', createdAt: '' })
  expect(await sweepFiles(app.deps)).toEqual({ orphaned: 1, missing: 0 })
  expect(readdirSync(join(uploadsDir, 'orphans'))).toHaveLength(1)
  await app.deps.files.discard(storedLease(app, id).file ?? { storageName: '' })
  expect(await sweepFiles(app.deps)).toEqual({ orphaned: 0, missing: 1 })
  expect(storedLease(app, id).file?.damagedAt).not.toBeNull()
})
