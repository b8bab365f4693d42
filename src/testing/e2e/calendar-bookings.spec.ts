import type { Page } from '@playwright/test'
import { importColumns } from '../../domain/bookings/booking-import.ts'
import { addDays, type DateRange } from '../../domain/common/dates.ts'
import { formatShortStay, formatStay } from '../../domain/common/stay.ts'
import type { CalendarHost, HostedEvent } from '../calendar-host.ts'
import { apply, asAdmin, newSurname, notifications, openAsAdmin } from './admin-pages.ts'
import { freeStay } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { testWithCalendarHost } from './calendar-site.ts'
import { recordInputs } from './responses.ts'
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
/** The key that the owner confirms a list of taken nights with. */
const shownKey = expect.stringMatching(/^[0-9a-f]{16}$/)
const statusOf = async (site: Site, id: string) =>
  (await asAdmin(site, 'GET', `/api/application/admin/${id}`)).application.status

async function openStatusDialog(page: Page, site: Site, id: string) {
  await openAsAdmin(page, site, `/admin/application/${id}`)
  await statusCard(page).getByRole('button', { name: 'Approve' }).click()
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

test('nights that are booked elsewhere show in the calendar and in decisions', async ({
  host,
  page,
  site,
}) => {
  await test.step('imported nights look booked, show their platform, cannot be selected or freed, and have turnover nights [CAL-36, CAL-41, CAL-49, LOOK-23]', async () => {
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
      '/admin/availability/other-platforms',
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
    const line = list.getByRole('listitem').filter({ hasText: formatShortStay(taken) })
    await expect(line).toHaveText(`Booked on AirbnbOther platforms${formatShortStay(taken)}4 nights`)
    await expect(list).toContainText('or free the nights under Other platforms.')
    await expect(line.getByRole('link', { name: 'Booked on Airbnb' })).toHaveAttribute(
      'href',
      '/admin/availability/other-platforms',
    )
    expect(stay.start < taken.start).toBe(true)

    const path = '/api/setup/admin/calendar'
    const { version } = await asAdmin(site, 'GET', path)
    await asAdmin(site, 'PUT', path, { version, body: { turnoverNights: 1 } })
    await openAvailability(page, site, taken.start)
    for (const date of [addDays(taken.start, -1), taken.end])
      await expect(cell(page, date)).toHaveAccessibleName(/: Unavailable, Turnover$/)
    await expect(cell(page, addDays(taken.start, -2))).toHaveAccessibleName(/: Available$/)
    await asAdmin(site, 'PUT', path, { version: version + 1, body: { turnoverNights: 0 } })
  })
  await test.step('a decision lists the nights that are booked elsewhere, even since it opened, and requires the checkbox for exactly these [CAL-38, FIX-41]', async () => {
    const { stay, taken } = overlappingStay()
    const { id } = await apply(site, 'pending', asRequested(stay))
    await importReservation(site, host, taken)
    const sent = recordInputs(page, 'applications.adminSetStatus')
    await openStatusDialog(page, site, id)
    const question = dialog(page).getByRole('group', { name: 'These nights are taken on Airbnb' })
    await expect(question.getByRole('listitem')).toHaveText(
      new RegExp(`^Airbnb: ${formatShortStay(taken)}, read (just now|\\d+ minutes? ago)$`),
    )
    await expect(confirm(page, 'Approve')).toBeDisabled()
    await expectAccessible(page)

    await override(page).focus()
    await page.keyboard.press('Space')
    await expect(confirm(page, 'Approve')).toBeEnabled()
    await page.keyboard.press('Space')
    await expect(confirm(page, 'Approve')).toBeDisabled()
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await expect(notifications(page).getByText('Application status updated')).toBeVisible()
    await expect(dialog(page)).toHaveCount(0)
    expect(sent).toEqual([
      { id, status: 'approved', fromStatus: 'pending', overrideCalendar: shownKey, seen: expect.any(Object) },
    ])
    expect(await statusOf(site, id)).toBe('approved')

    // Booked elsewhere while the dialog is open.
    const late = overlappingStay()
    const other = await apply(site, 'pending', asRequested(late.stay))
    await openStatusDialog(page, site, other.id)
    await expect(override(page)).toHaveCount(0)
    await importReservation(site, host, late.taken)
    await confirm(page, 'Approve').click()
    await expect(notifications(page).getByText(refusal(late.taken))).toBeVisible()
    await expect(override(page)).toBeFocused()
    await expect(override(page)).not.toBeChecked()
    await expect(dialog(page).getByRole('group', { name: 'These nights are taken on Airbnb' })).toContainText(
      `Airbnb: ${formatShortStay(late.taken)}, read `,
    )
    await expect(confirm(page, 'Approve')).toBeDisabled()
    expect(await statusOf(site, other.id)).toBe('pending')

    await page.keyboard.press('Space')
    const later = { start: late.taken.end, end: addDays(late.taken.end, 1) }
    await importReservation(site, host, later)
    await confirm(page, 'Approve').click()
    await expect(dialog(page).getByRole('group', { name: 'These nights are taken on Airbnb' })).toContainText(
      `Airbnb: ${formatShortStay(later)}, read `,
    )
    await expect(override(page)).not.toBeChecked()
    expect(await statusOf(site, other.id)).toBe('pending')

    await override(page).check()
    await confirm(page, 'Approve').click()
    await expect(notifications(page).getByText('Application status updated')).toBeVisible()
    expect(await statusOf(site, other.id)).toBe('approved')
  })
  await test.step('neither a conflict with another application nor a bulk change can be overridden [CAL-39]', async () => {
    const { stay, taken } = overlappingStay()
    const { id } = await apply(site, 'pending', asRequested(stay))
    const booked = await apply(site, 'approved', asRequested({ start: stay.start, end: taken.start }))
    await openStatusDialog(page, site, id)
    await expect(dialog(page).getByText('These dates are booked by another application')).toBeVisible()
    await expect(override(page)).toHaveCount(0)
    await page.keyboard.press('Escape')

    await importReservation(site, host, taken)
    await statusCard(page).getByRole('button', { name: 'Approve' }).click()
    await expect(dialog(page).getByText('These nights are taken on Airbnb')).toBeVisible()
    await expect(dialog(page).getByRole('link', { name: booked.number })).toBeVisible()
    await expect(override(page)).toHaveCount(0)
    await expect(confirm(page, 'Approve')).toBeDisabled()

    const bulk = overlappingStay()
    const listed = await apply(site, 'pending', asRequested(bulk.stay))
    await importReservation(site, host, bulk.taken)
    await openAsAdmin(page, site, `/admin/dashboard?search=${listed.lastName}`)
    await page
      .getByRole('row', { name: new RegExp(listed.lastName) })
      .getByRole('checkbox')
      .check()
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByRole('button', { name: 'Approve 1 application' }).click()
    await expect(dialog(page)).toContainText(refusal(bulk.taken))
    await expect(dialog(page).getByRole('checkbox')).toHaveCount(0)
    expect(await statusOf(site, listed.id)).toBe('pending')
  })
})

test('nights that are booked elsewhere are confirmed in edits, leases, entries and imports', async ({
  host,
  page,
  site,
}) => {
  await test.step('an edit and a lease for nights that are booked elsewhere require a confirmation of these dates [CAL-38]', async () => {
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
    await expect(
      page.getByRole('group', { name: 'These nights are taken on another calendar' }),
    ).toContainText(refusal(taken))

    // The confirmation is valid only for these dates.
    await override(page).check()
    await end.fill(taken.start)
    await expect(override(page)).toHaveCount(0)
    await end.fill(taken.end)
    await expect(override(page)).toBeChecked()
    await expect(end).toBeFocused()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(notifications(page).getByText('Application updated successfully!')).toBeVisible()
    expect(sent.map(input => input.overrideCalendar)).toEqual([undefined, shownKey])
    const { application } = await asAdmin(site, 'GET', `/api/application/admin/${id}`)
    expect(application.requestedEndDate).toBe(taken.end)

    const lease = overlappingStay()
    const leased = await apply(
      site,
      'approved',
      asRequested({ start: lease.stay.start, end: lease.taken.start }),
    )
    await importReservation(site, host, lease.taken)
    const generated = recordInputs(page, 'leases.generate')
    await openAsAdmin(page, site, `/admin/application/${leased.id}`)
    await page.getByRole('button', { name: 'Generate lease', exact: true }).first().click()
    await dialog(page).getByLabel('Lease end date').fill(lease.stay.end)
    await confirm(page, 'Generate lease').click()
    await expect(dialog(page).getByRole('group', { name: 'These nights are taken' })).toContainText(
      refusal(lease.taken),
    )
    await expect(override(page)).toBeFocused()
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await expect(notifications(page).getByText('Lease generated')).toBeVisible()
    expect(generated.map(input => input.overrideCalendar)).toEqual([undefined, shownKey])
  })
  await test.step('the owner can enter and import bookings for nights that are booked elsewhere after confirming [CAL-38, FIX-41]', async () => {
    const entered = overlappingStay()
    await importReservation(site, host, entered.taken)
    const lastName = newSurname()
    await openAsAdmin(page, site, '/admin/booking/new')
    await page.getByLabel('First name').first().fill('Jon')
    await page.getByLabel('Last name').first().fill(lastName)
    await page.getByLabel('Arrival').fill(entered.stay.start)
    await page.getByLabel(/^Departure/).fill(entered.stay.end)
    await page.getByRole('button', { name: 'Add booking' }).click()
    await expect(override(page)).toBeFocused()
    await expect(page.getByRole('group', { name: 'These nights are taken' })).toContainText(
      refusal(entered.taken),
    )
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Add booking' }).click()
    await expect(notifications(page).getByText('Booking entered')).toBeVisible()
    await expect(page).toHaveURL(/\/admin\/application\//)

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
    await importReservation(site, host, two.taken)
    await page.getByRole('button', { name: 'Import 2 Bookings' }).click()
    await expect(page.getByText(refusal(two.taken))).toBeVisible()
    await expect(option).not.toBeChecked()
    await option.check()
    await page.getByRole('button', { name: 'Import 2 Bookings' }).click()
    await expect(notifications(page).getByText('2 bookings imported')).toBeVisible()
  })
})
