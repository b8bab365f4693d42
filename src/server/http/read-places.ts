import pLimit from 'p-limit'
import type { Actor } from '../../domain/accounts/access.ts'
import { AppError } from '../../domain/common/errors.ts'
import { rateLimitKey } from '../lib/network.ts'
import { createFairShares } from './shares.ts'

/** Bounds the memory: a batch of ten reads holds up to 8,000 rows, and compressing takes a quarter of a megabyte. */
const maxAtOnce = 4
/**
 * In progress or waiting, because a client can send thousands of requests over one connection without waiting for
 * responses. One person may have more than a screen sends.
 */
const shares = { ofOne: 30, ofAll: maxAtOnce + 100 }

/** The person, or the network address of a visitor. */
export const callerKey = (actor: Actor): string =>
  actor.role === 'guest' ? rateLimitKey(actor.requestOrigin.address) : actor.userId

/** Waits for a place for one read; the returned function gives it back. */
export type TakePlace = (actor: Actor) => Promise<() => void>

/**
 * Limits the reads in progress per role, so that a flood of visitors does not delay signed-in people. When too many wait,
 * those of whoever has the most are refused first. The returned function throws AppError unavailable.
 */
export function createReadPlaces(): TakePlace {
  const queues = { guest: createQueue(), tenant: createQueue(), admin: createQueue() }
  return actor => queues[actor.role](actor)
}

function createQueue(): TakePlace {
  const limit = pLimit(maxAtOnce)
  const enter = createFairShares(shares)
  return actor =>
    new Promise((begin, refuse) => {
      let [hasBegun, isRefused] = [false, false]
      const giveWay = () => {
        isRefused = true
        refuse(tooBusy())
      }
      const person = actor.role === 'guest' ? undefined : actor.userId
      const { address } = actor.requestOrigin
      const { leave } = enter(address, { person, giveWay, isBusy: () => hasBegun })
      if (!leave) return refuse(tooBusy())
      const read = limit(() => {
        hasBegun = true
        return isRefused ? undefined : new Promise<void>(end => begin(end))
      })
      void read.then(leave)
    })
}

const tooBusy = () =>
  new AppError('unavailable', 'The site is busy. Please try again in a moment.', { retryAfterSeconds: 2 })
