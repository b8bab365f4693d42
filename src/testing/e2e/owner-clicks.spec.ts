import type { Locator, Page } from '@playwright/test'
import { addDays, addMonths } from '../../domain/common/dates.ts'
import { buildRate } from '../build-rate.ts'
import { asAdmin, newSurname, notifications, openAsAdmin } from './admin-pages.ts'
import { day } from './applications.ts'
import { expect, type Site, test } from './site.ts'

// A separate site, without the bookings of other tests.
test.use({ siteEnv: { COMPANY_NAME: 'Clicks Test Rentals' } })

const nextMonth = addMonths(`${day(0).slice(0, 7)}-01`, 1)
const cell = (page: Page, date: string) => page.locator(`[data-day="${date}"] button`)

/** Opens the dashboard, and counts the clicks from there. Keys and the content of fields do not count. */
async function fromDashboard(page: Page, site: Site) {
  await openAsAdmin(page, site, '/admin/dashboard')
  let count = 0
  const click = async (target: Locator) => {
    count++
    await target.click()
  }
  const isPhone = (page.viewportSize()?.width ?? 0) < 640
  return {
    click,
    gesture: async (move: () => Promise<void>) => {
      count++
      await move()
    },
    goTo: async (name: string) => {
      if (isPhone) await click(page.getByRole('button', { name: 'Menu' }))
      await click(page.getByRole('banner').getByRole('link', { name }))
    },
    count: () => count,
  }
}

const centerOf = async (target: Locator) => {
  const box = await target.boundingBox()
  return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 }
}

test('on a laptop a week is blocked in three clicks and a price changed in two [LOOK-71, LOOK-92]', async ({
  page,
  site,
}) => {
  const visit = await fromDashboard(page, site)
  await visit.goTo('Availability')
  const [first, last] = [`${nextMonth.slice(0, 7)}-08`, `${nextMonth.slice(0, 7)}-14`]
  await expect(cell(page, first)).toHaveAttribute('data-tone', 'available')
  await visit.gesture(async () => {
    await cell(page, first).hover()
    await page.mouse.down()
    await cell(page, last).hover()
    await page.mouse.up()
  })
  await visit.click(page.getByRole('button', { name: 'Block', exact: true }))
  await expect(notifications(page).getByText('Updated 7 dates to unavailable')).toBeVisible()
  expect(visit.count()).toBe(3)
  await changePrice(page, site, 2)
})

async function changePrice(page: Page, site: Site, clicks: number) {
  const { rate } = await asAdmin(site, 'POST', '/api/rates/admin', buildRate({ period: `P${clicks}` }))
  const visit = await fromDashboard(page, site)
  await visit.goTo('Rates')
  await visit.click(page.getByRole('button', { name: `Edit P${clicks}` }))
  await page.getByLabel('Monthly Rate').fill('3700')
  await page.keyboard.press('Enter')
  await expect(notifications(page).getByText('Rate updated successfully')).toBeVisible()
  expect(visit.count()).toBe(clicks)
  await asAdmin(site, 'DELETE', `/api/rates/admin/${rate.id}`)
}

test('a booking from elsewhere takes two clicks from any screen, besides its fields [LOOK-84, LOOK-92]', async ({
  page,
  site,
}) => {
  for (const [width, months] of [
    [390, 6],
    [1440, 8],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    const visit = await fromDashboard(page, site)
    await visit.click(page.getByRole('banner').getByRole('link', { name: 'New booking' }))
    await page.getByLabel('Arrival').fill(addMonths(nextMonth, months))
    await page.getByLabel(/^Departure/).fill(addDays(addMonths(nextMonth, months), 30))
    await page.getByLabel('First name').first().fill('Jon')
    await page.getByLabel('Last name').first().fill(newSurname())
    await visit.click(page.getByRole('button', { name: 'Add booking' }))
    await expect(notifications(page).getByText('Booking entered')).toBeVisible()
    expect(visit.count()).toBe(2)
  }
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('a week is blocked in four taps, by holding a day and moving on, and a price changed in three [LOOK-71, LOOK-92]', async ({
    page,
    site,
  }) => {
    const visit = await fromDashboard(page, site)
    await visit.goTo('Availability')
    const month = addMonths(nextMonth, 1).slice(0, 7)
    const [first, last] = [cell(page, `${month}-08`), cell(page, `${month}-14`)]
    await expect(first).toHaveAttribute('data-tone', 'available')
    await last.scrollIntoViewIfNeeded()
    const touch = await page.context().newCDPSession(page)
    const send = async (type: 'touchStart' | 'touchMove' | 'touchEnd', target?: Locator) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: target ? [await centerOf(target)] : [] })
    await visit.gesture(async () => {
      await send('touchStart', first)
      await expect(first).toHaveAttribute('data-tone', 'selected')
      await send('touchMove', last)
      await expect(page.getByText('7 dates')).toBeVisible()
      await send('touchEnd')
    })
    await visit.click(page.getByRole('button', { name: 'Block', exact: true }))
    await expect(notifications(page).getByText('Updated 7 dates to unavailable')).toBeVisible()
    expect(visit.count()).toBe(4)

    // By taps alone, in the calendar.
    const taps = await fromDashboard(page, site)
    await page.goto('/admin/availability')
    await taps.click(cell(page, `${month}-16`))
    await taps.click(page.getByRole('button', { name: /^Until… / }))
    await taps.click(cell(page, `${month}-22`))
    await taps.click(page.getByRole('button', { name: 'Block', exact: true }))
    await expect(cell(page, `${month}-22`)).toHaveAttribute('data-tone', 'unavailable')
    expect(taps.count()).toBe(4)
    await changePrice(page, site, 3)
  })
})
