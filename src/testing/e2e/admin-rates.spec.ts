import type { Page } from '@playwright/test'
import { formatShortDate } from '../../domain/common/dates.ts'
import type { RateFormValues } from '../../domain/money/rate.ts'
import { buildRate } from '../build-rate.ts'
import { failCall } from './accounts.ts'
import { asAdmin, notifications, openAsAdmin } from './admin-pages.ts'
import { expectAccessible } from './axe.ts'
import { changeResponse, recordInputs } from './responses.ts'
import { expect, type Site, test } from './site.ts'

// A separate site, because the list would show the rates of other tests.
test.use({ siteEnv: { COMPANY_NAME: 'Rates Test Rentals' } })

const table = (page: Page) => page.getByRole('table', { name: 'Rate periods' })
const row = (page: Page, name: string) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: `Edit ${name}`, exact: true }) })
const form = (page: Page) => page.getByRole('region', { name: /^(Add|Edit) Rate$/ })
const field = (page: Page, label: string) => form(page).getByLabel(label)
const addButton = (page: Page) => page.getByRole('button', { name: 'Add Rate' })

async function makeRate(site: Site, overrides: Partial<RateFormValues>): Promise<string> {
  return (await asAdmin(site, 'POST', '/api/rates/admin', buildRate(overrides))).rate.id
}

async function fillNeeded(page: Page, name: string) {
  await field(page, 'Period Name').fill(name)
  await field(page, 'Start Date').fill('2031-06-01')
  await field(page, 'End Date').fill('2031-08-31')
  await field(page, 'Monthly Rate').fill('3600')
}

test('the empty list suggests adding a rate, and a new period shows in the table [RATES-01, RATES-02, RATES-05, RATES-06, RATES-07, RATES-08]', async ({
  page,
  site,
}) => {
  await openAsAdmin(page, site, '/admin/rates')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Rates Management')
  await expect(page.getByText('Manage rental rates and pricing periods')).toBeVisible()
  await expect(page.getByText('No rates found')).toBeVisible()
  await expect(page.getByText('Get started by creating your first rate period.')).toBeVisible()
  await expect(form(page)).toHaveCount(0)
  await expectAccessible(page)

  await addButton(page).click()
  await expect(field(page, 'Active')).toBeChecked()
  await fillNeeded(page, 'High season')
  await field(page, 'Nightly Rate').fill('1160.5')
  await field(page, 'Weekend Night').fill('190')
  await field(page, 'Min Stay').fill('7')
  await form(page).getByRole('button', { name: 'Create Rate' }).click()
  await expect(notifications(page).getByText('Rate created successfully')).toBeVisible()
  await expect(form(page)).toHaveCount(0)
  await expect(table(page).getByRole('columnheader')).toHaveText([
    'Period',
    'Date Range',
    'Monthly',
    'Weekly',
    'Nightly',
    'Min Stay',
    'Status',
    'Actions',
  ])
  const cells = row(page, 'High season').getByRole('cell').locator('> div')
  await expect(cells.nth(0)).toHaveText('High season')
  await expect(cells.nth(1)).toHaveText(`${formatShortDate('2031-06-01')} – ${formatShortDate('2031-08-31')}`)
  await expect(cells.nth(2)).toHaveText('$3,600.00')
  await expect(cells.nth(3)).toHaveText('-')
  await expect(cells.nth(4)).toHaveText('$1,160.50$190.00 weekend')
  await expect(cells.nth(5)).toHaveText('7 nights')
  await expect(cells.nth(6)).toHaveText('Active')

  await addButton(page).click()
  await fillNeeded(page, 'Put away')
  await field(page, 'Active').uncheck()
  await form(page).getByRole('button', { name: 'Create Rate' }).click()
  await expect(row(page, 'Put away')).toContainText('Inactive')
  await expect(row(page, 'Put away').getByRole('cell').locator('> div').nth(4)).toHaveText('-')
})

test('a period can be edited, deleted after confirmation, and added by keyboard alone [RATES-09, RATES-18, RATES-19, RATES-21, RATES-22, TOAST-07]', async ({
  page,
  site,
}) => {
  const id = await makeRate(site, { period: 'Spring', monthly: 2750.5, weekly: null, minStay: 12 })
  await makeRate(site, { period: 'Blank' })
  await makeRate(site, { period: 'Doomed' })
  await changeResponse(page, 'rates.listAll', ({ rates }) => {
    for (const rate of rates as { period: string; minStay: number | null }[])
      if (rate.period === 'Blank') rate.minStay = null
  })
  await openAsAdmin(page, site, '/admin/rates')
  await page.getByRole('button', { name: 'Edit Blank' }).click()
  await expect(field(page, 'Min Stay')).toHaveValue('30')

  await page.getByRole('button', { name: 'Edit Spring' }).click()
  const values = {
    'Period Name': 'Spring',
    'Start Date': '2026-06-01',
    'End Date': '2026-08-31',
    'Monthly Rate': '2750.5',
    'Weekly Rate': '',
    'Nightly Rate': '160',
    'Weekend Night': '190',
    'Min Stay': '12',
  }
  for (const [label, value] of Object.entries(values)) await expect(field(page, label)).toHaveValue(value)
  const sent = recordInputs(page, 'rates.update')
  await field(page, 'Period Name').fill('Late spring')
  await field(page, 'Weekly Rate').fill('900.25')
  await form(page).getByRole('button', { name: 'Update Rate' }).click()
  await expect(notifications(page).getByText('Rate updated successfully')).toBeVisible()
  await expect(row(page, 'Late spring')).toContainText('$900.25')
  expect(sent).toMatchObject([{ id, period: 'Late spring', monthly: 2750.5, weekly: 900.25, minStay: 12 }])

  const asked: string[] = []
  const answer = (consent: boolean) =>
    page.once('dialog', async dialog => {
      asked.push(`${dialog.type()}: ${dialog.message()}`)
      await (consent ? dialog.accept() : dialog.dismiss())
    })
  const remove = page.getByRole('button', { name: 'Delete Doomed' })
  const removed = recordInputs(page, 'rates.remove')
  answer(false)
  await remove.click()
  expect(asked).toEqual(['confirm: Are you sure you want to delete this rate?'])
  await expect(remove).toBeEnabled()
  expect(removed).toEqual([])

  await failCall(page, 'rates.remove', { status: 404, message: 'Rate not found' })
  answer(true)
  await remove.click()
  await expect(notifications(page).getByText('Failed to delete rate')).toBeVisible()
  await expect(notifications(page).getByText('Rate not found')).toBeVisible()
  await page.unrouteAll()
  await expect(row(page, 'Doomed')).toBeVisible()

  answer(true)
  await remove.click()
  await expect(notifications(page).getByText('Rate deleted successfully')).toBeVisible()
  await expect(row(page, 'Doomed')).toHaveCount(0)

  await addButton(page).focus()
  await page.keyboard.press('Enter')
  await expect(field(page, 'Period Name')).toBeFocused()
  await page.keyboard.type('By keys')
  await page.keyboard.press('Tab')
  await page.keyboard.type('05012034')
  await field(page, 'End Date').focus()
  await page.keyboard.type('05312034')
  await field(page, 'Monthly Rate').focus()
  await page.keyboard.type('3100')
  await page.keyboard.press('Enter')
  await expect(row(page, 'By keys')).toContainText('May 1, 2034')
  await page.getByRole('button', { name: 'Edit By keys' }).focus()
  await page.keyboard.press('Enter')
  await expect(field(page, 'Period Name')).toBeFocused()
  await field(page, 'Monthly Rate').fill('3200')
  await page.keyboard.press('Enter')
  await expect(row(page, 'By keys')).toContainText('$3,200.00')
  await expect(page.getByRole('button', { name: 'Edit By keys' })).toBeFocused()
})

test('the form, the table and the phone view warn about overlapping active periods, which can still be saved [LOOK-28]', async ({
  page,
  site,
}) => {
  await makeRate(site, { period: 'Long winter', startDate: '2033-01-01', endDate: '2033-03-31' })
  await makeRate(site, { period: 'Draft', startDate: '2032-01-01', endDate: '2032-03-31', isActive: false })
  await openAsAdmin(page, site, '/admin/rates')
  // A period that sets no price comes last, regardless of its start date.
  await expect(table(page).getByRole('row').last()).toContainText('Draft')
  await addButton(page).click()
  await fillNeeded(page, 'Carnival')
  await field(page, 'Start Date').fill('2033-02-10')
  await field(page, 'End Date').fill('2033-04-02')
  await expect(form(page)).toContainText('Overlaps Long winter (Feb 10, 2033 – Mar 31, 2033).')
  await field(page, 'Active').uncheck()
  await expect(form(page)).not.toContainText('Overlaps')
  await field(page, 'Active').check()
  await form(page).getByRole('button', { name: 'Create Rate' }).click()
  await expect(row(page, 'Long winter')).toContainText('Carnival sets the price where they overlap')
  await expect(row(page, 'Carnival')).toContainText('Sets the price where it overlaps Long winter')
  await expectAccessible(page)

  await page.setViewportSize({ width: 390, height: 844 })
  const places = await Promise.all(
    ['Monthly', 'Weekly', 'Nightly', 'Min Stay'].map(label =>
      row(page, 'Carnival').getByText(label, { exact: true }).boundingBox(),
    ),
  )
  const [left = 0, right = 0] = [places[0]?.x, places[1]?.x]
  expect(places.map(place => place?.x)).toEqual([left, right, left, right])
  const [upper = 0, lower = 0] = [places[0]?.y, places[2]?.y]
  expect(places.map(place => place?.y)).toEqual([upper, upper, lower, lower])
  expect(lower).toBeGreaterThan(upper)
  await expectAccessible(page)
})
