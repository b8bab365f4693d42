import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, setGlobalProxyFromEnv } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { projectRoot } from '../../../db/project-root.ts'
import { afterThisTest } from '../../testing/cleanups.ts'
import { testRandom } from '../../testing/random.ts'
import {
  checkAddress,
  createGuardedFetch,
  type FetchOutcome,
  type GuardedFetchOptions,
} from './guarded-fetch.ts'
import { type ConnectionTarget, openConnection } from './pinned-connection.ts'

const sentences = {
  too_large: 'This calendar is larger than 1 MB.',
  truncated: 'This calendar breaks off in the middle.',
  unreadable:
    'This address does not answer with a calendar. Copy its export address, which usually ends in .ics.',
}
const privateNetwork = 'This address leads to a private network and is not read.'
const needsHttps = 'Please use an address that begins with https://'
const publicAddress = '93.184.215.14'
const calendar = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n'

/**
 * Certificates for feed.example and 127.0.0.1, valid until 2120 (site) and 2021 (expired). The private key of their
 * authority no longer exists.
 */
const certificate = (name: string) =>
  readFileSync(join(projectRoot, `src/testing/certificates/${name}.pem`), 'utf8')

/** Makes sure that no test connects to another machine, even if a guard fails. */
function onThisMachine(target: ConnectionTarget): Socket {
  if (target.addresses.some(address => address !== '127.0.0.1')) throw new Error('another machine')
  return openConnection(target)
}
const unknownName = async () => []

/** Fetches once, with limits for tests. */
const fetchOnce = (
  url: string,
  options: Partial<GuardedFetchOptions> = {},
  validators: { etag?: string | null; lastModified?: string | null } = {},
): Promise<FetchOutcome> =>
  createGuardedFetch({
    sentences,
    timeoutMs: 5_000,
    lookup: unknownName,
    connect: onThisMachine,
    ...options,
  })({ url, ...validators })

/** A resolver and a connector that only count calls: nothing can be sent through them. */
function countingNetwork(addresses: readonly string[] = []) {
  const counted = { lookups: 0, connections: 0 }
  return {
    counted,
    lookup: async () => {
      counted.lookups++
      return addresses
    },
    connect: (): Socket => {
      counted.connections++
      throw new Error('a connection was tried')
    },
  }
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  afterThisTest(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise(resolve => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

/** Starts a real HTTP server on this machine, which `fetchHere` is allowed to fetch from. */
async function startSite(answer: RequestListener) {
  const requests: { url: string; headers: Record<string, unknown> }[] = []
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', headers: request.headers })
    answer(request, response)
  })
  const port = await listen(server)
  const origin = `http://127.0.0.1:${port}`
  const fetchHere = (path = '/feed.ics', options: Partial<GuardedFetchOptions> = {}) =>
    fetchOnce(`${origin}${path}`, { allowedOrigins: [origin], ...options })
  return { server, port, origin, requests, fetchHere }
}

/** A raw TCP server; `serve` handles each connection. */
async function startRaw(serve: (socket: Socket) => void) {
  const port = await listen(createTcpServer(serve))
  const origin = `http://127.0.0.1:${port}`
  return {
    port,
    fetchHere: (options: Partial<GuardedFetchOptions> = {}) =>
      fetchOnce(`${origin}/feed.ics`, { allowedOrigins: [origin], ...options }),
  }
}
const replying = (text: string | Buffer) =>
  startRaw(socket => socket.once('data', () => void socket.end(text)))

async function startSecureSite(
  pem = 'site',
  answer: RequestListener = (_, response) => response.end(calendar),
) {
  const seen: { servername: unknown; url: string }[] = []
  const options = { cert: certificate(pem), key: certificate('site-key') }
  const server = createSecureServer(options, (request, response) => {
    seen.push({ servername: Reflect.get(request.socket, 'servername'), url: request.url ?? '' })
    answer(request, response)
  })
  server.on('tlsClientError', () => {})
  return { seen, port: await listen(server) }
}
const ca = certificate('authority')
/** Resolves every name to a public address, and connects to this machine instead. */
const leadingTo = (port: number, targets: ConnectionTarget[] = []) => ({
  ca,
  lookup: async () => [publicAddress],
  connect: (target: ConnectionTarget) => {
    targets.push(target)
    return openConnection({ ...target, addresses: ['127.0.0.1'], port })
  },
})

const localHosts = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.0.1.',
    '127.0.0.1..',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0x7f.0.0.01',
  ],
  ...['①②⑦.0.0.1', '127。0。0。1', '%31%32%37.0.0.1', '127%2e0%2e0%2e1', '0', '0.0.0.0', '0.1.2.3'],
  ...[
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.254',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.100.100.200',
  ],
  ...['192.0.0.1', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1'],
  ...['224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255', '4294967295', '0xffffffff'],
  ...['[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[::127.0.0.1]', '[::ffff:127.0.0.1]', '[::ffff:a9fe:a9fe]'],
  ...['[0:0:0:0:0:FFFF:10.0.0.1]', '[64:ff9b::10.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::808:808]'],
  ...['[2002:7f00:1::]', '[2002:c0a8:101::1]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]', '[2001:db8::1]'],
  ...[
    '[2001:2::1]',
    '[3fff::1]',
    '[100::1]',
    '[5f00::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[febf::1]',
  ],
  ...[
    '[fec0::1]',
    '[ff02::1]',
    '[ff0e::1]',
    '[fe80::1%25eth0]',
    '[fe80::1%eth0]',
    '[::1%25lo]',
    '[2600::1%251]',
  ],
  ...[
    'localhost',
    'LocalHost',
    'localhost.',
    'localhost..',
    'feed.localhost',
    'printer.local',
    'nas.home.arpa',
  ],
  'metadata.google.internal',
]

test.each(localHosts)('neither resolves nor connects to %s [CAL-04]', async host => {
  const { counted, ...network } = countingNetwork([publicAddress])
  for (const scheme of ['https', 'HTTPS', 'webcal'])
    for (const rest of ['/feed.ics', ':8443/feed.ics', '?secret', '#x@feed.example/'])
      expect(await fetchOnce(` ${scheme}://${host}${rest}`, network)).toEqual({
        kind: 'refused',
        reason: 'local',
        message: privateNetwork,
      })
  expect(counted).toEqual({ lookups: 0, connections: 0 })
})

const localAddresses = [
  ...[
    '127.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '172.20.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '198.18.0.1',
  ],
  ...[
    '203.0.113.9',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:c0a8:1',
    '::10.0.0.1',
  ],
  ...[
    '64:ff9b::a00:1',
    '2002:a00:1::',
    '2001:0:1::1',
    'fd00::1',
    'fe80::1',
    'fe80::1%eth0',
    '2600::1%2',
    'ff02::1',
  ],
  ...['', 'localhost', '127.1'],
]
test.each(localAddresses)('rejects a name with %j among its addresses [CAL-04]', async address => {
  for (const addresses of [
    [address],
    [publicAddress, address],
    [address, '2600::1'],
    ['2600::1', publicAddress, address],
  ]) {
    const { counted, ...network } = countingNetwork(addresses)
    expect(await fetchOnce('https://feed.example/feed.ics', network)).toMatchObject({
      kind: 'refused',
      message: privateNetwork,
    })
    expect(counted).toEqual({ lookups: 1, connections: 0 })
  }
})

test('connects to the checked addresses even if the name resolves to others afterwards [CAL-04]', async () => {
  const { port, seen } = await startSecureSite()
  const targets: ConnectionTarget[] = []
  const answers = [[publicAddress, '2600::1'], ['127.0.0.1'], ['127.0.0.1']]
  const lookup = vi.fn(async () => answers.shift() ?? [])
  const network = { ...leadingTo(port, targets), lookup }
  expect(await fetchOnce('https://feed.example/feed.ics', network)).toMatchObject({ kind: 'answered' })
  expect(targets).toMatchObject([{ host: 'feed.example', port: 443, addresses: [publicAddress, '2600::1'] }])
  expect(await fetchOnce('https://feed.example/feed.ics', network)).toMatchObject({ message: privateNetwork })
  expect([lookup.mock.calls.length, targets.length, seen.length]).toEqual([2, 1, 1])
})

test('opens a connection to the given addresses without resolving the name again [CAL-04]', async () => {
  const { port } = await startRaw(socket => void socket.end())
  for (const addresses of [['127.0.0.1'], ['::1', '127.0.0.1']]) {
    const target = { isSecure: false, host: 'unknown.invalid', port, addresses, ca: undefined }
    const socket = openConnection(target)
    await new Promise((resolve, reject) => void socket.on('connect', resolve).on('error', reject))
    expect(socket.remoteAddress).toBe('127.0.0.1')
    socket.destroy()
  }
  const none = { isSecure: false, host: 'localhost', port, addresses: [], ca: undefined }
  expect(() => openConnection(none)).toThrow('no address to connect to')
})

test.each([
  ['http://feed.example/feed.ics', needsHttps],
  ['http://127.0.0.1/feed.ics', needsHttps],
  ['ftp://feed.example/feed.ics', needsHttps],
  ['file:///etc/passwd', needsHttps],
  ['data:text/calendar,BEGIN', needsHttps],
  ['javascript:alert(1)', needsHttps],
  ['webcals://feed.example/feed.ics', needsHttps],
  ['feed.example/feed.ics', needsHttps],
  ['localhost:3000/feed.ics', needsHttps],
  ['//feed.example/feed.ics', needsHttps],
  ['/feed.ics', needsHttps],
  ['', needsHttps],
  ['https://user:password@feed.example/feed.ics', 'Please use an address without user name and password'],
  ['https://user@feed.example/', 'Please use an address without user name and password'],
  ['webcal://:password@feed.example/', 'Please use an address without user name and password'],
  ['https://feed.example@127.0.0.1/', 'Please use an address without user name and password'],
  ['https://feed example/', 'Please enter a valid address'],
  ['https://', 'Please enter a valid address'],
  ['https://feed.example:99999/', 'Please enter a valid address'],
])('rejects %j: %s [CAL-03]', async (url, message) => {
  const { counted, ...network } = countingNetwork([publicAddress])
  expect(await fetchOnce(url, network)).toMatchObject({ kind: 'refused', message })
  expect(checkAddress(url)).toMatchObject({ kind: 'refused', message })
  expect(counted).toEqual({ lookups: 0, connections: 0 })
})

test.each([
  ['webcal://Feed.example:443/a.ics?b=c#d', 'https://feed.example/a.ics?b=c'],
  ['  WebCal://feed.example ', 'https://feed.example/'],
  ['https://8.8.8.8:8443/x', 'https://8.8.8.8:8443/x'],
  ['https://fée.example/', 'https://xn--fe-bja.example/'],
])('normalizes %j to %s [CAL-02]', (text, address) => {
  expect(String(checkAddress(text))).toBe(address)
})

test('fetches from an allowed local http origin, but not from other ports, names or schemes [CAL-06]', async () => {
  const site = await startSite((_, response) => response.end(calendar))
  const other = await startSite((_, response) => response.end(calendar))
  expect(await site.fetchHere()).toMatchObject({ kind: 'answered', status: 200 })
  const { counted, ...network } = countingNetwork(['127.0.0.1'])
  const tries: [url: string, message: string][] = [
    [`${other.origin}/feed.ics`, needsHttps],
    [`http://localhost:${site.port}/feed.ics`, needsHttps],
    [`http://feed.example:${site.port}/feed.ics`, needsHttps],
    [`http://127.0.0.1/feed.ics`, needsHttps],
    [`https://127.0.0.1:${site.port}/feed.ics`, privateNetwork],
    [`webcal://127.0.0.1:${site.port}/feed.ics`, privateNetwork],
    [`https://localhost:${site.port}/feed.ics`, privateNetwork],
    [`https://feed.example:${site.port}/feed.ics`, privateNetwork],
  ]
  for (const [url, message] of tries)
    expect(await fetchOnce(url, { ...network, allowedOrigins: [site.origin] })).toMatchObject({ message })
  expect(counted.connections).toBe(0)
  expect([site.requests.length, other.requests.length]).toEqual([1, 0])
})

test('resolves an allowed name with the system resolver and tries each of its addresses [CAL-06]', async () => {
  const site = await startSite((_, response) => response.end(calendar))
  const origin = `http://localhost:${site.port}`
  const fetchAllowed = createGuardedFetch({ sentences, allowedOrigins: [origin] })
  expect(await fetchAllowed({ url: `${origin}/feed.ics` })).toMatchObject({ status: 200 })
  expect(site.requests).toMatchObject([{ headers: { host: `localhost:${site.port}` } }])
})

test('follows three redirects, including relative ones, and rejects a fourth [CAL-05]', async () => {
  const site = await startSite(({ url }, response) => {
    const left = Number(url?.slice(1))
    if (left === 0) return response.end(calendar)
    response.writeHead([301, 302, 307, 308][left % 4] ?? 303, {
      location: left % 2 ? `/${left - 1}` : `${left - 1}`,
    })
    response.end('moved')
  })
  expect(await site.fetchHere('/3')).toMatchObject({ kind: 'answered', body: Buffer.from(calendar) })
  expect(site.requests.map(({ url }) => url)).toEqual(['/3', '/2', '/1', '/0'])
  const tooOften = { kind: 'refused', reason: 'redirects', message: 'This address redirects too often.' }
  expect(await site.fetchHere('/4')).toEqual(tooOften)
  const loop = await startSite((_, response) => response.writeHead(302, { location: '/again' }).end())
  expect(await loop.fetchHere()).toEqual(tooOften)
  expect(loop.requests).toHaveLength(4)
})

test('checks each redirect target like the first address, before sending anything [CAL-04, CAL-05]', async () => {
  const victim = await startSite((_, response) => response.end('secret'))
  let location = ''
  const site = await startSite((_, response) => response.writeHead(302, { location }).end())
  const { counted, ...counting } = countingNetwork([publicAddress, '127.0.0.1'])
  const port = String(site.port)
  const connect = (target: ConnectionTarget) =>
    String(target.port) === port ? openConnection(target) : counting.connect()
  const tries: [location: string, message: string][] = [
    ...localHosts.map((host): [string, string] => [`https://${host}:${victim.port}/`, privateNetwork]),
    [`//127.0.0.1:${victim.port}/`, needsHttps],
    [`${victim.origin}/`, needsHttps],
    ['https://rebound.example/', privateNetwork],
    ['webcal://rebound.example/', privateNetwork],
    [`http://localhost:${port}/`, needsHttps],
    [`http://feed.example/`, needsHttps],
    ['ftp://feed.example/', needsHttps],
    ['file:///etc/passwd', needsHttps],
    [`http://user:password@127.0.0.1:${port}/`, 'Please use an address without user name and password'],
    ['https://a b/', 'Please enter a valid address'],
    // The owner would read the name in a mail.
    [`https://${'a.'.repeat(127)}example/`, 'Please enter a valid address'],
  ]
  for (const [target, message] of tries) {
    // A header can contain only ASCII.
    location = encodeURI(target).replaceAll('%25', '%').replaceAll('%5B', '[').replaceAll('%5D', ']')
    if (target.includes('a b')) location = target
    const outcome = await site.fetchHere('/', { ...counting, connect })
    expect(outcome, target).toMatchObject({ kind: 'refused', message })
  }
  expect(counted.connections).toBe(0)
  expect(victim.requests).toEqual([])
  expect(site.requests).toHaveLength(tries.length)
})

test('does not follow a redirect from https to http, not even to an allowed origin [CAL-05, CAL-06]', async () => {
  const plain = await startSite((_, response) => response.end(calendar))
  const secure = await startSecureSite('site', (_, response) =>
    response.writeHead(302, { location: `${plain.origin}/feed.ics` }).end(),
  )
  const origin = `https://127.0.0.1:${secure.port}`
  const outcome = await fetchOnce(origin, { ca, allowedOrigins: [origin, plain.origin] })
  expect(outcome).toMatchObject({ kind: 'refused', message: needsHttps })
  expect(plain.requests).toEqual([])
})

test('sends neither cookies nor a referrer, and keeps no connection alive [CAL-05]', async () => {
  const site = await startSite(({ url }, response) => {
    response.setHeader('set-cookie', 'session=1')
    if (url === '/a?b=c') return response.writeHead(302, { location: '/next' }).end()
    response.end(calendar)
  })
  expect(await site.fetchHere('/a?b=c#fragment')).toMatchObject({ status: 200 })
  expect(site.requests.map(({ url }) => url)).toEqual(['/a?b=c', '/next'])
  for (const { headers } of site.requests)
    expect(headers).toEqual({
      host: `127.0.0.1:${site.port}`,
      accept: '*/*',
      'accept-encoding': 'gzip, deflate, br',
      'user-agent': 'condo-portal',
      connection: 'close',
    })
})

test('ignores a proxy set in the environment [CAL-04]', async () => {
  const proxy = await startSite((_, response) => response.end('from the proxy'))
  const site = await startSite((_, response) => response.end(calendar))
  const address = proxy.origin
  afterThisTest(setGlobalProxyFromEnv({ http_proxy: address, https_proxy: address, no_proxy: '' }))
  vi.stubEnv('http_proxy', address)
  afterThisTest(() => void vi.unstubAllEnvs())
  expect(await site.fetchHere()).toMatchObject({ body: Buffer.from(calendar) })
  expect([proxy.requests.length, site.requests.length]).toEqual([0, 1])
})

test('returns status, headers and body of a response with any content type [CAL-14]', async () => {
  for (const type of ['text/calendar; charset=utf-8', 'text/html', 'application/octet-stream', 'nonsense']) {
    const site = await startSite((_, response) => response.setHeader('content-type', type).end(calendar))
    expect(await site.fetchHere()).toMatchObject({
      kind: 'answered',
      status: 200,
      notModified: false,
      headers: { 'content-type': type },
      body: Buffer.from(calendar),
    })
  }
  const untyped = await startSite((_, response) => response.end())
  expect(await untyped.fetchHere()).toMatchObject({ status: 200, body: Buffer.alloc(0) })
})

test('returns etag and last-modified, sends them with the next request and accepts a 304 [CAL-13]', async () => {
  const lastModified = 'Sun, 22 Nov 2026 05:00:00 GMT'
  const site = await startSite(({ url, headers }, response) => {
    if (url === '/moved') return response.writeHead(302, { location: '/feed.ics' }).end()
    response.setHeaders(
      new Map([
        ['etag', 'W/"é1"'],
        ['last-modified', lastModified],
      ]),
    )
    const isKnown = headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined
    response.writeHead(isKnown ? 304 : 200).end(isKnown ? undefined : calendar)
  })
  const first = await site.fetchHere()
  expect(first).toMatchObject({ kind: 'answered', etag: 'W/"é1"', lastModified })
  const again = (path: string, validators: { etag?: string | null; lastModified?: string | null }) =>
    fetchOnce(`${site.origin}${path}`, { allowedOrigins: [site.origin] }, validators)
  const unchanged = {
    kind: 'answered',
    status: 304,
    notModified: true,
    etag: 'W/"é1"',
    body: Buffer.alloc(0),
  }
  expect(await again('/feed.ics', { etag: 'W/"é1"', lastModified })).toMatchObject(unchanged)
  expect(await again('/moved', { etag: 'W/"é1"', lastModified: null })).toMatchObject(unchanged)
  expect(await again('/feed.ics', { lastModified })).toMatchObject(unchanged)
  expect(await again('/feed.ics', { etag: null, lastModified: null })).toMatchObject({ status: 200 })
  expect(
    site.requests.map(({ headers }) => [headers['if-none-match'], headers['if-modified-since']]),
  ).toEqual([
    [undefined, undefined],
    ['W/"é1"', lastModified],
    ['W/"é1"', undefined],
    ['W/"é1"', undefined],
    [undefined, lastModified],
    [undefined, undefined],
  ])
})

test.each([
  [404, 'refused'],
  [401, 'refused'],
  [410, 'refused'],
  [429, 'refused'],
  [204, 'refused'],
  [206, 'refused'],
  [300, 'refused'],
  [301, 'refused'],
  [304, 'refused'],
  [500, 'failed'],
  [503, 'failed'],
])('status %d without further headers is %s [CAL-08, CAL-09]', async (status, kind) => {
  const site = await startSite((_, response) => response.writeHead(status).end())
  expect(await site.fetchHere('/token.ics')).toEqual({
    kind,
    reason: 'status',
    status,
    message: `127.0.0.1 answered with ${status}.`,
    retryAfterSeconds: undefined,
  })
})

test.each([
  ['120', 120],
  ['0', 0],
  ['Sun, 22 Nov 2026 12:02:00 GMT', 120],
  ['Sun, 22 Nov 2026 11:00:00 GMT', 0],
  ['-5', undefined],
  ['1e9', undefined],
  ['99999999999', undefined],
  ['soon', undefined],
])('parses Retry-After: %s as %s seconds [CAL-11]', async (text, seconds) => {
  const now = () => new Date('2026-11-22T12:00:00Z')
  for (const status of [429, 503]) {
    const site = await startSite((_, response) => response.writeHead(status, { 'retry-after': text }).end())
    expect(await site.fetchHere('/', { now })).toMatchObject({ status, retryAfterSeconds: seconds })
  }
})

const megabyte = 1024 * 1024
/** Incompressible bytes: compressing them makes them longer. */
const noise = (() => {
  const { below } = testRandom()
  return Buffer.from(Array.from({ length: megabyte }, () => below(256)))
})()
const brotliSync = (bytes: Buffer) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
const packers: [coding: string, pack: (bytes: Buffer) => Buffer][] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['BR', brotliSync],
  ['identity', bytes => bytes],
]

test.each(packers)('decompresses %s up to exactly 1 MB [CAL-14]', async (coding, pack) => {
  const serving = async (bytes: Buffer) => {
    const site = await startSite((_, response) =>
      response.setHeader('content-encoding', coding).end(pack(bytes)),
    )
    return site.fetchHere()
  }
  expect(await serving(Buffer.from(calendar))).toMatchObject({ body: Buffer.from(calendar) })
  for (const full of [Buffer.alloc(megabyte, 'x'), noise]) {
    const outcome = await serving(full)
    expect(outcome.kind === 'answered' && outcome.body.equals(full)).toBe(true)
    expect(await serving(Buffer.concat([full, Buffer.from('x')]))).toEqual({
      kind: 'refused',
      reason: 'too_large',
      message: 'This calendar is larger than 1 MB.',
    })
  }
})

test('stops reading an endless body at 1 MB [CAL-14]', async () => {
  const block = Buffer.alloc(16 * 1024, 'x')
  // Empty deflate blocks: they decompress to nothing.
  const emptyBlocks = Buffer.concat(Array.from({ length: 3000 }, () => Buffer.from([0, 0, 0, 0xff, 0xff])))
  for (const [coding, start, bytes] of [
    ['identity', '', block],
    ['gzip', gzipSync('').subarray(0, 10), emptyBlocks],
    ['deflate', Buffer.from([0x78, 0x9c]), emptyBlocks],
  ] as const) {
    let sent = 0
    const site = await startSite((_, response) => {
      response.setHeader('content-encoding', coding)
      response.write(start || 'x')
      const go = () => {
        while (!response.destroyed && sent < 200 * megabyte) {
          sent += bytes.length
          if (!response.write(bytes)) return void response.once('drain', go)
        }
      }
      go()
    })
    expect(await site.fetchHere()).toMatchObject({ reason: 'too_large' })
    // The buffers of both sockets count too.
    expect(sent).toBeLessThan(50 * megabyte)
  }
})

test('does not use a gigabyte of memory for a small body that decompresses to a gigabyte [CAL-14]', async () => {
  const member = gzipSync(Buffer.alloc(32 * megabyte))
  const bomb = Buffer.concat(Array.from({ length: 31 }, () => member))
  expect(bomb.length).toBeLessThan(megabyte)
  const deflated = deflateSync(Buffer.alloc(64 * megabyte))
  const brotli = brotliSync(Buffer.alloc(64 * megabyte))
  const before = process.resourceUsage().maxRSS
  for (const [coding, bytes] of [
    ['gzip', bomb],
    ['deflate', deflated],
    ['br', brotli],
  ] as const) {
    const site = await startSite((_, response) => response.setHeader('content-encoding', coding).end(bytes))
    expect(await site.fetchHere()).toMatchObject({ kind: 'refused', reason: 'too_large' })
  }
  const grownMegabytes = (process.resourceUsage().maxRSS - before) / 1024
  expect(grownMegabytes).toBeLessThan(200)
})

const packed = gzipSync(calendar.repeat(50))
test.each<[what: string, answer: string | Buffer, message: string]>([
  [
    'a body shorter than announced',
    'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nBEGIN',
    sentences.truncated,
  ],
  [
    'chunks without the last',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nBEGIN\r\n',
    sentences.truncated,
  ],
  [
    'a broken chunk',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nBEGIN\r\nzz\r\n',
    sentences.truncated,
  ],
  ['half a gzip', withCoding('gzip', packed.subarray(0, packed.length - 12)), sentences.truncated],
  ['an empty gzip', withCoding('gzip', Buffer.alloc(0)), sentences.truncated],
  ['a text that is no gzip', withCoding('gzip', Buffer.from(calendar)), sentences.unreadable],
  ['a text that is no brotli', withCoding('br', Buffer.from(calendar.repeat(9))), sentences.unreadable],
  ['a coding that was not asked for', withCoding('zstd', Buffer.from(calendar)), sentences.unreadable],
  ['two codings', withCoding('gzip, br', packed), sentences.unreadable],
  [
    'another protocol',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nx',
    '127.0.0.1 answered with 101.',
  ],
  ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', sentences.unreadable],
  ['HTTP of another kind', 'HTTP/9 yes\r\n\r\n', sentences.unreadable],
  ['a header that is too long', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, sentences.unreadable],
  [
    'two lengths',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
    sentences.unreadable,
  ],
])('rejects %s [CAL-08, CAL-14]', async (_, answer, message) => {
  const raw = await replying(answer)
  expect(await raw.fetchHere()).toMatchObject({ kind: 'refused', message })
})

function withCoding(coding: string, body: Buffer): Buffer {
  const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), body])
}

test('stops reading an endless stream of headers [CAL-08]', async () => {
  const raw = await startRaw(socket => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const go = () => {
      while (!socket.destroyed && socket.writable) if (!socket.write('X-Flood: yes\r\n')) break
    }
    socket.on('drain', go)
    go()
  })
  expect(await raw.fetchHere()).toMatchObject({ kind: 'refused', message: sentences.unreadable })
})

test.each(['100 Continue', '103 Early Hints'])(
  'stops reading an endless stream of %s [CAL-08]',
  async status => {
    const raw = await startRaw(socket => {
      const go = () => {
        while (!socket.destroyed && socket.writable) if (!socket.write(`HTTP/1.1 ${status}\r\n\r\n`)) break
      }
      socket.on('drain', go)
      go()
    })
    expect(await raw.fetchHere()).toMatchObject({ kind: 'refused', message: sentences.unreadable })
  },
)

test('reports a refused, reset or closed connection as unreachable [CAL-09]', async () => {
  const notReached = { kind: 'failed', reason: 'unreachable', message: '127.0.0.1 could not be reached.' }
  const reset = await startRaw(socket => void socket.resetAndDestroy())
  const closed = await startRaw(socket => void socket.end())
  const hungUp = await startRaw(socket => void socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nDa')))
  for (const raw of [reset, closed, hungUp]) expect(await raw.fetchHere()).toEqual(notReached)
  const site = await startSite(() => {})
  await new Promise(resolve => site.server.close(resolve))
  expect(await site.fetchHere()).toEqual(notReached)
})

test('reports a name without an address as unreachable [CAL-09]', async () => {
  const { counted, connect } = countingNetwork()
  const missing = async () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))
  for (const lookup of [missing, async () => []])
    expect(await fetchOnce('https://feed.example/x.ics', { lookup, connect })).toEqual({
      kind: 'failed',
      reason: 'unreachable',
      message: 'feed.example could not be reached.',
    })
  expect(counted.connections).toBe(0)
})

test('reports a reset in the middle of the body as a truncated calendar [CAL-14]', async () => {
  const raw = await startRaw(socket => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\nBEGIN:VCALENDAR\r\n')
      setTimeout(() => socket.resetAndDestroy(), 50)
    })
  })
  expect(await raw.fetchHere()).toMatchObject({ kind: 'refused', message: sentences.truncated })
})

test('times out after 10 seconds in total, even during the DNS lookup [CAL-14]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  afterThisTest(() => void vi.useRealTimers())
  const ended = vi.fn()
  const lookup = () => new Promise<string[]>(() => {})
  const outcome = createGuardedFetch({ sentences, lookup })({ url: 'https://feed.example/x.ics' })
  outcome.then(ended)
  await vi.advanceTimersByTimeAsync(9_999)
  expect(ended).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(await outcome).toEqual({
    kind: 'failed',
    reason: 'timeout',
    message: 'feed.example did not answer within 10 seconds.',
  })
})

test('does not connect if the name is resolved after the timeout [CAL-14]', async () => {
  const { counted, connect } = countingNetwork()
  const lookup = () => sleep(200, [publicAddress])
  const outcome = await fetchOnce('https://feed.example/x.ics', { lookup, connect, timeoutMs: 50 })
  expect(outcome).toMatchObject({ reason: 'timeout' })
  await sleep(250)
  expect(counted.connections).toBe(0)
})

const stalling: [what: string, serve: (socket: Socket) => void][] = [
  ['says nothing', () => {}],
  ['sends half a header', socket => void socket.write('HTTP/1.1 200 OK\r\nContent-')],
  ['sends no body', socket => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n')],
  ['sends a byte now and then', socket => drip(socket, 'HTTP/1.1 200 OK\r\n\r\n', 'x')],
  ['sends a header now and then', socket => drip(socket, 'HTTP/1.1 200 OK\r\n', 'X: y\r\n')],
]
function drip(socket: Socket, start: string, drop: string): void {
  socket.write(start)
  const timer = setInterval(() => socket.writable && socket.write(drop), 10)
  socket.on('close', () => clearInterval(timer))
}
test.each(stalling)(
  'times out on a server that %s, and closes the connection [CAL-09, CAL-14]',
  async (_, serve) => {
    let closed = 0
    const raw = await startRaw(socket => {
      socket.on('close', () => closed++)
      socket.once('data', () => serve(socket))
    })
    const began = performance.now()
    expect(await raw.fetchHere({ timeoutMs: 300 })).toEqual({
      kind: 'failed',
      reason: 'timeout',
      message: '127.0.0.1 did not answer within 0.3 seconds.',
    })
    expect(performance.now() - began).toBeLessThan(2_000)
    await vi.waitFor(() => expect(closed).toBe(1))
  },
)

test('applies one timeout to all redirects together [CAL-14]', async () => {
  const site = await startSite(async ({ url }, response) => {
    await sleep(150)
    response.writeHead(302, { location: `${url}x` }).end()
  })
  expect(await site.fetchHere('/', { timeoutMs: 400 })).toMatchObject({ reason: 'timeout' })
  expect(site.requests.length).toBeLessThan(4)
})

test('accepts a certificate of a trusted authority, by name and by address [CAL-08]', async () => {
  const { port, seen } = await startSecureSite()
  const origin = `https://127.0.0.1:${port}`
  expect(await fetchOnce(`${origin}/a`, { ca, allowedOrigins: [origin] })).toMatchObject({ status: 200 })
  expect(await fetchOnce('webcal://feed.example/b', leadingTo(port))).toMatchObject({ status: 200 })
  expect(await fetchOnce('https://feed.example./c', leadingTo(port))).toMatchObject({ status: 200 })
  expect(seen).toEqual([
    { servername: false, url: '/a' },
    { servername: 'feed.example', url: '/b' },
    { servername: 'feed.example', url: '/c' },
  ])
})

test.each([
  ['of an unknown authority', 'site', 'feed.example', { ca: undefined }],
  ['of another name', 'site', 'other.example', { ca }],
  ['that has expired', 'expired', 'feed.example', { ca }],
])('rejects a certificate %s before sending the request [CAL-08]', async (_, pem, host, trust) => {
  // The environment may tell Node to accept any certificate.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  afterThisTest(() => warned.mockRestore())
  afterThisTest(() => void vi.unstubAllEnvs())
  const { port, seen } = await startSecureSite(pem)
  expect(await fetchOnce(`https://${host}/feed.ics`, { ...leadingTo(port), ...trust })).toEqual({
    kind: 'refused',
    reason: 'certificate',
    message: `The certificate of ${host} is not valid.`,
  })
  expect(seen).toEqual([])
})

test('reports a server without TLS as an invalid certificate, and a closed connection as unreachable [CAL-08, CAL-09]', async () => {
  const plain = await startSite((_, response) => response.end(calendar))
  expect(await fetchOnce('https://feed.example/', leadingTo(plain.port))).toMatchObject({
    kind: 'refused',
    message: 'The certificate of feed.example is not valid.',
  })
  const closing = await startRaw(socket => void socket.once('data', () => socket.end()))
  expect(await fetchOnce('https://feed.example/', leadingTo(closing.port))).toMatchObject({
    reason: 'unreachable',
  })
  const silent = await startRaw(() => {})
  const outcome = await fetchOnce('https://feed.example/', { ...leadingTo(silent.port), timeoutMs: 200 })
  expect(outcome).toMatchObject({ kind: 'failed', reason: 'timeout' })
})

test('messages contain the host, but neither path nor token [CAL-20]', async () => {
  const site = await startSite((_, response) => response.writeHead(302, { location: '/t0ken' }).end())
  const outcomes = [
    await site.fetchHere('/t0ken.ics?t0ken'),
    await fetchOnce('https://feed.example/t0ken'),
    await fetchOnce('https://user:t0ken@feed.example/t0ken'),
    await fetchOnce('https://127.0.0.1/t0ken'),
    await (await replying('no HTTP, t0ken')).fetchHere(),
  ]
  expect(outcomes.map(({ kind }) => kind)).toEqual(['refused', 'failed', 'refused', 'refused', 'refused'])
  expect(JSON.stringify(outcomes)).not.toContain('t0ken')
})

test('returns an outcome for any bytes that a server sends [CAL-08, CAL-09]', async () => {
  let answer = Buffer.alloc(0)
  const raw = await startRaw(socket => void socket.once('data', () => socket.end(answer)))
  const start = fc.constantFrom(
    '',
    'HTTP/1.1 200 OK\r\n',
    'HTTP/1.1 200 OK\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08',
    'HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n',
    'HTTP/1.1 302 Found\r\nLocation: ',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
  )
  const end = fc.constantFrom('', '\r\n\r\n')
  const kinds = new Set<string>()
  await fc.assert(
    fc.asyncProperty(start, fc.uint8Array({ maxLength: 200 }), end, async (head, middle, tail) => {
      answer = Buffer.concat([Buffer.from(head, 'latin1'), middle, Buffer.from(tail)])
      const { kind } = await raw.fetchHere()
      kinds.add(kind)
    }),
    { numRuns: 300 },
  )
  expect([...kinds].sort()).toEqual(['answered', 'failed', 'refused'])
})
