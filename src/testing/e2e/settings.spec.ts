import type { Page } from '@playwright/test'
import { call, makeTenant, signIn, tokenOf } from './accounts.ts'
import { expectAccessible } from './axe.ts'
import { expect, test } from './site.ts'

const open = async (page: Page) => {
  await page.getByRole('banner').getByRole('button', { name: 'Settings' }).click()
  return page.getByRole('dialog', { name: 'Settings' })
}

test('a password change closes the dialog after 2 seconds, and keeps only this session, also after a restart [PWD-06, PWD-16, PWD-20]', async ({
  page,
  site,
}) => {
  const account = await makeTenant(site)
  const elsewhere = await tokenOf(site, account)
  await signIn(page, site, account)
  await page.goto('/contact')
  const dialog = await open(page)
  const submit = dialog.getByRole('button', { name: 'Change Password' })
  await submit.click()
  await expect(dialog.getByText('Current password is required')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('tab', { name: 'Profile' }).click()
  await expect(page.getByRole('button', { name: 'Save profile' })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('tab', { name: 'Password' }).click()
  await dialog.getByLabel('Current password').fill(account.password)
  await dialog.getByLabel('New password').fill('driftwood')
  await dialog.getByLabel('Confirm password').fill('driftwood')
  const sent = page.waitForRequest(/accounts\.changePassword/)
  await submit.click()
  expect(Object.keys(Object.values((await sent).postDataJSON())[0] as object).toSorted()).toEqual([
    'confirmPassword',
    'currentPassword',
    'newPassword',
  ])
  await expect(dialog.getByText('Password changed successfully!')).toBeVisible()
  await page.waitForTimeout(1_200)
  await expect(dialog).toBeVisible()
  await expect(dialog).toHaveCount(0, { timeout: 2_000 })
  await expect(call(site, 'GET', '/api/auth/verify', { token: elsewhere })).rejects.toThrow('401')
  await site.restart()
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
})
