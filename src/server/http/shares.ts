import { networkOf, rateLimitKey } from '../lib/network.ts'
import { createTally } from '../lib/tally.ts'

/** How much may be in progress: of one person or network address, of its larger network, of those without a booking, of all. */
type Shares = { ofOne: number; ofNetwork?: number; ofUnbooked?: number; ofAll: number }
type Entry = {
  person?: string | undefined
  /** Anybody can make accounts, so those without a booking share a part. */
  isBooked?: boolean | undefined
  amount?: number
  /** Ends what is in progress for somebody who has less, unless it is busy. */
  giveWay?: () => void
  isBusy?: () => boolean
}
type Member = Entry & { keys: string[]; one: string; network: string; leave: () => void }

/**
 * Fair shares of what is in progress. The larger network of an address counts too, because one home's IPv6 network has
 * thousands of addresses that count separately. Where a share is used up, the oldest entry of the network with the most
 * gives way, and there of the person with the most, to somebody who has less even with the new one. The returned function
 * enters an amount and returns how to leave again, at any time and any number of times, or which share is full.
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
      if (each.giveWay && each.keys.includes(key) && hasMore(each, newcomer, newcomer.amount))
        if ((!most || hasMore(each, most)) && !each.isBusy?.()) most = each
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
