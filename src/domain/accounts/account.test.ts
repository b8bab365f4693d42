import { expect, test } from 'vitest'
import type { z } from 'zod'
import { isPhone } from '../common/phone.ts'
import {
  adminChangePasswordForm,
  adminLoginForm,
  changePasswordForm,
  forgotForm,
  loginForm,
  passwordChange,
  passwordReset,
  profileChange,
  registerForm,
  registration,
  resetForm,
} from './account.ts'
import { adminPasswordError, emailKey, nameFromEmail } from './account-rules.ts'

/** The first error message of each field. */
function problems(schema: z.ZodType, input: unknown): Record<string, string> {
  const found: Record<string, string> = {}
  for (const issue of schema.safeParse(input).error?.issues ?? [])
    found[issue.path.join('.')] ??= issue.message
  return found
}

const long = 'x'.repeat(201)

test('a login needs an email and a password of 6 characters [LOGIN-05, LOGIN-06, LOGIN-07, LOGIN-08]', () => {
  expect(problems(loginForm, { email: ' ', password: '' })).toEqual({
    email: 'Email is required',
    password: 'Password is required',
  })
  expect(problems(loginForm, {})).toEqual({ email: 'Email is required', password: 'Password is required' })
  expect(problems(loginForm, { email: 'maya', password: '12345' })).toEqual({
    email: 'Please enter a valid email address',
    password: 'Password must be at least 6 characters',
  })
  expect(loginForm.parse({ email: ' Maya@Guest.Example ', password: '123456', role: 'admin' })).toEqual({
    email: 'Maya@Guest.Example',
    password: '123456',
  })
  expect(problems(loginForm, { email: 'm@guest.example', password: long })).toEqual({
    password: 'Password must be at most 200 characters long',
  })
})

test.each([
  'a@x.example,b@y.example',
  'a@x.example;b@y.example',
  'a b@x.example',
  'a@x.example\r\nBcc: b@y.example',
  `${'a'.repeat(245)}@x.example`,
])('an email field accepts a single address: %j', email => {
  expect(problems(forgotForm, { email })).toEqual({ email: 'Please enter a valid email address' })
})

test('the admin login requires both fields [ADMLOGIN-04]', () => {
  const sentence = 'Please fill in all fields'
  expect(problems(adminLoginForm, { email: '', password: '' })).toEqual({
    email: sentence,
    password: sentence,
  })
  expect(problems(adminLoginForm, { email: ' ', password: 'x' })).toEqual({ email: sentence })
})

test('a registration reports missing fields [REG-04, REG-05, REG-06]', () => {
  const good = {
    firstName: 'Maya',
    lastName: 'Rivers',
    email: 'maya@guest.example',
    password: '123456',
    confirmPassword: '123456',
  }
  expect(registerForm.parse(good)).toEqual(good)
  expect(problems(registerForm, { ...good, firstName: ' ', lastName: '', email: '' })).toEqual({
    firstName: 'First name is required',
    lastName: 'Last name is required',
    email: 'Email is required',
  })
  expect(problems(registerForm, { ...good, email: 'maya@' })).toEqual({
    email: 'Please enter a valid email address',
  })
  expect(problems(registerForm, { ...good, password: '12345', confirmPassword: '12345' })).toEqual({
    password: 'Password must be at least 6 characters long',
  })
  expect(problems(registerForm, { ...good, firstName: '', confirmPassword: '123457' })).toEqual({
    firstName: 'First name is required',
    confirmPassword: 'Passwords do not match',
  })
})

test('a registration has four fields and no role', () => {
  const sent = { firstName: 'Maya', lastName: 'Rivers', email: 'maya@guest.example', password: '123456' }
  expect(
    registration.parse({ ...sent, role: 'admin', status: 'x', userId: 'y', confirmPassword: 'z' }),
  ).toEqual(sent)
})

test('a name is one line of visible characters', () => {
  expect(problems(profileChange, { firstName: 'Ma\u202eya' })).toEqual({
    firstName: 'Please use letters only',
  })
  expect(problems(profileChange, { lastName: 'Rivers\r\nBcc: x' })).toEqual({
    lastName: 'Please use letters only',
  })
  expect(profileChange.parse({ firstName: 'Zoë 李 O’Neil' })).toEqual({ firstName: 'Zoë 李 O’Neil' })
})

test('forgot password requires an email [FORGOT-02]', () => {
  expect(problems(forgotForm, { email: '' })).toEqual({ email: 'Email is required' })
  expect(problems(forgotForm, { email: 'maya@' })).toEqual({ email: 'Please enter a valid email address' })
})

test('a reset requires two matching passwords of at least 6 characters [RESET-04, RESET-05, RESET-06, RESET-07]', () => {
  expect(problems(resetForm, { newPassword: '', confirmPassword: '' })).toEqual({
    newPassword: 'New password is required',
    confirmPassword: 'Please confirm your password',
  })
  expect(problems(resetForm, { newPassword: '12345', confirmPassword: '12345' })).toEqual({
    newPassword: 'Password must be at least 6 characters long',
  })
  expect(problems(resetForm, { newPassword: '123456', confirmPassword: '1234567' })).toEqual({
    confirmPassword: 'Passwords do not match',
  })
  expect(problems(passwordReset, { newPassword: '123456' })).toEqual({
    token: 'This password reset link is invalid or has expired. Please request a new one.',
  })
})

test("a tenant's password change requires all three fields and 8 characters [PWD-03, PWD-04, PWD-05]", () => {
  expect(problems(changePasswordForm, { currentPassword: '', newPassword: '', confirmPassword: '' })).toEqual(
    {
      currentPassword: 'Current password is required',
      newPassword: 'New password is required',
      confirmPassword: 'Please confirm your password',
    },
  )
  expect(
    problems(changePasswordForm, {
      currentPassword: 'x',
      newPassword: '1234567',
      confirmPassword: '1234567',
    }),
  ).toEqual({ newPassword: 'Must be at least 8 characters long' })
  expect(
    problems(changePasswordForm, {
      currentPassword: 'x',
      newPassword: '12345678',
      confirmPassword: '12345679',
    }),
  ).toEqual({ confirmPassword: 'New passwords do not match' })
  expect(problems(passwordChange, { currentPassword: 'x', newPassword: '12345678' })).toEqual({})
  expect(
    problems(passwordChange, { currentPassword: 'x', newPassword: '12345678', confirmPassword: 'other' }),
  ).toEqual({ confirmPassword: 'New passwords do not match' })
})

const complexity =
  'New password must be at least 8 characters with uppercase, lowercase, numbers, and special characters'

test("an admin's password change checks that all fields are present, equal, strong and different, in this order [PWD-10, PWD-11, PWD-12, PWD-13]", () => {
  const first = (input: unknown) => adminChangePasswordForm.safeParse(input).error?.issues[0]?.message
  const strong = 'Dune.grass.7'
  expect(first({ currentPassword: 'x', newPassword: strong, confirmPassword: strong })).toBeUndefined()
  for (const missing of ['currentPassword', 'newPassword', 'confirmPassword']) {
    const form = { currentPassword: 'x', newPassword: 'weak', confirmPassword: 'weak', [missing]: '' }
    expect(first(form)).toBe('All fields are required')
  }
  expect(first({ currentPassword: 'x', newPassword: 'weak', confirmPassword: 'other' })).toBe(
    'New passwords do not match',
  )
  expect(first({ currentPassword: 'x', newPassword: 'weak', confirmPassword: 'weak' })).toBe(complexity)
  expect(first({ currentPassword: strong, newPassword: strong, confirmPassword: strong })).toBe(
    'New password must be different from current password',
  )
})

test.each(['Sh0rt.7', 'no.upper.7', 'NO.LOWER.7', 'No.number.', 'NoSpecial7', 'Other~special7'])(
  'rejects the admin password %s [PWD-12]',
  password => expect(adminPasswordError(password)).toBe(complexity),
)

test.each([...'!@#$%^&*(),.?":{}|<>'])(
  'accepts %s as the special character of an admin password [PWD-12]',
  special => {
    expect(adminPasswordError(`Sandbar7${special}`)).toBeUndefined()
  },
)

test.each([
  ['850-555-0142', true],
  ['+1 (850) 555-0142', true],
  ['1', true],
  ['1234567890123456', true],
  ['12345678901234567', false],
  ['0850', false],
  ['850.555', false],
  ['', false],
])('phone %j: %s', (text, expected) => expect(isPhone(text)).toBe(expected))

test.each([
  ['maya.rivers@guest.example', 'Maya Rivers'],
  ['j_o-neil+condo@guest.example', 'J O Neil'],
  ['m@guest.example', 'M'],
])('the name for %s is %s', (email, name) => expect(nameFromEmail(email)).toBe(name))

test('an email that differs only in case or spaces is the same account', () => {
  expect(emailKey(' Maya@Guest.EXAMPLE ')).toBe('maya@guest.example')
})
