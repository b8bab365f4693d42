import type { Page } from '@playwright/test'
import type { RateFormValues } from '../../domain/money/rate.ts'
import { buildRate } from '../build-rate.ts'
import { asAdmin, openAsAdmin } from './admin-pages.ts'
import { expectAccessible } from './axe.ts'
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
  await form(page).getByRole('button', { name: 'Create rate' }).click()
  await expect(row(page, 'Long winter')).toContainText('Carnival sets the price where they overlap')
  await expect(row(page, 'Carnival')).toContainText('Sets the price where it overlaps Long winter')
  await expectAccessible(page)

  await page.setViewportSize({ width: 390, height: 844 })
  const places = await Promise.all(
    ['Monthly', 'Weekly', 'Nightly', 'Min Stay'].map(label =>
      row(page, 'Carnival').getByText(label, { exact: true }).boundingBox(),
    ),
  )
  expect(new Set(places.map(place => place?.y)).size).toBe(1)
  const lefts = places.map(place => place?.x ?? 0)
  expect(lefts).toEqual(lefts.toSorted((a, b) => a - b))
})
