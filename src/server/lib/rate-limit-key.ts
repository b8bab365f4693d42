import { ipParts } from './network.ts'

/** The key for limits by address: an IPv4 address, or the /64 of an IPv6 address, which usually has one owner. */
export function rateLimitKey(address: string): string {
  const parts = ipParts(address)
  if (parts === undefined) return address
  return parts.family === 4 ? parts.bytes.join('.') : `${parts.groups.slice(0, 4).join(':')}::/64`
}
