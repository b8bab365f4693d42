// @vitest-environment dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { appOfFile, button, fill, onCall, openScreen, refusal } from '../../testing/component.tsx'

const site = appOfFile()
const alert = () => screen.findByRole('alert')

const registration = {
  'First name': 'Maya',
  'Last name': 'Rivers',
  Email: 'maya@guest.example',
  Password: 'sandcastle',
  'Confirm password': 'sandcastle',
}

type AccountForm = {
  path: string
  procedure: string
  fields: Record<string, string>
  submit: string
  fallback: string
}

const accountForms: AccountForm[] = [
  {
    path: '/login',
    procedure: 'accounts.login',
    fields: { Email: 'maya@guest.example', Password: 'sandcastle' },
    submit: 'Log in',
    fallback: 'Login failed. Please try again.',
  },
  {
    path: '/register',
    procedure: 'accounts.register',
    fields: registration,
    submit: 'Create account',
    fallback: 'Registration failed. Please try again.',
  },
  {
    path: '/forgot-password',
    procedure: 'accounts.forgotPassword',
    fields: { Email: 'maya@guest.example' },
    submit: 'Send reset link',
    fallback: 'Failed to send reset email. Please try again.',
  },
  {
    path: '/reset-password?token=some-token',
    procedure: 'accounts.resetPassword',
    fields: { 'New password': 'sandcastle', 'Confirm password': 'sandcastle' },
    submit: 'Reset password',
    fallback: 'Failed to reset password. Please try again.',
  },
  {
    path: '/admin/login',
    procedure: 'accounts.login',
    fields: { Email: 'keeper@condo.example', Password: 'sandcastle' },
    submit: 'Log in',
    fallback: 'Login failed',
  },
]

test.each(accountForms)(
  '$path shows its own message for an error without a message [LOOK-33]',
  async form => {
    const { user } = await openScreen(site.app, form.path)
    await screen.findByRole('button', { name: form.submit })
    // Alternates errors without and with a message, so that the shown text changes each time.
    for (const message of [undefined, '', ' \n', 'BAD_REQUEST'].flatMap(missing => [
      missing,
      'Wait for Monday.',
    ])) {
      onCall(form.procedure, () => refusal({ message }))
      fill(form.fields)
      await user.click(button(form.submit))
      const shown = message === 'Wait for Monday.' ? message : form.fallback
      await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(shown))
    }
  },
)

test('an empty field error does not hide the form’s message [LOOK-33]', async () => {
  const { user } = await openScreen(site.app, '/admin/rates', await site.app.makeAdmin())
  await user.click((await screen.findAllByRole('button', { name: 'Add Rate' }))[0] as Element)
  const form = within(await screen.findByRole('region', { name: 'Add Rate' }))
  fill(
    { 'Period Name': 'Spring', 'Start Date': '2030-03-01', 'End Date': '2030-04-01', 'Monthly Rate': '2000' },
    form,
  )
  onCall('rates.create', () => refusal({ message: '', fields: { period: '' } }))
  await user.click(form.getByRole('button', { name: 'Create rate' }))
  expect((await form.findByRole('alert')).textContent).toBe('Failed to save rate')
})

test('a failed submit moves the focus once and immediately, to the first invalid field [LOOK-34]', async () => {
  const { user } = await openScreen(site.app, '/register')
  await screen.findByRole('button', { name: 'Create account' })
  const moves: string[] = []
  const note = ({ target }: FocusEvent) => moves.push((target as HTMLInputElement).name)
  document.addEventListener('focusin', note)
  // The user moves to another field as soon as the focus has moved.
  document.addEventListener('focusin', () => screen.getByLabelText(/^Email/).focus(), { once: true })
  fireEvent.submit(button('Create account').closest('form') as HTMLFormElement)
  await screen.findByText('First name is required')
  document.removeEventListener('focusin', note)
  expect(moves.toSorted()).toEqual(['email', 'firstName'])
  expect(document.activeElement).toBe(screen.getByLabelText(/^Email/))

  fill({ 'First name': 'Maya', 'Last name': 'Rivers', Password: 'sandcastle' })
  await user.click(button('Create account'))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Email/)))
})

const taken = 'An account with this email already exists'

/** Opens the registration with valid fields and an email that has an account. The response waits for `answer`. */
async function registerTaken(email: string) {
  await site.app.makeTenant({ email })
  const sent = Promise.withResolvers<void>()
  const late = Promise.withResolvers<void>()
  onCall('accounts.register', async send => {
    sent.resolve()
    await late.promise
    return send()
  })
  const { user } = await openScreen(site.app, '/register')
  await screen.findByRole('button', { name: 'Create account' })
  fill({ ...registration, Email: email })
  return { user, sent: sent.promise, answer: late.resolve }
}

test('a late error does not move the focus away from the field the user is typing in [LOOK-34]', async () => {
  const { user, sent, answer } = await registerTaken('late@guest.example')
  await user.click(button('Create account'))
  await sent
  const lastName = screen.getByLabelText<HTMLInputElement>(/^Last name/)
  await user.type(lastName, '-Lee')
  answer()
  await alert()
  expect(screen.getByLabelText(/^Email/).getAttribute('aria-invalid')).toBe('true')
  await user.keyboard(' Smith')
  expect([document.activeElement, lastName.value]).toEqual([lastName, 'Rivers-Lee Smith'])
})

test('a late error keeps the focus in a field that the user submitted with Enter and edits again [LOOK-34]', async () => {
  const { user, sent, answer } = await registerTaken('enter@guest.example')
  const last = screen.getByLabelText(/^Confirm password/)
  await user.type(last, '{Enter}')
  await sent
  await user.keyboard('s')
  answer()
  await alert()
  expect(document.activeElement).toBe(last)
})

test.each(['a click', 'Enter'])(
  'an error moves the focus to its field if the user has not moved on, after %s [LOOK-34]',
  async way => {
    const { user, answer } = await registerTaken(`${way.length}@guest.example`)
    const last = screen.getByLabelText(/^Confirm password/)
    if (way === 'Enter') await user.type(last, '{Enter}')
    else await user.click(button('Create account'))
    answer()
    expect((await alert()).textContent).toContain(taken)
    expect(document.activeElement).toBe(screen.getByLabelText(/^Email/))
  },
)
