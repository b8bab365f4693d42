import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../../domain/common/errors.ts'

const minutes = (count: number) => count * 60
const limits = {
  loginByAddress: { points: 40, duration: minutes(5) },
  // Failed logins: see sessions/login-throttle.ts.
  loginByAccountAndNetwork: { points: 10, duration: minutes(15) },
  loginFromKnownNetwork: { points: 100, duration: minutes(24 * 60) },
  loginByAccount: { points: 100, duration: minutes(24 * 60) },
  slowLoginByAccountAndNetwork: { points: 3, duration: minutes(15) },
  slowLoginByAccount: { points: 1, duration: 30 },
  registerByAddress: { points: 20, duration: minutes(60) },
  forgotByAddress: { points: 20, duration: minutes(60) },
  forgotByAccount: { points: 5, duration: minutes(60) },
  resetByAddress: { points: 20, duration: minutes(15) },
  /** Reading and accepting an invitation count together. */
  invitationByAddress: { points: 40, duration: minutes(15) },
  /** Trying and using an installation's link count together. */
  installByAddress: { points: 100, duration: minutes(15) },
  changePasswordByUser: { points: 10, duration: minutes(15) },
  secondStepByAddress: { points: 40, duration: minutes(5) },
  passkeyLoginByAddress: { points: 40, duration: minutes(5) },
  /** Wrong passwords during setup count too. */
  factorSetupByUser: { points: 20, duration: minutes(15) },
  stepUpByUser: { points: 20, duration: minutes(15) },
  /** Links in mails about an email change or a login. */
  accountLinkByAddress: { points: 40, duration: minutes(15) },
  emailChangeByUser: { points: 5, duration: minutes(60) },
  /** Many accounts that request the same new address must not flood its mailbox. */
  emailChangeByNewEmail: { points: 5, duration: minutes(60) },
  /** Many accounts with plus addresses of one mailbox must not flood it. */
  mailboxCodeByAddress: { points: 10, duration: minutes(60) },
  contactByAddress: { points: 5, duration: minutes(10) },
  /** Forms that a browser sends without our script, refused ones too. */
  contactFormByAddress: { points: 20, duration: minutes(10) },
  contactByDay: { points: 200, duration: minutes(24 * 60) },
  checkoutByUser: { points: 30, duration: minutes(10) },
  /** Every abandoned checkout stays in the ledger. */
  checkoutByUserAndDay: { points: 100, duration: minutes(24 * 60) },
  checkoutByAddress: { points: 60, duration: minutes(10) },
  uploadByUser: { points: 30, duration: minutes(60) },
  /** PDFs share one queue, so one account must not fill it. */
  leasePdfByUser: { points: 30, duration: minutes(10) },
  signedLeaseByUser: { points: 30, duration: minutes(10) },
  receiptByUser: { points: 30, duration: minutes(10) },
  receiptByAddress: { points: 60, duration: minutes(10) },
  applyByUser: { points: 30, duration: minutes(60) },
  applyByAddress: { points: 20, duration: minutes(60) },
  calendarReadByUser: { points: 30, duration: minutes(10) },
  calendarByAddress: { points: 60, duration: minutes(1) },
  pictureByUser: { points: 120, duration: minutes(60) },
  leaseSampleByUser: { points: 30, duration: minutes(10) },
  sampleMailByUser: { points: 10, duration: minutes(60) },
  /** A tenant's mutations; each one with `ownLimit` is counted separately: see `sessionProcedure`. */
  writeByTenant: { points: 30, duration: minutes(10) },
  /** All of them together: each stays in the audit log for good. */
  writeByTenantAndDay: { points: 300, duration: minutes(24 * 60) },
  /** Recorded views of leases; more are shown, but not recorded. */
  leaseViewByTenantAndDay: { points: 50, duration: minutes(24 * 60) },
} as const
export type LimitName = keyof typeof limits

/** Keys per limit. The least recently counted key is dropped, so that a flood cannot fill the memory. */
const maxKeys = 20_000

export type Limits = {
  /** Counts one use. @throws AppError too_many with the number of seconds to wait */
  consume: (name: LimitName, key: string) => Promise<void>
  /** Checks the limit without counting a use. @throws AppError too_many when it is used up */
  check: (name: LimitName, key: string) => Promise<void>
  /** Counts one use, without an error beyond the limit; returns how many uses are beyond it. */
  count: (name: LimitName, key: string) => Promise<number>
  /** Takes back one counted use. */
  refund: (name: LimitName, key: string) => Promise<void>
  reset: (name: LimitName, key: string) => Promise<void>
}

/** In-memory limits: a restart resets them. */
export function createLimits(enabled: boolean): Limits {
  if (!enabled) {
    const nothing = async () => {}
    return { consume: nothing, check: nothing, count: async () => 0, refund: nothing, reset: nothing }
  }
  const limiters = Object.fromEntries(
    Object.entries(limits).map(([name, options]) => [name, new BoundedLimiter(options)]),
  ) as Record<LimitName, BoundedLimiter>
  return {
    consume: async (name, key) => {
      await limiters[name].consume(key).catch(refuse)
    },
    check: async (name, key) => {
      const used = await limiters[name].get(key)
      if (used && used.remainingPoints <= 0) refuse(used)
    },
    count: async (name, key) => {
      const { consumedPoints } = await limiters[name].penalty(key)
      return Math.max(0, consumedPoints - limits[name].points)
    },
    refund: async (name, key) => {
      await limiters[name].reward(key)
    },
    reset: async (name, key) => {
      await limiters[name].delete(key)
    },
  }
}

class BoundedLimiter extends RateLimiterMemory {
  #keys = new Set<string>()

  override consume(key: string) {
    this.#makeRoom(key)
    return super.consume(key)
  }

  override penalty(key: string) {
    this.#makeRoom(key)
    return super.penalty(key)
  }

  #makeRoom(key: string): void {
    this.#keys.delete(key)
    this.#keys.add(key)
    const [oldest] = this.#keys
    if (this.#keys.size <= maxKeys || oldest === undefined) return
    this.#keys.delete(oldest)
    void this.delete(oldest)
  }
}

function refuse(used: RateLimiterRes | Error): never {
  if (used instanceof Error) throw used
  throw new AppError('too_many', 'Too many attempts. Please wait a while and try again.', {
    retryAfterSeconds: Math.max(1, Math.ceil(used.msBeforeNext / 1000)),
  })
}
