import { isIPv6 } from 'node:net'

/** The key for limits by address: an IPv4 address, or the /64 network of an IPv6 address, which one customer owns. */
export function rateLimitKey(address: string): string {
  const [plain = ''] = address.split('%', 1)
  if (!isIPv6(plain)) return address
  // A URL's hostname is normalized: short lower-case groups, at most one gap.
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::')
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')]
  const gap = Array.from({ length: 8 - before.length - after.length }, () => '0')
  const groups = [...before, ...gap, ...after]
  return groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
    ? asIPv4(groups.slice(6))
    : `${groups.slice(0, 4).join(':')}::/64`
}

const groupsOf = (text: string) => (text === '' ? [] : text.split(':'))

/** An IPv4-mapped address, as a dual-stack server sees it. */
function asIPv4(groups: readonly string[]): string {
  return groups
    .map(group => Number.parseInt(group, 16))
    .flatMap(group => [group >> 8, group & 255])
    .join('.')
}
