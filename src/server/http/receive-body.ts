import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../domain/accounts/access.ts'
import { AppError } from '../../domain/common/errors.ts'
import { hasBookedStay } from '../bookings/records.ts'
import type { Deps } from '../kernel/deps.ts'
import { createFairShares } from './shares.ts'

/** The limit of an ordinary body. Up to here it does not share the memory of large ones, which would keep logins out. */
export const smallBodyBytes = 100 * 1024
const mb = 1024 * 1024
const smallBodyMs = 15_000
const largeBodyMs = 60_000
const discardMs = 1000

/** How long a body may make no progress: of a small one, or of a large one from a phone with a bad connection. */
const smallStallMs = 3000
const largeStallMs = 10_000
/** The longest a form may take; pictures have as long as the server’s request timeout. */
const formMsOf = (maxBytes: number) => (maxBytes > 15 * mb ? 180_000 : 120_000)
const checkMs = 500

/**
 * Limits of bodies arriving at once, because each occupies a connection: of one person or address, of its network and in
 * all. Visitors must not keep out who is signed in, nor the card provider. One that gives way ends with its connection.
 */
const arriving = {
  guest: createFairShares({ ofOne: 20, ofNetwork: 30, ofAll: 250 }),
  tenant: createFairShares({ ofOne: 10, ofNetwork: 30, ofUnbooked: 20, ofAll: 50 }),
  admin: createFairShares({ ofOne: 10, ofNetwork: 30, ofAll: 50 }),
  webhook: createFairShares({ ofOne: 10, ofNetwork: 10, ofAll: 50 }),
}

/** Bytes of bodies being received from people who are signed in. */
let bytesAtOnce = 0
/** The same of visitors' large bodies, apart, so that neither files nor other visitors keep signers by link out. */
const visitorsBytes = createFairShares({ ofOne: 4 * mb, ofNetwork: 8 * mb, ofAll: 16 * mb })

export type Sender = { role: keyof typeof arriving; userId?: string; isBooked?: boolean }

/** The sender of a body, which decides its share. */
export const senderOf = ({ db }: Deps, actor: Actor): Sender => ({
  ...actor,
  isBooked: actor.role !== 'tenant' || hasBookedStay(db, actor.userId),
})

function beginArriving({ role, userId, isBooked }: Sender, address: string, giveWay: () => void) {
  const { leave } = arriving[role](address, { person: userId, isBooked, giveWay })
  return leave
}

const isVisitor = ({ role }: Sender) => role === 'guest' || role === 'webhook'

type Options = {
  ready?: () => Promise<void>
  sender?: Sender
}

/**
 * Reads a request's body, within a time that depends on its limit. Until `ready`, if given, it counts as arriving.
 * @throws AppError too_large; unavailable if too many large bodies, or too many from one network or in all, arrive at once; bad_request if it ends early
 */
export async function receiveBody(
  { headers, ip }: FastifyRequest,
  source: Readable,
  maxBytes: number,
  { ready, sender = { role: 'guest' } }: Options = {},
): Promise<Buffer> {
  if (Number(headers['content-length']) > maxBytes) throw tooLarge()
  const leave = beginArriving(sender, ip, () => source.destroy())
  if (!leave) throw tooBusy()
  const [ms, stallMs] = maxBytes > smallBodyBytes ? [largeBodyMs, largeStallMs] : [smallBodyMs, smallStallMs]
  const deadline = setTimeout(() => source.destroy(), ms)
  const stall = setTimeout(() => source.destroy(), stallMs)
  const end = () => {
    leave()
    clearTimeout(deadline)
    clearTimeout(stall)
  }
  try {
    // Keep the connection open: the error response is sent over it.
    const chunks = source.iterator({ destroyOnReturn: false })
    const whenComplete = async () => {
      end()
      await ready?.()
    }
    return await collect(chunks, maxBytes, tooLarge, {
      sender,
      visitor: isVisitor(sender) ? { address: ip, giveWay: () => source.destroy() } : undefined,
      whenProgress: () => stall.refresh(),
      whenComplete,
    })
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('bad_request', 'This request could not be read.', { cause: error })
  } finally {
    end()
  }
}

/**
 * Runs what reads a form, which counts as an arriving body until it is complete, and discards the rest of a rejected one.
 * A form that makes no progress, takes too long or is longer than it may be ends with its connection.
 * @throws AppError unavailable if too many bodies arrive at once; what `read` throws
 */
export async function receiveForm<T>(
  request: FastifyRequest,
  sender: Sender,
  maxBytes: number,
  read: () => Promise<T>,
): Promise<T> {
  const { ip, raw } = request
  const leave = beginArriving(sender, ip, () => raw.destroy())
  if (!leave) throw tooBusy()
  const { socket } = raw
  const first = socket.bytesRead
  let [seen, idleMs, totalMs] = [first, 0, 0]
  const timer = setInterval(() => {
    if (raw.complete) return end()
    totalMs += checkMs
    idleMs = socket.bytesRead === seen ? idleMs + checkMs : 0
    seen = socket.bytesRead
    // Allows for the chunk lengths of a chunked body.
    if (idleMs >= largeStallMs || totalMs >= formMsOf(maxBytes) || seen - first > maxBytes * 1.02)
      raw.destroy()
  }, checkMs)
  const end = () => {
    clearInterval(timer)
    leave()
  }
  try {
    return await read()
  } finally {
    end()
    await discardRest(request, sender)
  }
}

/**
 * Discards the rest of a rejected body, for a moment: Fastify closes the connection with the response, and a client that
 * is still sending would get an error instead of the reason. It counts as an arriving body of its sender; beyond those
 * limits the connection closes right away.
 */
export async function discardRest(
  { ip, raw }: FastifyRequest,
  sender: Sender,
  source: Readable = raw,
): Promise<void> {
  if (source.readableEnded || source.destroyed) return
  const isOver = new AbortController()
  const leave = beginArriving(sender, ip, () => isOver.abort())
  if (!leave) return
  source.unpipe()
  source.resume()
  const ended = finished(source, { signal: isOver.signal }).catch(() => {})
  await Promise.race([ended, sleep(discardMs, undefined, { signal: isOver.signal }).catch(() => {})])
  isOver.abort()
  leave()
}

type Collecting = {
  sender: Sender
  /** The address of somebody who is not signed in, and what ends the body if it gives way to another visitor. */
  visitor?: { address: string; giveWay: () => void } | undefined
  /** What it leaves to others. */
  spareBytes?: number
  whenProgress?: () => void
  whenComplete?: () => Promise<void>
}

/**
 * Copies chunks into one buffer that grows with them, because a chunk of one byte takes a hundred as an object.
 * @throws AppError unavailable if too many large bodies arrive at once; `tooLarge`; what `chunks` throws
 */
export async function collect(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  tooLarge: () => AppError,
  { sender, visitor, spareBytes = 0, whenProgress, whenComplete }: Collecting,
): Promise<Buffer> {
  const take = visitor
    ? (amount: number, isLarge: boolean) => {
        const { leave } = isLarge
          ? visitorsBytes(visitor.address, { ...visitor, amount })
          : { leave: () => {} }
        if (!leave) throw tooBusy()
        return leave
      }
    : (amount: number, isLarge: boolean) => {
        // People without a booking cannot use up all of it.
        const maxAtOnce = (sender.isBooked === false ? 24 : 48) * mb - spareBytes
        if (isLarge && bytesAtOnce + amount > maxAtOnce) throw tooBusy()
        return countBytes(amount)
      }
  let buffer = Buffer.alloc(0)
  let leave = () => {}
  let length = 0
  try {
    for await (const chunk of chunks) {
      whenProgress?.()
      const needed = length + chunk.length
      if (needed > maxBytes) throw tooLarge()
      if (needed > buffer.length) {
        const size = Math.min(maxBytes, Math.max(needed, 2 * buffer.length))
        leave()
        leave = take(size, needed > smallBodyBytes)
        const larger = Buffer.allocUnsafe(size)
        buffer.copy(larger, 0, 0, length)
        buffer = larger
      }
      chunk.copy(buffer, length)
      length = needed
    }
    await whenComplete?.()
    return buffer.subarray(0, length)
  } finally {
    leave()
  }
}

/** Counts what stays in memory after it was collected from somebody signed in; the returned function ends that. */
export const holdBytes = ({ length }: Buffer): (() => void) => countBytes(length)

function countBytes(bytes: number): () => void {
  bytesAtOnce += bytes
  return () => {
    bytesAtOnce -= bytes
    bytes = 0
  }
}

const tooLarge = () => new AppError('too_large', 'This is too large.')
const tooBusy = () =>
  new AppError('unavailable', 'Too many uploads right now. Please try again in a minute.', {
    retryAfterSeconds: 60,
  })
