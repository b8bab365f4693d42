import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPortal, type Portal } from '../security/portal.ts'
import { smallMachine } from './small-machine.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
  await portal.site.restart(smallMachine)
})
afterAll(() => portal.close())

type Asked = { method?: string; path: string; address: string; headers?: string[]; body?: string }

function textOf({ address, body = '', headers = [], method = 'GET', path }: Asked): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    `X-Forwarded-For: ${address}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** As many as a connection may send before it gets a response. */
const perConnection = 4

/** Sends all requests at once, and collects the statuses of the responses. */
function send(requests: Asked[]) {
  const statuses: number[] = []
  const groups = Array.from({ length: Math.ceil(requests.length / perConnection) }, (_, n) =>
    requests.slice(n * perConnection, (n + 1) * perConnection),
  )
  const sent = groups.map(
    group =>
      new Promise<void>((resolve, reject) => {
        let count = 0
        const socket = connect(portal.port, '127.0.0.1', () => socket.write(group.map(textOf).join('')))
        socket.on('error', reject).on('close', () => reject(new Error('the connection was closed')))
        socket.on('data', chunk => {
          for (const [, status] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
            statuses.push(Number(status))
            count++
          }
          if (count === group.length) resolve()
        })
      }),
  )
  return { statuses, done: Promise.all(sent) }
}

/**
 * The statuses of all these requests. A visitor who asks behind them gets the response before `share` of those that are
 * not refused as too many.
 */
async function statusesOf(requests: Asked[], share = 0.5): Promise<number[]> {
  // Connected already: a new connection would wait for those of the flood.
  const visitor = connect(portal.port, '127.0.0.1')
  await once(visitor, 'connect')
  const flood = send(requests)
  // The flood has arrived, and its first request is being answered.
  await new Promise(resolve => setTimeout(resolve, 20))
  visitor.write(textOf({ path: '/api/health', address: '198.51.100.7' }))
  const answered = new Promise<{ first: string; behind: number }>(resolve =>
    visitor.once('data', chunk => resolve({ first: String(chunk), behind: rendered(flood.statuses) })),
  )
  await flood.done
  const { behind, first } = await answered
  visitor.destroy()
  expect(first).toContain('HTTP/1.1 200 ')
  expect(behind).toBeLessThan(rendered(flood.statuses) * share)
  return flood.statuses
}

const rendered = (statuses: number[]) => statuses.filter(status => status !== 503).length
const many = (count: number, of: (n: number) => Asked) => Array.from({ length: count }, (_, n) => of(n))

test('hundreds of views of a preview at once neither stop the process nor block it', async () => {
  const { token } = await portal.admin()
  const { url } = await portal.expectOk(
    portal.call('POST', '/api/site/admin/preview-link', { token, body: {} }),
  )
  const statuses = await statusesOf(many(300, () => ({ path: url, address: '203.0.113.7' })))
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  expect((await portal.call('GET', url)).status).toBe(200)
})

test('contact forms from hundreds of networks at once do not block the process', async () => {
  const headers = ['Content-Type: application/x-www-form-urlencoded']
  const form = (n: number) => ({
    method: 'POST',
    path: '/contact',
    address: `2001:db8:${n.toString(16)}::1`,
    headers,
    body: 'firstName=Maya',
  })
  // A rejected form takes a millisecond, so many are answered in the same turn as the visitor, and while this test sends.
  const statuses = await statusesOf(many(900, form), 0.9)
  expect(new Set(statuses)).toEqual(new Set([400]))
})

test('many long previews of a wording at once do not block the process', async () => {
  const { token } = await portal.admin()
  const path = '/api/site/admin/wordings/lease'
  const { wording } = await portal.expectOk(portal.call('GET', path, { token }))
  const text = `${wording.body.text}\n${'{{charges}}\n'.repeat(2300)}`
  const asked = {
    method: 'POST',
    path: `${path}/preview`,
    address: '203.0.113.8',
    headers: [`Authorization: Bearer ${token}`, 'Content-Type: application/json'],
    body: JSON.stringify({ body: { text } }),
  }
  const statuses = await statusesOf(many(60, () => asked))
  expect(new Set(statuses)).toEqual(new Set([200]))
})
