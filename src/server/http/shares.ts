import { networkOf, rateLimitKey } from '../lib/network.ts'
import { createTally } from '../lib/tally.ts'

/** The limits: per person or address, per larger network, for all people without a booking, and in all. */
type Shares = { ofOne: number; ofNetwork?: number; ofUnbooked?: number; ofAll: number }
type Entry = {
  person?: string | undefined
  /** Anybody can make accounts, so people without a booking share one limit. */
  isBooked?: boolean | undefined
  amount?: number
  /** Called when the entry is dropped; entries without it, and busy ones, are never dropped. */
  giveWay?: () => void
  isBusy?: () => boolean
  /** One that waits for its client gives way also to somebody who has as many. */
  isStuck?: () => boolean
}
type Member = Entry & { keys: string[]; one: string; network: string; leave: () => void }

/**
 * Limits what is in progress per person or address, per network and in all. The larger network of an address counts too,
 * because one home's IPv6 network has thousands of addresses. When a limit is reached, the oldest entry of the network
 * with the most entries is dropped (within it, of the person with the most), if the newcomer's side has fewer even with
 * the new entry. The returned function enters an amount. It returns a function that leaves, which may be called more than
 * once, or the limit that is reached.
 */
export function createFairShares({ ofAll, ofNetwork = ofAll, ofOne, ofUnbooked = ofAll }: Shares) {
  const tally = createTally()
  const members = new Set<Member>()
  const hasMore = (a: Member, b: Member, more = 0) =>
    a.network === b.network
      ? tally.of(a.one) > tally.of(b.one) + more
      : tally.of(a.network) > tally.of(b.network) + more
  const makeRoom = (key: string, newcomer: Member): boolean => {
    let most: Member | undefined
    for (const each of members)
      if (each.giveWay && each.keys.includes(key) && (!most || hasMore(each, most)) && !each.isBusy?.())
        if (hasMore(each, newcomer, newcomer.amount) || each.isStuck?.()) most = each
    most?.leave()
    most?.giveWay?.()
    return most !== undefined
  }
  return (
    address: string,
    entry: Entry = {},
  ): { leave: () => void; full?: undefined } | { leave?: undefined; full: keyof Shares } => {
    const { amount = 1, isBooked = true, person } = entry
    const one = `one ${person ?? rateLimitKey(address)}`
    const network = `network ${networkOf(address)}`
    const shares: [keyof Shares, string, number][] = [
      ['ofOne', one, ofOne],
      ['ofNetwork', network, ofNetwork],
    ]
    if (!isBooked) shares.push(['ofUnbooked', 'unbooked', ofUnbooked])
    shares.push(['ofAll', 'all', ofAll])
    const keys = shares.map(([, key]) => key)
    const member = { ...entry, amount, keys, one, network, leave }
    for (const [full, key, max] of shares)
      while (tally.of(key) >= max) if (!makeRoom(key, member)) return { full }
    members.add(member)
    const leaves = keys.map(key => tally.enter(key, amount))
    function leave() {
      members.delete(member)
      for (const each of leaves) each()
    }
    return { leave }
  }
}
