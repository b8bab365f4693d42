import { BlockList, isIP, isIPv4 } from 'node:net'

type Subnet = readonly [network: string, bits: number]

const localIPv4: readonly Subnet[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
]
/** The IPv6 ranges that can be public; loopback, ULA, link-local, multicast and the rest are outside. */
const publicIPv6: readonly Subnet[] = [
  ['2000::', 3],
  ['::ffff:0:0', 96], // IPv4-mapped
  ['64:ff9b::', 96], // NAT64
]
const localIPv6: readonly Subnet[] = [
  ['2001::', 23], // protocol assignments: Teredo, ORCHID, benchmarks
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['3fff::', 20], // documentation
  // On a network without IPv4, every IPv4 site has a NAT64 address: only those that embed a local address are local.
  ...['::ffff:', '64:ff9b::'].flatMap(prefix =>
    localIPv4.map(([network, bits]): Subnet => [`${prefix}${network}`, 96 + bits]),
  ),
]

const local = new BlockList()
for (const subnet of localIPv4) local.addSubnet(...subnet, 'ipv4')
for (const subnet of localIPv6) local.addSubnet(...subnet, 'ipv6')
const possiblyPublic = new BlockList()
for (const subnet of publicIPv6) possiblyPublic.addSubnet(...subnet, 'ipv6')

/**
 * Whether an IP address is not public: private, loopback, link-local or in another special range, including IPv4
 * addresses embedded in IPv6. An invalid address, or one with a zone id, counts as local.
 */
export function isLocalAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return true
  if (isIPv4(address)) return local.check(address, 'ipv4')
  return !possiblyPublic.check(address, 'ipv6') || local.check(address, 'ipv6')
}

const ownMachine = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
] as const) {
  ownMachine.addSubnet(network, bits, 'ipv4')
  ownMachine.addSubnet(`::ffff:${network}`, 96 + bits, 'ipv6')
}
ownMachine.addSubnet('::', 127, 'ipv6')
ownMachine.addSubnet('fe80::', 10, 'ipv6')

/** Whether an IP address is this machine itself, or reached on the local link only. */
export const isOnThisMachine = (address: string): boolean =>
  ownMachine.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')

const localNames = /(^|\.)(localhost|local|internal|home\.arpa)$/

/** Whether a URL's host is a local address or a name reserved for local networks. Names are not resolved. */
export function isLocalHost(hostname: string): boolean {
  const name = hostname
    .toLowerCase()
    .replace(/\.+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
  return isIP(name) ? isLocalAddress(name) : localNames.test(name)
}
