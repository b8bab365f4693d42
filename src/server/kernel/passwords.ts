import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { AppError } from '../../domain/common/errors.ts'

export type Passwords = {
  hash: (password: string) => Promise<string>
  /**
   * False without a hash, after the same time as with one, so that timing does not reveal who has an account.
   * A login from a network that the account was used from goes first; `knownFrom` is the larger network around it, an
   * IPv6 /48 or IPv4 /24.
   */
  verify: (
    hash: string | null | undefined,
    password: string,
    options?: { knownFrom?: string | undefined },
  ) => Promise<boolean>
}

const argon2id = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const maxConcurrent = 2
const maxWaiting = 20
const maxOfLargerNetwork = 5

/**
 * A hash that nobody knows a password for; verifying it takes as long as any other. A constant, so that the start
 * does not wait for it and a transaction can store it.
 */
export const unmatchedHash = `$argon2id$v=19$m=${argon2id.memoryCost},t=${argon2id.timeCost},p=${argon2id.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/**
 * Argon2id off the main thread, at most two at once and twenty waiting. Known networks have a queue of their own, of
 * twenty too, as wrong passwords from many networks keep the common one full; a larger network has five places there.
 * @throws AppError unavailable beyond that
 */
export function createPasswords(): Passwords {
  const running = pLimit(maxConcurrent)
  // Whoever waits here is not in the queue of `running`, where known networks wait for two others at most.
  const common = pLimit(maxConcurrent)
  const places = new Map<string, number>()
  const queued = async <T>(work: () => Promise<T>, knownFrom?: string): Promise<T> => {
    const taken = knownFrom === undefined ? 0 : (places.get(knownFrom) ?? 0)
    if (
      (knownFrom === undefined ? common : running).pendingCount >= maxWaiting ||
      taken >= maxOfLargerNetwork
    )
      throw new AppError('unavailable', 'The site is busy. Please try again in a moment.', {
        retryAfterSeconds: 2,
      })
    if (knownFrom === undefined) return common(() => running(work))
    places.set(knownFrom, taken + 1)
    try {
      return await running(work)
    } finally {
      const left = (places.get(knownFrom) ?? 0) - 1
      if (left > 0) places.set(knownFrom, left)
      else places.delete(knownFrom)
    }
  }
  return {
    hash: password => queued(() => hash(password, argon2id)),
    verify: async (stored, password, { knownFrom } = {}) => {
      const matches = await queued(() => verify(stored ?? unmatchedHash, password), knownFrom)
      return typeof stored === 'string' && matches
    },
  }
}
