import { lookup as dnsLookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { BodyError, type BodyErrorReason, readBody } from './bounded-body.ts'
import { errorCode } from './disk.ts'
import { isLocalAddress, isLocalHost } from './local-address.ts'
import { type ConnectionTarget, openConnection } from './pinned-connection.ts'

const maxRedirects = 3
const redirectStatuses = [301, 302, 303, 307, 308]

type AddressError = 'invalid' | 'scheme' | 'credentials' | 'local' | 'redirects'
type Stopped = { message: string; status?: number; retryAfterSeconds?: number }
/** The address or its response is invalid: a retry would not help. */
export type FetchRejected = Stopped & {
  kind: 'refused'
  reason: AddressError | BodyErrorReason | 'certificate' | 'status'
}
/** No response, or the server reported a temporary problem: a retry can help. */
export type FetchFailed = Stopped & { kind: 'failed'; reason: 'timeout' | 'unreachable' | 'status' }
/** Status 200, or 304 (with an empty body) for a request with an `etag` or `lastModified`. */
export type FetchSucceeded = {
  kind: 'answered'
  status: number
  notModified: boolean
  headers: IncomingHttpHeaders
  etag: string | undefined
  lastModified: string | undefined
  body: Buffer
}
export type FetchOutcome = FetchRejected | FetchFailed | FetchSucceeded

/** `etag` and `lastModified` are those of an earlier response. */
export type GuardedRequest = { url: string; etag?: string | null; lastModified?: string | null }
export type GuardedFetch = (request: GuardedRequest) => Promise<FetchOutcome>

export type GuardedFetchOptions = {
  /** Error messages for the kind of file that is fetched. */
  sentences: Record<BodyErrorReason, string>
  /** Origins that may be local and http: for tests and the demo. */
  allowedOrigins?: readonly string[]
  /** The total time, including redirects and the body. */
  timeoutMs?: number
  /** The maximum size of the decompressed content. */
  maxBytes?: number
  /** Certificates to trust instead of the usual authorities, as PEM. */
  ca?: string
  lookup?: (hostname: string) => Promise<readonly string[]>
  connect?: (target: ConnectionTarget) => Socket
  now?: () => Date
}
type Setup = Required<Omit<GuardedFetchOptions, 'ca'>> & Pick<GuardedFetchOptions, 'ca'>

class FetchError extends Error {
  readonly outcome: FetchRejected | FetchFailed

  constructor(outcome: FetchRejected | FetchFailed) {
    super(outcome.message)
    this.outcome = outcome
  }
}
const refused = (reason: FetchRejected['reason'], message: string, more: Partial<Stopped> = {}) =>
  new FetchError({ kind: 'refused', reason, message, ...more })
const failed = (reason: FetchFailed['reason'], message: string, more: Partial<Stopped> = {}) =>
  new FetchError({ kind: 'failed', reason, message, ...more })

const addressSentences: Record<AddressError, string> = {
  invalid: 'Please enter a valid address',
  scheme: 'Please use an address that begins with https://',
  credentials: 'Please use an address without user name and password',
  local: 'This address leads to a private network and is not read.',
  redirects: 'This address redirects too often.',
}
const refusedAddress = (problem: AddressError) => refused(problem, addressSentences[problem])

/**
 * A GET for addresses that users type: https only, public hosts only, without cookies, credentials or a proxy. It
 * connects only to IP addresses that it has checked. Timeouts use real time, in milliseconds. It never throws for
 * anything that the server does.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const setup: Setup = {
    allowedOrigins: [],
    timeoutMs: 10_000,
    maxBytes: 1024 * 1024,
    lookup: resolveAll,
    connect: openConnection,
    now: () => new Date(),
    ...options,
  }
  return async request => {
    const deadline = new AbortController()
    const at = { host: '' }
    const timedOut = new Promise<never>((_, reject) => {
      deadline.signal.onabort = () =>
        reject(failed('timeout', `${at.host} did not answer within ${setup.timeoutMs / 1000} seconds.`))
    })
    const timer = setTimeout(() => deadline.abort(), setup.timeoutMs)
    try {
      return await Promise.race([follow(setup, request, at, deadline.signal), timedOut])
    } catch (error) {
      if (error instanceof FetchError) return error.outcome
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
}

/**
 * The URL to fetch: `webcal:` becomes `https:`, and a relative URL is resolved against `base`. No network access.
 * @throws FetchError if the URL must not be fetched
 */
function validateUrl(text: string, allowedOrigins: readonly string[], base?: URL): URL {
  const address = text.trim().replace(/^webcal:/i, 'https:')
  const url = URL.parse(address, base)
  if (!url) throw refusedAddress(errorOfUnparsed(address))
  // The longest name that DNS has.
  if (url.hostname.length > 253) throw refusedAddress('invalid')
  const isAllowed = allowedOrigins.includes(url.origin)
  const isPlain = url.protocol === 'http:' && isAllowed && base?.protocol !== 'https:'
  if (url.protocol !== 'https:' && !isPlain) throw refusedAddress('scheme')
  if (url.username || url.password) throw refusedAddress('credentials')
  if (!isAllowed && isLocalHost(url.hostname)) throw refusedAddress('local')
  url.hash = ''
  return url
}

function errorOfUnparsed(address: string): AddressError {
  if (!/^https:/i.test(address)) return 'scheme'
  // An IPv6 address with a zone id.
  return /\[[^\]]*%/.test(address) ? 'local' : 'invalid'
}

/** Checks an address before it is stored: returns its normal form, or why it is refused. Names are not resolved. */
export function checkAddress(text: string, allowedOrigins: readonly string[] = []): URL | FetchRejected {
  try {
    return validateUrl(text, allowedOrigins)
  } catch (error) {
    if (error instanceof FetchError && error.outcome.kind === 'refused') return error.outcome
    throw error
  }
}

async function follow(
  setup: Setup,
  request: GuardedRequest,
  at: { host: string },
  signal: AbortSignal,
): Promise<FetchOutcome> {
  let url = validateUrl(request.url, setup.allowedOrigins)
  for (let redirects = 0; ; redirects++) {
    at.host = url.hostname
    const addresses = await findAddresses(setup, url)
    signal.throwIfAborted()
    const response = await send(setup, url, addresses, request, signal)
    try {
      const location = redirectStatuses.includes(response.statusCode ?? 0) && response.headers.location
      if (!location) return await readResponse(setup, request, response, url.hostname)
      if (redirects === maxRedirects) throw refusedAddress('redirects')
      url = validateUrl(location, setup.allowedOrigins, url)
    } finally {
      response.destroy()
    }
  }
}

/** All addresses of the host, each checked. */
async function findAddresses(setup: Setup, url: URL): Promise<readonly string[]> {
  const host = bare(url.hostname)
  if (isIP(host)) return [host]
  const addresses = await setup.lookup(host).catch(() => [])
  if (addresses.length === 0) throw unreachable(url.hostname)
  if (!setup.allowedOrigins.includes(url.origin) && addresses.some(isLocalAddress))
    throw refusedAddress('local')
  return addresses
}

async function resolveAll(hostname: string): Promise<readonly string[]> {
  const found = await dnsLookup(hostname, { all: true })
  return found.map(({ address }) => address)
}

const bare = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1')
const unreachable = (host: string) => failed('unreachable', `${host} could not be reached.`)

const maxInterim = 10

function send(
  setup: Setup,
  url: URL,
  addresses: readonly string[],
  { etag, lastModified }: GuardedRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    let socket: Socket | undefined
    const createConnection = () => {
      const port = Number(url.port) || (isSecure ? 443 : 80)
      socket = setup.connect({ isSecure, host: bare(url.hostname), port, addresses, ca: setup.ca })
      return socket
    }
    const request = (isSecure ? httpsRequest : httpRequest)({
      // `createConnection` bypasses the agent, so that no proxy of the environment is used and nothing is kept alive.
      createConnection,
      method: 'GET',
      path: `${url.pathname}${url.search}`,
      headers: {
        host: url.host,
        accept: '*/*',
        'accept-encoding': 'gzip, deflate, br',
        'user-agent': 'condo-portal',
        ...(etag && { 'if-none-match': etag }),
        ...(lastModified && { 'if-modified-since': lastModified }),
      },
      maxHeaderSize: 16 * 1024,
      insecureHTTPParser: false,
      signal,
    })
    request.on('response', response => {
      // Otherwise a body without a length that ends in a reset would count as complete.
      request.on('error', error => response.destroy(error))
      resolve(response)
    })
    // Without this, an unexpected 101 response would hang until the timeout.
    request.on('upgrade', (response, upgraded) => {
      upgraded.destroy()
      resolve(response)
    })
    // Node limits the size of headers, but not the number of 1xx responses.
    let interim = 0
    const countInterim = () => {
      if (++interim > maxInterim) request.destroy(refused('unreadable', setup.sentences.unreadable))
    }
    request.on('information', countInterim).on('continue', countInterim)
    request.on('error', error =>
      reject(error instanceof FetchError ? error : connectionError(setup, error, socket, url.hostname)),
    )
    request.end()
  })
}

function connectionError(setup: Setup, error: Error, socket: Socket | undefined, host: string): FetchError {
  const code = errorCode(error)
  const isUntrusted = socket instanceof TLSSocket && Boolean(socket.authorizationError)
  if (isUntrusted || /^(EPROTO|ERR_SSL|ERR_TLS)/.test(code))
    return refused('certificate', `The certificate of ${host} is not valid.`)
  return code.startsWith('HPE_') ? refused('unreadable', setup.sentences.unreadable) : unreachable(host)
}

async function readResponse(
  setup: Setup,
  request: GuardedRequest,
  response: IncomingMessage,
  host: string,
): Promise<FetchSucceeded> {
  const { statusCode: status = 0, headers } = response
  const notModified = status === 304 && Boolean(request.etag || request.lastModified)
  if (status !== 200 && !notModified) {
    const more = { status, retryAfterSeconds: retryAfterSeconds(headers, setup.now()) }
    const message = `${host} answered with ${status}.`
    throw status >= 500 ? failed('status', message, more) : refused('status', message, more)
  }
  const body = notModified ? Buffer.alloc(0) : await readContent(setup, response)
  const { etag, 'last-modified': lastModified } = headers
  return { kind: 'answered', status, notModified, headers, etag, lastModified, body }
}

/** `Retry-After` in seconds from now; the server sends a number of seconds or a date. */
function retryAfterSeconds({ 'retry-after': text = '' }: IncomingHttpHeaders, now: Date): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const seconds = Math.ceil((Date.parse(text) - now.getTime()) / 1000)
  return /[a-z]/i.test(text) && Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

async function readContent(setup: Setup, response: IncomingMessage): Promise<Buffer> {
  try {
    return await readBody(response, setup.maxBytes)
  } catch (error) {
    throw error instanceof BodyError ? refused(error.reason, setup.sentences[error.reason]) : error
  }
}
