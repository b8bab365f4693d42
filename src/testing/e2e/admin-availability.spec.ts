import type { Locator, Page } from '@playwright/test'
import { addDays, addMonths, endOfMonth, formatMonth } from '../../domain/common/dates.ts'
import { formatShortStay } from '../../domain/common/stay.ts'
import { availabilityWindow } from '../../web/features/stays/availability-window.ts'
import { apply, asAdmin, notifications, openAsAdmin } from './admin-pages.ts'
import { day } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { recordInputs } from './responses.ts'
import { expect, type Site, test } from './site.ts'

// A separate site, without the bookings of other tests.
test.use({ siteEnv: { COMPANY_NAME: 'Availability Test Rentals' } })

const today = day(0)
const thisMonth = today.slice(0, 7)
/** The month this many months ahead, YYYY-MM. Each test uses different months. */
const month = (ahead: number) => addMonths(`${thisMonth}-01`, ahead).slice(0, 7)
const cell = (page: Page, date: string) => page.locator(`[data-day="${date}"] button`)
const calendar = (page: Page) => page.getByRole('region', { name: 'Availability calendar' })
const bulk = (page: Page) => page.getByRole('button', { name: /^Bulk Update \(/ })
const panel = (page: Page) => page.getByRole('region', { name: 'Bulk update' })
const next = (page: Page) => page.getByRole('button', { name: 'Next month' })

async function open(page: Page, site: Site, ahead = 0) {
  await openAsAdmin(page, site, '/admin/availability')
  for (let step = 0; step < ahead; step++) await next(page).click()
  await expect(calendar(page).getByText(formatMonth(`${month(ahead)}-01`))).toBeVisible()
  await expect(cell(page, `${month(ahead)}-28`)).not.toHaveAccessibleName(/Loading/)
}

/** Clicks and double-clicks a disabled day, and leaves the focus on it. */
async function clickDisabled(button: Locator) {
  await button.click({ force: true })
  await button.dblclick({ force: true })
  await expect(button).toBeFocused()
}

async function block(site: Site, dates: string[], reason = '') {
  await asAdmin(site, 'PUT', '/api/availability/admin/bulk', { dates, isAvailable: false, reason })
}

test.describe('when the browser is a day ahead', () => {
  test.use({ timezoneId: 'Pacific/Kiritimati' })

  test('shows three months around today at the property, each day with color, label and mark [AVAIL-01, AVAIL-02, AVAIL-03, AVAIL-13, AVAIL-16, CONST-03]', async ({
    page,
    site,
  }) => {
    const [blocked, selected] = [`${month(1)}-10`, `${month(1)}-11`]
    await block(site, [blocked], 'Painting')
    const asked: unknown[] = []
    page.on('request', request => {
      const url = new URL(request.url())
      const names = url.pathname.replace('/trpc/', '').split(',')
      const input = JSON.parse(url.searchParams.get('input') ?? '{}')
      for (const [index, name] of names.entries())
        if (name === 'availability.adminRange') asked.push(input[index])
    })
    await open(page, site)
    await expect(calendar(page).getByRole('button', { name: /^Today, / })).toHaveCount(1)
    await expect(cell(page, today)).toHaveAccessibleName(/^Today, /)
    await expect(cell(page, today)).toHaveAttribute('data-tone', 'available')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Availability Management')
    const grids = calendar(page).getByRole('grid')
    const shows = async (first: number) => {
      await expect(grids).toHaveCount(3)
      for (const offset of [0, 1, 2])
        await expect(grids.nth(offset)).toHaveAccessibleName(formatMonth(`${month(first + offset)}-01`))
    }
    await shows(0)
    for (const label of await grids.all())
      await expect(label.locator('thead th')).toHaveText(['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa'])
    const boxes = await Promise.all((await grids.all()).map(grid => grid.boundingBox()))
    expect(new Set(boxes.map(box => Math.round(box?.y ?? 0))).size).toBe(1)
    await next(page).click()
    await shows(1)
    // From the previous month to the end of the fourth month after.
    const windowOf = (ahead: number) => ({
      startDate: `${month(ahead - 1)}-01`,
      endDate: endOfMonth(`${month(ahead + 4)}-01`),
    })
    expect(windowOf(0)).toEqual(availabilityWindow(thisMonth))
    await expect.poll(() => asked).toEqual([windowOf(0), windowOf(1)])
    await page.getByRole('button', { name: 'Previous month' }).click()

    await cell(page, selected).click()
    const yesterday = addDays(today, -1)
    await page.getByRole('button', { name: 'Previous month' }).click()
    await shows(-1)
    await expect(page.getByText(/Click or drag to select.*Double-click/)).toBeVisible()
    await expect(
      page.getByRole('listitem').filter({ hasText: /^\d?(Available|Booked|Unavailable|Past|Selected)$/ }),
    ).toHaveCount(5)
    const looks = [
      [`${month(1)}-12`, 'available', 'rgb(224, 240, 230)', /: Available$/],
      [blocked, 'unavailable', 'rgb(250, 229, 225)', /: Unavailable, Painting$/],
      [yesterday, 'past', 'rgba(0, 0, 0, 0)', /: Past$/],
      [selected, 'selected', 'rgb(34, 80, 143)', /: Selected, available$/],
    ] as const
    for (const [date, tone, background, name] of looks) {
      await expect(cell(page, date)).toHaveAttribute('data-tone', tone)
      await expect(cell(page, date)).toHaveCSS('background-color', background)
      await expect(cell(page, date)).toHaveAccessibleName(name)
    }
    await expect(cell(page, blocked)).toHaveCSS('text-decoration-line', 'line-through')
    await expect(cell(page, selected).locator('svg')).toBeVisible()
    await expect(cell(page, yesterday)).toHaveCSS('color', 'rgb(85, 96, 112)')
    await expectAccessible(page)

    await clickDisabled(cell(page, yesterday))
    await page.keyboard.press('Enter')
    await page.keyboard.press('Space')
    await expect(bulk(page)).toHaveText('Bulk Update (1)')
  })
})

test('days are selected, changed and read by mouse, by keyboard and on a phone', async ({ page, site }) => {
  await test.step('a click selects, also across months, and a double click toggles without selecting [AVAIL-06, AVAIL-07, AVAIL-10, AVAIL-17, AVAIL-18, AVAIL-19]', async () => {
    await open(page, site)
    await expect(bulk(page)).toHaveText('Bulk Update (0)')
    await expect(bulk(page)).toBeDisabled()
    await cell(page, `${month(1)}-05`).click()
    await cell(page, `${month(2)}-06`).click()
    await expect(bulk(page)).toHaveText('Bulk Update (2)')
    await expect(bulk(page)).toBeEnabled()
    for (let step = 0; step < 4; step++) await next(page).click()
    await expect(bulk(page)).toHaveText('Bulk Update (2)')
    for (let step = 0; step < 4; step++) await page.getByRole('button', { name: 'Previous month' }).click()
    await expect(cell(page, `${month(2)}-06`)).toHaveAttribute('data-tone', 'selected')
    await cell(page, `${month(1)}-05`).click()
    await expect(bulk(page)).toHaveText('Bulk Update (1)')
    await page.getByRole('button', { name: 'Clear selection' }).click()
    await expect(bulk(page)).toBeDisabled()

    const [date, other] = [`${month(1)}-14`, `${month(1)}-15`]
    await cell(page, other).click()
    const sent = recordInputs(page, 'availability.setDate')
    await cell(page, date).dblclick()
    await expect(notifications(page).getByText(`Date ${date} updated to unavailable`)).toBeVisible()
    await expect(cell(page, date)).toHaveAttribute('data-tone', 'unavailable')
    await expect(bulk(page)).toHaveText('Bulk Update (1)')
    await cell(page, date).dblclick()
    await expect(notifications(page).getByText(`Date ${date} updated to available`)).toBeVisible()
    await expect(cell(page, date)).toHaveAttribute('data-tone', 'available')
    expect(sent).toEqual([
      { date, isAvailable: false, reason: 'Unavailable' },
      { date, isAvailable: true, reason: 'Available' },
    ])

    // With the keyboard Space selects and Enter toggles.
    await cell(page, date).focus()
    await page.keyboard.press('Space')
    await expect(bulk(page)).toHaveText('Bulk Update (2)')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(
      notifications(page).getByText(`Date ${addDays(date, 7)} updated to unavailable`),
    ).toBeVisible()
    await expect(bulk(page)).toHaveText('Bulk Update (2)')
  })
  await test.step('the panel sets all selected dates, with a reason or by default the state, without a layout shift [AVAIL-11, AVAIL-20, AVAIL-21, AVAIL-22, AVAIL-23, LOOK-23]', async () => {
    const dates = [`${month(4)}-03`, `${month(4)}-04`]
    await open(page, site, 3)
    const sent = recordInputs(page, 'availability.setDates')
    for (const date of dates.toReversed()) await cell(page, date).click()
    const before = await calendar(page).boundingBox()
    await bulk(page).click()
    await expect(panel(page).getByRole('radiogroup', { name: 'Set to' })).toBeVisible()
    await expect(panel(page).getByRole('radio', { name: 'Available', exact: true })).toBeChecked()
    expect(await calendar(page).boundingBox()).toEqual(before)
    await expectAccessible(page)
    await panel(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(panel(page)).toHaveCount(0)
    await expect(bulk(page)).toBeFocused()

    await bulk(page).click()
    await panel(page).getByRole('radio', { name: 'Unavailable' }).check()
    await panel(page)
      .getByLabel(/^Reason/)
      .fill('Family visit')
    await panel(page).getByRole('button', { name: 'Update 2 Dates' }).click()
    await expect(notifications(page).getByText('Updated 2 dates to unavailable')).toBeVisible()
    await expect(panel(page)).toHaveCount(0)
    await expect(bulk(page)).toHaveText('Bulk Update (0)')
    for (const date of dates)
      await expect(cell(page, date)).toHaveAccessibleName(/: Unavailable, Family visit$/)

    for (const date of dates) await cell(page, date).click()
    await bulk(page).click()
    await expect(panel(page).getByLabel(/^Reason/)).toHaveValue('')
    await panel(page).getByRole('button', { name: 'Update 2 Dates' }).click()
    await expect(notifications(page).getByText('Updated 2 dates to available')).toBeVisible()
    for (const date of dates) await expect(cell(page, date)).toHaveAttribute('data-tone', 'available')
    expect(sent).toEqual([
      { dates, isAvailable: false, reason: 'Family visit' },
      { dates, isAvailable: true, reason: 'Available' },
    ])
  })
  await test.step('booked nights show as a bar and in a list, link to their application, and cannot be changed [AVAIL-25, LOOK-04, LOOK-23]', async () => {
    const [arrival, departure] = [`${month(6)}-10`, `${month(6)}-14`]
    const { id, number, lastName } = await apply(site, 'approved', {
      requestedStartDate: arrival,
      requestedEndDate: departure,
    })
    await open(page, site, 5)
    const booked = cell(page, arrival)
    await expect(booked).toHaveAccessibleName(new RegExp(`: Booked by Maya ${lastName}, ${number}$`))
    await expect(booked).not.toHaveCSS('text-decoration-line', 'line-through')
    const name = calendar(page).getByRole('link', { name: lastName })
    await expect(name).toHaveAttribute('href', `/admin/application/${id}`)
    await expect(calendar(page).locator('[data-bar="booking"]').first()).toHaveCSS('height', '24px')
    await expect(cell(page, departure)).toHaveAttribute('data-tone', 'available')
    await clickDisabled(booked)
    await page.keyboard.press('Enter')
    await expect(bulk(page)).toHaveText('Bulk Update (0)')

    await cell(page, `${month(6)}-08`).hover()
    await page.mouse.down()
    await cell(page, `${month(6)}-12`).hover()
    await cell(page, `${month(6)}-15`).hover()
    await page.mouse.up()
    // 8, 9, 14 and 15: the four booked nights in between are not selected.
    await expect(bulk(page)).toHaveText('Bulk Update (4)')

    const list = page.getByRole('region', { name: 'Booked nights' })
    await expect(list.getByRole('listitem')).toHaveText(
      `Maya ${lastName}${number}${formatShortStay({ start: arrival, end: departure })}4 nights`,
    )
  })
  await test.step('on a phone the selection has a visible bar with the possible state change, without keyboard instructions [LOOK-23]', async () => {
    const dates = [`${month(2)}-09`, `${month(2)}-10`, `${month(2)}-11`]
    await open(page, site, 1)
    await expect(page.getByText('With the keyboard, arrows move')).toBeVisible()
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(page.getByText('With the keyboard, arrows move')).toBeHidden()
    await expect(page.getByText(/Tap or hold to select.*Double-tap/)).toBeVisible()
    for (const date of dates) await cell(page, date).click()
    const [available, unavailable] = ['Open', 'Block'].map(name =>
      page.getByRole('button', { name, exact: true }),
    )
    if (!available || !unavailable) throw new Error('two buttons')
    await expect(page.getByText('3 dates', { exact: true })).toBeInViewport({ ratio: 1 })
    await expect(available).toBeHidden()
    await expect(unavailable).toBeInViewport({ ratio: 1 })
    await expectAccessible(page)
    await unavailable.click()
    await expect(notifications(page).getByText('Updated 3 dates to unavailable')).toBeVisible()
    await expect(bulk(page)).toBeDisabled()
    for (const date of dates) await cell(page, date).click()
    await expect(unavailable).toBeHidden()
    await available.click()
    await expect(notifications(page).getByText('Updated 3 dates to available')).toBeVisible()
    for (const date of dates) await expect(cell(page, date)).toHaveAttribute('data-tone', 'available')
  })
})
