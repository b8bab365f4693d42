import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../domain/errors.ts'

const minutes = (count: number) => count * 60
const limits = {
  loginByAddress: { points: 40, duration: minutes(5) },
  /** Failed logins only; one success forgives them. */
  loginByAccount: { points: 10, duration: minutes(15) },
  registerByAddress: { points: 20, duration: minutes(60) },
  forgotByAddress: { points: 20, duration: minutes(60) },
  forgotByAccount: { points: 5, duration: minutes(60) },
  resetByAddress: { points: 20, duration: minutes(15) },
  changePasswordByUser: { points: 10, duration: minutes(15) },
  contactByAddress: { points: 5, duration: minutes(10) },
  contactByDay: { points: 200, duration: minutes(24 * 60) },
  checkoutByUser: { points: 30, duration: minutes(10) },
  checkoutByAddress: { points: 60, duration: minutes(10) },
  uploadByUser: { points: 30, duration: minutes(60) },
  /** They wait for each other: one account must not keep the others from theirs. */
  leasePdfByUser: { points: 30, duration: minutes(10) },
  receiptByUser: { points: 30, duration: minutes(10) },
  receiptByAddress: { points: 60, duration: minutes(10) },
  applyByUser: { points: 30, duration: minutes(60) },
} as const
export type LimitName = keyof typeof limits

export type Limits = {
  /** Counts one use. @throws AppError too_many with the seconds to wait */
  take: (name: LimitName, key: string) => Promise<void>
  /** Refuses when the limit is used up, without counting. @throws AppError too_many */
  check: (name: LimitName, key: string) => Promise<void>
  forgive: (name: LimitName, key: string) => Promise<void>
}

/** Limits kept in memory: they begin anew with the process. */
export function createLimits(enabled: boolean): Limits {
  if (!enabled) return { take: async () => {}, check: async () => {}, forgive: async () => {} }
  const limiters = Object.fromEntries(
    Object.entries(limits).map(([name, options]) => [name, new RateLimiterMemory(options)]),
  ) as Record<LimitName, RateLimiterMemory>
  return {
    take: async (name, key) => {
      await limiters[name].consume(key).catch(refuse)
    },
    check: async (name, key) => {
      const used = await limiters[name].get(key)
      if (used && used.remainingPoints <= 0) refuse(used)
    },
    forgive: async (name, key) => {
      await limiters[name].delete(key)
    },
  }
}

function refuse(used: RateLimiterRes | Error): never {
  if (used instanceof Error) throw used
  throw new AppError('too_many', 'Too many attempts. Please wait a while and try again.', {
    retryAfterSeconds: Math.max(1, Math.ceil(used.msBeforeNext / 1000)),
  })
}
