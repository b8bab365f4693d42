import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seed } from '../../testing/random.ts'
import { containsWord, drawCode, isGuessable, isWifiPassword, typedCode, wifiQrText } from './door-code.ts'

test('a drawn code is none that somebody would try early, and none that is taken [STAY-17]', () => {
  for (const code of ['1111', '1234', '654321', '1900', '2026', '2099', '0000'])
    expect(isGuessable(code), code).toBe(true)
  for (const code of ['1357', '1243', '2100', '1899', '20260', '112233'])
    expect(isGuessable(code), code).toBe(false)
  fc.assert(
    fc.property(
      fc.integer({ min: 4, max: 8 }),
      fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 64 }),
      (digits, numbers) => {
        let at = 0
        // After the given digits, all others, so that every draw ends.
        const next = () => numbers[at++] ?? (at * 7 + Math.floor(at / 10)) % 10
        const first = drawCode(digits, [], [], next)
        at = 0
        const other = drawCode(digits, [], [first], next)
        expect(first).toMatch(new RegExp(`^\\d{${digits}}$`))
        expect(isGuessable(first) || isGuessable(other) || other === first).toBe(false)
      },
    ),
    { seed },
  )
  // Also where a text names every code.
  const all = Array.from({ length: 10_000 }, (_, code) => String(code).padStart(4, '0'))
  let at = 0
  expect(all).toContain(drawCode(4, ['1357'], all, () => (at++ * 7 + Math.floor(at / 10)) % 10))
})

test('a typed code has 2 to 16 digits, letters, * and # [STAY-16]', () => {
  for (const code of ['12', '0*9#', 'Abcdefgh12345678'])
    expect(typedCode.safeParse(code).success, code).toBe(true)
  for (const code of ['1', '1 2', '12345678901234567', 'ü1', ''])
    expect(typedCode.safeParse(code).success, code).toBe(false)
})

test('a secret is found as a word of its own, wherever it stands [STAY-04]', () => {
  for (const text of ['4711', 'Code:4711.', 'a 47112 4711', '(4711)\n', '4711, 47'])
    expect(containsWord(text, '4711'), text).toBe(true)
  for (const text of ['', '47112', 'x4711', 'ü4711', '471 1'])
    expect(containsWord(text, '4711'), text).toBe(false)
  const word = fc.stringMatching(/^[a-z0-9*#]{2,16}$/)
  fc.assert(
    fc.property(fc.string(), word, fc.string(), (before, secret, after) =>
      containsWord(`${before} ${secret}\n${after}`, secret),
    ),
    { seed },
  )
})

test('the QR text of a Wi-Fi quotes what has a meaning in it, and a password is printable [STAY-24]', () => {
  expect(wifiQrText('A;B:C', 'x\\y,"z"12')).toBe('WIFI:T:WPA;S:A\\;B\\:C;P:x\\\\y\\,\\"z\\"12;;')
  expect(wifiQrText('Open', null)).toBe('WIFI:T:nopass;S:Open;;')
  for (const [given, isRight] of [
    ['12345678', true],
    ['x'.repeat(63), true],
    ['1234567', false],
    ['x'.repeat(64), false],
    ['pässword', false],
  ] as const)
    expect(isWifiPassword(given), given).toBe(isRight)
})
