import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { buildTaxRule } from '../build-charge-rule.ts'
import { makeTenant, tokenOf } from './accounts.ts'
import { asAdmin, failOnly, notifications, numberOf, openAsAdmin } from './admin-pages.ts'
import { day } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { makeLease } from './leases.ts'
import { expect, type Site, test } from './site.ts'

// A separate site, so that this file knows all of its payments.
test.use({ siteEnv: { COMPANY_NAME: 'Books Test Rentals' } })

const thisYear = Number(day(0).slice(0, 4))
const lastYear = thisYear - 1
const row = (page: Page, table: string, name: string) =>
  page
    .getByRole('region', { name: `${table}, months` })
    .getByRole('row')
    .filter({ hasText: name })

/** A stay with State tax. */
async function taxedStay(site: Site) {
  await asAdmin(site, 'POST', '/api/charge/admin/taxes', buildTaxRule())
  const token = await tokenOf(site, await makeTenant(site))
  const { id } = await makeLease(site, token)
  return { id, number: await numberOf(site, id) }
}

const pay = (site: Site, applicationId: string, amount: number, paymentDate: string) =>
  asAdmin(site, 'POST', '/api/payment/admin/manual-payment', {
    paymentType: 'rent',
    applicationId,
    amount,
    paymentDate,
  })

test('an owner reads a year, opens a figure, notes a paid tax and closes the year; what changes later is shown [BOOK-16, BOOK-20, BOOK-23, BOOK-24]', async ({
  page,
  site,
}) => {
  await page.clock.setFixedTime(new Date())
  await openAsAdmin(page, site, '/admin/revenue/books')
  await expect(page).toHaveURL('/admin/revenue/books')
  await expect(page.getByText('A deposit is income only when you keep it.')).toBeVisible()
  await expect(page.getByText(`Nothing was received in ${thisYear}.`)).toBeVisible()
  await expectAccessible(page)

  const { id, number } = await taxedStay(site)
  await pay(site, id, 1060_00, `${lastYear}-03-10`)
  await page.reload()
  await page.getByLabel('Year', { exact: true }).selectOption(String(lastYear))
  await expect(page.getByText(`Income by month (${lastYear})`)).toBeVisible()
  await expect(row(page, 'Income', 'Rent')).toContainText('$1,000.00')
  await page.getByRole('button', { name: 'Rent, Mar: $1,000.00' }).click()
  const movements = page.getByRole('dialog', { name: `Rent, March ${lastYear}` })
  await expect(movements).toContainText('Together $1,000.00')
  await expect(movements.getByRole('row').nth(1)).toContainText(`${number}`)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Rent, Mar: $1,000.00' })).toBeFocused()

  await page.getByRole('tab', { name: 'Taxes' }).click()
  await page.getByRole('button', { name: 'Tax paid over' }).click()
  const form = page.getByRole('dialog', { name: 'Tax paid over' })
  await form.getByLabel('Amount').fill('60.01')
  await form.getByLabel('Paid on').fill(`${lastYear}-12-20`)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toContainText('Only $60.00 is collected and not yet paid over.')
  await form.getByLabel('Amount').fill('60')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(notifications(page).getByText('Tax payment noted')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Paid over' })).toContainText('$60.00 of State tax')
  await expect(row(page, 'State tax, Florida', 'Paid over')).toContainText('$60.00')
  await expectAccessible(page)
  for (const name of ['Liabilities', '1099-K', 'Occupancy']) {
    await page.getByRole('tab', { name }).click()
    await expect(page.getByRole('tabpanel').getByRole('table').first()).toBeVisible()
    await expectAccessible(page)
  }

  await page.getByRole('button', { name: `Close ${lastYear}` }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: `Close ${lastYear}` })
    .click()
  await expect(notifications(page).getByText(`${lastYear} closed`)).toBeVisible()
  await expect(page.getByText(/^Closed .*, version 1$/)).toBeVisible()
  await pay(site, id, 106_00, `${lastYear}-05-02`)
  await page.reload()
  await page.getByLabel('Year', { exact: true }).selectOption(String(lastYear))
  await page.getByText('Show the changes').click()
  await expect(
    page.getByRole('listitem').filter({ hasText: 'Rent, May: $0.00 then, $100.00 now' }),
  ).toBeVisible()

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download all movements, with names' }).click()
  const download = await saved
  expect(download.suggestedFilename()).toBe(`lines-${lastYear}.csv`)
  expect(await readFile(await download.path(), 'utf8')).toContain(`${lastYear}-05-02,${number},`)
})

test('books that cannot be read say so and are tried again; on a phone only the table scrolls [BOOK-22]', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await failOnly(page, 'books.year')
  await openAsAdmin(page, site, '/admin/revenue/books')
  await expect(page.getByText('Failed to load the books')).toBeVisible()
  await expectAccessible(page)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try Again' }).click()
  const table = page.getByRole('region', { name: 'Income, months' })
  await expect(table).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  expect(await table.evaluate(({ clientWidth, scrollWidth }) => scrollWidth > clientWidth)).toBe(true)
})
