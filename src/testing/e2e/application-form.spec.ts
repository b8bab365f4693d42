import type { Locator, Page } from '@playwright/test'
import { addMonths } from '../../domain/common/dates.ts'
import { makeTenant, signIn, tokenOf } from './accounts.ts'
import { day, freeStay, makeApplication } from './applications.ts'
import { expect, type Site, test } from './site.ts'

const startDate = 'Desired lease start date'
const endDate = 'Desired lease end date'

async function openForm(page: Page, site: Site): Promise<string> {
  const token = await signIn(page, site, await makeTenant(site))
  await page.goto('/application')
  await expect(page.getByRole('heading', { name: 'Rental application' })).toBeVisible()
  return token
}

const field = (page: Page, label: string) => page.getByRole('main').getByLabel(label)
const guest = (page: Page, number: number) => page.getByRole('group', { name: `Guest ${number}` })
const submit = (page: Page) => page.getByRole('button', { name: 'Submit Application' }).click()

async function fillValid(page: Page, { requestedStartDate, requestedEndDate } = freeStay()) {
  await field(page, startDate).fill(requestedStartDate)
  await field(page, endDate).fill(requestedEndDate)
  await field(page, 'Phone').fill('(850) 555-0142')
  await field(page, 'Street address').fill('12 Pine Street')
  await field(page, 'City').fill('Mobile')
  await field(page, 'State').selectOption('AL')
  await field(page, 'ZIP code').fill('36602')
}

test('the form and its calendar are used by keyboard', async ({ page, site }) => {
  await test.step('the complete form can be filled in and submitted by keyboard alone', async () => {
    await openForm(page, site)
    await submit(page)
    await expect(field(page, startDate)).toBeFocused()
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
    await tabTo(page.getByRole('button', { name: 'Add guest' }))
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
  await test.step('the calendar shows booked nights, follows the typed dates, and can be used by keyboard [AVAIL-08]', async () => {
    // Inside the two months that the calendar shows, and before the dates that freeStay returns.
    const nextMonth = addMonths(day(0), 1).slice(0, 8)
    const taken = { requestedStartDate: `${nextMonth}05`, requestedEndDate: `${nextMonth}09` }
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

    // An arrow key without effect does not later take the focus from a field.
    await openForm(page, site)
    await field(page, startDate).fill(day(0))
    await expect(dayButton(day(0))).toHaveAttribute('data-tone', 'selected')
    const first = dayButton(`${day(0).slice(0, 8)}01`)
    await first.press('ArrowLeft')
    await expect(first).toBeFocused()
    await field(page, startDate).fill(day(2))
    await expect(dayButton(day(2))).toHaveAttribute('data-tone', 'selected')
    await expect(field(page, startDate)).toBeFocused()
  })
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
