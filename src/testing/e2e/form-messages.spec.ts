import type { Page } from '@playwright/test'
import { call, makeTenant, signIn } from './accounts.ts'
import { makeLease, scan } from './leases.ts'
import { expect, type Site, test } from './site.ts'

const notifications = (page: Page) => page.getByLabel('Notifications')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const endSession = (site: Site, token: string) => call(site, 'POST', '/api/auth/logout', { token })
const chooseScan = (page: Page) =>
  page.getByLabel('Signed lease', { exact: true }).and(page.locator('input')).setInputFiles(scan())

/** Checks immediately, because a toast would disappear shortly afterwards. */
async function expectNoToast(page: Page) {
  expect(await notifications(page).textContent()).toBe('')
}

test('an upload and a signature in an ended session each show one message [LOOK-35]', async ({
  page,
  site,
}) => {
  const account = await makeTenant(site)
  const token = await signIn(page, site, account)
  const { id } = await makeLease(site, token)
  await page.goto('/lease')
  await page.getByText('Prefer paper?').click()
  await chooseScan(page)
  await expect(notifications(page)).toHaveText('File selected successfully')
  await expect(notifications(page)).toHaveText('')
  await endSession(site, token)
  await button(page, 'Upload Signed Lease').click()
  await expect(page.getByText('Please log in to access your lease')).toBeVisible()
  await expectNoToast(page)

  const again = await signIn(page, site, account)
  await page.goto(`/application/${id}`)
  await page.getByRole('region', { name: 'Next step' }).getByRole('button', { name: 'Sign Lease' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign Lease' })
  await dialog.getByLabel('Your full name').fill('Maya Rivers')
  await dialog.getByRole('checkbox').check()
  await endSession(site, again)
  await dialog.getByRole('button', { name: 'Sign Lease' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Your session has ended. Please log in again.')).toHaveCount(1)
  await expectNoToast(page)
  await expect(page.locator('[role=alert]')).toHaveCount(0)
})
