import ipaddr, { type IPv4 } from 'ipaddr.js'

/** The network that an ISP typically assigns to one site: an IPv4 address's /24, an IPv6 address's /48. */
export const networkOf = (address: string): string =>
  textOf(address, ({ octets }) => `${octets.slice(0, 3).join('.')}.0/24`, 3)

/** The key for limits by address: an IPv4 address, or the /64 of an IPv6 address, which usually has one owner. */
export const rateLimitKey = (address: string): string => textOf(address, String, 4)

function textOf(address: string, ofIPv4: (ip: IPv4) => string, groups: number): string {
  if (!ipaddr.isValid(address)) return address
  // A dual-stack server sees an IPv4 address as an IPv4-mapped one, which this converts.
  const ip = ipaddr.process(address)
  if (ip instanceof ipaddr.IPv4) return ofIPv4(ip)
  const prefix = ip.parts.slice(0, groups).map(part => part.toString(16))
  return `${prefix.join(':')}::/${16 * groups}`
}
