import { writeFile } from 'node:fs/promises'
import type { Locator, Page, Route } from '@playwright/test'
import { addDays, formatShortDate } from '../../domain/common/dates.ts'
import { formatNights, formatStay } from '../../domain/common/stay.ts'
import { failCall } from './accounts.ts'
import { apply, asAdmin, failOnly, notifications, openAsAdmin } from './admin-pages.ts'
import { freeStay, makeApplication, watchCalls } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { uploadScan } from './leases.ts'
import { expect, type Site, test } from './site.ts'

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const personal = (page: Page) => card(page, 'Personal Information')
const status = (page: Page) => card(page, 'Application Status')
const lease = (page: Page) => card(page, 'Lease Information')
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const stayOf = (stay: { requestedStartDate: string; requestedEndDate: string }) =>
  formatStay({ start: stay.requestedStartDate, end: stay.requestedEndDate })

async function openApplication(page: Page, site: Site, id: string) {
  await openAsAdmin(page, site, `/admin/application/${id}`)
  await expect(personal(page)).toBeVisible()
}

test('shows all sections, and Refresh reloads the application and its payments [ADMAPP-01, ADMAPP-02, ADMAPP-14, DETAIL-14, STATUS-04, LOOK-19]', async ({
  page,
  site,
}) => {
  const { id, number, account, lastName } = await apply(site, 'pending', {
    secondApplicantFirstName: 'Noah',
    secondApplicantLastName: 'Rivers',
    additionalGuests: [
      { firstName: 'Lina', lastName: 'Rivers', isAdult: false },
      { firstName: 'Ana', lastName: 'Lee', isAdult: true },
    ],
  })
  await openApplication(page, site, id)
  await expect(page.getByRole('heading', { level: 1, name: 'Application Details' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`Maya ${lastName} ${number}`)
  await expect(personal(page)).toContainText(account.email)
  await expect(personal(page)).toContainText('Total guests4')
  await expect(card(page, 'Additional Guests').getByRole('listitem')).toHaveText([
    'Guest 1Lina RiversMinor',
    'Guest 2Ana LeeAdult (18+)',
  ])
  for (const name of ['Payment Information', 'Lease Information', 'Lease History'])
    await expect(card(page, name)).toBeVisible()
  const colour = () =>
    status(page)
      .locator('header')
      .getByText(/Submitted|Approved|Declined|Complete/)
      .evaluate(badge => getComputedStyle(badge).color)
  expect(await colour()).toBe('rgb(34, 80, 143)')
  await expectAccessible(page)
  for (const width of [390, 768]) {
    await page.setViewportSize({ width, height: 844 })
    const order = ['Application Status', 'Lease Information', 'Personal Information', 'Payment Information']
    const tops = await Promise.all(order.map(async name => (await card(page, name).boundingBox())?.y ?? 0))
    expect(tops).toEqual(tops.toSorted((a, b) => a - b))
  }

  const applicationCalls = watchCalls(page, 'applications.adminGet')
  const paymentCalls = watchCalls(page, 'payments.adminHistory')
  await asAdmin(site, 'PUT', `/api/application/admin/${id}/status`, { status: 'rejected' })
  await button(page, 'Refresh').click()
  await expect(status(page)).toContainText('Declined')
  expect(await colour()).toBe('rgb(163, 38, 31)')
  expect([applicationCalls.length, paymentCalls.length]).toEqual([1, 1])

  await page.getByRole('link', { name: 'Back to Dashboard' }).click()
  await expect(page).toHaveURL('/admin/dashboard')
})

test('an unknown application leads to the dashboard, and a failed load can be retried [ADMAPP-05, ADMAPP-06]', async ({
  page,
  site,
}) => {
  const { id } = await apply(site)
  await openAsAdmin(page, site, '/admin/application/no-such-application')
  await expect(notifications(page).getByText('Application not found')).toBeVisible()
  await expect(page).toHaveURL('/admin/dashboard')

  await failCall(page, 'applications.adminGet', { status: 500 })
  await page.goto(`/admin/application/${id}`)
  await expect(page.getByText('Failed to load application data')).toBeVisible()
  await expectAccessible(page)
  await page.unrouteAll()
  await button(page, 'Try Again').click()
  await expect(personal(page)).toBeVisible()
})

test('a failed Refresh is reported and keeps the content [ADMAPP-06, LOOK-01]', async ({ page, site }) => {
  await page.clock.install()
  const { id, account } = await apply(site)
  await openApplication(page, site, id)
  const errorMessage = notifications(page).getByText('Failed to load application data')
  for (const procedure of ['applications.adminGet', 'payments.adminHistory']) {
    await failOnly(page, procedure)
    await button(page, 'Refresh').click()
    await expect(errorMessage).toHaveCount(1)
    await expect(button(page, 'Refresh')).toBeEnabled()
    await expect(personal(page)).toContainText(account.email)
    await page.unrouteAll()
    await page.clock.fastForward(5_100)
    await expect(errorMessage).toHaveCount(0)
  }
  const answered = page.waitForResponse(/applications\.adminGet/)
  await button(page, 'Refresh').click()
  await answered
  await expect(button(page, 'Refresh')).toBeEnabled()
  await expect(errorMessage).toHaveCount(0)

  // A deleted application is reported once, by the screen.
  await asAdmin(site, 'DELETE', `/api/application/admin/${id}`)
  await button(page, 'Refresh').click()
  await expect(page).toHaveURL('/admin/dashboard')
  await expect(notifications(page)).toHaveText('Application not found')
})

/** Delete is in the menu next to Refresh. */
async function chooseDelete(page: Page) {
  await button(page, 'More actions').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
}

test('Delete asks for confirmation, reports a failure, and leads to the dashboard on success [ADMAPP-03, ADMAPP-04]', async ({
  page,
  site,
}) => {
  const { id } = await apply(site)
  await openApplication(page, site, id)
  const question = page.getByRole('alertdialog', {
    name: 'Are you sure you want to delete this application?',
  })
  await failCall(page, 'applications.adminDelete', { status: 500 })
  await chooseDelete(page)
  await button(question, 'Delete').click()
  await expect(notifications(page).getByText('Failed to delete application')).toBeVisible()
  await expect(page).toHaveURL(`/admin/application/${id}`)
  await page.unrouteAll()
  await chooseDelete(page)
  await button(question, 'Delete').click()
  await expect(page).toHaveURL('/admin/dashboard')
  await expect(asAdmin(site, 'GET', `/api/application/admin/${id}`)).rejects.toThrow('404')
})

test('confirmations mention nights and payments only if there are any [LOOK-07]', async ({ page, site }) => {
  const free = 'Its nights become free at once.'
  const question = page.getByRole('alertdialog')
  const asks = async (name: string, expected: string[], absent: string[]) => {
    await (name === 'Delete' ? chooseDelete(page) : button(page, name).click())
    await expect(question).toBeVisible()
    for (const text of expected) await expect(question).toContainText(text)
    for (const text of absent) await expect(question).not.toContainText(text)
    await button(question, 'Cancel').click()
  }
  const pending = await apply(site)
  await openApplication(page, site, pending.id)
  await asks('Delete', [pending.number], [free, 'payments stay'])

  const stay = freeStay()
  const booked = await apply(site, 'approved', stay)
  await asAdmin(site, 'POST', '/api/payment/admin/manual-payment', {
    amount: 100_00,
    paymentType: 'rent',
    applicationId: booked.id,
  })
  await asAdmin(site, 'POST', `/api/lease/generate/${booked.id}`, {
    leaseStartDate: stay.requestedStartDate,
    leaseEndDate: stay.requestedEndDate,
  })
  await openApplication(page, site, booked.id)
  await asks('Delete', [free, 'Its payments stay in the ledger'], [])
  const bookedAgain = 'The requested dates are booked again'
  await asks('Delete Lease', ['This removes the signed file'], [bookedAgain])

  await asAdmin(site, 'POST', `/api/lease/generate/${booked.id}`, {
    leaseStartDate: addDays(stay.requestedStartDate, 1),
    leaseEndDate: stay.requestedEndDate,
  })
  await button(page, 'Refresh').click()
  await expect(lease(page)).toContainText(formatShortDate(addDays(stay.requestedStartDate, 1)))
  await asks('Delete Lease', [bookedAgain], [])
  await asAdmin(site, 'PUT', `/api/application/admin/${booked.id}/status`, { status: 'rejected' })
  await button(page, 'Refresh').click()
  await expect(status(page)).toContainText('Declined')
  await asks('Delete', ['Its payments stay in the ledger'], [free])
  await asks('Delete Lease', ['This removes the signed file'], [bookedAgain])
})

test('at any width at most three toasts show, cover no control, and disappear even under the mouse [LOOK-10]', async ({
  page,
  site,
}) => {
  await page.clock.install()
  const { id, token } = await apply(site, 'approved')
  await asAdmin(site, 'POST', `/api/lease/generate/${id}`, {})
  await uploadScan(site, token, id)
  await openApplication(page, site, id)
  await page.route('**/api/lease/view-signed/*', route => route.fulfill({ status: 500, body: '{}' }))
  // Clicks without scrolling: the page stays at the top, where Refresh and Delete are.
  const raise = () => button(lease(page), 'View Signed Lease').evaluate(el => (el as HTMLElement).click())
  const toasts = notifications(page).getByText('Failed to load lease document')
  for (const width of [390, 768, 1280, 1440]) {
    await page.setViewportSize({ width, height: width < 768 ? 844 : 900 })
    for (const expected of [1, 2, 3, 3]) {
      await raise()
      await expect(toasts).toHaveCount(expected)
      await expect.poll(() => coveredControls(page)).toEqual([])
    }
    await expect(button(page, 'Refresh')).toBeInViewport({ ratio: 1 })
    const [first] = await toastBoxes(page)
    await page.mouse.move((first?.x ?? 0) + 20, (first?.y ?? 0) + 10)
    await page.clock.fastForward(5_100)
    await expect(toasts).toHaveCount(0)
  }
})

const toastBoxes = (page: Page) =>
  notifications(page)
    .getByRole('status')
    .evaluateAll(toasts => toasts.map(toast => toast.getBoundingClientRect().toJSON() as DOMRect))

/** The text of each control that is covered by a toast. */
async function coveredControls(page: Page): Promise<string[]> {
  const boxes = await toastBoxes(page)
  const controls = await page
    .locator('a[href], button, input, select, textarea')
    .evaluateAll(all =>
      all.map(one => ({ name: one.textContent, box: one.getBoundingClientRect().toJSON() as DOMRect })),
    )
  return controls
    .filter(({ box }) =>
      boxes.some(
        toast =>
          box.left < toast.right &&
          toast.left < box.right &&
          box.top < toast.bottom &&
          toast.top < box.bottom,
      ),
    )
    .map(({ name }) => name ?? '')
}

/** The distinct top positions of these elements. */
async function topsOf(all: readonly Locator[]): Promise<number[]> {
  const boxes = await Promise.all(all.map(one => one.boundingBox()))
  return [...new Set(boxes.map(box => Math.round(box?.y ?? 0)))]
}

test('edit mode has every field that the edit call accepts, and Cancel discards the changes [ADMAPP-07, ADMAPP-08, ADMAPP-09, ADMAPP-10, ADMAPP-11, LOOK-27]', async ({
  page,
  site,
}) => {
  const { id } = await apply(site)
  await openApplication(page, site, id)
  // The labels of the second applicant's and the guests' fields have the same endings.
  const field = (label: string) =>
    personal(page)
      .getByLabel(new RegExp(`^${label}`))
      .first()
  await button(personal(page), 'Edit').click()
  await expect(field('First name')).toBeFocused()
  await expect(card(page, 'Additional Guests')).toHaveCount(0)
  for (const name of ['Save', 'Cancel'])
    await expect(button(personal(page), name)).toBeInViewport({ ratio: 1 })
  expect(await topsOf(['City', 'State', 'ZIP code'].map(field))).toHaveLength(1)
  await field('City').fill('Nowhere')
  await expectAccessible(page)
  await button(personal(page), 'Cancel').click()
  await expect(button(personal(page), 'Edit')).toBeFocused()
  await expect(personal(page)).not.toContainText('Nowhere')

  await button(personal(page), 'Edit').click()
  for (const label of ['Monthly rent', 'Deposit']) {
    await expect(field(label)).toHaveAttribute('step', '0.01')
    await expect(field(label)).toHaveAttribute('min', '0')
  }
  const stay = freeStay()
  const values: [string, string][] = [
    ['First name', 'Mia'],
    ['Last name', 'Rivera'],
    ["Second applicant's first name", 'Noah'],
    ["Second applicant's last name", 'Lee'],
    ['Email', 'mia@guest.example'],
    ['Phone', '850 555 0177'],
    ['Street address', '1 Gulf Road'],
    ['City', 'Destin'],
    ['ZIP code', '32541'],
    ['Requested start date', stay.requestedStartDate],
    ['Requested end date', stay.requestedEndDate],
    ['Monthly rent', '1999.99'],
    ['Deposit', '650.5'],
    ['Notes', 'Keys are at the desk.'],
  ]
  for (const [label, value] of values) await field(label).fill(value)
  await field('State').selectOption('FL')
  await button(personal(page), 'Add Guest').click()
  const guest = personal(page).getByRole('group', { name: 'Guest 1' })
  await guest.getByLabel('First name').fill('Ana')
  expect(await topsOf(['First name', 'Last name'].map(name => guest.getByLabel(name)))).toHaveLength(1)
  await button(personal(page), 'Save').click()
  await expect(guest.getByText('Last name is required for additional guest')).toBeVisible()
  await guest.getByLabel('Last name').fill('Sousa')
  await guest.getByLabel('Adult (18+ years old)').uncheck()
  await button(personal(page), 'Save').click()
  await expect(notifications(page).getByText('Application updated successfully!')).toBeVisible()
  await expect(personal(page)).toContainText('Mia Rivera')
  await expect(card(page, 'Additional Guests')).toContainText('Ana SousaMinor')
  expect((await asAdmin(site, 'GET', `/api/application/admin/${id}`)).application).toMatchObject({
    firstName: 'Mia',
    lastName: 'Rivera',
    secondApplicantFirstName: 'Noah',
    secondApplicantLastName: 'Lee',
    email: 'mia@guest.example',
    phone: '850 555 0177',
    address: { street: '1 Gulf Road', city: 'Destin', state: 'FL', zipCode: '32541' },
    ...stay,
    rentalAmount: 1999.99,
    depositAmount: 650.5,
    additionalGuests: [{ firstName: 'Ana', lastName: 'Sousa', isAdult: false }],
    notes: 'Keys are at the desk.',
  })
})

test('a rejected or failed edit is reported and keeps the draft, even when the page refreshes [ADMAPP-12, ADMAPP-13, TOAST-07]', async ({
  page,
  site,
}) => {
  const booked = freeStay()
  const other = await apply(site, 'approved', booked)
  const { id } = await apply(site, 'approved')
  await openApplication(page, site, id)
  await button(personal(page), 'Edit').click()
  await personal(page).getByLabel('Requested start date').fill(booked.requestedStartDate)
  await personal(page).getByLabel('Requested end date').fill(booked.requestedEndDate)
  await button(personal(page), 'Save').click()
  const refusal = `These dates overlap application ${other.number}`
  await expect(notifications(page).getByText('Failed to update application')).toBeVisible()
  await expect(notifications(page)).toContainText(refusal)
  await expect(personal(page).getByRole('alert')).toContainText(refusal)
  await button(page, 'Refresh').click()
  await expect(button(page, 'Refresh')).toBeEnabled()
  await expect(personal(page).getByLabel('Requested start date')).toHaveValue(booked.requestedStartDate)

  await failCall(page, 'applications.adminEdit', 'no answer')
  await button(personal(page), 'Save').click()
  await expect(notifications(page).getByText('Error updating application')).toBeVisible()
})

test('each status can be set from any other, and the dialog shows its effects first [ADMAPP-17, ADMAPP-18, ADMAPP-19, STATUS-01, STATUS-04, LOOK-19]', async ({
  page,
  site,
}) => {
  const stay = freeStay()
  const { id } = await apply(site, 'pending', stay)
  const blocked = [1, 2, 5].map(night => addDays(stay.requestedStartDate, night))
  await asAdmin(site, 'PUT', '/api/availability/admin/bulk', {
    dates: blocked,
    isAvailable: false,
    reason: 'Repairs',
  })
  await openApplication(page, site, id)
  const set = async (verb: string, expected: string[], label: string) => {
    await button(status(page), verb).click()
    await expect(dialog(page)).toHaveAccessibleName(`${verb} this application?`)
    for (const text of expected) await expect(dialog(page)).toContainText(text)
    await button(dialog(page), verb).click()
    await expect(notifications(page).getByText('Application status updated').last()).toBeVisible()
    await expect(dialog(page)).toHaveCount(0)
    await expect(status(page)).toContainText(label)
    await expect(button(status(page), verb)).toHaveCount(0)
  }
  expect(await primaryButtons(page)).toEqual(['Approve'])
  await expect(status(page)).toContainText('Next stepAnswer')
  await button(status(page), 'Approve').click()
  await expect(dialog(page)).toContainText('You blocked nights of this stay')
  await expect(dialog(page)).toContainText(formatNights(blocked))
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(button(status(page), 'Approve')).toBeFocused()

  await set('Approve', [`The stay from ${stayOf(stay)} is booked`], 'Approved')
  await expect(status(page)).toContainText('Next stepGenerate lease')
  expect(await primaryButtons(page)).toEqual(['Generate Lease'])
  await expect(button(status(page), 'Generate Lease')).toBeVisible()
  await expect(button(lease(page), 'Generate Lease')).toBeVisible()
  await set('Complete', ['The lease is not signed yet.', 'No payment has been received yet.'], 'Complete')
  await set('Decline', [`The nights from ${stayOf(stay)} become free at once.`], 'Declined')
  expect(await primaryButtons(page)).toEqual([])
  await expect(status(page).getByRole('group', { name: 'Change Status' }).getByRole('button')).toHaveText([
    'Approve',
    'Complete',
  ])
  await set('Complete', ['You blocked nights of this stay'], 'Complete')
  await set('Approve', [`The stay from ${stayOf(stay)} stays booked.`], 'Approved')
})

test('while a signature is pending, the primary action is to copy the link to the lease', async ({
  context,
  page,
  site,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { id } = await apply(site, 'approved')
  await asAdmin(site, 'POST', `/api/lease/generate/${id}`, {})
  await openApplication(page, site, id)
  await expect(status(page)).toContainText('Waiting for signature')
  expect(await primaryButtons(page)).toEqual(['Copy Link to Lease'])
  await button(status(page), 'Copy Link to Lease').click()
  await expect(notifications(page).getByText('Link copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${site.url}/application/${id}#sign`)
})

/** The texts of the page's primary buttons. */
const primaryButtons = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('button')
    .evaluateAll(all =>
      all.filter(one => getComputedStyle(one).color === 'rgb(255, 255, 255)').map(one => one.textContent),
    )

test('a double booking is rejected and shown, and a failed change is reported [ADMAPP-20, ADMAPP-21, TOAST-07, TOAST-08]', async ({
  page,
  site,
}) => {
  const stay = freeStay()
  const { id } = await apply(site, 'pending', stay)
  await openApplication(page, site, id)
  await button(status(page), 'Approve').click()
  await expect(button(dialog(page), 'Approve')).toBeEnabled()
  // Another application for these dates is approved while the dialog is open.
  const other = await apply(site, 'approved', stay)
  await button(dialog(page), 'Approve').click()
  await expect(notifications(page).getByText('Failed to update status')).toBeVisible()
  await expect(notifications(page)).toContainText(`These dates overlap application ${other.number}`)
  await expect(dialog(page)).toContainText('These dates are booked by another application')
  await expect(dialog(page)).toContainText(`${other.number}, Maya ${other.lastName}: ${stayOf(stay)}`)
  await expect(button(dialog(page), 'Approve')).toBeDisabled()
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await failCall(page, 'applications.adminSetStatus', { status: 500, message: 'not for the screen' })
  await button(status(page), 'Decline').click()
  await button(dialog(page), 'Decline').click()
  await expect(notifications(page).getByText('Failed to update status').last()).toBeVisible()
  await expect(page.getByText('not for the screen')).toHaveCount(0)
})

test('rejects a decision based on an outdated status, and the dialog shows the new one [FIX-16]', async ({
  page,
  site,
}) => {
  const { id } = await apply(site, 'pending')
  await openApplication(page, site, id)
  await button(status(page), 'Approve').click()
  await expect(button(dialog(page), 'Approve')).toBeEnabled()
  await asAdmin(site, 'PUT', `/api/application/admin/${id}/status`, { status: 'rejected' })
  await button(dialog(page), 'Approve').click()
  await expect(notifications(page)).toContainText('Failed to update status')
  await expect(notifications(page)).toContainText('This application has changed meanwhile')
  await expect(dialog(page)).toContainText('The status is now Declined.')
  await expect(button(dialog(page), 'Approve')).toBeDisabled()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(status(page)).toContainText('Declined')
})

test('the form shows how a new requested date moves the dates of the lease before it is saved [FIX-15]', async ({
  page,
  site,
}) => {
  const stay = freeStay()
  const [start, end] = [stay.requestedStartDate, stay.requestedEndDate]
  const { id } = await apply(site, 'approved', stay)
  const leaseEndDate = addDays(end, -2)
  await asAdmin(site, 'POST', `/api/lease/generate/${id}`, { leaseStartDate: start, leaseEndDate })
  await openApplication(page, site, id)
  await button(personal(page), 'Edit').click()
  const announcement = personal(page).getByRole('status').filter({ hasText: 'The lease' })
  await expect(announcement).toHaveCount(0)
  const requested = personal(page).getByLabel('Requested start date')
  await requested.fill(addDays(start, 3))
  const [from, to, stays] = [start, addDays(start, 3), leaseEndDate].map(formatShortDate)
  await expect(announcement).toHaveText(
    `The lease's start moves from ${from} to ${to}; its end stays ${stays}.`,
  )
  await expectAccessible(page)
  await requested.fill(addDays(end, -1))
  await button(personal(page), 'Save').click()
  await expect(personal(page).getByText('Please change the other date too.').first()).toBeVisible()
  await requested.fill(addDays(start, 3))
  await button(personal(page), 'Save').click()
  await expect(notifications(page)).toContainText('Application updated successfully!')
  await expect(lease(page)).toContainText(formatStay({ start: addDays(start, 3), end: leaseEndDate }))
})

test('a lease is generated from its defaults, and the dialog shows the total for the term [ADMAPP-23, ADMAPP-24, LOOK-29]', async ({
  page,
  site,
}) => {
  const start = freeStay(31).requestedStartDate
  const stay = { requestedStartDate: start, requestedEndDate: addDays(start, 28) }
  const { id } = await apply(site, 'pending', stay)
  await openApplication(page, site, id)
  await expect(lease(page).getByRole('button')).toHaveCount(0)
  await expect(lease(page)).toContainText('The lease can be generated once the application is approved.')
  await asAdmin(site, 'PUT', `/api/application/admin/${id}/status`, { status: 'approved' })
  await button(page, 'Refresh').click()
  await button(lease(page), 'Generate Lease').click()
  const field = (label: string) => dialog(page).getByLabel(label)
  await expect(field('Lease start date')).toHaveValue(stay.requestedStartDate)
  await expect(field('Lease end date')).toHaveValue(stay.requestedEndDate)
  await expect(field('Monthly rent')).toHaveValue('2500')
  await expect(field('Deposit')).toHaveValue('500')
  await expect(dialog(page).getByRole('status')).toContainText('28 nights: one month’s rent, $2,500.00')
  await expectAccessible(page)

  await field('Lease end date').fill(start)
  await button(dialog(page), 'Generate Lease').click()
  await expect(dialog(page).getByText('End date must be after start date')).toBeVisible()
  await field('Lease end date').fill(addDays(start, 31))
  await field('Monthly rent').fill('3000')
  await field('Deposit').fill('400.50')
  await expect(dialog(page).getByRole('status')).toContainText('Total due: $3,400.50')

  await failCall(page, 'leases.generate', { status: 500 })
  await button(dialog(page), 'Generate Lease').click()
  await expect(notifications(page).getByText('Failed to generate lease')).toBeVisible()
  await page.unrouteAll()
  await button(dialog(page), 'Generate Lease').click()
  await expect(notifications(page).getByText('Lease generated')).toBeVisible()
  await expect(lease(page)).toContainText('Available to Sign')
  await expect(lease(page)).toContainText('Total due$3,400.50')
  await expect(card(page, 'Lease History')).toContainText('Lease generated')

  await button(lease(page), 'Lease Text').click()
  await expect(dialog(page)).toContainText('SHA-256 of this text')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await button(card(page, 'Lease History'), 'Show all 2').click()
  await expect(card(page, 'Lease History').getByRole('listitem')).toContainText([
    'Lease text viewed',
    'Lease generated',
  ])

  await button(lease(page), 'Regenerate').click()
  await expect(field('Monthly rent')).toHaveValue('3000')
  await field('Monthly rent').fill('2900')
  await button(dialog(page), 'Generate Lease').click()
  await expect(lease(page)).toContainText('Total due$3,300.50')
})

const pdf = (name: string, bytes = 2000) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(bytes, 32)]),
})

test('a lease signed on paper can be uploaded, viewed and deleted [ADMAPP-25, ADMAPP-26, ADMAPP-28, ADMAPP-29, ADMAPP-30, ADMAPP-32]', async ({
  page,
  site,
}, testInfo) => {
  const { id } = await apply(site, 'approved')
  await asAdmin(site, 'POST', `/api/lease/generate/${id}`, {})
  await openApplication(page, site, id)
  await expect(lease(page)).toContainText('No signed lease available to view')
  await expect(button(lease(page), 'View Signed Lease')).toHaveCount(0)

  const upload = button(lease(page), 'Upload Signed Lease')
  const picker = lease(page).locator('input[type=file]')
  await upload.click()
  await expect(picker).toBeFocused()
  await button(lease(page), 'Cancel').click()
  await expect(upload).toBeFocused()
  await upload.click()
  await upload.click()
  await expect(lease(page).getByText('Please select a file to upload')).toBeVisible()
  await picker.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') })
  await expect(lease(page).getByText('Please upload a PDF, JPEG, or PNG file')).toBeVisible()
  await writeFile(testInfo.outputPath('long.pdf'), pdf('long.pdf', 10_485_760).buffer)
  await picker.setInputFiles(testInfo.outputPath('long.pdf'))
  await expect(lease(page).getByText('File size must be less than 10MB')).toBeVisible()

  const path = '**/api/application/admin/upload-lease'
  await picker.setInputFiles({ ...pdf('scan.pdf'), buffer: Buffer.from('no PDF at all') })
  await upload.click()
  await expect(notifications(page).getByText('Failed to upload signed lease')).toBeVisible()
  await page.route(path, route => route.abort('connectionfailed'))
  await picker.setInputFiles(pdf('scan.pdf'))
  await upload.click()
  await expect(notifications(page).getByText('Error uploading signed lease')).toBeVisible()
  await page.unroute(path)
  await page.route(path, async route => {
    await new Promise(resolve => setTimeout(resolve, 700))
    await route.continue()
  })
  await upload.click()
  await expect(lease(page).getByRole('progressbar')).toBeVisible()
  await expect(button(lease(page), 'Uploading...')).toBeDisabled()
  await expect(notifications(page).getByText('Signed lease uploaded successfully!')).toBeVisible()
  await expect(lease(page)).toContainText('Scan uploaded by the administrator')
  await expect(lease(page)).toContainText('scan.pdf')
  await expect(upload).toHaveCount(0)
  await expect(button(lease(page), 'Regenerate')).toHaveCount(0)
  await expectAccessible(page)
  expect((await asAdmin(site, 'GET', `/api/application/admin/${id}`)).application).toMatchObject({
    leaseSigned: true,
    signedLeaseFile: { uploadedBy: 'admin' },
  })

  // Complete is the primary button once the lease is signed and the money has arrived.
  await expect(status(page)).toContainText(/Next step\$[\d,.]+ owed/)
  expect(await primaryButtons(page)).toEqual(['Copy Link to Payment'])
  const { nextStep } = (await asAdmin(site, 'GET', `/api/application/admin/${id}`)).application
  await asAdmin(site, 'POST', '/api/payment/admin/manual-payment', {
    amount: nextStep.amountCents,
    paymentType: 'rent',
    applicationId: id,
  })
  await button(page, 'Refresh').click()
  await expect(status(page)).toContainText('Next stepComplete')
  expect(await primaryButtons(page)).toEqual(['Complete'])

  await button(personal(page), 'Edit').click()
  await expect(personal(page)).toContainText('Delete the lease to change its terms.')
  for (const label of ['First name', 'Requested start date', 'Monthly rent', 'Deposit'])
    await expect(personal(page).getByLabel(label).first()).toHaveAttribute('readonly', '')
  await expect(button(personal(page), 'Add Guest')).toHaveCount(0)
  await personal(page).getByLabel('Notes').fill('See you soon')
  await button(personal(page), 'Save').click()
  await expect(notifications(page).getByText('Application updated successfully!')).toBeVisible()

  const shown = page.waitForEvent('popup')
  await button(lease(page), 'View Signed Lease').click()
  await (await shown).close()
  await page.route('**/api/lease/view-signed/*', route => route.fulfill({ status: 500, body: '{}' }))
  await button(lease(page), 'View Signed Lease').click()
  await expect(notifications(page).getByText('Failed to load lease document')).toBeVisible()

  await failCall(page, 'leases.adminRemove', { status: 500 })
  const question = page.getByRole('alertdialog')
  await button(lease(page), 'Delete Lease').click()
  await expectAccessible(page)
  await button(question, 'Delete Lease').click()
  await expect(notifications(page).getByText('Failed to delete lease')).toBeVisible()
  await page.unrouteAll()
  await button(lease(page), 'Delete Lease').click()
  await button(question, 'Delete Lease').click()
  await expect(notifications(page).getByText('Lease deleted successfully!')).toBeVisible()
  await expect(lease(page)).toContainText('Not Started')
  await expect(card(page, 'Lease History')).toContainText('Lease deleted')
  expect((await asAdmin(site, 'GET', `/api/application/admin/${id}`)).application).toMatchObject({
    leaseGenerated: false,
    leaseSigned: false,
    signedLeaseFile: null,
  })
})

test('a toast shows that the upload is in progress, and then its outcome [TOAST-05, LOOK-11]', async ({
  page,
  site,
}) => {
  await page.clock.install()
  const { id } = await apply(site, 'approved')
  await asAdmin(site, 'POST', `/api/lease/generate/${id}`, {})
  await openApplication(page, site, id)
  const path = '**/api/application/admin/upload-lease'
  await button(lease(page), 'Upload Signed Lease').click()
  await lease(page).locator('input[type=file]').setInputFiles(pdf('scan.pdf'))
  await page.clock.fastForward(5_100)
  await expect(notifications(page)).toHaveText('')
  const outcomes = [
    ['Failed to upload signed lease', (route: Route) => route.fulfill({ status: 500, body: '{}' })],
    ['Signed lease uploaded successfully!', (route: Route) => route.continue()],
  ] as const
  for (const [text, end] of outcomes) {
    const held = Promise.withResolvers<Route>()
    await page.route(path, held.resolve)
    await button(lease(page), 'Upload Signed Lease').click()
    const route = await held.promise
    await page.clock.fastForward(60_000)
    await expect(notifications(page)).toHaveText('Uploading...')
    await end(route)
    await expect(notifications(page)).toHaveText(text)
    await page.unrouteAll()
    await page.clock.fastForward(5_100)
    await expect(notifications(page)).toHaveText('')
  }
})

test('a signature can be voided without losing the lease', async ({ page, site }) => {
  const { id } = await apply(site, 'approved')
  await asAdmin(site, 'POST', `/api/lease/generate/${id}`, {})
  await openApplication(page, site, id)
  await button(lease(page), 'Upload Signed Lease').click()
  await lease(page).locator('input[type=file]').setInputFiles(pdf('scan.pdf'))
  await button(lease(page), 'Upload Signed Lease').click()
  await button(lease(page), 'Void Signature').click()
  await button(page.getByRole('alertdialog'), 'Void Signature').click()
  await expect(notifications(page).getByText('Signed lease removed successfully')).toBeVisible()
  await expect(lease(page)).toContainText('Available to Sign')
})

test('sections that fail to load leave the others usable', async ({ page, site }) => {
  const { id, token } = await apply(site)
  await makeApplication(site, token, 'pending')
  await failOnly(page, 'leases.trail')
  await openApplication(page, site, id)
  await expect(card(page, 'Lease History').getByRole('alert')).toContainText('Failed to load the lease')
  await expect(card(page, 'Payment Information')).toContainText('No payments found')
  await failCall(page, 'applications.adminStatusPreview', { status: 500 })
  await button(status(page), 'Approve').click()
  await expect(dialog(page)).toContainText('We could not check what this will do.')
  await button(dialog(page), 'Approve').click()
  await expect(notifications(page).getByText('Application status updated')).toBeVisible()
})

test('an application can be decided and edited by keyboard alone', async ({ page, site }) => {
  const { id } = await apply(site)
  await openApplication(page, site, id)
  await button(personal(page), 'Edit').focus()
  await page.keyboard.press('Enter')
  await expect(personal(page).getByLabel('First name').first()).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Mia')
  await page.keyboard.press('Enter')
  await expect(personal(page)).toContainText('Mia')
  await expect(button(personal(page), 'Edit')).toBeFocused()

  await button(status(page), 'Approve').focus()
  await page.keyboard.press('Enter')
  await expect(button(dialog(page), 'Approve')).toBeEnabled()
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Tab')
  await expect(button(dialog(page), 'Approve')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(status(page)).toContainText('Approved')
  await expect(dialog(page)).toHaveCount(0)
})
