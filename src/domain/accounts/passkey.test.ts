import { expect, test } from 'vitest'
import { isCounterValid, otherPasskeyHosts, passkeyHost, readClientData } from './passkey.ts'

test.each([
  ['https://condo.example', 'condo.example'],
  ['https://condo.example:8443', 'condo.example'],
  ['https://stay.condo.example', 'stay.condo.example'],
  ['http://localhost:3000', 'localhost'],
  ['http://condo.example', undefined],
  ['http://127.0.0.1:3000', undefined],
  ['https://203.0.113.7', undefined],
  ['https://[2001:db8::1]', undefined],
])('passkeys of %s belong to %s [SAFE-12]', (origin, host) => {
  expect(passkeyHost(origin)).toBe(host)
})

test('a signature counter increases, or is always zero [SAFE-12]', () => {
  const verdicts = [
    [0, 0],
    [0, 1],
    [5, 6],
    [5, 5],
    [5, 4],
    [5, 0],
  ].map(([stored = 0, received = 0]) => isCounterValid(stored, received))
  expect(verdicts).toEqual([true, true, true, false, false, false])
})

test('lists passkeys of other hosts [SAFE-14]', () => {
  const hosts = ['old.example', 'condo.example', 'old.example']
  expect(otherPasskeyHosts(hosts, 'https://condo.example')).toEqual(['old.example'])
  expect(otherPasskeyHosts(['condo.example'], 'https://condo.example')).toEqual([])
  expect(otherPasskeyHosts(['condo.example'], 'http://203.0.113.7')).toEqual(['condo.example'])
})

const encode = (data: unknown) => Buffer.from(JSON.stringify(data)).toString('base64url')
const data = { type: 'webauthn.get', challenge: 'abc_-', origin: 'https://condo.example' }

test("parses client data, and rejects it when it comes from another site's frame [SAFE-12]", () => {
  expect(readClientData(encode(data))).toEqual(data)
  expect(readClientData(encode({ ...data, crossOrigin: false, extra: 'é' }))).toEqual(data)
  expect(readClientData(encode({ ...data, crossOrigin: true }))).toBeUndefined()
  expect(readClientData(encode({ ...data, topOrigin: 'https://evil.example' }))).toBeUndefined()
})

test.each(['', '!', 'bm8', encode(null), encode([]), encode({ ...data, challenge: 7 }), 'x'.repeat(4000)])(
  'rejects invalid client data without an error: %s',
  text => {
    expect(readClientData(text)).toBeUndefined()
  },
)
