import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { SignedIn } from '../../domain/accounts/access.ts'
import { makeLease, scanPdf, tokenOf } from '../../testing/build-lease.ts'
import { afterThisTest } from '../../testing/cleanups.ts'
import { productionEnv } from '../../testing/production-env.ts'
import { testApp } from '../../testing/test-app.ts'
import { createUploadSlots } from './upload-slots.ts'

const here = '127.0.0.1'

/** A site behind a proxy, with a lease to upload, and people who begin uploads and never finish them. */
async function site() {
  const app = await testApp({ env: { ...productionEnv, TRUST_PROXY: `${here},::1` } })
  const url = await app.listen()
  const { host, hostname, port } = new URL(url)
  const { id, tenant } = await makeLease(app)
  /** Begins an upload that sends a byte every 50 ms; without a token as a visitor. */
  const drip = (token: string, address: string, path = '/api/lease/upload-signed') => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: ${host}`,
      ...(token ? [`Authorization: Bearer ${token}`] : []),
      `X-Forwarded-For: ${address}`,
      'Content-Type: multipart/form-data; boundary=b',
      'Content-Length: 1000000',
    ]
    const part = '--b\r\nContent-Disposition: form-data; name="signedLease"; filename="a.pdf"'
    // A visitor's form ends before its token.
    for (const text of [...head, '', ...(token ? [part, '', ''] : ['--b'])]) socket.write(`${text}\r\n`)
    const timer = setInterval(() => socket.writable && socket.write('-'), 50)
    const stop = () => {
      clearInterval(timer)
      socket.destroy()
    }
    afterThisTest(stop)
    return { response: responseOf(socket), stop }
  }
  const upload = async (token: string, address: string) => {
    const body = new FormData()
    body.append('applicationId', id)
    body.append('signedLease', new Blob([new Uint8Array(scanPdf())]), 'scan.pdf')
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': address }
    return (await fetch(`${url}/api/lease/upload-signed`, { method: 'POST', headers, body })).status
  }
  let month = 7
  /** Of another tenant with a lease. */
  const token = async () => {
    const [start, end] = [month, ++month].map(each => `2026-${String(each).padStart(2, '0')}-01`)
    const dates = { requestedStartDate: start, requestedEndDate: end }
    return tokenOf(app, (await makeLease(app, dates)).tenant)
  }
  return { app, drip, upload, token, own: await tokenOf(app, tenant), id }
}

const responseOf = async (socket: Socket) => {
  const [head] = await once(socket, 'data')
  return String(head).split('\r\n\r\n')[0]
}
/** The response, if it comes soon. */
const soon = (response: Promise<string | undefined>) =>
  Promise.race([response, new Promise<undefined>(resolve => setTimeout(resolve, 1500))])

test('twelve dripping uploads of one tenant are two, the others 429, and do not stop anybody’s [FIX-36]', async () => {
  const { drip, own, token, upload } = await site()
  const attacker = await token()
  const drips = Array.from({ length: 12 }, (_, i) => drip(attacker, `198.51.${i}.7`))
  const responses = await Promise.all(drips.map(({ response }) => soon(response)))
  expect(responses.filter(head => head === undefined)).toHaveLength(2)
  for (const head of responses.filter(head => head !== undefined)) {
    expect(head).toMatch(/^HTTP\/1.1 429/)
    expect(head).toMatch(/retry-after: \d+/i)
  }
  expect(await upload(own, '203.0.113.5')).toBe(200)
})

test('dripping uploads of several accounts in one network are four, and end with their connections [FIX-36]', async () => {
  const { drip, own, token, upload } = await site()
  const accounts = [await token(), await token(), await token()]
  const drips = accounts.flatMap((account, i) => [0, 1].map(n => drip(account, `198.51.100.${i * 2 + n}`)))
  const responses = await Promise.all(drips.map(({ response }) => soon(response)))
  expect(responses.filter(head => head === undefined)).toHaveLength(4)
  expect(await upload(own, '198.51.100.99')).toBe(429)
  for (const { stop } of drips) stop()
  await expect.poll(() => upload(own, '198.51.100.99')).toBe(200)
})

test('upload forms that never arrive are refused at once beyond their sender’s limit', async () => {
  const { app, drip, own, upload } = await site()
  const stranger = await tokenOf(app, await app.makeTenant())
  for (const path of ['/api/lease/upload-signed', '/api/message/anything/file'])
    expect(await soon(drip(stranger, '198.51.100.7', path).response)).toMatch(/^HTTP\/1.1 4/)
  const forms = Array.from({ length: 21 }, () => drip('', '198.51.100.7', '/api/message/reply/file'))
  const heads = await Promise.all(forms.map(({ response }) => soon(response)))
  expect(heads.filter(head => head === undefined)).toHaveLength(20)
  expect(heads.find(head => head !== undefined)).toMatch(/^HTTP\/1.1 503/)
  expect(await upload(own, '203.0.113.5')).toBe(200)
})

test('applicants without a booking take at most four upload slots', async () => {
  const inSlot = createUploadSlots()
  const stop = new AbortController()
  const untilFree = new Promise<void>(resolve => stop.signal.addEventListener('abort', () => resolve()))
  const upload = (at: number, isBooked: boolean) => {
    const requestOrigin = { address: `198.51.${at}.7`, userAgent: '' }
    const actor = { role: 'tenant', userId: `tenant ${at}`, requestOrigin } as SignedIn
    return inSlot(actor, () => untilFree, { isBooked })
  }
  const held = [0, 1, 2, 3].map(at => upload(at, false))
  await expect(upload(4, false)).rejects.toMatchObject({ code: 'unavailable' })
  held.push(upload(5, true))
  stop.abort()
  await Promise.all(held)
})

test('tenants take at most ten upload slots, and administrators have four of their own', async () => {
  const inSlot = createUploadSlots()
  let free = () => {}
  const untilFree = new Promise<void>(resolve => {
    free = resolve
  })
  const upload = (role: 'tenant' | 'admin', at: number) => {
    const requestOrigin = { address: `198.51.${at}.7`, userAgent: '' }
    return inSlot({ role, userId: `${role} ${at}`, requestOrigin } as SignedIn, () => untilFree)
  }
  const held = Array.from({ length: 10 }, (_, at) => upload('tenant', at))
  await expect(upload('tenant', 10)).rejects.toMatchObject({ code: 'unavailable' })
  for (let at = 0; at < 4; at++) held.push(upload('admin', at))
  await expect(upload('admin', 4)).rejects.toMatchObject({ code: 'unavailable' })
  free()
  await Promise.all(held)
})
