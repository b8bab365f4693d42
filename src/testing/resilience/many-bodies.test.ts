import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Account, openPortal, type Portal } from '../security/portal.ts'
import { smallMachine } from './small-machine.ts'

let portal: Portal
let admin: Account
let tenant: Account
beforeAll(async () => {
  portal = await openPortal()
  admin = await portal.admin()
  tenant = await portal.tenant()
})
beforeEach(() => portal.site.restart(smallMachine))
afterAll(() => portal.close())

let requests = 0

/**
 * The status of a request over a connection of its own, in turn from four networks, each of which may have 100 in progress;
 * the error's code if the process is gone.
 */
function statusOf(path: string, body: string, token?: string, type = 'json'): Promise<string> {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `X-Forwarded-For: 203.0.${requests++ % 4}.7`,
    'Connection: close',
    `Content-Type: application/${type}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
  ]
  return new Promise(resolve => {
    let answer = ''
    const socket = connect(portal.port, '127.0.0.1', () =>
      socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`),
    )
    socket.on('data', chunk => {
      answer += chunk.toString('latin1')
    })
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    socket.on('close', () => resolve(answer.split(' ', 2)[1] ?? 'no answer'))
  })
}

async function statusesOf(count: number, ...of: Parameters<typeof statusOf>): Promise<Set<string>> {
  const statuses = await Promise.all(Array.from({ length: count }, () => statusOf(...of)))
  expect((await portal.call('GET', '/api/health')).status).toBe(200)
  return new Set(statuses)
}

/** Takes 20 times its size once it is parsed. */
const objects = (kb: number) => `{"email":"maya@guest.example","more":[${'{},'.repeat(kb * 341)}{}]}`

test('a visitor cannot stop the process with hundreds of bodies of many objects at once', async () => {
  expect(await statusesOf(200, '/api/auth/login', objects(99))).toEqual(new Set(['413']))
  const batch = '/trpc/accounts.login,accounts.login?batch=1'
  expect(await statusesOf(200, batch, objects(99))).toEqual(new Set(['413']))
}, 60_000)

test('a visitor cannot stop the process with hundreds of batches of long texts at once', async () => {
  const text = `${'x'.repeat(90_000)}\u{1f41a}`
  const body = JSON.stringify({ 0: { email: text }, 1: { email: text.slice(90_000) } })
  const statuses = await statusesOf(200, '/trpc/accounts.login,accounts.login?batch=1', body)
  expect([...statuses].filter(status => !['400', '429', '207'].includes(status))).toEqual([])
}, 60_000)

test('a visitor cannot stop the process with hundreds of forms of many fields at once', async () => {
  const fields = Array.from({ length: 9000 }, (_, n) => `${n.toString(36)}=x`).join('&')
  const statuses = await statusesOf(200, '/contact', fields, undefined, 'x-www-form-urlencoded')
  expect(statuses).toEqual(new Set(['400', '429']))
}, 60_000)

test('a tenant cannot stop the process with hundreds of bodies of many objects at once', async () => {
  const { token } = tenant
  for (const path of [
    '/api/application',
    '/trpc/applications.createAndSubmit,applications.createAndSubmit?batch=1',
    // It waits for the password to be hashed.
    '/api/auth/login',
  ])
    expect(await statusesOf(200, path, objects(99), token)).toEqual(new Set(['413']))
}, 60_000)

test('a stolen session of the owner cannot stop the process with many trials of an import at once', async () => {
  const day = (n: number) => new Date(Date.UTC(2031, 0, 1 + n)).toISOString().slice(0, 10)
  const rows = Array.from(
    { length: 500 },
    (_, n) => `A,B,a${n}@guest.example,${day(2 * n)},${day(2 * n + 2)},1000,yes,${'x'.repeat(1500)}`,
  )
  const csv = ['first_name,last_name,email,start_date,end_date,monthly_rent,lease,note', ...rows].join('\n')
  const body = JSON.stringify({ csv, dryRun: true })
  const statuses = await statusesOf(30, '/api/booking/admin/import', body, admin.token)
  expect(statuses).toEqual(new Set(['200', '503']))
}, 120_000)
