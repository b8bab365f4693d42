import type { Page } from '@playwright/test'
import type { BookingRulesValues } from '../../domain/bookings/booking-rules-form.ts'
import { addDays, weekday } from '../../domain/common/dates.ts'
import { makeTenant, signIn } from './accounts.ts'
import { asAdmin, notifications, openAsAdmin } from './admin-pages.ts'
import { expectAccessible } from './axe.ts'
import { expect, type Site, test } from './site.ts'

// A separate site, because its rules would apply to the applications of other tests.
test.use({ siteEnv: { COMPANY_NAME: 'Setup Test Rentals' } })

const path = '/api/setup/admin/booking-rules'
async function setRules(site: Site, body: BookingRulesValues) {
  const { version } = await asAdmin(site, 'GET', path)
  return asAdmin(site, 'PUT', path, { version, body })
}
test.afterEach(async ({ site }) => {
  await setRules(site, {})
})

const card = (page: Page) => page.getByRole('region', { name: 'Booking Rules' })
const field = (page: Page, label: string) => card(page).getByLabel(label, { exact: true })
const edit = (page: Page) => card(page).getByRole('button', { name: 'Edit' })
const save = (page: Page) => card(page).getByRole('button', { name: 'Save' })

test('the bar links to the setup screen, which saves the booking rules [RULE-01, RULE-02]', async ({
  page,
  site,
}) => {
  await openAsAdmin(page, site, '/admin/availability')
  await page.getByRole('navigation').getByRole('link', { name: 'Setup' }).click()
  await expect(page).toHaveURL('/admin/setup')
  await expect(page).toHaveTitle(/^Setup \| /)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Setup')
  await expect(card(page)).toContainText('Arrival daysAny day')
  await edit(page).press('Enter')
  await expect(field(page, 'Hold guests to the min and max stay of the rates')).toBeFocused()
  for (const label of ['Days of notice', 'Days ahead', 'Maximum guests'])
    await expect(field(page, label)).toHaveValue('')
  for (const box of await card(page).getByRole('checkbox').all()) await expect(box).not.toBeChecked()
  await expectAccessible(page)

  await field(page, 'Days of notice').fill('30')
  await field(page, 'Days ahead').fill('20')
  await field(page, 'Maximum guests').fill('5')
  await save(page).click()
  await expect(field(page, 'Maximum guests')).toHaveAccessibleDescription(/whole number from 1 to 4/)
  await expect(field(page, 'Days ahead')).toBeFocused()
  await field(page, 'Maximum guests').fill('2')
  await save(page).click()
  await expect(field(page, 'Days ahead')).toHaveAccessibleDescription(
    /cannot be less than the days of notice/,
  )
  await expectAccessible(page)
  await field(page, 'Days ahead').fill('365')
  await field(page, 'Hold guests to the min and max stay of the rates').check()
  for (const name of ['Saturday', 'Friday', 'Monday']) await field(page, name).check()
  await field(page, 'Monday').uncheck()
  await page.keyboard.press('Tab')
  const siteFacts = page.waitForResponse(/site\.get/)
  await field(page, 'Maximum guests').press('Enter')
  await expect(notifications(page).getByText('Booking rules saved')).toBeVisible()
  // The public site data, which include the rules, are reloaded.
  expect((await siteFacts).ok()).toBe(true)
  const body = { stayLength: true, leadDays: 30, windowDays: 365, arrivalWeekdays: [5, 6], maxGuests: 2 }
  expect((await asAdmin(site, 'GET', path)).body).toEqual(body)
  await expect(edit(page)).toBeFocused()
  await page.reload()
  await expect(card(page)).toContainText('Arrival daysFriday and Saturday')
  await edit(page).click()
  await expect(field(page, 'Days of notice')).toHaveValue('30')
  await expect(field(page, 'Friday')).toBeChecked()
  await expect(field(page, 'Monday')).not.toBeChecked()
})

test('the form’s calendar offers only possible arrival days, and shows why others are not possible [RULE-12]', async ({
  page,
  site,
}) => {
  await setRules(site, { arrivalWeekdays: [6] })
  await signIn(page, site, await makeTenant(site))
  await page.goto('/application')
  const calendar = page.getByRole('region', { name: 'Availability calendar' })
  await calendar.getByRole('button', { name: 'Next month' }).click()
  const none = calendar.locator('[data-tone=noArrival]')
  await expect(none.first()).toHaveAccessibleName(/No arrival, Arrivals are possible on Saturday\.$/)
  await expect(none.first()).toHaveAttribute('aria-disabled', 'true')
  await expectAccessible(page)
  // The day shows its reason, but cannot be chosen.
  await none.first().click({ force: true })
  await expect(calendar.locator('[data-calendar-detail]')).toContainText('Arrivals are possible on Saturday.')
  await expect(page.getByLabel('Desired lease start date')).toHaveValue('')
  const saturday = calendar.locator('[data-tone=available]').first()
  await saturday.click()
  const chosen = await page.getByLabel('Desired lease start date').inputValue()
  expect(weekday(chosen)).toBe(6)
  // Any later day can be the departure.
  await calendar.locator('[data-tone=available]').first().click()
  await expect(page.getByLabel('Desired lease end date')).toHaveValue(addDays(chosen, 1))
})
