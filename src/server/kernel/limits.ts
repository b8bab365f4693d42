import { AppError } from '../../domain/common/errors.ts'
import { networkOf, rateLimitKey } from '../lib/network.ts'
import { sha256 } from '../lib/sha256.ts'

const minutes = (count: number) => count * 60
const limits = {
  loginByAddress: { points: 40, duration: minutes(5) },
  // Failed logins: see sessions/login-throttle.ts.
  loginByLargerNetwork: { points: 400, duration: minutes(5) },
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
  offerOpenByAddress: { points: 30, duration: minutes(10) },
  /** Accepting and declining by a link count together. */
  offerAcceptByAddress: { points: 10, duration: minutes(10) },
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
  /** Shows of a code or the Wi-Fi password. */
  stayCodeByViewer: { points: 20, duration: minutes(10) },
  contactByAddress: { points: 5, duration: minutes(10) },
  /** Part of the daily limit. */
  contactOfDayByAddress: { points: 20, duration: minutes(24 * 60) },
  /** Forms that a browser sends without our script, refused ones too. */
  contactFormByAddress: { points: 20, duration: minutes(10) },
  contactByDay: { points: 200, duration: minutes(24 * 60) },
  checkoutByUser: { points: 30, duration: minutes(10) },
  /** Every abandoned checkout stays in the ledger. */
  checkoutByUserAndDay: { points: 100, duration: minutes(24 * 60) },
  checkoutByAddress: { points: 60, duration: minutes(10) },
  uploadByUser: { points: 30, duration: minutes(60) },
  /** Anybody can make accounts and apply. */
  messageFileByAddress: { points: 100, duration: minutes(24 * 60) },
  /** For people whose stay is not booked. */
  messageByAddress: { points: 100, duration: minutes(24 * 60) },
  messageByThread: { points: 20, duration: minutes(10) },
  messageByThreadAndDay: { points: 100, duration: minutes(24 * 60) },
  messageByAdmin: { points: 60, duration: minutes(10) },
  /** Links of guests that open a page without a login; a family shares one address. */
  guestLinkByAddress: { points: 300, duration: minutes(15) },
  /** Opening a document to sign, and its PDF. */
  signerOpenByAddress: { points: 30, duration: minutes(10) },
  /** Signing and declining. */
  signerSignByAddress: { points: 10, duration: minutes(10) },
  /** PDFs share one queue, so one account must not fill it. */
  leasePdfByUser: { points: 30, duration: minutes(10) },
  signedLeaseByUser: { points: 30, duration: minutes(10) },
  /** Files of messages and photos as they came: each is read twice, to check its hash before. */
  fileByUser: { points: 300, duration: minutes(10) },
  receiptByUser: { points: 30, duration: minutes(10) },
  receiptByAddress: { points: 60, duration: minutes(10) },
  applyByUser: { points: 30, duration: minutes(60) },
  applyByAddress: { points: 20, duration: minutes(60) },
  calendarReadByUser: { points: 30, duration: minutes(10) },
  calendarByAddress: { points: 60, duration: minutes(1) },
  /** An exported calendar's address, from all network addresses together. */
  calendarByExport: { points: 120, duration: minutes(1) },
  /** Previews of photos, each of which reads the photo to check its hash; a screen of many photos reads them anew after each change. */
  previewReadByUser: { points: 2000, duration: minutes(10) },
  /** Those that must be made. */
  previewByUser: { points: 300, duration: minutes(10) },
  pictureByUser: { points: 120, duration: minutes(60) },
  leaseSampleByUser: { points: 30, duration: minutes(10) },
  /** Mails to any address that the owner types. */
  sampleMailByUser: { points: 10, duration: minutes(60) },
  /** A tenant's mutations; each one with `ownLimit` is counted separately: see `sessionProcedure`. */
  writeByTenant: { points: 30, duration: minutes(10) },
  /** All of them together: each stays in the audit log for good. */
  writeByTenantAndDay: { points: 300, duration: minutes(24 * 60) },
  /** Recorded views of leases; more are shown, but not recorded. */
  leaseViewByTenantAndDay: { points: 50, duration: minutes(24 * 60) },
} as const
export type LimitName = keyof typeof limits

/**
 * How many addresses’ points their larger network has: one home’s IPv6 network has thousands of addresses, but neighbors
 * and offices share one, too. Logins are not counted so, because a neighbor must not lock the owner out: see
 * sessions/login-throttle.ts and factors/second-step.ts, which count wrong ones.
 */
const timesOfNetwork = 3
const notByNetwork: LimitName[] = ['loginByAddress', 'secondStepByAddress']

const names = Object.keys(limits) as LimitName[]

/** Keys of all limits together, at about 200 bytes each, so that a flood cannot fill the memory. */
const maxKeys = 20_000
/** A longer key, such as one with a long email, is stored as its hash. */
const maxKeyLength = 64
/** Their keys are the few slots that all accounts share (see sessions/login-throttle.ts). */
const neverDropped: LimitName[] = ['loginByAccount', 'slowLoginByAccount']
const droppable = names.filter(name => !neverDropped.includes(name))

export type Limits = {
  /** Counts one use; the key of a limit by address is an address. @throws AppError too_many with the number of seconds to wait */
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
  const { add, find, remove } = createCounts()
  /** Counts one use; returns a count that it is beyond, and by how many. */
  const use = (name: LimitName, key: string) => {
    for (const [each, points] of keysOf(name, key)) {
      const count = add(name, each)
      if (count.uses > points) return { count, excess: count.uses - points }
    }
    return undefined
  }
  return {
    consume: async (name, key) => {
      const beyond = use(name, key)
      if (beyond) refuse(beyond.count)
    },
    check: async (name, key) => {
      const count = find(name, key)
      if (count && count.uses >= limits[name].points) refuse(count)
    },
    count: async (name, key) => use(name, key)?.excess ?? 0,
    refund: async (name, key) => {
      const count = find(name, key)
      if (count && --count.uses === 0) remove(name, key)
    },
    reset: async (name, key) => remove(name, key),
  }
}

/** The limits that one use counts against, with their points. */
function keysOf(name: LimitName, key: string): [string, number][] {
  const { points } = limits[name]
  if (!name.endsWith('ByAddress')) return [[key, points]]
  const [own, network] = [rateLimitKey(key), networkOf(key)]
  return own === network || notByNetwork.includes(name)
    ? [[own, points]]
    : [
        [own, points],
        [network, timesOfNetwork * points],
      ]
}

type Count = { uses: number; endsAt: number }

/**
 * Counts without a timer for each. Beyond `maxKeys` the limit with the most keys drops the one that it counted least
 * recently: a flood drops its own, and a limit with few keys keeps all. Keys of limits by address weigh ten times as
 * much, because a flood comes from many addresses anyway and gains nothing from counting one anew. So to reset another
 * account's limit, it takes thousands of other accounts.
 */
function createCounts() {
  const counts = Object.fromEntries(names.map(name => [name, new Map<string, Count>()])) as Record<
    LimitName,
    Map<string, Count>
  >
  const weightOf = (name: LimitName) => counts[name].size * (name.endsWith('ByAddress') ? 10 : 1)
  const makeRoom = () => {
    if (names.reduce((sum, name) => sum + counts[name].size, 0) <= maxKeys) return
    const heaviest = counts[droppable.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one))]
    for (const oldest of heaviest.keys()) return void heaviest.delete(oldest)
  }
  const find = (name: LimitName, key: string) => {
    const count = counts[name].get(stored(key))
    const msLeft = (count?.endsAt ?? 0) - Date.now()
    // One from a clock that was ahead would end much later.
    return msLeft > 0 && msLeft <= 1000 * limits[name].duration ? count : undefined
  }
  const remove = (name: LimitName, key: string) => void counts[name].delete(stored(key))
  const add = (name: LimitName, key: string) => {
    const count = find(name, key) ?? { uses: 0, endsAt: Date.now() + 1000 * limits[name].duration }
    count.uses++
    // A map keeps the order in which keys were added.
    remove(name, key)
    counts[name].set(stored(key), count)
    makeRoom()
    return count
  }
  return { add, find, remove }
}

const stored = (key: string) => (key.length > maxKeyLength ? sha256(key) : key)

function refuse({ endsAt }: Count): never {
  throw new AppError('too_many', 'Too many attempts. Please wait a while and try again.', {
    retryAfterSeconds: Math.max(1, Math.ceil((endsAt - Date.now()) / 1000)),
  })
}
