import pLimit from 'p-limit'
import type { Actor } from '../../domain/accounts/access.ts'
import { AppError } from '../../domain/common/errors.ts'
import { rateLimitKey } from '../lib/network.ts'

/** Bounds the memory: a batch of ten reads holds up to 8,000 rows, and compressing takes a quarter of a megabyte. */
const maxAtOnce = 4
/** A client can send thousands of requests over one connection without waiting for responses. */
const maxWaiting = 100
/** Of a network address or person, in progress or waiting: more than a screen sends, and with room for others. */
const maxOfOne = 30

/** The person, or the network address of a visitor. */
export const callerKey = (actor: Actor): string =>
  actor.role === 'guest' ? rateLimitKey(actor.requestOrigin.address) : actor.userId

/** Waits for a place for one read; the returned function gives it back. */
export type TakePlace = (actor: Actor) => Promise<() => void>

/**
 * Limits the reads in progress for each role, so that no flood of visitors makes those who are signed in wait, and
 * those of each network address and person. The returned function throws AppError unavailable if there are too many
 * already.
 */
export function createReadPlaces(): TakePlace {
  const limits = { guest: pLimit(maxAtOnce), tenant: pLimit(maxAtOnce), admin: pLimit(maxAtOnce) }
  const readsOf = new Map<string, number>()
  const count = (reader: string, change: number) => {
    const reads = (readsOf.get(reader) ?? 0) + change
    if (reads > 0) readsOf.set(reader, reads)
    else readsOf.delete(reader)
  }
  return actor => {
    const limit = limits[actor.role]
    const reader = callerKey(actor)
    if (limit.pendingCount >= maxWaiting || (readsOf.get(reader) ?? 0) >= maxOfOne)
      throw new AppError('unavailable', 'The site is busy. Please try again in a moment.', {
        retryAfterSeconds: 2,
      })
    count(reader, 1)
    return new Promise(enter => {
      const read = limit(() => new Promise<void>(leave => enter(leave)))
      void read.then(() => count(reader, -1))
    })
  }
}
