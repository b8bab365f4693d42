import type { Page } from '@playwright/test'
import { addMonths, formatMonth } from '../../domain/common/dates.ts'
import { paragraphsOf } from '../../domain/content/content-text.ts'
import { shippedContent } from '../../server/site/content/shipped-content.ts'
import { availabilityWindow } from '../../web/features/stays/availability-window.ts'
import { buildRate } from '../build-rate.ts'
import { adminToken, call, failCall, makeTenant, tokenOf } from './accounts.ts'
import { day, makeApplication } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { expect, type Site, test } from './site.ts'

const { amenities, facts, gallery, overview } = shippedContent
const { reviews } = shippedContent.reviews

const part = (page: Page, name: string) => page.locator(`#${name}`)
const today = () => day(0)

/** Opens the home page through a link, so that it loads its data through calls that can be made to fail. */
async function openByLink(page: Page) {
  await page.goto('/privacy')
  await expect(page.locator('[data-waiting]')).toHaveCount(0)
  await page.getByRole('banner').getByRole('link', { name: 'Home', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

async function openCalendar(page: Page) {
  await page.goto('/')
  await part(page, 'availability').scrollIntoViewIfNeeded()
  await page.getByRole('button', { name: 'Next month' }).scrollIntoViewIfNeeded()
  await waitForHydration(page, '#availability table button')
}

/** Waits until the element is hydrated and reacts to clicks. */
async function waitForHydration(page: Page, selector: string) {
  await page.waitForFunction(
    name => Object.keys(document.querySelector(name) ?? {}).some(key => key.startsWith('__reactProps')),
    selector,
  )
}

async function setRates(site: Site, periods: string[]) {
  const token = await adminToken(site)
  const { rates } = await call(site, 'GET', '/api/rates/admin/all', { token })
  for (const { id } of rates) await call(site, 'DELETE', `/api/rates/admin/${id}`, { token })
  for (const [i, period] of periods.entries()) {
    const startDate = addMonths(`${today().slice(0, 7)}-01`, i)
    const body = buildRate({ period, startDate, endDate: addMonths(startDate, 1), nightly: 100 + i })
    await call(site, 'POST', '/api/rates/admin', { token, body })
  }
}

// A separate site, without the bookings and rates of other tests.
test.use({ siteEnv: { LOG_LEVEL: 'error' } })
test('a visitor reads the whole page, which loads nothing from another site, and applies [HOME-02, HOME-05, HOME-12, HOME-25, HOME-27]', async ({
  page,
  site,
}) => {
  const periods = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven']
  await setRates(site, periods)
  const foreign: string[] = []
  page.on('request', request => {
    if (!request.url().startsWith(site.url) && !request.url().startsWith('data:')) foreign.push(request.url())
  })
  await page.goto('/')
  for (const { text } of facts.items)
    await expect(page.getByText(text, { exact: true }).first()).toBeVisible()
  const more = part(page, 'overview').getByText(paragraphsOf(overview.more)[0] ?? '')
  await expect(more).toHaveCount(0)
  await page.getByRole('button', { name: 'Show More' }).click()
  await expect(more).toBeVisible()
  await page.getByRole('button', { name: 'Show Less' }).click()
  await expect(more).toHaveCount(0)

  await part(page, 'rates').scrollIntoViewIfNeeded()
  const names = part(page, 'rates')
    .getByRole('rowheader')
    .or(part(page, 'rates').locator('tbody td:first-child'))
  await expect(names).toHaveCount(5)
  await waitForHydration(page, '#rates button')
  await page.getByRole('button', { name: 'View More Periods' }).click()
  await expect(names).toHaveCount(7)
  for (const [i, period] of periods.entries()) await expect(names.nth(i)).toContainText(period)
  await expect(page.getByRole('button', { name: 'View More Periods' })).toHaveCount(0)

  for (const item of amenities.groups.flatMap(group => group.items))
    await expect(part(page, 'amenities').getByText(item, { exact: true })).toBeVisible()
  const section = part(page, 'reviews')
  await section.scrollIntoViewIfNeeded()
  const cards = section.getByRole('article')
  const [first, second] = reviews
  if (!first || !second) throw new Error('no reviews')
  await expect(cards).toHaveCount(3)
  await expect(cards.first()).toContainText(`${first.content.slice(0, 120)}…`)
  await expect(cards.first()).not.toContainText(first.content)
  await waitForHydration(page, '#reviews article button')
  await cards.first().getByRole('button').click()
  await expect(cards.first()).toContainText(first.content)
  await expect(cards.nth(1)).not.toContainText(second.content)
  await section.getByRole('button', { name: 'Show All' }).click()
  await expect(cards).toHaveCount(reviews.length)
  await part(page, 'location').scrollIntoViewIfNeeded()
  await expect(part(page, 'location')).toContainText('120 Ocean Walk, Unit 2B, Seabright Beach, FL 32000')
  await page.waitForLoadState('networkidle')
  expect(foreign).toEqual([])
  await page.getByRole('link', { name: 'APPLY NOW', exact: true }).click()
  await expect(page).toHaveURL('/register')
  await setRates(site, [])
})

test('the tab bar, the gallery and the calendar are used', async ({ page, site }) => {
  await test.step('the tab bar leads to the seven sections, stays at the top, and on a phone scrolls back at the top of the page [HOME-03, HOME-04, LOOK-30]', async () => {
    await page.goto('/')
    const bar = page.getByRole('navigation', { name: 'Parts of this page' })
    const names = ['Overview', 'Gallery', 'Rates', 'Availability', 'Amenities', 'Reviews', 'Location']
    await expect(bar.getByRole('link')).toHaveText(names)
    for (const name of names.toReversed()) {
      await bar.getByRole('link', { name }).click()
      await expect(part(page, name.toLowerCase()).getByRole('heading', { level: 2 })).toBeInViewport()
      await expect(bar.getByRole('link', { name })).toHaveAttribute('aria-current', 'true')
      // Directly below the header, which is 64 pixels high including its border.
      await expect.poll(async () => Math.round((await bar.boundingBox())?.y ?? 0)).toBe(64)
    }
    await page.setViewportSize({ width: 390, height: 844 })
    const strip = () => bar.getByRole('list').evaluate(list => list.scrollLeft)
    await bar.getByRole('link', { name: 'Location' }).click()
    await expect.poll(strip).toBeGreaterThan(0)
    await page.evaluate(() => window.scrollTo(0, 0))
    await expect.poll(strip).toBe(0)
  })
  await page.setViewportSize({ width: 1280, height: 900 })
  await test.step('the gallery enlarges its pictures, by keyboard and by swipe [HOME-06]', async () => {
    await page.goto('/')
    await part(page, 'gallery').scrollIntoViewIfNeeded()
    await expect(part(page, 'gallery').getByRole('figure')).toHaveCount(12)
    await waitForHydration(page, '#gallery a')
    const second = part(page, 'gallery').getByRole('link').nth(1)
    await second.focus()
    await second.press('Enter')
    const viewer = page.getByRole('dialog', { name: 'Pictures of the condo' })
    await expect(viewer.getByText(gallery.pictures[1]?.caption ?? '')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('ArrowRight')
    await expect(viewer.getByText('3 of 12')).toBeVisible()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowLeft')
    await expect(viewer.getByText('12 of 12')).toBeVisible()

    const picture = viewer.getByRole('img')
    await swipe(page, picture, -200)
    await expect(viewer.getByText('1 of 12')).toBeVisible()
    await swipe(page, picture, 200)
    await expect(viewer.getByText('12 of 12')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(viewer).toHaveCount(0)
    await expect(second).toBeFocused()
  })
  await page.unrouteAll()
  await test.step('if rates and calendar fail to load, samples show with a note, and the calendar accepts no dates [HOME-09, HOME-20, HOME-21]', async () => {
    await failCall(page, 'rates.list', { status: 500 })
    await failCall(page, 'availability.range', 'no answer')
    await openByLink(page)
    const sampleRates = part(page, 'rates').getByText('Sample rates: live rates could not be loaded.')
    await expect(sampleRates).toBeVisible()
    const calendar = part(page, 'availability')
    await expect(calendar.getByText('This is a sample calendar')).toBeVisible()
    const days = calendar.locator('td button[data-tone="available"]')
    await calendar.scrollIntoViewIfNeeded()
    await expect(days.nth(20)).toBeVisible()
    // Playwright clicks a disabled day only with `force`.
    await days.first().click({ force: true })
    await expect(page.getByRole('region', { name: 'Your stay' })).toHaveCount(0)
    await expect(calendar.locator('[data-tone="selected"]')).toHaveCount(0)
    await page.unrouteAll()
    await calendar.getByRole('button', { name: 'Try Again' }).click()
    await expect(calendar.getByText('This is a sample calendar')).toHaveCount(0)
  })
  await page.unrouteAll()
  await test.step('the calendar shows three months, why a day is taken, and does not move on a phone [HOME-13, HOME-14, HOME-15, HOME-17, HOME-18]', async () => {
    const token = await adminToken(site)
    const [blocked, first, departure] = [day(33), day(34), day(36)]
    await call(site, 'PUT', `/api/availability/admin/${blocked}`, {
      token,
      body: { isAvailable: false, reason: 'Painting the balcony' },
    })
    await makeApplication(site, await tokenOf(site, await makeTenant(site)), 'approved', {
      requestedStartDate: first,
      requestedEndDate: departure,
    })
    const windows: { startDate: string; endDate: string }[] = []
    page.on('request', request => {
      const url = new URL(request.url())
      const index = url.pathname.slice('/trpc/'.length).split(',').indexOf('availability.range')
      if (index >= 0) windows.push(JSON.parse(url.searchParams.get('input') ?? '{}')[index])
    })
    await openCalendar(page)
    const months = (first: number) => [0, 1, 2].map(i => formatMonth(addMonths(today(), first + i)))
    const shown = page.getByLabel('Availability calendar').getByRole('grid')
    const names = () => shown.evaluateAll(grids => grids.map(grid => grid.getAttribute('aria-label')))
    await expect.poll(names).toEqual(months(0))
    await expect(page.getByRole('button', { name: 'Previous month' })).toBeDisabled()
    windows.length = 0
    await page.getByRole('button', { name: 'Next month' }).click()
    await expect.poll(names).toEqual(months(1))
    const next = addMonths(today(), 1).slice(0, 7)
    await expect.poll(() => windows).toContainEqual(availabilityWindow(next))
    expect(availabilityWindow(next)).toEqual({
      startDate: `${today().slice(0, 7)}-01`,
      endDate: expect.stringMatching(new RegExp(`^${addMonths(today(), 5).slice(0, 7)}-(28|29|30|31)$`)),
    })
    await page.getByRole('button', { name: 'Previous month' }).click()
    await expect.poll(names).toEqual(months(0))

    const cell = (date: string) => page.locator(`td[data-day="${date}"] button`)
    await expect(cell(blocked)).toHaveAccessibleName(/: Unavailable, Painting the balcony$/)
    await expect(cell(first)).toHaveAccessibleName(/: Booked$/)
    await expect(cell(departure)).toHaveAccessibleName(/: Available$/)
    const detail = page.locator('#availability [data-calendar-detail]')
    await cell(blocked).hover()
    await expect(detail).toContainText('Painting the balcony')
    await cell(day(32)).focus()
    await expect(detail).toContainText('Available')
    await page.keyboard.press('ArrowRight')
    await expect(cell(blocked)).toBeFocused()
    await expect(detail).toContainText('Painting the balcony')

    await page.setViewportSize({ width: 360, height: 740 })
    const calendar = page.getByLabel('Availability calendar')
    const top = () => calendar.evaluate(element => element.getBoundingClientRect().top + window.scrollY)
    const before = await top()
    const free = calendar.locator('td button[data-tone="available"]')
    await free.nth(2).click()
    await expect(page.getByText('Now choose the day of your departure.')).toBeVisible()
    expect(await top()).toBe(before)
    await free.nth(2).click()
    expect(await top()).toBe(before)

    // The line about the day under the pointer may cover that day.
    const low = calendar.locator('td:nth-child(4) button[data-tone="available"]').nth(1)
    await low.evaluate(day =>
      window.scrollBy(0, day.getBoundingClientRect().bottom - window.innerHeight + 20),
    )
    const box = await low.boundingBox()
    await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 20)
    await expect(detail).toContainText('Available')
    await page.mouse.down()
    await page.mouse.up()
    await expect(page.getByText('Now choose the day of your departure.')).toBeVisible()
  })
})

async function swipe(page: Page, on: ReturnType<Page['getByRole']>, by: number) {
  const box = await on.boundingBox()
  if (!box) throw new Error('nothing to swipe on')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + by, y + 10, { steps: 4 })
  await page.mouse.up()
}

test('dates chosen by a visitor or a tenant are kept through registration and login into the application form [LOOK-44, LOOK-45]', async ({
  page,
  site,
}) => {
  await setRates(site, ['One', 'Two', 'Three', 'Four'])
  await openCalendar(page)
  await page.getByRole('button', { name: 'Next month' }).click()
  const start = `${addMonths(today(), 2).slice(0, 7)}-10`
  const end = `${addMonths(today(), 2).slice(0, 7)}-17`
  const choose = async (dates: string[]) => {
    for (const date of dates) await page.locator(`td[data-day="${date}"] button`).click()
  }
  await choose([start, end])
  await expect(page.getByRole('region', { name: 'Your stay' })).toContainText('7 nights')
  const apply = page.getByRole('link', { name: 'Apply for these dates' })
  await expect(apply).toHaveAttribute('href', '/register')
  await page.getByRole('banner').getByRole('link', { name: 'Apply' }).click()
  await expect(page).toHaveURL('/register')

  const email = `keeps-${Date.now()}@guest.example`
  await page.getByLabel('First name').fill('Nora')
  await page.getByLabel('Last name').fill('Tide')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel(/^Password/).fill('sandcastle')
  await page.getByLabel('Confirm password').fill('sandcastle')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await expect(page.getByLabel(/^Password/)).toBeFocused()
  await page.keyboard.type('sandcastle')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL('/dashboard')
  await page.getByRole('banner').getByRole('link', { name: 'Application' }).click()
  const expectDates = async (first: string, last: string) => {
    await expect(page.getByLabel('Desired lease start date')).toHaveValue(first)
    await expect(page.getByLabel('Desired lease end date')).toHaveValue(last)
  }
  await expectDates(start, end)

  await openCalendar(page)
  await expect(page.getByRole('link', { name: 'APPLY NOW', exact: true })).toHaveAttribute(
    'href',
    '/application',
  )
  await page.getByRole('button', { name: 'Next month' }).click()
  const later = end.replace(/..$/, '24')
  await choose([end, later])
  await apply.click()
  await expect(page).toHaveURL('/application')
  await expectDates(end, later)
  await setRates(site, [])
})
