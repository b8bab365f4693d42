import pLimit from 'p-limit'
import type { Actor } from '../../domain/accounts/access.ts'
import { AppError } from '../../domain/common/errors.ts'
import { rateLimitKey } from '../lib/network.ts'
import { createTally } from '../lib/tally.ts'

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
  const reads = createTally()
  return actor => {
    const limit = limits[actor.role]
    const reader = callerKey(actor)
    if (limit.pendingCount >= maxWaiting || reads.of(reader) >= maxOfOne)
      throw new AppError('unavailable', 'The site is busy. Please try again in a moment.', {
        retryAfterSeconds: 2,
      })
    const leave = reads.enter(reader)
    return new Promise(enter => {
      const read = limit(() => new Promise<void>(end => enter(end)))
      void read.then(leave)
    })
  }
}
