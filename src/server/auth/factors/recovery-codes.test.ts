import { expect, test } from 'vitest'
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts'

test('a set has ten different codes, and only their hashes are stored [SAFE-08, SAFE-15]', () => {
  const codes = newRecoveryCodes()
  expect(new Set([...codes, ...newRecoveryCodes()]).size).toBe(20)
  const hashes = codes.map(code => recoveryCodeHash(code) ?? '')
  expect(new Set(hashes).size).toBe(10)
  for (const [at, code] of codes.entries()) {
    expect(hashes[at]).toMatch(/^[0-9a-f]{64}$/)
    expect(recoveryCodeHash(code.toLowerCase().replaceAll('-', ' '))).toBe(hashes[at])
  }
  expect(recoveryCodeHash('0000')).toBeUndefined()
})
