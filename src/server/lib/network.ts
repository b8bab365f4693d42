import { isIPv4, isIPv6 } from 'node:net'

type IpParts = { family: 4; bytes: number[] } | { family: 6; groups: string[] }

/**
 * The four bytes of an IPv4 address (or an IPv4-mapped IPv6 address, as a dual-stack server sees it), or the eight
 * groups of an IPv6 address, each in its short form. Undefined for an invalid address.
 */
export function ipParts(address: string): IpParts | undefined {
  if (isIPv4(address)) return { family: 4, bytes: address.split('.').map(Number) }
  const [plain = ''] = address.split('%', 1)
  if (!isIPv6(plain)) return undefined
  // A URL's hostname is normalized: short lower-case groups, at most one gap.
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::')
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')]
  const gap = Array.from({ length: 8 - before.length - after.length }, () => '0')
  const groups = [...before, ...gap, ...after]
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return { family: 6, groups }
  const bytes = groups
    .slice(6)
    .map(group => Number.parseInt(group, 16))
    .flatMap(group => [group >> 8, group & 255])
  return { family: 4, bytes }
}

const groupsOf = (text: string) => (text === '' ? [] : text.split(':'))

/** The network that an ISP typically assigns to one site: an IPv4 address's /24, an IPv6 address's /48. */
export function networkOf(address: string): string {
  const parts = ipParts(address)
  if (parts === undefined) return address
  return parts.family === 4
    ? `${parts.bytes.slice(0, 3).join('.')}.0/24`
    : `${parts.groups.slice(0, 3).join(':')}::/48`
}
