import { expect, test } from 'vitest'
import { base32, matchTotp, newTotpSecret, otpauthUrl, totpCode, totpStepAt } from './totp.ts'

/** The secret from the RFC's appendix. */
const rfcSecret = Buffer.from('12345678901234567890')

// RFC 6238, appendix B, for SHA-1. Its codes have eight digits; the last six are the six-digit code.
test.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('at %i seconds the code is the last six digits of %s [SAFE-04]', (seconds, code) => {
  expect(totpCode(rfcSecret, totpStepAt(seconds * 1000))).toBe(code.slice(-6))
  expect(matchTotp(rfcSecret, code.slice(-6), { nowMs: seconds * 1000, lastStep: null })).toBe(
    Math.floor(seconds / 30),
  )
})

// RFC 4226, appendix D.
test('generates the codes of RFC 4226 for the counters 0 to 9 [SAFE-04]', () => {
  const codes = [
    '755224',
    '287082',
    '359152',
    '969429',
    '338314',
    '254676',
    '287922',
    '162583',
    '399871',
    '520489',
  ]
  expect(codes.map((_, step) => totpCode(rfcSecret, step))).toEqual(codes)
})

test('accepts a code from one step before to one step after its own, to the millisecond [SAFE-04]', () => {
  const step = 59_000_000
  const code = totpCode(rfcSecret, step)
  const at = (nowMs: number) => matchTotp(rfcSecret, code, { nowMs, lastStep: null })
  const begin = step * 30_000
  expect([begin - 30_001, begin - 30_000, begin, begin + 59_999, begin + 60_000].map(at)).toEqual([
    undefined,
    step,
    step,
    step,
    undefined,
  ])
})

test('accepts a code only once, and no earlier code afterwards [SAFE-04, SAFE-05]', () => {
  const step = 59_000_000
  const nowMs = step * 30_000
  const match = (of: number, lastStep: number) =>
    matchTotp(rfcSecret, totpCode(rfcSecret, of), { nowMs, lastStep })
  expect(match(step, step - 1)).toBe(step)
  expect(match(step, step)).toBeUndefined()
  expect(match(step - 1, step)).toBeUndefined()
  expect(match(step + 1, step)).toBe(step + 1)
  // If the clock went back, the code is rejected without an error.
  expect(match(step, step + 1000)).toBeUndefined()
})

test.each(['', '12345', '1234567', 'abcdef', '１２３４５６', '00000é', ' 287082', '287082\n'])(
  'rejects %j without an error',
  code => {
    expect(matchTotp(rfcSecret, code, { nowMs: 59_000, lastStep: null })).toBeUndefined()
  },
)

test('accepts only a few of a million codes at any moment [SAFE-04]', () => {
  const secret = newTotpSecret()
  const right = Array.from({ length: 1000 }, (_, n) => String(n * 1000).padStart(6, '0')).filter(
    code => matchTotp(secret, code, { nowMs: 1_800_000_000_000, lastStep: null }) !== undefined,
  )
  expect(right.length).toBeLessThanOrEqual(3)
})

test('a secret has 160 bits and is encoded in base32 [SAFE-03]', () => {
  expect(newTotpSecret()).toHaveLength(20)
  expect(newTotpSecret()).not.toEqual(newTotpSecret())
  expect(base32(newTotpSecret())).toMatch(/^[A-Z2-7]{32}$/)
  expect(base32(rfcSecret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
})

// RFC 4648, without padding.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('encodes %j as %s in base32', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded)
})

test('the otpauth URL contains the site and the account [SAFE-03]', () => {
  const url = otpauthUrl(rfcSecret, { issuer: 'Seaglass: Shore & Sons', account: 'maya+1@guest.example' })
  expect(url).toBe(
    'otpauth://totp/Seaglass%20%20Shore%20%26%20Sons:maya%2B1%40guest.example' +
      '?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Seaglass%20%20Shore%20%26%20Sons&algorithm=SHA1&digits=6&period=30',
  )
  expect(new URL(url).searchParams.get('issuer')).toBe('Seaglass  Shore & Sons')
})
