import { isIPv6 } from 'node:net'

/**
 * What counts as one visitor for limits by address: an IPv4 address, or the /64 network of an IPv6 address, as each
 * customer has at least one of those to choose addresses from.
 */
export function rateLimitKey(address: string): string {
  const [plain = ''] = address.split('%', 1)
  if (!isIPv6(plain)) return address
  // A host of an URL is written in one way only: short groups in lower case, at most one gap.
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::')
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')]
  const gap = Array.from({ length: 8 - before.length - after.length }, () => '0')
  const groups = [...before, ...gap, ...after]
  return groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
    ? asIPv4(groups.slice(6))
    : `${groups.slice(0, 4).join(':')}::/64`
}

const groupsOf = (text: string) => (text === '' ? [] : text.split(':'))

/** How a visitor over IPv4 looks to a server that listens on both. */
function asIPv4(groups: readonly string[]): string {
  return groups
    .map(group => Number.parseInt(group, 16))
    .flatMap(group => [group >> 8, group & 255])
    .join('.')
}
