import type { Page } from '@playwright/test'
import { apply, asAdmin, openAsAdmin } from './admin-pages.ts'
import { makeApplication, watchCalls } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { expect, type Site, test } from './site.ts'

const tenantCard = (page: Page) => page.getByRole('region', { name: 'Tenant' })
const rows = (page: Page) =>
  page.getByRole('table', { name: 'Payments of this tenant' }).locator('tbody').getByRole('row')
const total = (page: Page, label: string) =>
  page.locator('dl').filter({ has: page.getByText(label, { exact: true }) })

async function userIdOf(site: Site, applicationId: string): Promise<string> {
  return (await asAdmin(site, 'GET', `/api/application/admin/${applicationId}`)).application.userId.id
}

async function paid(site: Site) {
  const tenant = await apply(site, 'approved')
  const other = await makeApplication(site, tenant.token, 'pending', { lastName: tenant.lastName })
  const payment = {
    paymentType: 'rent',
    checkNumber: '1042',
    notes: 'Rang the bell',
    paymentDate: '2026-02-03',
  }
  for (const [applicationId, amount] of [
    [tenant.id, 1500_00],
    [other, 250_25],
  ])
    await asAdmin(site, 'POST', '/api/payment/admin/manual-payment', { ...payment, applicationId, amount })
  return { ...tenant, other, userId: await userIdOf(site, tenant.id) }
}

test('a deep link shows the payments with the summary and the name from the server, from the application without a request [ADMHIST-01, ADMHIST-02, ADMHIST-03, LOOK-28]', async ({
  page,
  site,
}) => {
  const { account, id, number, other, userId } = await paid(site)
  await openAsAdmin(page, site, `/admin/payment/history/${userId}`)
  await expect(tenantCard(page)).toContainText(`${account.firstName} ${account.lastName}`)
  await expect(tenantCard(page)).toContainText(account.email)
  await expect(tenantCard(page)).not.toContainText(userId)
  await expect(rows(page)).toHaveCount(2)
  await expect(rows(page).filter({ hasText: number })).toContainText('$1,500.00')
  await expect(rows(page).filter({ hasText: number })).toContainText('Rang the bell')
  await expect(rows(page).filter({ hasText: number })).toContainText('Feb 3, 2026')
  await expect(total(page, 'Total Payments')).toContainText('2')
  await expect(total(page, 'Total Amount')).toContainText('$1,750.25')
  await expect(total(page, 'Successful')).toContainText('2')
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  const tops = await Promise.all(
    ['Total Payments', 'Total Amount', 'Successful'].map(
      async label => (await total(page, label).boundingBox())?.y,
    ),
  )
  expect(new Set(tops).size).toBe(1)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 900 })

  await page.goto(`/admin/payment/history/${userId}?applicationId=${other}`)
  await expect(rows(page)).toHaveCount(1)
  await expect(total(page, 'Total Amount')).toContainText('$250.25')
  await page.getByRole('link', { name: 'Show all payments of this tenant' }).click()
  await expect(rows(page)).toHaveCount(2)
  await page.getByRole('link', { name: `View application ${number}` }).click()
  await expect(page).toHaveURL(`/admin/application/${id}`)

  const asked = watchCalls(page, 'accounts.getUser')
  await page.getByRole('link', { name: /View .*payment/ }).click()
  await expect(page).toHaveURL(`/admin/payment/history/${userId}`)
  await expect(tenantCard(page)).toContainText(`${account.firstName} ${account.lastName}`)
  await expect(rows(page)).toHaveCount(2)
  expect(asked).toEqual([])

  await page.reload()
  await expect(tenantCard(page)).toContainText(`${account.firstName} ${account.lastName}`)
  await page.getByRole('link', { name: 'Back to Admin Dashboard' }).click()
  await expect(page).toHaveURL('/admin/dashboard')

  // The previous screen passed on the name of another tenant.
  await page.evaluate(
    path => history.replaceState({ tenantId: 'somebody else', tenantName: 'Not Them' }, '', path),
    `/admin/payment/history/${userId}`,
  )
  await page.reload()
  await expect(tenantCard(page)).toContainText(`${account.firstName} ${account.lastName}`)
  await expect(page.getByText('Not Them')).toHaveCount(0)
})
