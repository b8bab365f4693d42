import { call, failCall, makeTenant, signIn, tokenOf } from './accounts.ts'
import { expectAccessible } from './axe.ts'
import { admin, expect, test } from './site.ts'

const open = async (page: import('@playwright/test').Page) => {
  await page.getByRole('banner').getByRole('button', { name: 'Settings' }).click()
  return page.getByRole('dialog', { name: 'Settings' })
}

test("the tenant's dialog validates its fields [PWD-01, PWD-02, PWD-03, PWD-04, PWD-05]", async ({
  page,
  site,
}) => {
  await signIn(page, site, await makeTenant(site))
  await page.goto('/contact')
  const dialog = await open(page)
  await expect(dialog.getByRole('tab', { name: 'Change Password' })).toHaveAttribute('aria-selected', 'true')
  const submit = dialog.getByRole('button', { name: 'Change Password' })
  await submit.click()
  for (const text of [
    'Current password is required',
    'New password is required',
    'Please confirm your password',
  ]) {
    await expect(dialog.getByText(text)).toBeVisible()
  }
  await dialog.getByLabel('Current password').fill('sandcastle')
  await dialog.getByLabel('New password').fill('1234567')
  await dialog.getByLabel('Confirm password').fill('7654321')
  await submit.click()
  await expect(dialog.getByText('Must be at least 8 characters long')).toBeVisible()
  await dialog.getByLabel('New password').fill('12345678')
  await submit.click()
  await expect(dialog.getByText('New passwords do not match')).toBeVisible()
  for (let shown = 0; shown < 3; shown++)
    await dialog.getByRole('button', { name: 'Show password' }).first().click()
  await expect(dialog.locator('input[type=password]')).toHaveCount(0)
  await expect(dialog.getByRole('button', { name: 'Hide password' })).toHaveCount(3)
  await expectAccessible(page)
})

test('a password change is confirmed, closes the dialog after 2 seconds, and keeps only this session [PWD-06, PWD-16, PWD-20]', async ({
  page,
  site,
}) => {
  const account = await makeTenant(site)
  const elsewhere = await tokenOf(site, account)
  await signIn(page, site, account)
  await page.goto('/contact')
  const dialog = await open(page)
  await dialog.getByLabel('Current password').fill(account.password)
  await dialog.getByLabel('New password').fill('driftwood')
  await dialog.getByLabel('Confirm password').fill('driftwood')
  const sent = page.waitForRequest(/accounts\.changePassword/)
  await dialog.getByRole('button', { name: 'Change Password' }).click()
  expect(Object.keys(Object.values((await sent).postDataJSON())[0] as object).toSorted()).toEqual([
    'confirmPassword',
    'currentPassword',
    'newPassword',
  ])
  await expect(dialog.getByText('Password changed successfully!')).toBeVisible()
  await page.waitForTimeout(1_200)
  await expect(dialog).toBeVisible()
  await expect(dialog).toHaveCount(0, { timeout: 2_000 })
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/dashboard')
  await expect(call(site, 'GET', '/api/auth/verify', { token: elsewhere })).rejects.toThrow('401')
})

test('a failed password change shows the server’s message, or a default message without one or without a response [PWD-18, PWD-19]', async ({
  page,
  site,
}) => {
  await signIn(page, site, await makeTenant(site))
  await page.goto('/contact')
  const dialog = await open(page)
  for (const [failure, message] of [
    [{ status: 400, message: 'Current password is incorrect' }, 'Current password is incorrect'],
    [{ status: 500 }, 'Failed to change password'],
    ['no answer', 'Password change failed. Please try again.'],
  ] as const) {
    await failCall(page, 'accounts.changePassword', failure)
    await dialog.getByLabel('Current password').fill('sandcastle')
    await dialog.getByLabel('New password').fill('driftwood')
    await dialog.getByLabel('Confirm password').fill('driftwood')
    await dialog.getByRole('button', { name: 'Change Password' }).click()
    await expect(dialog.getByRole('alert')).toHaveText(message)
  }
})

test("the admin's dialog checks off the password rules and enables its button once all fields are valid [PWD-08, PWD-09, PWD-10, PWD-11, PWD-13, PWD-14]", async ({
  page,
  site,
}) => {
  await signIn(page, site, admin)
  await page.goto('/admin/rates')
  const dialog = await open(page)
  const [current, next, confirm] = [
    dialog.getByLabel('Current password'),
    dialog.getByLabel('New password'),
    dialog.getByLabel('Confirm password'),
  ]
  const submit = dialog.getByRole('button', { name: 'Change Password' })
  await expect(submit).toBeDisabled()
  await current.focus()
  await page.keyboard.press('Tab')
  await next.focus()
  await confirm.focus()
  await expect(dialog.getByText('All fields are required').first()).toBeVisible()

  const met = dialog.getByRole('list', { name: 'Password rules' }).getByText('(met)', { exact: true })
  await expect(met).toHaveCount(0)
  await next.fill('abc')
  await expect(met).toHaveCount(1)
  await next.fill('abcDEF12')
  await expect(met).toHaveCount(4)
  await confirm.focus()
  await expect(
    dialog.getByText(
      'New password must be at least 8 characters with uppercase, lowercase, numbers, and special characters',
    ),
  ).toBeVisible()
  await current.fill(admin.password)
  await next.fill(admin.password)
  await confirm.focus()
  await expect(dialog.getByText('New password must be different from current password')).toBeVisible()
  await next.fill('Breakwater-9!')
  await confirm.fill('Breakwater-8!')
  await next.focus()
  await expect(dialog.getByText('New passwords do not match')).toBeVisible()
  await expect(submit).toBeDisabled()
  await confirm.fill('Breakwater-9!')
  await expect(submit).toBeEnabled()
  await expect(met).toHaveCount(5)
  await expectAccessible(page)
})

test("the admin's password change calls the admin procedure [PWD-15]", async ({ page, site }) => {
  await signIn(page, site, admin)
  await page.goto('/admin/rates')
  await failCall(page, 'accounts.adminChangePassword', {
    status: 400,
    message: 'Current password is incorrect',
  })
  const dialog = await open(page)
  await dialog.getByLabel('Current password').fill('Wrong-Password-1!')
  await dialog.getByLabel('New password').fill('Breakwater-9!')
  await dialog.getByLabel('Confirm password').fill('Breakwater-9!')
  const sent = page.waitForRequest(/accounts\.adminChangePassword/)
  await dialog.getByRole('button', { name: 'Change Password' }).click()
  expect(Object.values((await sent).postDataJSON())[0]).toEqual({
    currentPassword: 'Wrong-Password-1!',
    newPassword: 'Breakwater-9!',
    confirmPassword: 'Breakwater-9!',
  })
  await expect(dialog.getByRole('alert')).toHaveText('Current password is incorrect')
})

test('the profile tab changes name and phone, and the welcome is updated immediately [PROFILE-01, PROFILE-02, PROFILE-04]', async ({
  page,
  site,
}) => {
  const account = await makeTenant(site)
  await signIn(page, site, account)
  await page.goto('/contact')
  const dialog = await open(page)
  const asked = page.waitForRequest(/accounts\.profile/)
  await dialog.getByRole('tab', { name: 'Profile' }).click()
  await asked
  await expectAccessible(page)
  await dialog.getByLabel('First name').fill('Marina')
  await dialog.getByLabel('Phone').fill('(850) 555-0123')
  await dialog.getByRole('button', { name: 'Save Profile' }).click()
  await expect(page.getByText('Profile updated successfully')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('banner').getByText('Welcome, Marina')).toBeVisible()
  const { user } = await call(site, 'GET', '/api/auth/profile', { token: await tokenOf(site, account) })
  expect(user).toMatchObject({ firstName: 'Marina', phone: '(850) 555-0123' })
})

test('a profile that fails to save or refresh is reported [PROFILE-03, PROFILE-04]', async ({
  page,
  site,
}) => {
  await signIn(page, site, await makeTenant(site))
  await page.goto('/contact')
  await failCall(page, 'accounts.profile', { status: 500 })
  await failCall(page, 'accounts.updateProfile', { status: 500 })
  const dialog = await open(page)
  await dialog.getByRole('tab', { name: 'Profile' }).click()
  await expect(page.getByText('Failed to refresh user data.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save Profile' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Profile update failed. Please try again.')
})

test('sessions and accounts survive a restart', async ({ page, site }) => {
  const account = await makeTenant(site)
  await signIn(page, site, account)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await site.restart()
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
})
