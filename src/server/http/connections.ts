import type { EventEmitter } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createFairShares } from './shares.ts'

const maxConnections = 500
/** With more connections than these, each one closes after its response, so that clients that wait cannot keep all. */
const maxKeptAlive = 400
/** From one network address and from its larger network: connections, or requests if all visitors come through a proxy. */
const shares = { ofOne: 100, ofNetwork: 120, ofAll: maxConnections }
/** Browsers and proxies wait for a response before they send the next request. */
const maxUnanswered = 4
/** Chunks below 256 bytes that a body may have, since a packet may have 500. Each costs some work, and hundreds of bytes until the body is read. */
const maxTinyChunks = 200
/** Bytes of a body that may still arrive after the response. */
const maxRestBytes = 256 * 1024

type Options = {
  /** Whether all visitors come through a proxy. */
  isProxied?: boolean
  /** Long enough for a slow client: the buffers of the system and of a proxy take up hundreds of KB at a time. */
  maxStallMs?: number
  /** The slowest average rate at which a client may read a response, and the extra time it gets in all. */
  minBytesPerMs?: number
  maxDelayMs?: number
  /** A response of which nothing is read for so long gives way to any newcomer once a share is full. */
  stuckMs?: number
  /** How long a body may still take to arrive after the response. */
  maxRestMs?: number
}
type Wire = Socket & {
  parser?: { onIncoming: () => number } | null
  _handle?: { writeQueueSize: number } | null
}

/**
 * Limits the number of connections, what a client may send before it gets a response, and how long it may stop reading
 * one or take for all of it. Preparing a response may take longer. Behind a proxy, whose connections tell nothing about the
 * visitors, the returned function counts a request with its visitor's address instead; false if it must be refused.
 */
export function limitConnections(
  server: Server,
  {
    isProxied = false,
    maxStallMs = 30_000,
    minBytesPerMs = 10,
    maxDelayMs = 30_000,
    stuckMs = 2000,
    maxRestMs = 2000,
  }: Options = {},
): (address: string, response: ServerResponse) => boolean {
  // Connections that were dropped take a moment to close, and a proxy needs one to ask for what others give way to.
  server.maxConnections = 2 * maxConnections
  let open = 0
  /** The unanswered requests of a connection, in order. */
  const queues = new WeakMap<Socket, ServerResponse[]>()
  const stuck = new WeakSet<Socket>()
  const enter = createFairShares(shares)
  const enterWith = (address: string, socket: Socket, end: EventEmitter) => {
    const { leave } = enter(address, {
      giveWay: () => socket.destroy(),
      // The whole head of a request has come, and the site works on it.
      isBusy: () => queues.get(socket)?.[0]?.headersSent === false,
      isStuck: () => stuck.has(socket),
    })
    if (leave) end.once('close', leave)
    return leave !== undefined
  }
  server.on('connection', socket => {
    if (!isProxied && !enterWith(socket.remoteAddress ?? '', socket, socket)) return void socket.destroy()
    open++
    socket.once('close', () => open--)
  })
  // Node would answer an unknown `Expect` header itself, and we would not count the request.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  const handlers = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const { socket } = request
    const queue = queues.get(socket) ?? []
    const before = queue.at(-1)
    if (socket.destroyed || queue.push(response) > maxUnanswered) return end(socket)
    queues.set(socket, queue)
    response.once('close', () => queue.shift())
    // Node would answer this one itself as well, but `requireHostHeader` is off.
    if (request.headers.host === undefined && request.httpVersion === '1.1')
      return void response.writeHead(400, { connection: 'close' }).end()
    limitBody(request, response)
    if (open > maxKeptAlive) response.shouldKeepAlive = false
    const limitTime = () => {
      response.setTimeout(maxStallMs)
      closeIfSlow(response, socket, { minBytesPerMs, maxDelayMs, stuck, stuckMs })
    }
    response.once('pipe', limitTime).once('prefinish', limitTime)
    response.once('finish', () => {
      if (!request.complete) setTimeout(() => request.complete || socket.destroy(), maxRestMs).unref()
    })
    const start = () => {
      if (!socket.destroyed) for (const handle of handlers) handle.call(server, request, response)
    }
    // A response queued behind another would hold memory, even a stream.
    if (before) before.once('close', start)
    else start()
  })
  // A response emits no 'close' after its connection has closed.
  return (address, response) =>
    response.socket?.destroyed !== false || enterWith(address, response.socket, response)
}

/** Closes a connection. Node would still parse thousands of buffered requests; a negative result stops its parser. */
function end(socket: Wire): void {
  if (socket.parser) socket.parser.onIncoming = () => -1
  socket.destroy()
}

type Slowness = { minBytesPerMs: number; maxDelayMs: number; stuck: WeakSet<Socket>; stuckMs: number }

/** Closes the connection if its client takes the response too slowly in all; notes it while the client takes nothing. */
function closeIfSlow(
  response: ServerResponse,
  socket: Wire,
  { minBytesPerMs, maxDelayMs, stuck, stuckMs }: Slowness,
): void {
  // Fastify also pipes into a response that has closed, which emits no second 'close' to stop the timers.
  if (socket.destroyed || response.closed || (response.writableEnded && response.writableLength === 0)) return
  const startedAt = performance.now()
  const bytesBefore = socket.bytesWritten - response.writableLength
  const check = () => {
    const maxMs = maxDelayMs + (socket.bytesWritten - bytesBefore) / minBytesPerMs
    const leftMs = startedAt + maxMs - performance.now()
    if (leftMs <= 0) return void socket.destroy()
    timer = setTimeout(check, leftMs).unref()
  }
  let timer = setTimeout(check, maxDelayMs).unref()
  const takenBytes = () => socket.bytesWritten - (socket._handle?.writeQueueSize ?? 0)
  let taken = takenBytes()
  const watch = setInterval(() => {
    if (taken === takenBytes()) stuck.add(socket)
    else stuck.delete(socket)
    taken = takenBytes()
  }, stuckMs).unref()
  response.once('close', () => {
    clearTimeout(timer)
    clearInterval(watch)
    stuck.delete(socket)
  })
}

/** Closes the connection if a body comes in tiny chunks or continues after the response, even if nobody reads it. */
function limitBody(request: IncomingMessage, response: ServerResponse): void {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  if (coding === undefined && (length === undefined || length === '0')) return
  const push = request.push.bind(request)
  let [chunks, bytes, maxBytes] = [0, 0, Number.POSITIVE_INFINITY]
  response.once('finish', () => {
    maxBytes = bytes + maxRestBytes
  })
  request.push = chunk => {
    bytes += chunk?.length ?? 0
    if (++chunks <= maxTinyChunks + bytes / 256 && bytes <= maxBytes) return push(chunk)
    end(request.socket)
    return false
  }
}
