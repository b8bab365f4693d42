import type { Locator, Page } from '@playwright/test'
import { formatCents } from '../../domain/common/money.ts'
import { usStates } from '../../domain/common/us-states.ts'
import { adminToken, call, failCall, makeTenant, signIn, tokenOf } from './accounts.ts'
import { day, freeStay, makeApplication, watchCalls } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { expect, type Site, test } from './site.ts'

const startDate = 'Desired lease start date'
const endDate = 'Desired lease end date'

async function openForm(page: Page, site: Site): Promise<string> {
  const token = await signIn(page, site, await makeTenant(site))
  await page.goto('/application')
  await expect(page.getByRole('heading', { name: 'Rental Application' })).toBeVisible()
  return token
}

const field = (page: Page, label: string) => page.getByRole('main').getByLabel(label)
const guest = (page: Page, number: number) => page.getByRole('group', { name: `Guest ${number}` })
const submit = (page: Page) => page.getByRole('button', { name: 'Submit Application' }).click()

/** Expects this error message below a field. */
async function expectError(control: Locator, message: string) {
  await expect(control).toHaveAttribute('aria-invalid', 'true')
  await expect(control).toHaveAccessibleDescription(new RegExp(message.replace(/[()]/g, '.')))
}

async function fillValid(page: Page, { requestedStartDate, requestedEndDate } = freeStay()) {
  await field(page, startDate).fill(requestedStartDate)
  await field(page, endDate).fill(requestedEndDate)
  await field(page, 'Phone').fill('(850) 555-0142')
  await field(page, 'Street address').fill('12 Pine Street')
  await field(page, 'City').fill('Mobile')
  await field(page, 'State').selectOption('AL')
  await field(page, 'ZIP code').fill('36602')
}

test('the form has its fields, and an empty form shows the missing fields and sends nothing [FORM-01, FORM-02, FORM-07, FORM-08, FORM-09, FORM-28]', async ({
  page,
  site,
}) => {
  await openForm(page, site)
  const required = {
    'Desired lease start date': 'Please select your desired lease start date',
    'Desired lease end date': 'Please select your desired lease end date',
    'Street address': 'Street address is required',
    City: 'City is required',
    State: 'State is required',
    'ZIP code': 'ZIP code is required',
    Phone: 'Phone number is required',
  }
  const names = page.getByRole('region', { name: 'About you' })
  await names.getByLabel('First name').fill('')
  await names.getByLabel('Last name').fill('  ')
  const options = await field(page, 'State')
    .locator('option')
    .evaluateAll(all => all.map(option => (option as HTMLOptionElement).value))
  expect(options).toEqual(['', ...Object.keys(usStates)])
  await expectAccessible(page)

  const sent = watchCalls(page, 'applications.createAndSubmit')
  await submit(page)
  await expect(page.getByText('Please fix the errors before submitting')).toBeVisible()
  for (const [label, message] of Object.entries(required)) {
    await expect(field(page, label)).toHaveAttribute('aria-required', 'true')
    await expectError(field(page, label), message)
  }
  await expectError(names.getByLabel('First name'), 'First name is required')
  await expectError(names.getByLabel('Last name'), 'Last name is required')
  await expect(field(page, startDate)).toBeFocused()
  for (const label of ["Second applicant's first name", "Second applicant's last name"])
    await expect(field(page, label)).not.toHaveAttribute('aria-invalid')
  await expectAccessible(page)
  expect(sent).toEqual([])
})

test('an invalid phone or ZIP and incomplete names each show a message [FORM-17, FORM-18, FORM-23, FORM-24, FORM-25, FORM-26]', async ({
  page,
  site,
}) => {
  await openForm(page, site)
  await fillValid(page)
  await field(page, 'Phone').fill('0850 555 0142')
  await field(page, 'ZIP code').fill('36602-12')
  await field(page, "Second applicant's first name").fill('Noah')
  for (const number of [1, 2]) {
    await page.getByRole('button', { name: 'Add Guest' }).click()
    await guest(page, number)
      .getByLabel(number === 1 ? 'First name' : 'Last name')
      .fill('Lina')
  }
  await submit(page)
  await expectError(field(page, 'Phone'), 'Please enter a valid phone number')
  await expectError(field(page, 'ZIP code'), 'Please enter a valid ZIP code')
  await expectError(field(page, "Second applicant's last name"), 'Last name is required for second applicant')
  await expectError(guest(page, 1).getByLabel('Last name'), 'Last name is required for additional guest')
  await expectError(guest(page, 2).getByLabel('First name'), 'First name is required for additional guest')

  await field(page, 'Phone').fill('+1 850-555-0142')
  await field(page, 'ZIP code').fill('36602-1234')
  await field(page, "Second applicant's first name").fill('')
  await field(page, "Second applicant's last name").fill('Rivers')
  await expect(field(page, 'Phone')).not.toHaveAttribute('aria-invalid')
  await expect(field(page, 'ZIP code')).not.toHaveAttribute('aria-invalid')
  await expectError(
    field(page, "Second applicant's first name"),
    'First name is required for second applicant',
  )
})

test('the date fields reject past dates and reversed ranges, and limit each other [FORM-19, FORM-20, FORM-21, FORM-22]', async ({
  page,
  site,
}) => {
  await openForm(page, site)
  const [start, end] = [field(page, startDate), field(page, endDate)]
  await expect(start).toHaveAttribute('min', day(0))
  await start.fill(day(20))
  await expect(end).toHaveAttribute('min', day(20))
  await end.fill(day(30))
  await start.fill(day(29))
  await expect(end).toHaveValue(day(30))
  await start.fill(day(30))
  await expect(end).toHaveValue('')

  await end.fill(day(30))
  await submit(page)
  await expectError(end, 'End date must be after start date')
  await end.fill(day(31))
  await expect(end).not.toHaveAttribute('aria-invalid')
  await fillValid(page, { requestedStartDate: day(-3), requestedEndDate: day(31) })
  await submit(page)
  await expectError(start, 'The start date cannot be in the past')
})

test('guests can be added and removed, are adults by default, and are limited to what the condo sleeps [FORM-03, FORM-04, FORM-37, FIX-17]', async ({
  page,
  site,
}) => {
  await openForm(page, site)
  await fillValid(page)
  const sent = watchCalls(page, 'applications.createAndSubmit')
  const guests = page.getByRole('region', { name: 'Additional guests' })
  const full = guests.getByText('The condo sleeps 4, so no more guests can be added.')
  const add = page.getByRole('button', { name: 'Add Guest' })
  for (const [index, name] of ['Lina', 'Ben', 'Ana'].entries()) {
    await add.click()
    const fields = guest(page, index + 1)
    await expect(fields.getByLabel('First name')).toBeFocused()
    await expect(fields.getByLabel('Adult (18+ years old)')).toBeChecked()
    await fields.getByLabel('First name').fill(name)
    await fields.getByLabel('Last name').fill('Lee')
    if (index < 2) await expect(page.getByText('The condo sleeps 4')).toHaveCount(0)
  }
  await expect(full).toBeVisible()
  await expect(add).toBeDisabled()
  await expect(add).toHaveAccessibleDescription(/no more guests can be added/)
  await expectAccessible(page)
  await field(page, "Second applicant's first name").fill('Noah')
  await field(page, "Second applicant's last name").fill('Lee')
  await expect(guests.getByText('You have named 5 people, applicants included.')).toBeVisible()
  await expectAccessible(page)
  await submit(page)
  await expect(guests.getByRole('alert')).toHaveText('The condo sleeps 4 people, applicants included')
  expect(sent).toEqual([])
  await page.getByRole('button', { name: 'Remove guest 2' }).click()
  await expect(guests.getByRole('alert')).toHaveCount(0)
  await expect(full).toBeVisible()
  await field(page, "Second applicant's first name").fill('')
  await field(page, "Second applicant's last name").fill('')
  await expect(page.getByText('The condo sleeps 4')).toHaveCount(0)
  await page.getByRole('button', { name: 'Remove guest 2' }).click()
  await expect(add).toBeFocused()
  await add.click()
  await guest(page, 2).getByLabel('First name').fill('Ana')
  await guest(page, 2).getByLabel('Last name').fill('Lee')
  await expect(guest(page, 3)).toHaveCount(0)
  await submit(page)
  await expect(page).toHaveURL('/dashboard')
  expect(sent).toHaveLength(1)
})

test('a complete application is sent once and shows on the dashboard as submitted [FORM-06, FORM-27, FORM-29, FORM-30]', async ({
  page,
  site,
}) => {
  const token = await openForm(page, site)
  const dates = freeStay()
  await fillValid(page, dates)
  await field(page, "Second applicant's first name").fill('Noah')
  await field(page, "Second applicant's last name").fill('Rivers')
  for (let added = 0; added < 3; added++) await page.getByRole('button', { name: 'Add Guest' }).click()
  await guest(page, 1).getByLabel('First name').fill('Lina')
  await guest(page, 1).getByLabel('Last name').fill('Rivers')
  await guest(page, 1).getByLabel('Adult (18+ years old)').uncheck()
  const sent = watchCalls(page, 'applications.createAndSubmit')
  await page.getByRole('button', { name: 'Submit Application' }).dblclick()

  await expect(page.getByText('Application submitted successfully!')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByText('Submitted', { exact: true })).toBeVisible()
  expect(sent).toHaveLength(1)
  const { requestId, ...application } = JSON.parse(sent[0] ?? '')[0]
  expect(requestId).toMatch(/^[\da-f-]{36}$/)
  expect(application).toEqual({
    firstName: 'Maya',
    lastName: 'Rivers',
    secondApplicantFirstName: 'Noah',
    secondApplicantLastName: 'Rivers',
    phone: '(850) 555-0142',
    address: { street: '12 Pine Street', city: 'Mobile', state: 'AL', zipCode: '36602' },
    ...dates,
    additionalGuests: [{ firstName: 'Lina', lastName: 'Rivers', isAdult: false }],
  })
  const { applications } = await call(site, 'GET', '/api/application/status', { token })
  expect(applications).toMatchObject([{ status: 'pending', ...dates }])
})

test('Cancel goes back and sends nothing [FORM-05]', async ({ page, site }) => {
  await openForm(page, site)
  await fillValid(page)
  const sent = watchCalls(page, 'applications.createAndSubmit')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByText('Ready to Get Started?')).toBeVisible()
  expect(sent).toEqual([])
  await page.goto('/application')
  await expect(field(page, 'Phone')).toHaveValue('')
})

test('nights that were booked in the meantime show an error at their field, and nothing is stored [FORM-31, FORM-32, FORM-36]', async ({
  page,
  site,
}) => {
  const dates = freeStay()
  const token = await openForm(page, site)
  await fillValid(page, dates)
  const other = await tokenOf(site, await makeTenant(site))
  await makeApplication(site, other, 'approved', dates)
  await submit(page)
  const notice = page.getByLabel('Notifications')
  await expect(notice.getByText('Failed to create application')).toBeVisible()
  await expect(notice.getByText('These dates are no longer available:')).toBeVisible()
  await expectError(field(page, startDate), 'These dates are no longer available:')
  await expect(field(page, startDate)).toBeFocused()
  await expect(field(page, startDate)).toHaveValue(dates.requestedStartDate)
  await expect(field(page, 'Street address')).toHaveValue('12 Pine Street')
  const { applications } = await call(site, 'GET', '/api/application/status', { token })
  expect(applications).toEqual([])

  const free = freeStay()
  await field(page, startDate).fill(free.requestedStartDate)
  await field(page, endDate).fill(free.requestedEndDate)
  await submit(page)
  await expect(page).toHaveURL('/dashboard')
})

test('a submission without a response is reported, and a retry creates only one application [FORM-34, TOAST-08]', async ({
  page,
  site,
}) => {
  const token = await openForm(page, site)
  await fillValid(page)
  // The server processes the request, but the response never arrives.
  await page.route(/applications\.createAndSubmit/, async route => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await submit(page)
  const notice = page.getByLabel('Notifications')
  await expect(notice.getByText('Failed to submit application. Please try again.')).toBeVisible()
  await page.unrouteAll()
  await page.reload()
  await expect(page.getByText('We kept what you entered')).toBeVisible()
  await submit(page)
  await expect(page).toHaveURL('/dashboard')
  const { applications } = await call(site, 'GET', '/api/application/status', { token })
  expect(applications).toHaveLength(1)
})

test('a server error shows only the default message, and keeps the values [TOAST-07]', async ({
  page,
  site,
}) => {
  await openForm(page, site)
  await fillValid(page)
  await failCall(page, 'applications.createAndSubmit', { status: 500, message: 'no such table' })
  await submit(page)
  const notice = page.getByLabel('Notifications')
  await expect(notice.getByText('Failed to create application')).toBeVisible()
  await expect(page.getByText('no such table')).toHaveCount(0)
  await page.unrouteAll()
  await failCall(page, 'applications.createAndSubmit', {
    status: 403,
    message: 'Only the tenant can do this.',
  })
  await submit(page)
  await expect(notice.getByText('Only the tenant can do this.')).toBeVisible()
  await expect(field(page, 'City')).toHaveValue('Mobile')
})

test('a reload keeps the input, but only for the same tenant and tab', async ({ page, site }) => {
  await openForm(page, site)
  await field(page, 'Phone').fill('850 555 0142')
  await page.getByRole('button', { name: 'Add Guest' }).click()
  await guest(page, 1).getByLabel('First name').fill('Lina')
  await page.reload()
  await expect(page.getByText('We kept what you entered')).toBeVisible()
  await expect(field(page, 'Phone')).toHaveValue('850 555 0142')
  await expect(guest(page, 1).getByLabel('First name')).toHaveValue('Lina')

  await openForm(page, site)
  await expect(field(page, 'Phone')).toHaveValue('')
  await expect(guest(page, 1)).toHaveCount(0)
  const kept = () => page.evaluate(() => sessionStorage.getItem('applicationDraft'))
  expect(await kept()).toBeNull()

  await field(page, 'Phone').fill('850 555 0143')
  expect(await kept()).toContain('850 555 0143')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  expect(await kept()).toBeNull()
})

test('the complete form can be filled in and submitted by keyboard alone', async ({ page, site }) => {
  await openForm(page, site)
  const { requestedStartDate, requestedEndDate } = freeStay()
  const asTyped = (date: string) => date.replace(/(\d{4})-(\d\d)-(\d\d)/, '$2$3$1')
  const tabTo = async (target: Locator) => {
    for (let presses = 0; presses < 20; presses++) {
      await page.keyboard.press('Tab')
      if (await target.evaluate(element => element === document.activeElement)) return
    }
    throw new Error('not reached by Tab')
  }
  const entries = [
    [startDate, asTyped(requestedStartDate)],
    [endDate, asTyped(requestedEndDate)],
    ['Phone', '8505550142'],
    ['Street address', '12 Pine Street'],
    ['City', 'Mobile'],
    ['State', 'Alab'],
    ['ZIP code', '36602'],
  ] as const
  await page.getByRole('link', { name: 'Application', exact: true }).focus()
  for (const [label, text] of entries) {
    await tabTo(field(page, label))
    await page.keyboard.type(text)
  }
  await tabTo(page.getByRole('button', { name: 'Add Guest' }))
  await page.keyboard.press('Enter')
  await expect(guest(page, 1).getByLabel('First name')).toBeFocused()
  await page.keyboard.type('Lina')
  await tabTo(guest(page, 1).getByLabel('Last name'))
  await page.keyboard.type('Rivers')
  await tabTo(guest(page, 1).getByLabel('Adult (18+ years old)'))
  await page.keyboard.press(' ')
  await tabTo(page.getByRole('button', { name: 'Submit Application' }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('Application submitted successfully!')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
})

test('dates from the home page are filled in with an estimate, and Start Over clears them', async ({
  page,
  site,
}) => {
  const dates = freeStay(2)
  const owner = await adminToken(site)
  const rate = {
    period: 'Quiet days',
    startDate: dates.requestedStartDate,
    endDate: dates.requestedEndDate,
    monthly: 3000,
    nightly: 150,
    weekendNight: 150,
  }
  await call(site, 'POST', '/api/rates/admin', { token: owner, body: rate })
  await signIn(page, site, await makeTenant(site))
  const stay = { start: dates.requestedStartDate, end: dates.requestedEndDate }
  await page.evaluate(value => sessionStorage.setItem('stay', JSON.stringify(value)), stay)
  await page.goto('/application')
  await expect(field(page, startDate)).toHaveValue(stay.start)
  await expect(field(page, endDate)).toHaveValue(stay.end)
  const estimate = page.getByRole('region', { name: 'Estimate' })
  await expect(estimate).toContainText('2 nights, Quiet days')
  await expect(estimate).toContainText(formatCents(300_00))
  await expect(estimate).toContainText('Your lease sets the final amount.')

  await field(page, endDate).fill(day(700))
  await page.reload()
  await expect(field(page, endDate)).toHaveValue(day(700))
  await page.getByRole('button', { name: 'Start Over' }).click()
  await expect(field(page, startDate)).toHaveValue('')
  await expect(page.getByText('We kept what you entered')).toHaveCount(0)
})

test('the calendar shows booked nights, follows the typed dates, and can be used by keyboard', async ({
  page,
  site,
}) => {
  // Inside the months that the calendar shows, and before the dates that freeStay returns.
  const taken = { requestedStartDate: day(31), requestedEndDate: day(35) }
  const other = await tokenOf(site, await makeTenant(site))
  await makeApplication(site, other, 'approved', taken)
  await openForm(page, site)
  await field(page, startDate).fill(taken.requestedStartDate)
  const calendar = page.getByRole('region', { name: 'Availability calendar' })
  const dayButton = (date: string) =>
    calendar.locator(`[data-day="${date}"] button, button[data-day="${date}"]`)
  await expect(dayButton(taken.requestedStartDate)).toHaveAttribute('data-tone', 'booked')
  await field(page, endDate).fill(taken.requestedEndDate)
  await expect(page.getByText('Some of these nights are not available')).toBeVisible()

  const arrival = dayButton(taken.requestedEndDate)
  await arrival.focus()
  await page.keyboard.press(' ')
  await expect(field(page, startDate)).toHaveValue(taken.requestedEndDate)
  await expect(field(page, endDate)).toHaveValue('')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(field(page, endDate)).not.toHaveValue('')
  await expect(page.getByText('Some of these nights are not available')).toHaveCount(0)
})

test('an arrow key without effect in the calendar does not later take the focus from a field [AVAIL-08]', async ({
  page,
  site,
}) => {
  await openForm(page, site)
  const calendar = page.getByRole('region', { name: 'Availability calendar' })
  const first = calendar.locator('[data-day$="-01"] button').first()
  await first.press('ArrowLeft')
  await expect(first).toBeFocused()
  await field(page, startDate).fill(day(2))
  await expect(calendar.locator(`[data-day="${day(2)}"] button`)).toHaveAttribute('data-tone', 'selected')
  await expect(field(page, startDate)).toBeFocused()
})

test.describe('on a phone with its keyboard open', () => {
  test.use({ viewport: { width: 390, height: 420 }, hasTouch: true })

  test('each focused field scrolls into view below the bar', async ({ page, site }) => {
    await openForm(page, site)
    await submit(page)
    await expect(field(page, startDate)).toBeInViewport({ ratio: 1 })
    await fillValid(page)
    const bar = await page.getByRole('banner').boundingBox()
    for (const label of [startDate, endDate, 'Phone', 'Street address', 'City', 'State', 'ZIP code']) {
      await field(page, label).focus()
      await expect(field(page, label)).toBeInViewport({ ratio: 1 })
      const box = await field(page, label).boundingBox()
      expect(box?.y).toBeGreaterThan((bar?.y ?? 0) + (bar?.height ?? 0))
      expect(box?.height).toBeGreaterThanOrEqual(44)
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await page.getByRole('button', { name: 'Submit Application' }).tap()
    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByText('Submitted', { exact: true })).toBeVisible()
  })
})
