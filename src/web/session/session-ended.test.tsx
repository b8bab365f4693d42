// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { SignedIn } from '../../domain/accounts/access.ts'
import { call } from '../../testing/build-account.ts'
import { makeLease } from '../../testing/build-lease.ts'
import { type PaymentApp, paymentApp } from '../../testing/build-payment.ts'
import { appOfFile, fill, isAt, openScreen, press, says } from '../../testing/component.tsx'

const site = appOfFile<PaymentApp>({}, paymentApp)
const expired = 'Your session has ended. Please log in again.'
/** A tenant with a generated lease. */
let lease: ReturnType<typeof makeLease> | undefined
const withLease = () => {
  lease ??= makeLease(site.app)
  return lease
}

/** Opens a screen as this person, with a function that ends the session on the server. */
async function open(path: string, actor: SignedIn) {
  const { user, token } = await openScreen(site.app, path, actor)
  return { user, endSession: () => call(site.app, 'POST', '/api/auth/logout', { token: token ?? '' }) }
}

const region = async (name: string) => within(await screen.findByRole('region', { name }))
const toasts = () => screen.queryByLabelText('Notifications')?.textContent ?? ''

/** Expects the message on the login screen, and nowhere else. */
async function expectShownOnce(path: string) {
  await isAt(path)
  expect(await screen.findAllByText(expired)).toHaveLength(1)
  expect([toasts(), screen.queryAllByRole('alert')]).toEqual(['', []])
}

test('saving an edit in an ended session shows one message, on the login screen [LOOK-35]', async () => {
  const { tenant, id } = await withLease()
  const { endSession } = await open(`/application/${id}`, tenant)
  const personal = await region('Personal Information')
  await press('Edit', personal)
  await screen.findByRole('button', { name: 'Save' })
  await endSession()
  await press('Save')
  await expectShownOnce('/login')
})

test('submitting an application in an ended session shows one message and keeps the input for the next login [LOOK-35]', async () => {
  const tenant = await site.app.makeTenant()
  const { endSession } = await open('/application', tenant)
  await screen.findByRole('button', { name: 'Submit Application' })
  const main = within(screen.getByRole('main'))
  const form = {
    'Desired lease start date': '2026-09-01',
    'Desired lease end date': '2026-10-01',
    Phone: '(850) 555-0142',
    'Street address': '12 Pine Street',
    City: 'Mobile',
    'ZIP code': '36602',
  }
  fill(form, main)
  fill({ State: 'AL' }, main)
  await endSession()
  await press('Submit Application')
  await expectShownOnce('/login')
  await open('/application', tenant)
  const street = await screen.findByLabelText<HTMLInputElement>(/^Street address/)
  expect(street.value).toBe('12 Pine Street')
})

test('a payment in an ended session shows one message, in place of the screen [LOOK-35]', async () => {
  const { tenant, id } = await withLease()
  const { user, endSession } = await open(`/payment?applicationId=${id}`, tenant)
  const pay = await screen.findByRole('button', { name: /^Proceed to Payment/ })
  await endSession()
  await user.click(pay)
  await says('Please log in to access payments')
  expect(toasts()).toBe('')
})

test('a rate and a day change in an ended session each show one message [LOOK-35]', async () => {
  const admin = await site.app.makeAdmin()
  const rates = await open('/admin/rates', admin)
  await rates.user.click((await screen.findAllByRole('button', { name: 'Add Rate' }))[0] as Element)
  const form = await region('Add Rate')
  fill(
    { 'Period Name': 'Spring', 'Start Date': '2030-03-01', 'End Date': '2030-04-01', 'Monthly Rate': '2000' },
    form,
  )
  await rates.endSession()
  await press('Create rate', form)
  await expectShownOnce('/admin/login')

  const days = await open('/admin/availability', admin)
  const free = (await screen.findAllByRole('button', { name: /Available$/ })).at(-1) as Element
  await days.endSession()
  await days.user.dblClick(free)
  await expectShownOnce('/admin/login')
})

test.each(['Change Password', 'Profile'])(
  'saving settings in an ended session on a public page shows one message: %s [LOOK-35]',
  async tab => {
    const { user, endSession } = await open('/contact', await site.app.makeTenant())
    await press('Settings')
    const dialog = within(await screen.findByRole('dialog', { name: 'Settings' }))
    await user.click(await dialog.findByRole('tab', { name: tab }))
    const isPassword = tab === 'Change Password'
    const submit = await dialog.findByRole('button', { name: isPassword ? tab : 'Save profile' })
    if (isPassword)
      fill(
        { 'Current password': 'sandcastle', 'New password': 'driftwood', 'Confirm password': 'driftwood' },
        dialog,
      )
    else
      await waitFor(() => expect(dialog.getByLabelText<HTMLInputElement>(/^First name/).value).toBe('Maya'))
    await endSession()
    await user.click(submit)
    await waitFor(() => expect(toasts()).toBe(expired))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  },
)
