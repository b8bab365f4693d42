import type { Page } from '@playwright/test'
import { importColumns } from '../../domain/bookings/booking-import.ts'
import { addDays, type DateRange } from '../../domain/common/dates.ts'
import { formatStay } from '../../domain/common/stay.ts'
import type { CalendarHost, HostedEvent } from '../calendar-host.ts'
import { signIn } from './accounts.ts'
import { apply, asAdmin, newSurname, notifications, openAsAdmin } from './admin-pages.ts'
import { freeStay } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { testWithCalendarHost } from './calendar-site.ts'
import { changeResponse, recordInputs } from './responses.ts'
import { expect, type Site } from './site.ts'

const test = testWithCalendarHost()

const events: HostedEvent[] = []
const feedIds = new Map<string, Promise<string>>()

/** The id of the site's Airbnb feed. */
function airbnb(site: Site, host: CalendarHost): Promise<string> {
  const added = feedIds.get(site.url) ?? addFeed(site, host)
  feedIds.set(site.url, added)
  return added
}

async function addFeed(site: Site, host: CalendarHost): Promise<string> {
  const feed = { name: 'Airbnb', url: host.url(), provider: 'airbnb' }
  return (await asAdmin(site, 'POST', '/api/calendar/admin/feeds', feed)).feed.id
}

/** Adds a reservation on Airbnb and makes the site read it. */
async function importReservation(site: Site, host: CalendarHost, { end, start }: DateRange) {
  const feedId = await airbnb(site, host)
  events.push({ start, end })
  host.serveEvents(...events)
  const { result } = await asAdmin(site, 'POST', `/api/calendar/admin/feeds/${feedId}/fetch`)
  expect(result).toMatchObject({ outcome: 'read', added: 1 })
}

/** Dates that no other test uses, and nights in the middle of them. */
function overlappingStay() {
  const { requestedEndDate: end, requestedStartDate: start } = freeStay(12)
  return { stay: { start, end }, taken: { start: addDays(start, 4), end: addDays(start, 8) } }
}
const asRequested = ({ end, start }: DateRange) => ({ requestedStartDate: start, requestedEndDate: end })

const dialog = (page: Page) => page.getByRole('dialog')
const statusCard = (page: Page) => page.getByRole('region', { name: 'Application Status' })
const override = (page: Page) => page.getByLabel('Book these nights all the same')
const cell = (page: Page, date: string) => page.locator(`[data-day="${date}"] button`)
const refusal = (nights: DateRange) =>
  `Taken on Airbnb: ${formatStay(nights)}. Book all the same only if you have cleared it there.`
const statusOf = async (site: Site, id: string) =>
  (await asAdmin(site, 'GET', `/api/application/admin/${id}`)).application.status

async function openStatusDialog(page: Page, site: Site, id: string, verb: 'Approve' | 'Complete') {
  await openAsAdmin(page, site, `/admin/application/${id}`)
  await statusCard(page).getByRole('button', { name: verb }).click()
  await expect(dialog(page).getByText(/^The stay from/)).toBeVisible()
}
const confirm = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })

async function openAvailability(page: Page, site: Site, date: string) {
  await openAsAdmin(page, site, '/admin/availability')
  await expect(page.getByRole('region', { name: 'Availability calendar' })).toBeVisible()
  while ((await cell(page, date).count()) === 0)
    await page.getByRole('button', { name: 'Next month' }).click()
  await expect(cell(page, date)).not.toHaveAccessibleName(/Loading/)
}

test('imported nights look booked, show their platform, and cannot be selected [CAL-36, LOOK-23]', async ({
  host,
  page,
  site,
}) => {
  const { stay, taken } = overlappingStay()
  await importReservation(site, host, taken)
  await openAvailability(page, site, taken.start)
  const night = cell(page, taken.start)
  await expect(night).toHaveAccessibleName(/: Booked on Airbnb$/)
  await expect(night).toHaveAttribute('data-tone', 'booked')
  await expect(night).toHaveAttribute('aria-disabled', 'true')
  await expect(cell(page, taken.end)).toHaveAttribute('data-tone', 'available')
  const calendar = page.getByRole('region', { name: 'Availability calendar' })
  await expect(calendar.getByRole('link', { name: 'Airbnb' }).first()).toHaveAttribute(
    'href',
    '/admin/calendars',
  )
  await expect(calendar.locator(`[data-day="${taken.start}"] [data-bar="imported"]`)).toBeVisible()

  await cell(page, addDays(taken.start, -1)).focus()
  await page.keyboard.press('ArrowRight')
  await expect(night).toBeFocused()
  await expect(page.locator('[data-calendar-detail]')).toHaveText(/: Booked on Airbnb$/)
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Bulk Update (0)' })).toBeVisible()

  const list = page.getByRole('region', { name: 'Booked nights' })
  const line = list.getByRole('listitem').filter({ hasText: formatStay(taken) })
  await expect(line).toHaveText(`Booked on AirbnbCalendars${formatStay(taken)}4 nights`)
  await expect(list).toContainText('or release the event under Calendars.')
  await expect(line.getByRole('link', { name: 'Booked on Airbnb' })).toHaveAttribute(
    'href',
    '/admin/calendars',
  )
  await expectAccessible(page)
  expect(stay.start < taken.start).toBe(true)
})

test('turnover nights are labeled [CAL-49]', async ({ host, page, site }) => {
  const { taken } = overlappingStay()
  await importReservation(site, host, taken)
  const path = '/api/setup/admin/calendar'
  const { version } = await asAdmin(site, 'GET', path)
  await asAdmin(site, 'PUT', path, { version, body: { turnoverNights: 1 } })
  await openAvailability(page, site, taken.start)
  for (const date of [addDays(taken.start, -1), taken.end])
    await expect(cell(page, date)).toHaveAccessibleName(/: Unavailable, Turnover$/)
  await expect(cell(page, addDays(taken.start, -2))).toHaveAccessibleName(/: Available$/)
  await asAdmin(site, 'PUT', path, { version: version + 1, body: { turnoverNights: 0 } })
})

test('a link to the calendars shows once one is imported or exported, without a layout shift', async ({
  page,
  site,
}) => {
  let overview = { feeds: [] as unknown[], exports: [] as unknown[] }
  await changeResponse(page, 'calendars.overview', data => Object.assign(data, overview))
  await openAsAdmin(page, site, '/admin/availability')
  const header = page.getByRole('banner').or(page.getByRole('main').locator('header').first()).last()
  await expect(page.getByRole('region', { name: 'Availability calendar' })).toBeVisible()
  const link = page.getByRole('main').locator('header').first().getByRole('link', { name: 'Calendars' })
  await expect(link).toHaveCount(0)
  const before = await header.boundingBox()

  for (const one of [
    { feeds: [{ name: 'Airbnb' }], exports: [] },
    { feeds: [], exports: [{ name: 'Cleaner' }] },
  ]) {
    overview = one
    await page.reload()
    await expect(link).toHaveAttribute('href', '/admin/calendars')
    expect(await header.boundingBox()).toEqual(before)
  }
})

test('freeing a night that was booked elsewhere in the meantime is rejected with a way out, and changes no date [CAL-41]', async ({
  host,
  page,
  site,
}) => {
  const { stay, taken } = overlappingStay()
  const dates = [stay.start, taken.start]
  await asAdmin(site, 'PUT', '/api/availability/admin/bulk', {
    dates,
    isAvailable: false,
    reason: 'Painting',
  })
  await openAvailability(page, site, taken.start)
  for (const date of dates) await cell(page, date).click()
  await importReservation(site, host, taken)
  await page.getByRole('button', { name: 'Bulk Update (2)' }).click()
  await page.getByRole('button', { name: 'Update 2 Dates' }).click()
  const night = { start: taken.start, end: addDays(taken.start, 1) }
  await expect(
    notifications(page).getByText(
      `Taken on Airbnb: ${formatStay(night)}. Release the event under Calendars to free its nights.`,
    ),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await expect(cell(page, stay.start)).toHaveAccessibleName(/: Unavailable, Painting$/)
})

for (const verb of ['Approve', 'Complete'] as const)
  test(`${verb} lists the nights that are booked elsewhere and requires the checkbox [CAL-38]`, async ({
    host,
    page,
    site,
  }) => {
    const { stay, taken } = overlappingStay()
    const { id } = await apply(site, 'pending', asRequested(stay))
    await importReservation(site, host, taken)
    const sent = recordInputs(page, 'applications.adminSetStatus')
    await openStatusDialog(page, site, id, verb)
    const question = dialog(page).getByRole('group', { name: 'These nights are taken on Airbnb' })
    await expect(question.getByRole('listitem')).toHaveText(
      new RegExp(`^Airbnb: ${formatStay(taken)}, read (just now|\\d+ minutes? ago)$`),
    )
    await expect(confirm(page, verb)).toBeDisabled()
    await expectAccessible(page)

    await override(page).focus()
    await page.keyboard.press('Space')
    await expect(confirm(page, verb)).toBeEnabled()
    await page.keyboard.press('Space')
    await expect(confirm(page, verb)).toBeDisabled()
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await expect(notifications(page).getByText('Application status updated')).toBeVisible()
    await expect(dialog(page)).toHaveCount(0)
    const status = verb === 'Approve' ? 'approved' : 'completed'
    expect(sent).toEqual([{ id, status, fromStatus: 'pending', overrideCalendar: true }])
    expect(await statusOf(site, id)).toBe(status)
  })

test('nights that are booked elsewhere while the dialog is open show in it with the checkbox [CAL-38]', async ({
  host,
  page,
  site,
}) => {
  const { stay, taken } = overlappingStay()
  const { id } = await apply(site, 'pending', asRequested(stay))
  await openStatusDialog(page, site, id, 'Approve')
  await expect(override(page)).toHaveCount(0)
  await importReservation(site, host, taken)
  await confirm(page, 'Approve').click()
  await expect(notifications(page).getByText(refusal(taken))).toBeVisible()
  await expect(override(page)).toBeFocused()
  await expect(override(page)).not.toBeChecked()
  await expect(dialog(page).getByRole('group')).toContainText(`Airbnb: ${formatStay(taken)}, read `)
  await expect(confirm(page, 'Approve')).toBeDisabled()
  expect(await statusOf(site, id)).toBe('pending')

  await page.keyboard.press('Space')
  await confirm(page, 'Approve').click()
  await expect(notifications(page).getByText('Application status updated')).toBeVisible()
  expect(await statusOf(site, id)).toBe('approved')
})

test('a conflict with another application cannot be overridden, with or without imported nights [CAL-39]', async ({
  host,
  page,
  site,
}) => {
  const { stay, taken } = overlappingStay()
  const { id } = await apply(site, 'pending', asRequested(stay))
  const booked = await apply(site, 'approved', asRequested({ start: stay.start, end: taken.start }))
  await openStatusDialog(page, site, id, 'Approve')
  await expect(dialog(page).getByText('These dates are booked by another application')).toBeVisible()
  await expect(override(page)).toHaveCount(0)
  await page.keyboard.press('Escape')

  await importReservation(site, host, taken)
  await statusCard(page).getByRole('button', { name: 'Approve' }).click()
  await expect(dialog(page).getByText('These nights are taken on Airbnb')).toBeVisible()
  await expect(dialog(page).getByRole('link', { name: booked.number })).toBeVisible()
  await expect(override(page)).toHaveCount(0)
  await expect(confirm(page, 'Approve')).toBeDisabled()
})

test('a rejection because of another application shows no checkbox [CAL-39]', async ({ page, site }) => {
  const { stay } = overlappingStay()
  const { id } = await apply(site, 'pending', asRequested(stay))
  await openStatusDialog(page, site, id, 'Approve')
  const booked = await apply(site, 'approved', asRequested(stay))
  await confirm(page, 'Approve').click()
  await expect(notifications(page).getByText(new RegExp(booked.number))).toBeVisible()
  await expect(dialog(page).getByText('These dates are booked by another application')).toBeVisible()
  await expect(override(page)).toHaveCount(0)
})

test('bulk changes override nothing, and the row shows the reason [CAL-39]', async ({ host, page, site }) => {
  const { stay, taken } = overlappingStay()
  const { id, lastName } = await apply(site, 'pending', asRequested(stay))
  await importReservation(site, host, taken)
  await openAsAdmin(page, site, `/admin/dashboard?search=${lastName}`)
  await page
    .getByRole('row', { name: new RegExp(lastName) })
    .getByRole('checkbox')
    .check()
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByRole('button', { name: 'Approve 1 application' }).click()
  await expect(dialog(page)).toContainText(refusal(taken))
  await expect(dialog(page).getByRole('checkbox')).toHaveCount(0)
  expect(await statusOf(site, id)).toBe('pending')
})

test('an edit to nights that are booked elsewhere is saved after the owner confirms these dates [CAL-38]', async ({
  host,
  page,
  site,
}) => {
  const { stay, taken } = overlappingStay()
  const { id } = await apply(site, 'approved', asRequested({ start: stay.start, end: taken.start }))
  await importReservation(site, host, taken)
  const sent = recordInputs(page, 'applications.adminEdit')
  await openAsAdmin(page, site, `/admin/application/${id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const end = page.getByLabel('Requested end date')
  await expect(override(page)).toHaveCount(0)
  await end.fill(taken.end)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(override(page)).toBeFocused()
  await expect(page.getByRole('group', { name: 'These nights are taken on another calendar' })).toContainText(
    refusal(taken),
  )
  await expectAccessible(page)

  // The confirmation is valid only for these dates.
  await override(page).check()
  await end.fill(taken.start)
  await expect(override(page)).toHaveCount(0)
  await end.fill(taken.end)
  await expect(override(page)).toBeChecked()
  await expect(end).toBeFocused()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(notifications(page).getByText('Application updated successfully!')).toBeVisible()
  expect(sent.map(input => input.overrideCalendar)).toEqual([undefined, true])
  const { application } = await asAdmin(site, 'GET', `/api/application/admin/${id}`)
  expect(application.requestedEndDate).toBe(taken.end)
})

test('a lease for nights that are booked elsewhere is generated after the owner confirms [CAL-38]', async ({
  host,
  page,
  site,
}) => {
  const { stay, taken } = overlappingStay()
  const { id } = await apply(site, 'approved', asRequested({ start: stay.start, end: taken.start }))
  await importReservation(site, host, taken)
  const sent = recordInputs(page, 'leases.generate')
  await openAsAdmin(page, site, `/admin/application/${id}`)
  await page.getByRole('button', { name: 'Generate Lease', exact: true }).first().click()
  await dialog(page).getByLabel('Lease end date').fill(stay.end)
  await confirm(page, 'Generate Lease').click()
  await expect(dialog(page).getByRole('group', { name: 'These nights are taken' })).toContainText(
    refusal(taken),
  )
  await expect(override(page)).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await expect(notifications(page).getByText('Lease generated')).toBeVisible()
  expect(sent.map(input => input.overrideCalendar)).toEqual([undefined, true])
})

test('the owner can enter a booking for nights that are booked elsewhere after confirming [CAL-38]', async ({
  host,
  page,
  site,
}) => {
  const { stay, taken } = overlappingStay()
  await importReservation(site, host, taken)
  const lastName = newSurname()
  await openAsAdmin(page, site, '/admin/booking/new')
  await page.getByLabel('First name').first().fill('Jon')
  await page.getByLabel('Last name').first().fill(lastName)
  await page.getByLabel('Email').fill(`${lastName.toLowerCase()}@guest.example`)
  await page.getByLabel('Arrival').fill(stay.start)
  await page.getByLabel('Departure').fill(stay.end)
  await page.getByRole('button', { name: 'Enter Booking' }).click()
  await expect(override(page)).toBeFocused()
  await expect(page.getByRole('group', { name: 'These nights are taken' })).toContainText(refusal(taken))
  await expectAccessible(page)
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Enter Booking' }).click()
  await expect(notifications(page).getByText('Booking entered')).toBeVisible()
  await expect(page).toHaveURL(/\/admin\/application\//)
})

test('rows with nights that are booked elsewhere are imported after the owner confirms [CAL-38]', async ({
  host,
  page,
  site,
}) => {
  const [one, two] = [overlappingStay(), overlappingStay()]
  await importReservation(site, host, one.taken)
  const csv = [
    importColumns.join(','),
    ...[one, two].map(({ stay }) => {
      const values = {
        first_name: 'Ada',
        last_name: newSurname(),
        email: `${newSurname()}@guest.example`,
        start_date: stay.start,
        end_date: stay.end,
      }
      return importColumns.map(column => ({ ...values })[column as keyof typeof values] ?? '').join(',')
    }),
  ].join('\n')
  await openAsAdmin(page, site, '/admin/booking/import')
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'bookings.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  const option = page.getByLabel('Book nights that are taken on other calendars all the same')
  await expect(page.getByText('1 ready, 1 row with errors')).toBeVisible()
  await expect(page.getByText(refusal(one.taken))).toBeVisible()
  await expectAccessible(page)

  await option.focus()
  await page.keyboard.press('Space')
  await expect(page.getByText('2 ready', { exact: true })).toBeVisible()
  await expect(option).toBeFocused()
  await page.keyboard.press('Space')
  await expect(page.getByText('1 ready, 1 row with errors')).toBeVisible()
  await page.keyboard.press('Space')
  await expect(page.getByText('2 ready', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Import 2 Bookings' }).click()
  await expect(notifications(page).getByText('2 bookings imported')).toBeVisible()
})

test('a row whose nights are booked elsewhere after the preview is shown and requires confirmation [CAL-38]', async ({
  host,
  page,
  site,
}) => {
  const { stay, taken } = overlappingStay()
  await airbnb(site, host)
  const csv = `first_name,last_name,email,start_date,end_date\nAda,${newSurname()},${newSurname()}@guest.example,${stay.start},${stay.end}`
  await openAsAdmin(page, site, '/admin/booking/import')
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'bookings.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  const option = page.getByLabel('Book nights that are taken on other calendars all the same')
  await expect(page.getByText('1 ready', { exact: true })).toBeVisible()
  await expect(option).toHaveCount(0)
  await importReservation(site, host, taken)
  await page.getByRole('button', { name: 'Import 1 Booking' }).click()
  await expect(page.getByText(refusal(taken))).toBeVisible()
  await option.check()
  await page.getByRole('button', { name: 'Import 1 Booking' }).click()
  await expect(notifications(page).getByText('1 booking imported')).toBeVisible()
})

test('visitors and tenants see no platform’s name [CAL-36]', async ({ host, page, site }) => {
  const { stay, taken } = overlappingStay()
  const { account, id } = await apply(site, 'pending', asRequested(stay))
  await importReservation(site, host, taken)
  const answers: Promise<string>[] = []
  page.on('response', response => {
    if (new URL(response.url()).pathname.startsWith('/trpc/'))
      // A response can no longer be read after leaving its page.
      answers.push(response.text().catch(() => ''))
  })
  const showsBooked = async () => {
    const next = page.getByRole('button', { name: 'Next month' })
    await expect(next).toBeVisible()
    while ((await cell(page, taken.start).count()) === 0) await next.click()
    await expect(cell(page, taken.start)).toHaveAccessibleName(/: Booked$/)
  }
  await page.goto('/#availability')
  await page.locator('#availability').scrollIntoViewIfNeeded()
  await showsBooked()
  expect(await page.content()).not.toMatch(/airbnb/i)

  await signIn(page, site, account)
  await page.goto('/application')
  await showsBooked()
  expect(await page.content()).not.toMatch(/airbnb/i)
  await page.goto(`/application/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  for (const answer of answers) expect(await answer).not.toMatch(/airbnb|feedId|imported/i)
})

test('the notice board shows a double booking with a link to the calendars [CAL-42, CAL-61]', async ({
  host,
  page,
  site,
}) => {
  const { stay, taken } = overlappingStay()
  const { number } = await apply(site, 'approved', asRequested(stay))
  await importReservation(site, host, taken)
  await openAsAdmin(page, site, '/admin/dashboard')
  const board = page.getByRole('region', { name: 'Notices' })
  await expect(board.getByText(`Double booking: Airbnb and ${number}`)).toBeVisible()
  await expect(board.getByRole('link', { name: 'Open Calendars' }).first()).toHaveAttribute(
    'href',
    '/admin/calendars',
  )
  await expectAccessible(page)
})

test('before an approval, a new reservation on a stale calendar requires confirmation, and a failed read shows a warning [CAL-40]', async ({
  host,
  page,
  site,
}) => {
  const { stay, taken } = overlappingStay()
  await airbnb(site, host)
  host.serve({ status: 503 }, '/vrbo.ics')
  await asAdmin(site, 'POST', '/api/calendar/admin/feeds', { name: 'Vrbo', url: host.url('/vrbo.ics') })
  const { id } = await apply(site, 'pending', asRequested(stay))
  await site.restart({ CLOCK_OFFSET: '+1h' })
  events.push({ start: taken.start, end: taken.end })
  host.serveEvents(...events)
  await openStatusDialog(page, site, id, 'Approve')
  await expect(override(page)).toHaveCount(0)
  await confirm(page, 'Approve').click()
  await expect(override(page)).toBeFocused()
  await expect(dialog(page).getByRole('listitem').last()).toHaveText(
    `Airbnb: ${formatStay(taken)}, read just now`,
  )
  await page.keyboard.press('Space')
  await confirm(page, 'Approve').click()
  await expect(notifications(page).getByText('Application status updated')).toBeVisible()
  await expect(
    notifications(page).getByText('Vrbo could not be read just now: 127.0.0.1 answered with 503.'),
  ).toBeVisible()
})
