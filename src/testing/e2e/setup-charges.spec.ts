import type { Page } from '@playwright/test'
import { addMonths, dateIn } from '../../domain/common/dates.ts'
import { buildRate } from '../build-rate.ts'
import { call } from './accounts.ts'
import { asAdmin, notifications, openAsAdmin } from './admin-pages.ts'
import { expectAccessible } from './axe.ts'
import { expect, type Site, test } from './site.ts'

// A separate site, because its fees would change the estimates in other tests.
test.use({ siteEnv: { COMPANY_NAME: 'Charges Test Rentals' } })

const fees = '/api/charge/admin/fees'
const taxes = '/api/charge/admin/taxes'
async function removeRules(site: Site) {
  for (const { id } of (await asAdmin(site, 'GET', fees)).fees) await asAdmin(site, 'DELETE', `${fees}/${id}`)
  for (const { id } of (await asAdmin(site, 'GET', taxes)).taxes)
    await asAdmin(site, 'DELETE', `${taxes}/${id}`)
}

const card = (page: Page, name: string) => page.getByRole('region', { name })
const dialogField = (page: Page, name: string) =>
  page.getByRole('dialog').getByLabel(new RegExp(`^${name}( \\*)?$`))
const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()

/** Chooses the second week of the month after next, at $1,050.00 a week. */
async function chooseStay(page: Page, site: Site) {
  const month = addMonths(dateIn(new Date(), 'America/New_York'), 2).slice(0, 7)
  const { rates } = await call(site, 'GET', '/api/rates')
  if (!rates.some(({ period }: { period: string }) => period === 'Charged'))
    await asAdmin(
      site,
      'POST',
      '/api/rates/admin',
      buildRate({ period: 'Charged', startDate: `${month}-10`, endDate: `${month}-17` }),
    )
  await page.goto('/')
  await page.getByRole('button', { name: 'Next month' }).scrollIntoViewIfNeeded()
  // Clicks work only after hydration.
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('#availability table button') ?? {}).some(key =>
      key.startsWith('__reactProps'),
    ),
  )
  await page.getByRole('button', { name: 'Next month' }).click()
  for (const day of ['10', '17']) await page.locator(`td[data-day="${month}-${day}"] button`).click()
  return page.getByRole('region', { name: 'Your stay' })
}

test('fees and taxes are set up, and estimated for a visitor', async ({ page, site }) => {
  await test.step('the number of guests is requested if a fee depends on it, and a broken rule prevents an application [CHG-17]', async () => {
    await asAdmin(site, 'POST', fees, {
      kind: 'fee',
      name: 'Linen',
      per: 'guest',
      amountCents: 12_50,
      required: true,
    })
    const rules = '/api/setup/admin/booking-rules'
    const { version } = await asAdmin(site, 'GET', rules)
    await asAdmin(site, 'PUT', rules, { version, body: { maxGuests: 2 } })
    const summary = await chooseStay(page, site)
    await expect(summary.getByText('Linen (1 guest × $12.50)')).toBeVisible()
    await summary.getByLabel('Guests').selectOption('2')
    await expect(summary.getByText('Linen (2 guests × $12.50)')).toBeVisible()
    await summary.getByLabel('Guests').selectOption('3')
    await expect(summary.getByText('At most 2 guests can stay.')).toBeVisible()
    await expect(summary.getByRole('button', { name: 'Apply for these dates' })).toBeDisabled()
    await asAdmin(site, 'PUT', rules, { version: version + 1, body: {} })
  })
  await removeRules(site)
  await test.step('an owner in Florida sets up a fee and two taxes, and a visitor sees them in the estimate [CHG-11, CHG-17]', async () => {
    await openAsAdmin(page, site, '/admin/rates/fees')
    const feesCard = card(page, 'Fees and discounts')
    const taxesCard = card(page, 'Taxes')
    await expect(feesCard.getByText('No fees yet')).toBeVisible()

    await feesCard.getByRole('button', { name: 'Fill in an example' }).click()
    await expect(dialogField(page, 'Name')).toHaveValue('Cleaning fee')
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect((await asAdmin(site, 'GET', fees)).fees).toEqual([])
    await feesCard.getByRole('button', { name: 'Fill in an example' }).click()
    await dialogField(page, 'Amount').fill('0')
    await save(page)
    await expect(dialogField(page, 'Amount')).toHaveAccessibleDescription(/from \$0\.01/)
    await dialogField(page, 'Amount').fill('175')
    await save(page)
    await expect(notifications(page).getByText('Fee saved')).toBeVisible()
    await expect(feesCard.getByText('$175.00 per stay · In every estimate · Taxable')).toBeVisible()

    await page.getByRole('link', { name: 'Taxes', exact: true }).click()
    await expect(taxesCard.getByText('No taxes yet')).toBeVisible()
    await taxesCard.getByRole('button', { name: 'Fill in an example' }).click()
    await save(page)
    await expect(notifications(page).getByText('Tax saved')).toBeVisible()
    await taxesCard.getByRole('button', { name: 'Add tax' }).click()
    await dialogField(page, 'Name').fill('County tax')
    await dialogField(page, 'Authority').fill('florida')
    await dialogField(page, 'Percent').fill('5')
    await save(page)
    await expect(dialogField(page, 'First arrival')).toHaveAccessibleDescription(
      /Another tax of this authority is valid in that time: State tax\./,
    )
    await dialogField(page, 'Authority').fill('Bay County')
    await save(page)
    await expect(taxesCard.getByText('5% of rent and taxable fees · Bay County')).toBeVisible()
    await asAdmin(site, 'POST', fees, { kind: 'fee', name: 'Pet fee', per: 'stay', amountCents: 200_00 })

    const summary = await chooseStay(page, site)
    for (const [term, amount] of [
      ['Cleaning fee', '$175.00'],
      ['State tax (6% of $1,225.00)', '$73.50'],
      ['County tax (5% of $1,225.00)', '$61.25'],
      ['Estimated total', '$1,359.75'],
      ['Plus security deposit', '$500.00'],
    ])
      await expect(
        summary.locator('dl > div').filter({ has: page.getByText(term ?? '', { exact: true }) }),
      ).toContainText(amount ?? '')
    await expect(summary.getByText('Estimated total')).toHaveCount(1)
    await expect(summary.getByText('Optional: Pet fee $200.00')).toBeVisible()
    await expect(summary.getByLabel('Guests')).toHaveCount(0)
    await expect(summary.getByRole('link', { name: 'Apply for these dates' })).toBeVisible()
    await expectAccessible(page)
  })
})
