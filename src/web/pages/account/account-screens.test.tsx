// @vitest-environment dom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  adminPassword,
  isSessionValid,
  signUp,
  signUpAdmin,
  tenantPassword,
} from '../../../testing/build-account.ts'
import {
  appOfFile,
  fill,
  isAt,
  noAnswer,
  onCall,
  openScreen,
  press,
  recordInputs,
  refusal,
  says,
} from '../../../testing/component.tsx'

const site = appOfFile()
const alert = () => screen.getByRole('alert').textContent
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${label}`))
const registration = {
  'First name': 'Maya',
  'Last name': 'Rivers',
  Email: 'maya@guest.example',
  Password: '123456',
  'Confirm password': '123456',
}

test('the login screen has its fields, links and messages [LOGIN-01, LOGIN-02, LOGIN-03, LOGIN-04, LOGIN-07, LOGIN-08]', async () => {
  const { user } = await openScreen(site.app, '/login')
  const sent = recordInputs('accounts.login')
  await press('Log in')
  await says('Email is required')
  await says('Password is required')
  expect(document.activeElement).toBe(field('Email'))
  fill({ Email: 'not an address', Password: '12345' })
  await press('Log in')
  await says('Please enter a valid email address')
  await says('Password must be at least 6 characters')
  expect(field('Password').type).toBe('password')
  await press('Show password')
  expect(field('Password').type).toBe('text')
  await press('Hide password')
  expect(field('Password').type).toBe('password')
  expect(sent).toEqual([])
  fill({ Email: 'nobody@guest.example', Password: '123456' })
  await press('Log in')
  await waitFor(() => expect(sent).toHaveLength(1))
  await user.click(screen.getByRole('link', { name: 'Forgot your password?' }))
  await isAt('/forgot-password')
  window.history.back()
  await user.click(await screen.findByRole('link', { name: 'Create an account' }))
  await isAt('/register')
})

test('a rejected login shows one message above the form [LOGIN-10]', async () => {
  const { email } = await signUp(site.app, { email: 'rejected@guest.example' })
  await openScreen(site.app, '/login')
  await screen.findByRole('button', { name: 'Log in' })
  fill({ Email: email, Password: 'not the password' })
  await press('Log in')
  expect(await screen.findAllByText('Invalid email or password')).toHaveLength(1)
  expect(alert()).toBe('Invalid email or password')
  expect(localStorage.getItem('token')).toBeNull()
})

type Failure = [answer: () => Response | Promise<Response>, message: string]

/** Answers each submission with a failure; each message differs from the one before. */
async function expectFailures(
  procedure: string,
  fields: Record<string, string>,
  submit: string,
  failures: Failure[],
) {
  await screen.findByRole('button', { name: submit })
  for (const [answer, message] of failures) {
    onCall(procedure, answer)
    fill(fields)
    await press(submit)
    await waitFor(() => expect(alert()).toBe(message))
  }
}

const tooMany = 'Too many attempts. Please wait a while and try again.'
const unexpected = 'Something went wrong. Please try again.'
const failed = () => refusal({ status: 500, message: unexpected })

test('a failed login shows the server’s message, or a default message without one or without a response [LOGIN-11, LOGIN-12, TOAST-08]', async () => {
  await openScreen(site.app, '/login')
  await expectFailures('accounts.login', { Email: 'maya@guest.example', Password: 'sandcastle' }, 'Log in', [
    [() => refusal({ status: 429, message: tooMany }), tooMany],
    [failed, 'Login failed. Please try again.'],
    [noAnswer, unexpected],
  ])
})

test('a failed registration shows the server’s message, or a default message without one or without a response [REG-11, REG-12, REG-13]', async () => {
  await openScreen(site.app, '/register')
  await expectFailures('accounts.register', registration, 'Create account', [
    [() => refusal({ status: 429, message: tooMany }), tooMany],
    [failed, 'Registration failed'],
    [noAnswer, 'Registration failed. Please try again.'],
  ])
})

test('a failed reset request shows the server’s message, or a default message without one or without a response [FORGOT-10, FORGOT-11]', async () => {
  await openScreen(site.app, '/forgot-password')
  const unconfigured = 'Email service not configured. Please contact support.'
  await expectFailures('accounts.forgotPassword', { Email: 'maya@guest.example' }, 'Send reset link', [
    [failed, 'Failed to send reset email. Please try again.'],
    [() => refusal({ status: 503, message: unconfigured }), unconfigured],
    [noAnswer, 'Failed to send reset email. Please try again.'],
  ])
  expect(screen.queryByText('Check Your Email')).toBeNull()
})

test('a failed admin login shows the server’s message, or a default message without one or without a response [ADMLOGIN-08, ADMLOGIN-09]', async () => {
  await openScreen(site.app, '/admin/login')
  await expectFailures(
    'accounts.login',
    { Email: 'keeper@condo.example', Password: 'Some-Password-1!' },
    'Log in',
    [
      [() => refusal({ status: 401, message: 'Invalid email or password' }), 'Invalid email or password'],
      [failed, 'Login failed'],
      [noAnswer, 'Login failed. Please try again.'],
    ],
  )
})

test('a failed reset shows a banner [RESET-11]', async () => {
  await openScreen(site.app, '/reset-password?token=some-token')
  const fields = { 'New password': '123456', 'Confirm password': '123456' }
  await expectFailures('accounts.resetPassword', fields, 'Reset password', [
    [failed, 'Failed to reset password. Please try again.'],
  ])
})

test('the register screen validates its fields and sends nothing invalid [REG-01, REG-02, REG-03, REG-04, REG-05, REG-06]', async () => {
  await openScreen(site.app, '/register')
  const sent = recordInputs('accounts.register')
  await press('Create account')
  for (const name of ['First name', 'Last name', 'Email']) await says(`${name} is required`)
  fill({ Email: 'maya@', Password: '12345', 'Confirm password': '54321' })
  await press('Create account')
  await says('Please enter a valid email address')
  await says('Password must be at least 6 characters long')
  fill({ ...registration, 'Confirm password': '54321' })
  await press('Create account')
  await says('Passwords do not match')
  expect(sent).toEqual([])
})

test('a registration starts no session, shows a welcome and asks for a login [REG-07, REG-08, REG-09, REG-10]', async () => {
  await openScreen(site.app, '/register')
  const sent = recordInputs('accounts.register')
  await screen.findByRole('button', { name: 'Create account' })
  await says('Seaglass Shore Rentals')
  fill(registration)
  await press('Create account')
  // The toast goes after two seconds; the next screen's code may take longer.
  await says('Registration successful! Welcome to Seaglass Shore Rentals.')
  await isAt('/login')
  await says('Registration successful! Please log in.')
  expect(Object.keys(sent[0] ?? {}).toSorted()).toEqual(['email', 'firstName', 'lastName', 'password'])
  expect(localStorage.getItem('token')).toBeNull()
})

test('a registration with an existing address suggests a login or a password reset [FIX-22]', async () => {
  const { email } = await signUp(site.app, { email: 'existing@guest.example' })
  const { user } = await openScreen(site.app, '/register')
  await screen.findByRole('button', { name: 'Create account' })
  fill({ ...registration, Email: email })
  await press('Create account')
  await says('An account with this email already exists. Please log in.')
  await user.click(screen.getByRole('link', { name: 'Forgot your password?' }))
  await isAt('/forgot-password')
})

test('the forgot password screen sends the request, confirms it, and accepts another address [FORGOT-01, FORGOT-03, FORGOT-04, FORGOT-05, FORGOT-06, FORGOT-08]', async () => {
  const { user } = await openScreen(site.app, '/forgot-password')
  await press('Send reset link')
  await says('Email is required')
  fill({ Email: 'maya at home' })
  await press('Send reset link')
  await says('Please enter a valid email address')
  fill({ Email: 'maya@guest.example' })
  await press('Send reset link')
  await screen.findByRole('heading', { name: 'Check Your Email' })
  await says('If an account with that email exists, a password reset link has been sent.')
  expect(screen.queryByText('Password reset instructions sent to your email!')).toBeNull()
  await press('Try Different Email')
  expect(field('Email').value).toBe('')
  fill({ Email: 'maya@guest.example' })
  await press('Send reset link')
  await user.click(await screen.findByRole('link', { name: 'Back to Login' }))
  await isAt('/login')
})

test('the reset screen validates its fields [RESET-04, RESET-05, RESET-06, RESET-07]', async () => {
  await openScreen(site.app, '/reset-password?token=some-token')
  await press('Reset password')
  await says('New password is required')
  await says('Please confirm your password')
  fill({ 'New password': '12345', 'Confirm password': '54321' })
  await press('Reset password')
  await says('Password must be at least 6 characters long')
  fill({ 'New password': '123456' })
  await press('Reset password')
  await says('Passwords do not match')
})

test('a reset link without a token shows an error and offers a new link [RESET-02, RESET-03]', async () => {
  const { user } = await openScreen(site.app, '/reset-password')
  await screen.findByRole('heading', { name: 'Invalid Reset Link' })
  await says('This password reset link is invalid or has expired. Please request a new one.')
  await user.click(screen.getByRole('link', { name: 'Request a new link' }))
  await isAt('/forgot-password')
})

test('the admin portal logs an administrator in [ADMLOGIN-01, ADMLOGIN-02, ADMLOGIN-03, ADMLOGIN-04, ADMLOGIN-05]', async () => {
  const { email } = await signUpAdmin(site.app)
  await openScreen(site.app, '/admin/login')
  await screen.findByRole('heading', { name: 'Admin Portal' })
  await press('Log in')
  await says('Please fill in all fields')
  fill({ Email: email, Password: adminPassword })
  await press('Show password')
  expect(field('Password').type).toBe('text')
  expect(screen.getByRole('link', { name: 'Tenant login' }).getAttribute('href')).toBe('/login')
  await press('Log in')
  await says('Admin login successful!')
  await isAt('/admin/dashboard')
})

test('an admin who logs in at /login lands in the back office [LOGIN-14, GUARD-11]', async () => {
  const { email } = await signUpAdmin(site.app, 'second@condo.example')
  await openScreen(site.app, '/login')
  await screen.findByRole('button', { name: 'Log in' })
  fill({ Email: email, Password: adminPassword })
  await press('Log in')
  await isAt('/admin/dashboard')
})

test('the admin portal rejects a tenant and ends the session on the server [ADMLOGIN-06, ADMLOGIN-07, GUARD-13]', async () => {
  const { email } = await signUp(site.app, { email: 'tenant@guest.example' })
  await openScreen(site.app, '/admin/login', await site.app.makeTenant())
  let token = ''
  onCall('accounts.login', async send => {
    const response = await send()
    token = (await response.clone().json())[0].result.data.token
    return response
  })
  await screen.findByRole('heading', { name: 'Admin Portal' })
  fill({ Email: email, Password: tenantPassword })
  await press('Log in')
  await says('Access denied. Admin credentials required.')
  await isAt('/admin/login')
  expect(localStorage.getItem('token')).toBeNull()
  expect(await isSessionValid(site.app, token)).toBe(false)
})

test.each([
  '/admin/login',
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password?token=x',
  '/dashboard',
])('a signed-in admin who opens %s lands in the back office [GUARD-10, GUARD-12]', async path => {
  await openScreen(site.app, path, await site.app.makeAdmin())
  await isAt('/admin/dashboard')
})
