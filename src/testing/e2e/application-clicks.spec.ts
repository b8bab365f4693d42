import type { Page } from '@playwright/test'
import { apply, asAdmin, notifications, openAsAdmin } from './admin-pages.ts'
import { day } from './applications.ts'
import { uploadScan } from './leases.ts'
import { expect, type Site, test } from './site.ts'

// A separate site, whose tasks are not folded.
test.use({ siteEnv: { COMPANY_NAME: 'Application Clicks Rentals' } })

/** Opens the dashboard; returns how many clicks there were since. */
async function openDashboard(page: Page, site: Site) {
  await openAsAdmin(page, site, '/admin/dashboard')
  await expect(page.getByRole('region', { name: 'Needs you' })).toBeVisible()
  await page.evaluate(() => {
    sessionStorage.setItem('clicks', '0')
    const count = () => sessionStorage.setItem('clicks', `${Number(sessionStorage.getItem('clicks')) + 1}`)
    addEventListener('click', event => event.isTrusted && event.detail > 0 && count(), true)
  })
  return () => page.evaluate(() => Number(sessionStorage.getItem('clicks')))
}

const confirm = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
/** Presses the button of a task of today. */
const take = (page: Page, action: string, name: string) =>
  page.getByRole('link', { name: new RegExp(`^${action}: .*${name}`) }).click()
const says = (page: Page, text: string) => expect(notifications(page).getByText(text)).toBeVisible()

test("the owner's daily work takes few clicks from the dashboard", async ({ page, site }) => {
  await test.step('from the dashboard an application is answered and a lease generated in two clicks each, a check recorded in three [LOOK-92]', async () => {
    const { id, lastName, token } = await apply(site)
    const clicks = await openDashboard(page, site)
    await take(page, 'Decide', lastName)
    await confirm(page, 'Approve')
    await says(page, 'Application status updated')
    expect(await clicks()).toBe(2)

    const clicksForLease = await openDashboard(page, site)
    await take(page, 'Generate lease', lastName)
    await confirm(page, 'Generate lease')
    await says(page, 'Lease generated')
    expect(await clicksForLease()).toBe(2)

    await uploadScan(site, token, id)
    const clicksForCheck = await openDashboard(page, site)
    await take(page, 'Send reminder', lastName)
    await page.getByRole('button', { name: 'Record a payment instead' }).click()
    await confirm(page, 'Add payment')
    await says(page, 'Manual payment added successfully!')
    expect(await clicksForCheck()).toBe(3)
  })
  await test.step('from the dashboard a guest who owes is reminded in two clicks [LOOK-67, LOOK-70, LOOK-92]', async () => {
    const { id, lastName, token } = await apply(site, 'approved')
    await asAdmin(site, 'POST', `/api/lease/generate/${id}`, {})
    await uploadScan(site, token, id)
    const clicks = await openDashboard(page, site)
    await take(page, 'Send reminder', lastName)
    await confirm(page, 'Send')
    await says(page, 'The reminder is on its way')
    expect(await clicks()).toBe(2)
  })
  await test.step('from the dashboard a deposit is returned in at most three clicks [LOOK-92]', async () => {
    const { id, lastName } = await apply(site, 'approved')
    const past = { requestedStartDate: day(-20), requestedEndDate: day(-10) }
    await asAdmin(site, 'PUT', `/api/application/admin/${id}/edit`, past)
    const deposit = { amount: 500_00, paymentType: 'deposit', applicationId: id }
    await asAdmin(site, 'POST', '/api/payment/admin/manual-payment', deposit)
    const clicks = await openDashboard(page, site)
    await take(page, 'Return .500.00', lastName)
    await confirm(page, 'Save')
    await says(page, 'Money given back was recorded')
    expect(await clicks()).toBe(2)
  })
})
