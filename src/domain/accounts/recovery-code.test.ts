import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatRecoveryCode, parseRecoveryCode } from './recovery-code.ts'

const bytes = fc.uint8Array({ minLength: 10, maxLength: 10 })

test('a code has 80 bits in four groups of four letters [SAFE-08]', () => {
  expect(formatRecoveryCode(new Uint8Array(10))).toBe('0000-0000-0000-0000')
  expect(formatRecoveryCode(new Uint8Array(10).fill(255))).toBe('ZZZZ-ZZZZ-ZZZZ-ZZZZ')
  expect(formatRecoveryCode(Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 33]))).toBe('0000-0000-0000-0011')
  expect(() => formatRecoveryCode(new Uint8Array(9))).toThrow('ten bytes')
})

test('different bytes make different codes, and every code can be parsed [SAFE-08]', () => {
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      const code = formatRecoveryCode(one)
      expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
      expect(parseRecoveryCode(code)).toBe(code.replaceAll('-', ''))
      const isSame = one.every((byte, at) => byte === other[at])
      expect(formatRecoveryCode(other) === code).toBe(isSame)
    }),
  )
})

test.each([
  '7k2m-qx4r-01tv-hj5c',
  '7K2MQX4R01TVHJ5C',
  ' 7K2M QX4R 01TV HJ5C ',
  '7K2M–QX4R—01TV‑HJ5C',
  '7K2M-QX4R-OITV-HJ5C',
  '7k2m-qx4r-olTu-hj5c',
  '７Ｋ２Ｍ-QX4R-01TV-HJ5C\n',
])('parses %j regardless of case, separators and look-alike characters [SAFE-08]', typed => {
  expect(parseRecoveryCode(typed)).toBe('7K2MQX4R01TVHJ5C')
})

test.each([
  '',
  '7K2M',
  '7K2M-QX4R-01TV-HJ5',
  '7K2M-QX4R-01TV-HJ5CC',
  '7K2M-QX4R-01TV-HJ5!',
  '7K2M_QX4R_01TV_HJ5C',
  'x'.repeat(5000),
])('rejects the code %j [SAFE-08]', typed => {
  expect(parseRecoveryCode(typed)).toBeUndefined()
})
