import type { Page } from '@playwright/test'
import { formatShortStay } from '../../domain/common/stay.ts'
import { type CalendarHost, calendarOf } from '../calendar-host.ts'
import { call, tokenOf } from './accounts.ts'
import { apply, asAdmin, notifications, openAsAdmin } from './admin-pages.ts'
import { day } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { testWithCalendarHost } from './calendar-site.ts'
import { admin, expect, type Site } from './site.ts'

const test = testWithCalendarHost()

const api = '/api/calendar/admin'
test.afterEach(({ site }) => removeAll(site))

async function removeAll(site: Site) {
  // A new session, because a session from before the skipped day has expired.
  const token = await tokenOf(site, admin)
  const { exports, feeds } = await call(site, 'GET', api, { token })
  for (const { id } of feeds) await call(site, 'DELETE', `${api}/feeds/${id}`, { token })
  for (const { id } of exports) await call(site, 'DELETE', `${api}/exports/${id}`, { token })
}

const screen = (page: Page, site: Site) => openAsAdmin(page, site, '/admin/availability/other-platforms')
const card = (page: Page, name: string) => page.getByRole('region', { name })
const read = (page: Page) => card(page, 'From Airbnb and others')
const nights = (page: Page) => card(page, 'Imported nights')
const given = (page: Page) => card(page, 'For Airbnb and others')
const notices = (page: Page) => card(page, 'Notices')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const field = (page: Page, name: string) => dialog(page).getByLabel(new RegExp(`^${name}( \\*)?$`))
const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()
const confirm = (page: Page, name: string) =>
  page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click()
const toast = (page: Page, text: string) => expect(notifications(page).getByText(text)).toBeVisible()

/** Adds a feed of a platform that distinguishes reservations from blocks. */
async function addFeed(site: Site, host: CalendarHost, name = 'Airbnb', provider = 'airbnb') {
  const url = host.url(`/${name}.ics`)
  return (await asAdmin(site, 'POST', `${api}/feeds`, { name, url, provider })).feed
}
const stay = (from: number, to: number, more = {}) => ({ start: day(from), end: day(to), ...more })
const row = (page: Page, stay: { start: string; end: string }) =>
  nights(page).getByRole('row', { name: new RegExp(`^${formatShortStay(stay).split(' – ')[0]}`) })

test('calendars are added, read, edited and removed', async ({ host, page, site }) => {
  await test.step('adding a calendar guesses the platform, shows errors at their fields, and imports the nights [CAL-03, CAL-04, CAL-08, CAL-27]', async () => {
    await openAsAdmin(page, site, '/admin/availability')
    await page.getByRole('link', { name: 'Other platforms' }).click()
    await expect(page).toHaveURL('/admin/availability/other-platforms')
    await expect(page).toHaveTitle(/^Other platforms \| /)
    await expect(read(page).getByText('No calendar is read yet.')).toBeVisible()
    await expect(card(page, 'Double bookings')).toHaveCount(0)

    await button(page, 'Add a calendar').click()
    await press(page, 'Add and read')
    await expect(field(page, 'Name')).toBeFocused()
    await expect(field(page, 'Name')).toHaveAccessibleDescription(/A name is required/)
    await expect(field(page, 'Address')).toHaveAccessibleDescription(/address that begins with https/)
    await expectAccessible(page)

    const from = field(page, 'Where from')
    await field(page, 'Address').fill('https://www.vrbo.com/icalendar/1.ics')
    await expect(from).toHaveValue('vrbo')
    await expect(dialog(page).getByLabel('Bookings', { exact: false }).first()).toBeChecked()
    await field(page, 'Address').fill('https://ical.booking.com/1')
    await expect(from).toHaveValue('booking')
    await expect(dialog(page).getByRole('radio')).toHaveCount(0)
    await from.selectOption('Airbnb')
    await expect(field(page, 'Address')).toHaveAccessibleDescription(/On Airbnb: Calendar/)

    await field(page, 'Name').fill('Airbnb')
    for (const [address, fault] of [
      ['https://192.168.1.1/calendar.ics', /private network/],
      [host.url('/gone'), /127\.0\.0\.1 answered with 404/],
      [host.url('/page'), /does not answer with a calendar/],
    ] as const) {
      host.serve({ status: 404 }, '/gone')
      host.serve({ body: '<!doctype html>' }, '/page')
      await field(page, 'Address').fill(address)
      await press(page, 'Add and read')
      await expect(field(page, 'Address')).toHaveAccessibleDescription(fault)
      await expect(field(page, 'Address')).toBeFocused()
    }
    await expect(from).toHaveValue('airbnb')
    expect((await asAdmin(site, 'GET', api)).feeds).toEqual([])

    const [reserved, blocked] = [stay(50, 57), stay(60, 63, { summary: 'Airbnb (Not available)' })]
    host.serve({ hangs: true }, '/airbnb.ics')
    await field(page, 'Address').fill(host.url('/airbnb.ics'))
    await field(page, 'Address').press('Enter')
    await expect(dialog(page).getByRole('button', { name: 'Reading...' })).toBeDisabled()
    await expect(dialog(page).getByText('Reading the calendar.')).toBeVisible()
    await expect.poll(() => host.requests.map(({ path }) => path)).toContain('/airbnb.ics')
    host.respondToHanging(calendarOf(reserved, blocked))
    await toast(page, 'Calendar added')
    await toast(page, 'Read: 1 new, 0 moved, 0 missing')
    await expect(dialog(page)).toHaveCount(0)
    await expect(read(page).getByText('Up to date')).toBeVisible()
    await expect(read(page).getByText(/Bookings · Takes the nights of 1 event/)).toBeVisible()
    await expect(read(page).getByText('Last read just now')).toBeVisible()
    await expect(row(page, reserved)).toContainText('7 nights')
    await expect(row(page, reserved)).toContainText('Taken')
    await expect(row(page, blocked)).toHaveCount(0)
    await expect(card(page, 'Double bookings').getByText('No night is booked twice.')).toBeVisible()
    await expectAccessible(page)

    await button(page, 'Add a calendar').click()
    await field(page, 'Name').fill('The same')
    await field(page, 'Address').fill(host.url('/airbnb.ics'))
    await press(page, 'Add and read')
    await expect(dialog(page)).toContainText('This calendar is already read, as Airbnb.')
  })
  await removeAll(site)
  await test.step('a calendar can be read now, shows a failure, and can be paused, resumed and edited [CAL-09, CAL-12, CAL-27]', async () => {
    const [first, second] = [stay(50, 53, { uid: 'a' }), stay(60, 62, { uid: 'b' })]
    const block = stay(70, 71, { uid: 'c', summary: 'Blocked' })
    host.serveEvents(first, second, block)
    await addFeed(site, host)
    await screen(page, site)

    host.serveEvents({ ...first, end: day(54) }, block, stay(80, 82))
    await button(page, 'Read now Airbnb').click()
    await toast(page, 'Read: 1 new, 1 moved, 1 missing')
    await expect(row(page, second)).toContainText('Taken, but missing')
    await expect(row(page, first)).toContainText('4 nights')

    host.serve({ status: 503 })
    await button(page, 'Read now Airbnb').focus()
    await page.keyboard.press('Enter')
    await toast(page, 'Airbnb could not be read')
    await expect(read(page).getByText('127.0.0.1 answered with 503.')).toBeVisible()
    await expect(read(page).getByText('Up to date')).toBeVisible()

    await button(page, 'Pause Airbnb').click()
    await toast(page, 'Calendar saved')
    await expect(read(page).getByText('Paused')).toBeVisible()
    await expect(button(page, 'Read now Airbnb')).toHaveCount(0)
    await expect(row(page, first)).toContainText('Taken')
    await button(page, 'Resume Airbnb').click()
    await expect(button(page, 'Read now Airbnb')).toBeVisible()

    await page.reload()
    await button(page, 'Edit Airbnb').click()
    await expect(field(page, 'New address')).toHaveValue('')
    host.serve({ status: 404 }, '/gone')
    await field(page, 'New address').fill(host.url('/gone'))
    await press(page, 'Save')
    await expect(field(page, 'New address')).toHaveAccessibleDescription(/answered with 404/)
    host.serveEvents({ ...first, end: day(54) }, block)
    await field(page, 'New address').fill('')
    await field(page, 'Name').fill('Airbnb, beach')
    await dialog(page).getByLabel('Bookings and blocked nights').check()
    await press(page, 'Save')
    await toast(page, 'Read: 1 new, 0 moved, 2 missing')
    await expect(read(page).getByRole('heading', { name: 'Airbnb, beach' })).toBeVisible()
    await expect(row(page, block)).toContainText('Blocked nights')
  })
  await removeAll(site)
  await test.step('nights become free only after a confirmation, when a calendar is removed or found empty [CAL-31, CAL-34]', async () => {
    host.serveEvents(stay(50, 57), stay(60, 63))
    await addFeed(site, host)
    host.serveEvents(stay(62, 64, { uid: 'of-another' }))
    const vrbo = await addFeed(site, host, 'Vrbo', 'vrbo')
    await asAdmin(site, 'POST', `${api}/exports`, { name: 'For Vrbo', scope: 'platform', feedId: vrbo.id })
    await screen(page, site)
    await button(page, 'Remove Airbnb').click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('Up to 9 nights become free')
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await confirm(page, 'Remove')
    await toast(page, 'Calendar removed')
    await toast(page, 'Airbnb was removed. 9 nights became free.')
    await expect(read(page).getByRole('listitem')).toHaveCount(1)
    await button(page, 'Remove Vrbo').click()
    await expect(question).toContainText('Up to 2 nights become free')
    await expect(question).toContainText('What you give out stays: For Vrbo.')
    await confirm(page, 'Remove')
    await toast(page, 'Vrbo was removed. 2 nights became free.')

    host.serveEvents(stay(50, 52), stay(60, 62))
    await addFeed(site, host)
    host.serveEvents()
    await screen(page, site)
    await button(page, 'Read now Airbnb').click()
    await expect(notices(page)).toContainText('Airbnb no longer has any events. Is that right?')
    await expect(read(page).getByText(/^Empty since just now/)).toBeVisible()
    await button(page, 'Yes, it is empty').click()
    await expect(page.getByRole('alertdialog')).toContainText('The nights of 2 events become free')
    await confirm(page, 'Yes, it is empty')
    await toast(page, '2 events ended')
    await expect(notices(page)).toHaveCount(0)
    await expect(nights(page).getByText('No calendar has any current or future events.')).toBeVisible()
  })
})

test('imported nights and double bookings are dealt with', async ({ host, page, site }) => {
  await test.step('imported nights can be released and taken back by keyboard, which keeps the focus [CAL-35, CAL-44]', async () => {
    const event = stay(50, 52)
    host.serveEvents(event)
    const { id } = await addFeed(site, host)
    const blocks = async () => (await asAdmin(site, 'GET', `${api}/events?feedId=${id}`)).events[0].blocks
    await screen(page, site)
    const release = row(page, event).getByRole('button', { name: 'Free these nights' })
    const cancel = page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' })
    await release.focus()
    await page.keyboard.press('Enter')
    await expect(cancel).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(release).toBeFocused()
    expect(await blocks()).toBe(true)
    await page.keyboard.press('Enter')
    await expect(cancel).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await toast(page, 'Nights freed')
    await expect(row(page, event)).toContainText('Freed')
    expect(await blocks()).toBe(false)

    await row(page, event).getByRole('button', { name: 'Take them back' }).click()
    await toast(page, 'Nights taken')
    await expect(row(page, event)).toContainText('Taken')
    expect(await blocks()).toBe(true)

    await addFeed(site, host, 'Vrbo', 'vrbo')
    await screen(page, site)
    for (const [name, then] of [
      ['Read now Airbnb', 'Read now Airbnb'],
      ['Pause Airbnb', 'Resume Airbnb'],
      ['Resume Airbnb', 'Pause Airbnb'],
    ] as const) {
      await button(page, name).press('Enter')
      await expect(button(page, then)).toBeEnabled()
      await expect(button(page, then)).toBeFocused()
    }
    const first = nights(page).getByRole('row').nth(1)
    await first.getByRole('button').press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Free these nights' }).press('Enter')
    await expect(first.getByRole('button', { name: /^Take them back/ })).toBeFocused()
    await first.getByRole('button').press('Enter')
    await expect(first.getByRole('button', { name: /^Free these nights/ })).toBeFocused()

    await notices(page).getByRole('button', { name: 'I have dealt with it' }).press('Enter')
    await expect(notices(page)).toHaveCount(0)
    await expect(page.locator('#main')).toBeFocused()
    await card(page, 'Double bookings').getByRole('button', { name: 'Bring the notice back' }).press('Enter')
    await expect(
      card(page, 'Double bookings').getByRole('button', { name: 'I have dealt with it' }),
    ).toBeFocused()
  })
  await removeAll(site)
  await test.step('a double booking is on both notice boards until the owner marks it as dealt with [CAL-42, CAL-44, CAL-61]', async () => {
    const { id, number } = await apply(site, 'approved')
    const { application } = await asAdmin(site, 'GET', `/api/application/admin/${id}`)
    const { requestedEndDate: end, requestedStartDate: start } = application
    host.serveEvents({ start, end })
    await addFeed(site, host)
    await screen(page, site)
    const list = card(page, 'Double bookings')
    await expect(notices(page)).toContainText(`Double booking: Airbnb and ${number}`)
    await expect(list.getByRole('heading', { name: `Airbnb and ${number}` })).toBeVisible()
    await expect(list).toContainText(`${formatShortStay({ start, end })} (30 nights)`)
    await expect(list.getByRole('link', { name: 'Open booking' })).toHaveAttribute(
      'href',
      `/admin/application/${id}`,
    )
    await expectAccessible(page)
    await notices(page).getByRole('button', { name: 'I have dealt with it' }).click()
    await expect(notices(page)).toHaveCount(0)
    await expect(list.getByText('Dealt with')).toBeVisible()
    await list.getByRole('button', { name: 'Bring the notice back' }).click()
    await expect(notices(page)).toContainText(`Double booking: Airbnb and ${number}`)
    await page.goto('/admin/dashboard')
    await expect(notices(page).getByText(`Double booking: Airbnb and ${number}`)).toBeVisible()
    await expect(notices(page).getByRole('link', { name: 'Open calendars' }).first()).toHaveAttribute(
      'href',
      '/admin/availability/other-platforms',
    )
  })
  await removeAll(site)
  await test.step('the longest names fit on every screen that shows them [CAL-02]', async () => {
    const name = 'W'.repeat(60)
    host.serveEvents(stay(50, 57))
    await addFeed(site, host, name)
    await addFeed(site, host, `${name.slice(1)}M`, 'vrbo')
    await asAdmin(site, 'POST', `${api}/exports`, { name, scope: 'platform' })
    await screen(page, site)
    const expectFits = async () => {
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      for (const width of [360, 390, 768, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        await expect(notices(page)).toBeVisible()
        expect(await overflow()).toBeLessThanOrEqual(0)
      }
    }
    await expectFits()
    await page.setViewportSize({ width: 390, height: 844 })
    await button(page, `Remove ${name}`).first().click()
    const title = page.getByRole('alertdialog').getByRole('heading')
    expect(await title.evaluate(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth)).toBe(0)
    await page.keyboard.press('Escape')
    await page.goto('/admin/dashboard')
    await expectFits()
  })
})

test('an export can be created, fetched, moved to a new address and removed, and warns of names [CAL-50, CAL-56, CAL-57, CAL-58, CAL-59]', async ({
  context,
  host,
  page,
  site,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  host.serveEvents(stay(50, 52))
  await addFeed(site, host)
  await screen(page, site)
  await button(page, 'Give out a calendar').click()
  await press(page, 'Add')
  await expect(field(page, 'Name')).toHaveAccessibleDescription(/A name is required/)
  await field(page, 'Name').fill('Beach condo')
  await expect(field(page, 'Belongs to')).toHaveAccessibleDescription(/Please choose the calendar/)
  await field(page, 'Belongs to').selectOption('Airbnb')
  await expectAccessible(page)
  await press(page, 'Add')
  await toast(page, 'Calendar added')
  const entry = given(page).getByRole('listitem')
  await expect(entry).toContainText('For a platform · Belongs to Airbnb · Never fetched')
  await expect(entry).toContainText('Paste it on Airbnb')

  await button(page, 'Copy link Beach condo').click()
  await toast(page, 'Link copied')
  const address = await page.evaluate(() => navigator.clipboard.readText())
  expect(address).toMatch(/\/calendar\/[\w-]{43}\.ics$/)
  const status = async (url: string) =>
    (await fetch(url.replace(/^https?:\/\/[^/]+/, site.url), { headers: { 'user-agent': 'Reader/1' } }))
      .status
  expect(await status(address)).toBe(200)
  await page.reload()
  await expect(entry).toContainText('Last fetched just now by Reader/1')

  await button(page, 'Replace link Beach condo').click()
  await expect(dialog(page).getByLabel('Keep it for 7 more days')).toBeChecked()
  await expectAccessible(page)
  await press(page, 'Replace link')
  await toast(page, 'The old one works for 7 more days.')
  await expect(entry).toContainText('The old address works until')
  expect(await status(address)).toBe(200)
  await button(page, 'Replace link Beach condo').click()
  await dialog(page).getByLabel('End it at once').check()
  await press(page, 'Replace link')
  await toast(page, 'The old one has ended.')
  await expect(entry).not.toContainText('The old address works until')
  expect(await status(address)).toBe(404)

  await button(page, 'Edit Beach condo').click()
  await field(page, 'Name').fill('Condo')
  await field(page, 'Belongs to').selectOption('None that we read')
  await press(page, 'Save')
  await toast(page, 'Calendar saved')
  await expect(entry).toContainText('For a platform · Never fetched')
  await button(page, 'Show link Condo').click()
  const renewed = await given(page).getByLabel('Address of Condo').inputValue()
  await button(page, 'Remove Condo').click()
  await confirm(page, 'Remove')
  await toast(page, 'Calendar removed')
  await expect(given(page).getByText('No calendar is given out yet.')).toBeVisible()
  expect(await status(renewed)).toBe(404)

  await button(page, 'Give out a calendar').click()
  await field(page, 'Name').fill('Mine')
  await dialog(page).getByLabel('For yourself, with names').check()
  await expect(
    dialog(page).getByText('Anybody who has this address can read your guests’ names.'),
  ).toBeVisible()
  await press(page, 'Add')
  await expect(
    given(page).getByText('Anybody who has this address can read your guests’ names.'),
  ).toBeVisible()
  await button(page, 'Give out a calendar').click()
  await field(page, 'Name').fill('Cleaner')
  await dialog(page).getByLabel('For the cleaner').check()
  await press(page, 'Add')
  await expect(given(page).getByText('For the cleaner · Never fetched')).toBeVisible()
  await button(page, 'Edit Cleaner').click()
  await expect(dialog(page).getByRole('combobox')).toHaveCount(0)
  await field(page, 'Name').fill('Maria')
  await press(page, 'Save')
  await expect(given(page).getByRole('heading', { name: 'Maria' })).toBeVisible()
  // Without a clipboard, for example without https, the address is selected instead.
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await button(page, 'Copy link Maria').click()
  await toast(page, 'The link is selected')
  await expect(given(page).getByLabel('Address of Maria')).toBeFocused()
})
