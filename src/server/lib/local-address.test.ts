import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLocalAddress, isLocalHost } from './local-address.ts'

/** The first and last address of each range, and the public addresses next to it. */
const edges: [range: string, inside: string[], outside: string[]][] = [
  ['0.0.0.0/8', ['0.0.0.0', '0.0.0.1', '0.255.255.255'], ['1.0.0.0']],
  ['10/8', ['10.0.0.0', '10.255.255.255'], ['9.255.255.255', '11.0.0.0']],
  ['100.64/10', ['100.64.0.0', '100.100.100.200', '100.127.255.255'], ['100.63.255.255', '100.128.0.0']],
  ['127/8', ['127.0.0.0', '127.0.0.1', '127.255.255.255'], ['126.255.255.255', '128.0.0.0']],
  ['169.254/16', ['169.254.0.0', '169.254.169.254', '169.254.255.255'], ['169.253.255.255', '169.255.0.0']],
  ['172.16/12', ['172.16.0.0', '172.31.255.255'], ['172.15.255.255', '172.32.0.0']],
  ['192.0.0/24', ['192.0.0.0', '192.0.0.192', '192.0.0.255'], ['191.255.255.255', '192.0.1.0']],
  ['192.0.2/24', ['192.0.2.0', '192.0.2.255'], ['192.0.1.255', '192.0.3.0']],
  ['192.88.99/24', ['192.88.99.0', '192.88.99.255'], ['192.88.98.255', '192.88.100.0']],
  ['192.168/16', ['192.168.0.0', '192.168.255.255'], ['192.167.255.255', '192.169.0.0']],
  ['198.18/15', ['198.18.0.0', '198.19.255.255'], ['198.17.255.255', '198.20.0.0']],
  ['198.51.100/24', ['198.51.100.0', '198.51.100.255'], ['198.51.99.255', '198.51.101.0']],
  ['203.0.113/24', ['203.0.113.0', '203.0.113.255'], ['203.0.112.255', '203.0.114.0']],
  ['224/3', ['224.0.0.0', '239.255.255.255', '240.0.0.0', '255.255.255.255'], ['223.255.255.255']],
  ['::/3', ['::', '::1', '::7f00:1', '100::1', '1fff:ffff::'], ['2000::']],
  ['2001::/23', ['2001::', '2001:0:4136:e378::1', '2001:2::1', '2001:1ff:ffff::'], ['2001:200::']],
  ['2001:db8::/32', ['2001:db8::', '2001:db8:ffff:ffff::'], ['2001:db7:ffff::', '2001:db9::']],
  ['2002::/16', ['2002::', '2002:7f00:1::', '2002:808:808::', '2002:ffff::'], ['2001:ffff::', '2003::']],
  ['3fff::/20', ['3fff::', '3fff:fff:ffff::'], ['3ffe:ffff::', '3fff:1000::']],
  ['above 2000::/3', ['4000::', '5f00::1', 'fc00::', 'fd00:ec2::254', 'fdff::1'], ['3fff:ffff::']],
  ['fe80::/10 and fec0::/10', ['fe80::1', 'febf:ffff::', 'fec0::1', 'feff::1'], []],
  ['ff00::/8', ['ff00::', 'ff02::1', 'ff0e::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'], []],
  [
    'mapped IPv4',
    ['::ffff:127.0.0.1', '::ffff:a00:1', '::ffff:0.0.0.0', '0:0:0:0:0:FFFF:C0A8:1'],
    ['::ffff:8.8.8.8'],
  ],
  [
    'translated IPv4',
    ['64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::8.8.8.8'],
    ['64:ff9b::808:808'],
  ],
]

test.each(edges)(
  'treats all of %s as local, and the addresses next to it as public [CAL-04]',
  (_, inside, outside) => {
    expect(inside.filter(address => !isLocalAddress(address))).toEqual([])
    expect(outside.filter(isLocalAddress)).toEqual([])
  },
)

test('treats an invalid address, or one with a zone id, as local [CAL-04]', () => {
  const texts = [
    '',
    ' ',
    'feed.example',
    '8.8.8',
    '8.8.8.8.',
    '08.8.8.8',
    '0x8.8.8.8',
    '8.8.8.8%eth0',
    '[2600::1]',
  ]
  expect([...texts, '2600::1%eth0', 'fe80::1%1', '1::2::3'].filter(text => !isLocalAddress(text))).toEqual([])
})

test.each([
  ['localhost', true],
  ['LOCALHOST.', true],
  ['localhost..', true],
  ['feed.localhost', true],
  ['printer.local', true],
  ['metadata.google.internal', true],
  ['nas.home.arpa.', true],
  ['127.0.0.1', true],
  ['127.0.0.1..', true],
  ['[::1]', true],
  ['[2600::1]', false],
  ['8.8.8.8', false],
  ['feed.example', false],
  ['notlocalhost', false],
  ['localhost.example', false],
  ['mylocal', false],
])('the host %s is local: %s [CAL-04]', (hostname, isLocal) => {
  expect(isLocalHost(hostname)).toBe(isLocal)
})

/** A second implementation of the rules, with arithmetic on the numeric address. */
function isLocalNumber(value: bigint, isV6: boolean): boolean {
  const startsWith = (prefix: bigint, bits: number, width: number) => value >> BigInt(width - bits) === prefix
  if (!isV6) {
    const [a = 0, b = 0, c = 0] = [24n, 16n, 8n].map(shift => Number((value >> shift) & 255n))
    if ([0, 10, 127].includes(a) || a >= 224) return true
    if (a === 100) return b >= 64 && b < 128
    if (a === 169) return b === 254
    if (a === 172) return b >= 16 && b < 32
    if (a === 198) return b === 18 || b === 19 || (b === 51 && c === 100)
    if (a === 203) return b === 0 && c === 113
    return a === 192 && (b === 168 || (b === 0 && (c === 0 || c === 2)) || (b === 88 && c === 99))
  }
  const low = value & 0xffff_ffffn
  const high = value >> 32n
  if (high === 0xffffn || high === 0x64_ff9b_0000_0000_0000_0000n) return isLocalNumber(low, false)
  if (!startsWith(1n, 3, 128)) return true
  return (
    startsWith(0x2001_00n >> 1n, 23, 128) ||
    startsWith(0x2001_0db8n, 32, 128) ||
    startsWith(0x2002n, 16, 128) ||
    startsWith(0x3fff_0n, 20, 128)
  )
}

const octets = (value: bigint) => [24n, 16n, 8n, 0n].map(shift => (value >> shift) & 255n)
const groups = (value: bigint) =>
  [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map(shift => (value >> shift) & 0xffffn)
const hex = (group: bigint, pad: number, isUpper: boolean) => {
  const text = group.toString(16).padStart(pad, '0')
  return isUpper ? text.toUpperCase() : text
}

/** Every spelling of an IPv4 address that a URL accepts. */
const ipv4Spelling = (value: bigint, style: number): string => {
  const [a = 0n, b = 0n, c = 0n, d = 0n] = octets(value)
  const spellings = [
    [a, b, c, d].join('.'),
    `${value}`,
    `0x${value.toString(16)}`,
    `0${value.toString(8)}`,
    [a, b, c, d].map(octet => `0x${octet.toString(16)}`).join('.'),
    [a, b, c, d].map(octet => `0${octet.toString(8)}`).join('.'),
    `${a}.${(b << 16n) | (c << 8n) | d}`,
    `0X${a.toString(16)}.${b}.0${((c << 8n) | d).toString(8)}`,
    `${[a, b, c, d].join('.')}.`,
    [a, b, c, d].join('。'),
    [a, b, c, d].join('%2e'),
  ]
  return spellings[style % spellings.length] ?? ''
}
const ipv6Spelling = (value: bigint, style: number): string => {
  const isUpper = style % 2 === 1
  const long = groups(value).map(group => hex(group, 4, isUpper))
  const short = groups(value).map(group => hex(group, 0, isUpper))
  const dotted = [...short.slice(0, 6), octets(value & 0xffff_ffffn).join('.')]
  const spelling = [long, short, dotted][style % 3] ?? short
  const text = spelling.join(':')
  return style % 5 === 0 ? text.replace(/(^|:)(0+:)+/, '::') : text
}

const ipv4 = fc.bigInt(0n, 2n ** 32n - 1n)
/** Generates addresses near the edges of the ranges as often as other addresses. */
const v4Prefixes = [0, 10, 100, 127, 169, 172, 192, 198, 203, 223, 224, 255].map(BigInt)
const nearV4 = fc
  .tuple(
    fc.constantFrom(...v4Prefixes),
    fc.constantFrom(0n, 15n, 16n, 18n, 51n, 64n, 88n, 168n, 254n),
    fc.nat(65535),
  )
  .map(([a, b, rest]) => (a << 24n) | (b << 16n) | BigInt(rest))
const anyV4 = fc.oneof(ipv4, nearV4)
const v6Prefixes = [
  0n,
  0x64n,
  0x100n,
  0x2000n,
  0x2001n,
  0x2002n,
  0x2600n,
  0x3fffn,
  0x4000n,
  0xfc00n,
  0xfe80n,
  0xff02n,
]
const anyV6 = fc.oneof(
  fc.bigInt(0n, 2n ** 128n - 1n),
  fc
    .tuple(
      fc.constantFrom(...v6Prefixes),
      fc.constantFrom(0n, 1n, 0x1ffn, 0x200n, 0xdb8n, 0xff9bn, 0x1000n),
      fc.bigInt(0n, 2n ** 96n - 1n),
    )
    .map(([first, second, rest]) => (first << 112n) | (second << 96n) | rest),
  anyV4.map(value => (0xffffn << 32n) | value),
  anyV4.map(value => (0x64_ff9bn << 96n) | value),
  anyV4.map(value => value),
)

test('agrees with an independent classifier for every spelling of an address in a URL [CAL-04]', () => {
  const seen = { local: 0, public: 0 }
  const judge = (host: string, isLocal: boolean) => {
    const hostname = URL.parse(`https://${host}/feed.ics`)?.hostname
    expect(hostname, host).toBeDefined()
    expect(isLocalHost(hostname ?? ''), `${host} as ${hostname}`).toBe(isLocal)
    seen[isLocal ? 'local' : 'public']++
  }
  fc.assert(
    fc.property(anyV4, fc.nat(10), (value, style) =>
      judge(ipv4Spelling(value, style), isLocalNumber(value, false)),
    ),
    { numRuns: 3000 },
  )
  fc.assert(
    fc.property(anyV6, fc.nat(29), (value, style) =>
      judge(`[${ipv6Spelling(value, style)}]`, isLocalNumber(value, true)),
    ),
    { numRuns: 3000 },
  )
  expect(Math.min(seen.local, seen.public)).toBeGreaterThan(500)
})

test('agrees with an independent classifier for addresses as a resolver returns them [CAL-04]', () => {
  const isSame = (address: string, isLocal: boolean) => isLocalAddress(address) === isLocal
  const v4 = fc.property(anyV4, value => isSame(octets(value).join('.'), isLocalNumber(value, false)))
  const v6 = fc.property(anyV6, fc.nat(29), (value, style) =>
    isSame(ipv6Spelling(value, style), isLocalNumber(value, true)),
  )
  expect(fc.check(v4, { numRuns: 2000 })).toMatchObject({ failed: false, numRuns: 2000 })
  expect(fc.check(v6, { numRuns: 2000 })).toMatchObject({ failed: false, numRuns: 2000 })
})
