// @vitest-environment dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import {
  appOfFile,
  fill,
  noAnswer,
  onCall,
  openScreen,
  press,
  recordInputs,
  refusal,
  says,
} from '../../../testing/component.tsx'

const site = appOfFile()

async function openSettings(path: string, actor: SignedIn) {
  const opened = await openScreen(site.app, path, actor)
  await press('Settings')
  const dialog = within(await screen.findByRole('dialog', { name: 'Settings' }))
  await dialog.findByRole('button', { name: 'Change Password' })
  const change = () => press('Change Password', dialog)
  return { ...opened, dialog, change }
}

test("the tenant's dialog validates its fields [PWD-01, PWD-02, PWD-03, PWD-04, PWD-05]", async () => {
  const { dialog, change } = await openSettings('/contact', await site.app.makeTenant())
  expect(dialog.getByRole('tab', { name: 'Change Password', selected: true })).toBeTruthy()
  await change()
  await says('Current password is required')
  await says('New password is required')
  await says('Please confirm your password')
  fill({ 'Current password': 'sandcastle', 'New password': '1234567', 'Confirm password': '7654321' }, dialog)
  await change()
  await says('Must be at least 8 characters long')
  fill({ 'New password': '12345678' }, dialog)
  await change()
  await says('New passwords do not match')
  for (const show of dialog.getAllByRole('button', { name: 'Show password' })) fireEvent.click(show)
  await waitFor(() => expect(dialog.getAllByRole('button', { name: 'Hide password' })).toHaveLength(3))
  for (const label of [/^Current password/, /^New password/, /^Confirm password/])
    expect(dialog.getByLabelText<HTMLInputElement>(label).type).toBe('text')
})

test('a failed password change shows the server’s message, or a default message without one or without a response [PWD-18, PWD-19]', async () => {
  const { dialog, change } = await openSettings('/contact', await site.app.makeTenant())
  for (const [answer, message] of [
    [() => refusal({ message: 'Current password is incorrect' }), 'Current password is incorrect'],
    [() => refusal({ status: 500, message: 'no such table' }), 'Failed to change password'],
    [noAnswer, 'Password change failed. Please try again.'],
  ] as const) {
    onCall('accounts.changePassword', answer)
    fill(
      { 'Current password': 'sandcastle', 'New password': 'driftwood', 'Confirm password': 'driftwood' },
      dialog,
    )
    await change()
    await waitFor(() => expect(dialog.getByRole('alert').textContent).toBe(message))
  }
})

test("the admin's dialog checks off the password rules and enables its button once all fields are valid [PWD-08, PWD-09, PWD-10, PWD-11, PWD-13, PWD-14]", async () => {
  const { user, dialog } = await openSettings('/admin/rates', await site.app.makeAdmin())
  const [current, next, confirm] = ['Current password', 'New password', 'Confirm password'].map(label =>
    dialog.getByLabelText(new RegExp(`^${label}`)),
  ) as [HTMLElement, HTMLElement, HTMLElement]
  const submit = dialog.getByRole<HTMLButtonElement>('button', { name: 'Change Password' })
  expect(submit.disabled).toBe(true)
  for (const field of [current, next, confirm]) await user.click(field)
  await says('All fields are required')
  const rules = within(dialog.getByRole('list', { name: 'Password rules' }))
  const expectMet = (count: number) =>
    waitFor(() => expect(rules.queryAllByText('(met)', { exact: false })).toHaveLength(count))
  const type = async (field: HTMLElement, value: string) => {
    await user.click(field)
    fireEvent.input(field, { target: { value } })
  }
  await expectMet(0)
  await type(next, 'abc')
  await expectMet(1)
  await type(next, 'abcDEF12')
  await expectMet(4)
  await user.click(confirm)
  await says('New password must be at least 8 characters with uppercase, lowercase, numbers, and special')
  await type(current, 'Tides.and.dunes.9')
  await type(next, 'Tides.and.dunes.9')
  await user.click(confirm)
  await says('New password must be different from current password')
  await type(next, 'Breakwater-9!')
  await type(confirm, 'Breakwater-8!')
  await user.click(next)
  await says('New passwords do not match')
  expect(submit.disabled).toBe(true)
  await type(confirm, 'Breakwater-9!')
  await waitFor(() => expect(submit.disabled).toBe(false))
  await expectMet(5)
})

test("the admin's password change calls the admin procedure [PWD-15]", async () => {
  const { dialog, change } = await openSettings('/admin/rates', await site.app.makeAdmin())
  const sent: object[] = []
  onCall('accounts.adminChangePassword', (_, input) => {
    sent.push(input)
    return refusal({ message: 'Current password is incorrect' })
  })
  const [currentPassword, newPassword] = ['Wrong-Password-1!', 'Breakwater-9!']
  fill(
    { 'Current password': currentPassword, 'New password': newPassword, 'Confirm password': newPassword },
    dialog,
  )
  await waitFor(() =>
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Change Password' }).disabled).toBe(false),
  )
  await change()
  await waitFor(() => expect(dialog.getByRole('alert').textContent).toBe('Current password is incorrect'))
  expect(sent).toEqual([{ currentPassword, newPassword, confirmPassword: newPassword }])
})

test('the profile tab changes name and phone, and the welcome is updated immediately [PROFILE-01, PROFILE-02, PROFILE-04]', async () => {
  const tenant = await site.app.makeTenant()
  const { user, dialog } = await openSettings('/contact', tenant)
  const asked = recordInputs('accounts.profile')
  await user.click(dialog.getByRole('tab', { name: 'Profile' }))
  await waitFor(() => expect(asked).toHaveLength(1))
  await dialog.findByRole('button', { name: 'Save profile' })
  fill({ 'First name': 'Marina', Phone: '(850) 555-0123' }, dialog)
  await press('Save profile', dialog)
  await says('Profile updated successfully')
  await says('Welcome, Marina')
  const { user: stored } = await site.app.as(tenant).accounts.profile()
  expect(stored).toMatchObject({ firstName: 'Marina', phone: '(850) 555-0123' })
})

test('a profile that fails to save or refresh is reported [PROFILE-03, PROFILE-04]', async () => {
  const { user, dialog } = await openSettings('/contact', await site.app.makeTenant())
  onCall('accounts.profile', () => refusal({ status: 500, message: 'no such table' }))
  onCall('accounts.updateProfile', () => refusal({ status: 500, message: 'no such table' }))
  await user.click(dialog.getByRole('tab', { name: 'Profile' }))
  await says('Failed to refresh user data.')
  await press('Save profile', dialog)
  await waitFor(() =>
    expect(dialog.getByRole('alert').textContent).toBe('Profile update failed. Please try again.'),
  )
})
