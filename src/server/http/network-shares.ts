import { networkOf, rateLimitKey } from '../lib/network.ts'
import { createTally } from '../lib/tally.ts'

type Shares = { ofAddress: number; ofNetwork: number; ofAll: number }

/**
 * Limits how much is in progress for one network address, for its larger network (one home's IPv6 network has hundreds
 * of addresses that count separately) and in all. The returned function enters an address and returns how to leave
 * again, at any time and any number of times; nothing if a share is used up.
 */
export function createNetworkShares({ ofAddress, ofNetwork, ofAll }: Shares) {
  const tally = createTally()
  return (address: string): (() => void) | undefined => {
    const shares = [
      { key: `address ${rateLimitKey(address)}`, max: ofAddress },
      { key: `network ${networkOf(address)}`, max: ofNetwork },
      { key: 'all', max: ofAll },
    ]
    if (shares.some(({ key, max }) => tally.of(key) >= max)) return undefined
    const leaves = shares.map(({ key }) => tally.enter(key))
    return () => {
      for (const leave of leaves) leave()
    }
  }
}
