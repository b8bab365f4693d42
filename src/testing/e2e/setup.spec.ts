import type { Page } from '@playwright/test'
import type { BookingRulesValues } from '../../domain/bookings/booking-rules-form.ts'
import { addDays, formatShortDate, weekday } from '../../domain/common/dates.ts'
import { buildRate } from '../build-rate.ts'
import { failCall, makeTenant, signIn } from './accounts.ts'
import { apply, asAdmin, notifications, openAsAdmin } from './admin-pages.ts'
import { day, watchCalls } from './applications.ts'
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

test('rules that somebody else has saved are reported and can be loaded [RULE-02]', async ({
  page,
  site,
}) => {
  await openAsAdmin(page, site, '/admin/setup')
  await edit(page).click()
  await field(page, 'Maximum guests').fill('3')
  await setRules(site, { leadDays: 14 })
  await save(page).click()
  const notice = card(page).getByRole('alert')
  await expect(notice).toContainText('These settings were changed in the meantime by keeper@condo.example.')
  await expect(field(page, 'Maximum guests')).toHaveValue('3')
  await expectAccessible(page)
  await notice.getByRole('button', { name: 'Load Saved Settings' }).click()
  await expect(field(page, 'Maximum guests')).toHaveValue('')
  await expect(field(page, 'Days of notice')).toHaveValue('14')
  await field(page, 'Maximum guests').fill('3')
  await save(page).click()
  await expect(notifications(page).getByText('Booking rules saved')).toBeVisible()
  expect((await asAdmin(site, 'GET', path)).body).toMatchObject({ leadDays: 14, maxGuests: 3 })
})

test('a failed load can be retried, and a failed save keeps the input', async ({ page, site }) => {
  await failCall(page, 'setup.bookingRules.get', { status: 500 })
  await openAsAdmin(page, site, '/admin/setup')
  await expect(card(page).getByText('Failed to load booking rules')).toBeVisible()
  await expectAccessible(page)
  await page.unrouteAll()
  await card(page).getByRole('button', { name: 'Try Again' }).click()
  await edit(page).click()
  await field(page, 'Days of notice').fill('9')
  await failCall(page, 'setup.bookingRules.save', 'no answer')
  await save(page).click()
  await expect(card(page).getByText('Failed to save booking rules')).toBeVisible()
  await expect(field(page, 'Days of notice')).toHaveValue('9')
})

test('the application form shows each broken rule at its field before anything is sent [RULE-12]', async ({
  page,
  site,
}) => {
  const saturday = [...Array(7).keys()].map(days => day(40 + days)).find(date => weekday(date) === 6) ?? ''
  const { rate } = await asAdmin(
    site,
    'POST',
    '/api/rates/admin',
    buildRate({ period: 'Season', startDate: day(0), endDate: day(200), minStay: 7 }),
  )
  await setRules(site, { stayLength: true, leadDays: 30, windowDays: 90, arrivalWeekdays: [6], maxGuests: 1 })
  await signIn(page, site, await makeTenant(site))
  await page.goto('/application')
  const main = page.getByRole('main')
  const arrival = main.getByLabel('Desired lease start date')
  const departure = main.getByLabel('Desired lease end date')
  await arrival.fill(day(10))
  await expect(arrival).toHaveAccessibleDescription(
    `Please choose an arrival on ${formatShortDate(day(30))} or later.`,
  )
  await arrival.fill(addDays(saturday, 1))
  await expect(arrival).toHaveAccessibleDescription('Arrivals are possible on Saturday.')
  await arrival.fill(saturday)
  await expect(arrival).not.toHaveAttribute('aria-invalid')
  await departure.fill(addDays(saturday, 3))
  await expect(departure).toHaveAccessibleDescription('The minimum stay in Season is 7 nights.')
  await expect(main.getByText('At most 1 guest can stay, so no more guests can be added.')).toBeVisible()
  await expect(main.getByRole('button', { name: 'Add Guest' })).toBeDisabled()
  await main.getByLabel("Second applicant's first name").fill('Noah')
  await main.getByLabel("Second applicant's last name").fill('Rivers')
  await expect(main.getByText('You have named 2 people, applicants included.')).toBeVisible()
  await expectAccessible(page)
  const sent = watchCalls(page, 'applications.createAndSubmit')
  await main.getByRole('button', { name: 'Submit Application' }).click()
  await expect(page.getByText('Please fix the errors before submitting')).toBeVisible()
  await expect(main.getByText('At most 1 guest can stay.', { exact: true })).toBeVisible()
  expect(sent).toEqual([])
  await asAdmin(site, 'DELETE', `/api/rates/admin/${rate.id}`)
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

test('approving a stay that breaks the rules only shows a note [RULE-11]', async ({ page, site }) => {
  const { id } = await apply(site)
  await setRules(site, { leadDays: 300 })
  await openAsAdmin(page, site, `/admin/application/${id}`)
  await page.getByRole('button', { name: 'Approve' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('This stay breaks your booking rules')).toBeVisible()
  await expect(dialog).toContainText(`Please choose an arrival on ${formatShortDate(day(300))} or later.`)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect(notifications(page).getByText('Application status updated')).toBeVisible()
})
