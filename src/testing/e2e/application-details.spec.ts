import type { Page } from '@playwright/test'
import { formatMomentDate } from '../../domain/common/dates.ts'
import { formatStay } from '../../domain/common/stay.ts'
import { adminToken, call, failCall, makeTenant, signIn, tokenOf } from './accounts.ts'
import { decide, freeStay, makeApplication, showApplicationAs, watchCalls } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { changeSite } from './responses.ts'
import { expect, type Site, test } from './site.ts'

type Status = Parameters<typeof makeApplication>[2]

async function openApplication(
  page: Page,
  site: Site,
  status: Status = 'pending',
  values: Parameters<typeof makeApplication>[3] = {},
) {
  const account = await makeTenant(site)
  const token = await signIn(page, site, account)
  const id = await makeApplication(site, token, status, values)
  await page.goto(`/application/${id}`)
  await expect(block(page, 'Personal Information')).toBeVisible()
  return { id, token, account }
}

const block = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const personal = (page: Page) => block(page, 'Personal Information')
const progress = (page: Page) => block(page, 'Application Progress')
const statusCard = (page: Page) => block(page, 'Application Status')
const lead = (page: Page) => block(page, 'Next step')
const notifications = (page: Page) => page.getByLabel('Notifications')
const edit = (page: Page) => page.getByRole('button', { name: 'Edit' }).click()
const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click()

test('the details show the applicants, the guests and the status [DETAIL-01, DETAIL-02, DETAIL-13, DETAIL-19, DETAIL-20, DETAIL-22]', async ({
  page,
  site,
}) => {
  const dates = freeStay()
  const { id, account } = await openApplication(page, site, 'pending', {
    ...dates,
    phone: '(850) 555 0142',
    secondApplicantFirstName: 'Noah',
    secondApplicantLastName: 'Rivers',
    additionalGuests: [
      { firstName: 'Lina', lastName: 'Rivers', isAdult: false },
      { firstName: 'Ana', lastName: 'Lee', isAdult: true },
    ],
  })
  const stay = formatStay({ start: dates.requestedStartDate, end: dates.requestedEndDate })
  const texts = [
    'NameMaya Rivers',
    'Co-applicantNoah Rivers',
    `Email${account.email}`,
    'Phone850-555-0142',
    'Address12 Pine StreetMobile, AL 36602',
    `Requested dates${stay}`,
    'Total guests4',
  ]
  for (const text of texts) await expect(personal(page)).toContainText(text)
  const guests = block(page, 'Additional Guests').getByRole('listitem')
  await expect(guests).toHaveText(['Guest 1Lina RiversMinor', 'Guest 2Ana LeeAdult (18+)'])

  const owner = await adminToken(site)
  await call(site, 'PUT', `/api/application/admin/${id}/edit`, {
    token: owner,
    body: { notes: 'Keys at the desk.' },
  })
  await page.reload()
  await expect(statusCard(page)).toContainText('Submitted')
  await expect(statusCard(page)).toContainText(formatMomentDate(new Date().toISOString(), 'America/New_York'))
  await expect(statusCard(page)).toContainText('Keys at the desk.')
  await expect(progress(page).getByRole('listitem')).toHaveText([
    /^Application Submitted/,
    /^2Application Approved.*1-2 business days/,
    /^3Lease Generated/,
    /^4Lease Uploaded.*Sign the lease online, or print it, sign it by hand and upload a scan/,
    /^5Payment Made/,
    /^6Admin Verification/,
  ])
  await expectAccessible(page)

  await page.getByRole('link', { name: 'New Application' }).click()
  await expect(page).toHaveURL('/application')
  await page.goBack()
  await page.getByRole('link', { name: 'Back to Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('every status has its badge, its progress steps and exactly one next step [CHECK-08, CHECK-09, CHECK-10, CHECK-11, CHECK-12, LOOK-47]', async ({
  page,
  site,
}) => {
  await page.clock.install()
  let shown: Record<string, unknown> = { status: 'draft', submittedAt: null }
  await showApplicationAs(page, () => shown)
  await openApplication(page, site)
  const booked = { status: 'approved', leaseGenerated: true }
  const green = 'rgb(29, 100, 68)'
  const blue = 'rgb(34, 80, 143)'
  const cases: {
    as: Record<string, unknown>
    label: string
    color: string
    percent: string
    next?: string
    banner?: string
  }[] = [
    { as: { status: 'draft', submittedAt: null }, label: 'Draft', color: 'rgb(85, 96, 112)', percent: '0%' },
    {
      as: { status: 'pending' },
      label: 'Submitted',
      color: blue,
      percent: '17%',
      next: 'Application Approved',
    },
    { as: { status: 'approved' }, label: 'Approved', color: green, percent: '33%', next: 'Lease Generated' },
    { as: booked, label: 'Approved', color: green, percent: '50%', next: 'Lease Uploaded' },
    {
      as: { ...booked, leaseSigned: true },
      label: 'Approved',
      color: green,
      percent: '67%',
      next: 'Payment Made',
    },
    {
      as: { ...booked, leaseSigned: true, paymentReceived: true },
      label: 'Approved',
      color: green,
      percent: '83%',
      next: 'Admin Verification',
      banner: 'Pending Admin Verification',
    },
    {
      as: { ...booked, status: 'completed', leaseSigned: true, paymentReceived: true },
      label: 'Complete',
      color: blue,
      percent: '100%',
      banner: 'Booking Complete',
    },
    {
      as: { status: 'completed' },
      label: 'Complete',
      color: blue,
      percent: '50%',
      next: 'Lease Generated',
      banner: 'Booking Complete',
    },
    { as: { status: 'rejected' }, label: 'Declined', color: 'rgb(163, 38, 31)', percent: '0%' },
    { as: { status: 'archived' }, label: 'Unknown', color: 'rgb(85, 96, 112)', percent: '0%' },
  ]
  for (const { as, label, color, percent, next, banner } of cases) {
    shown = { leaseGenerated: false, leaseSigned: false, paymentReceived: false, ...as }
    await page.clock.runFor(15_000)
    const badge = statusCard(page).getByRole('banner').or(statusCard(page).locator('header')).getByText(label)
    await expect(badge).toBeVisible()
    await expect(badge).toHaveCSS('color', color)
    if (as.status === 'rejected') {
      await expect(lead(page)).toHaveText(
        'We are sorry that we could not accept this application.New Application',
      )
      await expect(page.getByRole('link', { name: 'New Application' })).toHaveCount(1)
      await expect(progress(page)).toHaveCount(0)
      continue
    }
    await expect(progress(page)).toContainText(percent)
    const marked = progress(page).getByRole('listitem').filter({ hasText: 'Next' })
    await expect(marked).toHaveCount(next ? 1 : 0)
    if (next) await expect(marked).toContainText(next)
    await expect(lead(page).getByRole('button', { name: 'Sign Lease' })).toHaveCount(
      next === 'Lease Uploaded' ? 1 : 0,
    )
    await expect(lead(page).getByRole('link', { name: 'Pay Now' })).toHaveCount(
      next === 'Payment Made' ? 1 : 0,
    )
    for (const text of ['Pending Admin Verification', 'Booking Complete'])
      await expect(progress(page).getByText(text)).toHaveCount(banner === text ? 1 : 0)
  }
})

test('a complete booking shows a different message before, during and after the stay [LOOK-05]', async ({
  page,
  site,
}) => {
  let today = '2031-05-31'
  await changeSite(page, site => {
    site.today = today
  })
  const stay = { leaseStartDate: '2031-06-01', leaseEndDate: '2031-06-30' }
  const settled = { status: 'completed', leaseGenerated: true, leaseSigned: true, paymentReceived: true }
  await showApplicationAs(page, () => ({ ...settled, ...stay }))
  await openApplication(page, site)
  for (const [day, sentence] of [
    ['2031-05-31', 'Everything is settled. We look forward to your stay.'],
    ['2031-06-01', 'Everything is settled. Enjoy your stay.'],
    ['2031-06-30', 'Everything is settled. Enjoy your stay.'],
    ['2031-07-01', 'Your stay is over. Thank you for being our guest.'],
    ['2031-08-20', 'Your stay is over. Thank you for being our guest.'],
  ] as const) {
    today = day
    await page.reload()
    await expect(progress(page).getByRole('status'), day).toHaveText(`Booking Complete${sentence}`)
  }
})

test('saving an edit sends only the editable fields and shows the result [DETAIL-03, DETAIL-05, DETAIL-06, DETAIL-07, DETAIL-08]', async ({
  page,
  site,
}) => {
  await openApplication(page, site, 'pending', { additionalGuests: [] })
  await edit(page)
  await expect(personal(page).getByLabel('First name', { exact: false }).first()).toHaveValue('Maya')
  const labels = await personal(page).locator('label').allInnerTexts()
  expect(labels.map(label => label.replace(' *', ''))).toEqual([
    'First name',
    'Last name',
    "Second applicant's first name",
    "Second applicant's last name",
    'Phone',
    'Street address',
    'City',
    'State',
    'ZIP code',
  ])
  await expectAccessible(page)
  await personal(page).getByLabel('Phone').fill('0')
  await personal(page).getByLabel("Second applicant's first name").fill('Noah')
  await save(page)
  await expect(personal(page)).toContainText('Please enter a valid phone number')
  await expect(personal(page)).toContainText('Last name is required for second applicant')

  const sent = watchCalls(page, 'applications.update')
  await personal(page).getByLabel('Phone').fill('8505550199')
  await personal(page).getByLabel("Second applicant's last name").fill('Lee')
  await personal(page).getByLabel('City').fill('Foley')
  await save(page)
  await expect(page.getByText('Application updated successfully!')).toBeVisible()
  await expect(personal(page)).toContainText('Co-applicantNoah Lee')
  await expect(personal(page)).toContainText('Phone850-555-0199')
  await expect(personal(page)).toContainText('Foley, AL 36602')
  await expect(page.getByRole('button', { name: 'Edit' })).toBeFocused()
  expect(Object.keys(JSON.parse(sent[0] ?? '')[0]).toSorted()).toEqual(
    [
      'address',
      'firstName',
      'id',
      'lastName',
      'phone',
      'secondApplicantFirstName',
      'secondApplicantLastName',
    ].toSorted(),
  )
})

test('Cancel discards the draft, and a background refresh keeps it [DETAIL-04, DETAIL-12, DETAIL-21]', async ({
  page,
  site,
}) => {
  await page.clock.install()
  const { id, token } = await openApplication(page, site)
  await edit(page)
  await personal(page).getByLabel('City').fill('Half-typed')
  await decide(site, id, 'approved')
  await call(site, 'PUT', `/api/application/${id}`, {
    token,
    body: {
      firstName: 'Maya',
      lastName: 'Rivers',
      phone: '8505550142',
      address: { street: '99 Oak Street', city: 'Dothan', state: 'AL', zipCode: '36301' },
      secondApplicantFirstName: '',
      secondApplicantLastName: '',
    },
  })
  const calls = watchCalls(page, 'applications.get')
  await page.clock.runFor(12_000)
  expect(calls).toHaveLength(0)
  await page.clock.runFor(3_000)
  await expect(progress(page)).toContainText('33%')
  expect(calls).toHaveLength(1)
  await expect(personal(page).getByLabel('City')).toHaveValue('Half-typed')
  await expect(personal(page).getByLabel('Street address')).toHaveValue('12 Pine Street')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(personal(page)).toContainText('Dothan, AL 36301')
  await expect(page.getByText('Half-typed')).toHaveCount(0)
})

test('a rejected edit and an edit without a response are reported and keep the draft [DETAIL-09, DETAIL-10]', async ({
  page,
  site,
}) => {
  await openApplication(page, site)
  await edit(page)
  await personal(page).getByLabel('City').fill('Foley')
  await failCall(page, 'applications.update', { status: 409, message: 'The lease was signed meanwhile.' })
  await save(page)
  await expect(notifications(page).getByText('Failed to update application')).toBeVisible()
  await expect(notifications(page).getByText('The lease was signed meanwhile.')).toBeVisible()
  await page.unrouteAll()
  await failCall(page, 'applications.update', 'no answer')
  await save(page)
  await expect(notifications(page).getByText('Error updating application')).toBeVisible()
  await expect(personal(page).getByLabel('City')).toHaveValue('Foley')
})

test('a signed lease locks the names and shows why, and phone and address can still be changed [DETAIL-11]', async ({
  page,
  site,
}) => {
  await showApplicationAs(page, () => ({ leaseGenerated: true, leaseSigned: true }))
  await openApplication(page, site, 'approved')
  await edit(page)
  await expect(personal(page)).toContainText('The lease is signed, so the names in it can no longer change.')
  for (const name of await personal(page).getByLabel('name').all())
    await expect(name).toHaveAttribute('readonly')
  await expect(personal(page).getByLabel('name')).toHaveCount(4)
  await expect(personal(page).getByLabel("Second applicant's first name")).toHaveAccessibleDescription(
    'Locked by the signed lease',
  )
  await expect(personal(page).getByLabel('Phone')).toBeFocused()
  await personal(page).getByLabel('City').fill('Foley')
  await save(page)
  await expect(page.getByText('Application updated successfully!')).toBeVisible()
})

test('an unknown application and another tenant’s application lead back to the dashboard [DETAIL-23]', async ({
  page,
  site,
}) => {
  const stranger = await tokenOf(site, await makeTenant(site))
  const foreign = await makeApplication(site, stranger, 'pending')
  await signIn(page, site, await makeTenant(site))
  for (const id of [foreign, 'no-such-id']) {
    await page.goto(`/application/${id}`)
    await expect(page.getByText('Application not found')).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
  }
})

test('any other failed load can be retried [DETAIL-24]', async ({ page, site }) => {
  const token = await signIn(page, site, await makeTenant(site))
  const id = await makeApplication(site, token, 'pending')
  await failCall(page, 'applications.get', { status: 500 })
  await page.goto(`/application/${id}`)
  await expect(page.getByText('Failed to load application data')).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(personal(page)).toContainText('Maya Rivers')
})

test('a draft can be submitted from the details [DETAIL-25, FORM-33]', async ({ page, site }) => {
  const dates = freeStay()
  const { id, token } = await openApplication(page, site, 'draft', dates)
  await expect(statusCard(page)).toContainText('Draft')
  await expect(statusCard(page)).toContainText('Not submitted yet')
  await expectAccessible(page)
  const submit = page.getByRole('button', { name: 'Submit Application' })
  await failCall(page, 'applications.submit', 'no answer')
  await submit.click()
  await expect(notifications(page).getByText('Failed to submit application. Please try again.')).toBeVisible()
  await page.unrouteAll()
  await submit.click()
  await expect(page.getByText('Application submitted successfully!')).toBeVisible()
  await expect(progress(page)).toContainText('17%')
  await expect(submit).toHaveCount(0)
  expect((await call(site, 'GET', `/api/application/${id}`, { token })).application.status).toBe('pending')

  const other = await makeApplication(site, token, 'draft', dates)
  await decide(site, id, 'approved')
  await page.goto(`/application/${other}`)
  await submit.click()
  await expect(notifications(page).getByText('Failed to submit application', { exact: true })).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('These dates are no longer available:')
  await expect(statusCard(page)).toContainText('Draft')
})

test('an application that is not approved yet can be withdrawn after confirmation', async ({
  page,
  site,
}) => {
  const { id, token } = await openApplication(page, site)
  const withdraw = page.getByRole('button', { name: 'Withdraw Application' })
  await withdraw.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(withdraw).toBeFocused()
  await withdraw.click()
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  await expect(page.getByText('Application withdrawn', { exact: true })).toBeVisible()
  await expect(statusCard(page)).toContainText('Declined')
  await expect(withdraw).toHaveCount(0)
  expect((await call(site, 'GET', `/api/application/${id}`, { token })).application.status).toBe('rejected')

  await openApplication(page, site, 'approved')
  await expect(withdraw).toHaveCount(0)
})
