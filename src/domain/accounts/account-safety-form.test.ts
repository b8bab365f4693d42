import { expect, test } from 'vitest'
import {
  challengeForm,
  emailChangeForm,
  passkeyForm,
  passkeyLoginForm,
  stepUpForm,
  totpConfirmForm,
} from './account-safety-form.ts'

const credential = {
  id: 'abc',
  rawId: 'abc',
  type: 'public-key',
  response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA', userHandle: null },
  clientExtensionResults: {},
}
const problem = (result: { error?: { issues: { message: string }[] } | undefined }) =>
  result.error?.issues[0]?.message

test('accepts a code with spaces and hyphens [SAFE-06]', () => {
  for (const code of ['123456', ' 123 456 ', '123-456', '１２３４５６'])
    expect(totpConfirmForm.parse({ code })).toEqual({ code: '123456' })
  for (const code of [undefined, 123456, '', '12345', '1234567', '12345a', '1'.repeat(5000)])
    expect(problem(totpConfirmForm.safeParse({ code }))).toBe('Please enter the 6-digit code')
})

test('a second step takes exactly one proof and the challenge as a string [SAFE-06]', () => {
  const recoveryCode = '7k2m-qx4r-01tv-hj5c'
  expect(challengeForm.parse({ challenge: 't', recoveryCode })).toEqual({ challenge: 't', recoveryCode })
  expect(challengeForm.safeParse({ challenge: 't' }).success).toBe(false)
  expect(challengeForm.safeParse({ challenge: 't', code: '123456', recoveryCode }).success).toBe(false)
  expect(problem(challengeForm.safeParse({ code: '123456' }))).toBe('Please log in again.')
})

test('a mistyped recovery code is refused before it counts as a try [SAFE-06, SAFE-19]', () => {
  for (const recoveryCode of ['7k2m-qx4r-01tv', '7k2m-qx4r-01tv-hj5!', 'x'.repeat(101)])
    for (const result of [
      challengeForm.safeParse({ challenge: 't', recoveryCode }),
      stepUpForm.safeParse({ recoveryCode }),
    ])
      expect(problem(result)).toBe('Please enter a recovery code')
})

test('a step-up takes exactly one proof [SAFE-19]', () => {
  for (const proof of [{ password: 'x' }, { code: '123456' }, { credential }])
    expect(stepUpForm.safeParse(proof).success).toBe(true)
  for (const proofs of [
    {},
    { password: 'x', code: '123456' },
    { password: '' },
    { password: 'x'.repeat(201) },
  ])
    expect(stepUpForm.safeParse(proofs).success).toBe(false)
})

test('a passkey has a name of 1 to 60 characters and a response of limited size [SAFE-12]', () => {
  const named = (name: unknown) =>
    passkeyForm.safeParse({
      name,
      credential: { ...credential, response: { clientDataJSON: 'e30', attestationObject: 'AA' } },
    })
  expect(named(' 🏖'.repeat(30)).success).toBe(true)
  expect(named('x'.repeat(60)).success).toBe(true)
  for (const name of ['', '  ', 'x'.repeat(61), 'a\u202eb', 7]) expect(named(name).success).toBe(false)
  expect(passkeyLoginForm.parse({ credential })).toEqual({
    credential: { ...credential, clientExtensionResults: undefined },
  })
  const odd = [
    { ...credential, rawId: 'abd' },
    { ...credential, id: 'a=', rawId: 'a=' },
    { ...credential, response: { ...credential.response, signature: 'A'.repeat(9000) } },
    { ...credential, type: 'password' },
  ]
  for (const one of odd) expect(passkeyLoginForm.safeParse({ credential: one }).success).toBe(false)
})

test('an email change takes a single address [SAFE-25]', () => {
  expect(emailChangeForm.parse({ newEmail: ' new@guest.example ' })).toEqual({
    newEmail: 'new@guest.example',
    applicationsToo: false,
  })
  for (const newEmail of ['', 'a@guest.example,b@guest.example', 'new@'])
    expect(emailChangeForm.safeParse({ newEmail }).success).toBe(false)
})
