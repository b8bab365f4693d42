import type { Page } from '@playwright/test'
import { dateIn, formatShortDate } from '../../domain/common/dates.ts'
import { formatShortStay } from '../../domain/common/stay.ts'
import { failCall, makeTenant, tokenOf } from './accounts.ts'
import { apply, asAdmin, newSurname, notifications, openAsAdmin } from './admin-pages.ts'
import { day, freeStay, makeApplication, watchCalls } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { changeResponse } from './responses.ts'
import { expect, type Site, test } from './site.ts'

const table = (page: Page) => page.getByRole('table', { name: 'Applications' })
const rows = (page: Page) => table(page).locator('tbody').getByRole('row')
const row = (page: Page, text: string) => rows(page).filter({ hasText: text })
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search applications' })
const names = (page: Page) =>
  rows(page).locator('td:nth-child(2) a:not([href^="mailto"], [href^="tel"])').allTextContents()

async function openDashboard(page: Page, site: Site, query = '') {
  await openAsAdmin(page, site, `/admin/dashboard${query}`)
  await expect(page.getByRole('heading', { name: 'Application Management' })).toBeVisible()
}

test('the table and the figures of all applications', async ({ page, site }) => {
  await test.step('the table shows each application, and the view action opens it [LOOK-16, ADMDASH-01, ADMDASH-02, ADMDASH-09, CONST-01, STATUS-03]', async () => {
    const surname = newSurname()
    const stay = freeStay()
    const { id, number, account } = await apply(site, 'approved', {
      lastName: surname,
      ...stay,
      phone: '(850) 555 0142',
    })
    await asAdmin(site, 'POST', `/api/lease/generate/${id}`, { rentalAmount: 2750.5 })
    const decided = { rejected: 'Declined', completed: 'Complete', pending: 'Submitted' } as const
    for (const status of Object.keys(decided) as (keyof typeof decided)[])
      await apply(site, status, { lastName: surname })

    await openDashboard(page, site, `?search=${surname}`)
    await expect(table(page).getByRole('columnheader')).toHaveText([
      'Select all on this page',
      'Application',
      'Contact',
      'Dates',
      'Monthly Rent',
      'Status',
      'Next step',
      'Actions',
    ])
    const mine = row(page, number)
    const today = formatShortDate(dateIn(new Date(), 'America/New_York'))
    const texts = [
      `Maya ${surname}`,
      today,
      account.email,
      '850-555-0142',
      formatShortStay({ start: stay.requestedStartDate, end: stay.requestedEndDate }),
      '$2,750.50',
      'Approved',
      'Waiting for signature',
    ]
    for (const text of texts) await expect(mine).toContainText(text)
    for (const label of Object.values(decided)) await expect(row(page, label)).toHaveCount(1)
    const colour = (label: string) =>
      row(page, label)
        .getByText(label, { exact: true })
        .evaluate(badge => getComputedStyle(badge).color)
    const [green, blue, red] = ['rgb(29, 100, 68)', 'rgb(34, 80, 143)', 'rgb(163, 38, 31)']
    expect(await colour('Submitted')).toBe(green)
    expect(await colour('Approved')).toBe(green)
    expect(await colour('Complete')).toBe(blue)
    expect(await colour('Declined')).toBe(red)
    await expect(row(page, 'Submitted').getByRole('link', { name: 'Decide' })).toBeVisible()
    const bin = mine.getByRole('button', { name: 'Delete' })
    const binColor = () => bin.evaluate(button => getComputedStyle(button).color)
    expect(await binColor()).toBe('rgb(85, 96, 112)')
    await bin.hover()
    await expect.poll(binColor).toBe(red)

    await mine.getByRole('link', { name: 'View details' }).click()
    await expect(page).toHaveURL(`/admin/application/${id}`)
  })
  await test.step('the cards show the number of applications and the revenue, and drafts and deleted applications are excluded [LOOK-15, ADMDASH-15, ADMDASH-16, ADMDASH-20]', async () => {
    const counted = async () => {
      const { applications } = await asAdmin(site, 'GET', '/api/application/admin/all')
      const { summary } = await asAdmin(site, 'GET', '/api/payment/admin/revenue-summary')
      const of = (status: string) => applications.filter((one: { status: string }) => one.status === status)
      return {
        total: applications.length,
        pending: of('pending').length,
        approved: of('approved').length,
        summary,
      }
    }
    const surname = newSurname()
    await apply(site, 'pending', { lastName: surname })
    const { id } = await apply(site, 'approved', { lastName: surname })
    await asAdmin(site, 'POST', '/api/payment/admin/manual-payment', {
      amount: 123_450,
      paymentType: 'rent',
      applicationId: id,
    })
    const tenant = await makeTenant(site, { lastName: surname })
    await makeApplication(site, await tokenOf(site, tenant), 'draft', { lastName: surname })
    const deleted = await apply(site, 'pending', { lastName: surname })
    await asAdmin(site, 'DELETE', `/api/application/admin/${deleted.id}`)

    const { total, pending, approved, summary } = await counted()
    const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
    await openDashboard(page, site, `?search=${surname}`)
    const card = (label: string) => page.locator('dl').filter({ hasText: label })
    await expect(card('Total applications')).toContainText(String(total))
    await expect(card('Pending')).toContainText(String(pending))
    await expect(card('Approved')).toContainText(String(approved))
    await expect(card('Total revenue')).toContainText(usd.format(summary.totalRevenue / 100))
    await expect(card('Total revenue')).toContainText(`${usd.format(summary.netRevenue / 100)} net`)
    await expect(card('Total revenue')).toContainText(new RegExp(`${summary.paymentCount} payments?`))
    await expect(rows(page)).toHaveCount(2)
    const boxes = await page.getByRole('region', { name: 'Figures' }).getByRole('link').all()
    const heights = await Promise.all(boxes.slice(0, 4).map(async box => (await box.boundingBox())?.height))
    expect(new Set(heights).size).toBe(1)
    await page.getByRole('link', { name: 'Pending' }).click()
    await expect(page).toHaveURL('/admin/dashboard?status=pending')
    await page.getByRole('link', { name: 'Total revenue' }).click()
    await expect(page).toHaveURL('/admin/revenue')
  })
})

test('search, filter, sort, order and page are in the URL, and Back undoes them [LOOK-14, ADMDASH-03, ADMDASH-04, ADMDASH-06, ADMDASH-07, ADMDASH-08]', async ({
  page,
  site,
}) => {
  const surname = newSurname()
  const line = String(1_000_000 + Math.floor(Math.random() * 8_999_999))
  const searched = await apply(site, 'pending', { lastName: newSurname(), phone: `850${line}` })
  const { number, account } = searched
  await apply(site)
  await openDashboard(page, site)
  const shownPhone = `850-${line.slice(0, 3)}-${line.slice(3)}`
  for (const text of [`maya ${searched.lastName.toLowerCase()}`, account.email, shownPhone, number]) {
    await search(page).fill(text)
    await expect(rows(page)).toHaveCount(1)
    await expect(rows(page)).toContainText(number)
  }
  await expect(page).toHaveURL(`/admin/dashboard?search=${number}`)
  await expect(page.getByRole('status').filter({ hasText: '1 application' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/admin/dashboard')
  await expect(search(page)).toHaveValue('')
  await page.goForward()
  await expect(search(page)).toHaveValue(number)
  await expect(rows(page)).toHaveCount(1)

  await apply(site, 'pending', { lastName: surname, firstName: 'Bea' })
  const { id } = await apply(site, 'approved', { lastName: surname, firstName: 'Carl' })
  await asAdmin(site, 'POST', `/api/lease/generate/${id}`, {})
  await apply(site, 'rejected', { lastName: surname, firstName: 'adam' })

  await page.goto(`/admin/dashboard?search=${surname}`)
  const order = async (expected: string[]) =>
    expect.poll(() => names(page)).toEqual(expected.map(first => `${first} ${surname}`))
  await order(['adam', 'Carl', 'Bea'])
  const calls = watchCalls(page, 'applications.adminList')
  await page.getByRole('button', { name: 'Descending' }).click()
  await order(['Bea', 'Carl', 'adam'])
  const sort = page.getByRole('combobox', { name: 'Sort by' })
  await expect(sort.locator('option')).toHaveText([
    'Sort by date',
    'Sort by name',
    'Sort by status',
    'Sort by amount',
    'Upcoming first',
  ])
  await sort.selectOption('firstName')
  await order(['adam', 'Bea', 'Carl'])
  await sort.selectOption('status')
  await order(['Carl', 'Bea', 'adam'])
  await sort.selectOption('totalAmount')
  await expect.poll(async () => (await names(page)).at(-1)).toBe(`Carl ${surname}`)
  expect(calls.length).toBeGreaterThanOrEqual(4)

  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('radio', { name: /^Approved/ }).check()
  await order(['Carl'])
  await expect(page).toHaveURL(
    `/admin/dashboard?search=${surname}&status=approved&sort=totalAmount&order=asc`,
  )
  await expectAccessible(page)

  await page.reload()
  await order(['Carl'])
  const tabs = page.getByRole('navigation', { name: 'Applications by status' })
  const tab = (name: RegExp) => tabs.getByRole('link', { name })
  await expect(tab(/^Approved \d+$/)).toHaveAttribute('aria-current', 'page')
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect(page.getByRole('radio', { name: /^Approved/ })).toBeChecked()
  await expect(page.getByRole('button', { name: 'Ascending' })).toBeVisible()
  await page.getByRole('radio', { name: /^All/ }).check()
  await expect(rows(page)).toHaveCount(3)
  await page.goBack()
  await order(['Carl'])
  await tab(/^Declined \d+$/).click()
  await order(['adam'])
  await tab(/^All \d+$/).click()
  await expect(rows(page)).toHaveCount(3)
  await expect(page).toHaveURL(`/admin/dashboard?search=${surname}&sort=totalAmount&order=asc`)

  const many = newSurname()
  // A tenant can have ten pending applications.
  for (let tenants = 0; tenants < 3; tenants++) {
    const token = await tokenOf(site, await makeTenant(site, { lastName: many }))
    for (let n = 0; n < (tenants === 2 ? 6 : 10); n++)
      await makeApplication(site, token, 'pending', {
        lastName: many,
        requestedStartDate: day(20),
        requestedEndDate: day(30),
      })
  }
  await page.goto(`/admin/dashboard?search=${many}`)
  await expect(rows(page)).toHaveCount(25)
  await expect(page.getByText('1–25 of 26 applications')).toBeVisible()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(rows(page)).toHaveCount(1)
  await expect(page).toHaveURL(`/admin/dashboard?search=${many}&page=2`)
  await page.goBack()
  await expect(rows(page)).toHaveCount(25)
  await page.goto(`/admin/dashboard?search=${many}&page=9`)
  await expect(page).toHaveURL(`/admin/dashboard?search=${many}&page=2`)
  await expect(rows(page)).toHaveCount(1)
})

test('applications are deleted and decided together, and found and decided by keyboard', async ({
  page,
  site,
}) => {
  await test.step('a deletion requires confirmation, and a bulk change also shows a result for each [LOOK-16, ADMDASH-10, ADMDASH-11, ADMDASH-12, ADMDASH-13, ADMDASH-14]', async () => {
    const surname = newSurname()
    const stay = freeStay()
    const first = await apply(site, 'pending', { lastName: surname, ...stay })
    const overlapping = await apply(site, 'pending', { lastName: surname, ...stay })
    const other = await apply(site, 'pending', { lastName: surname })
    const removed = await apply(site, 'pending', { lastName: surname })
    await openDashboard(page, site, `?search=${surname}&order=asc`)
    const remove = row(page, removed.number).getByRole('button', { name: 'Delete' })
    const dialog = page.getByRole('alertdialog', {
      name: 'Are you sure you want to delete this application?',
    })
    await remove.click()
    await expect(dialog).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    await expect(remove).toBeFocused()
    await expect(rows(page)).toHaveCount(4)

    await failCall(page, 'applications.adminDelete', { status: 500 })
    await remove.click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(notifications(page).getByText('Failed to delete application')).toBeVisible()
    await expect(rows(page)).toHaveCount(4)
    await page.unrouteAll()

    await remove.click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(rows(page)).toHaveCount(3)
    await expect(row(page, removed.number)).toHaveCount(0)

    await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0)
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await expect(page.getByText('3 selected')).toBeVisible()
    await row(page, other.number).getByRole('checkbox').uncheck()
    await expect(page.getByText('2 selected')).toBeVisible()
    const shade = (number: string) =>
      row(page, number).evaluate(tinted => getComputedStyle(tinted).backgroundColor)
    await expect.poll(() => shade(other.number)).not.toBe(await shade(first.number))
    await row(page, other.number).getByRole('checkbox').check()

    await page.getByRole('button', { name: 'Approve' }).click()
    const question = page.getByRole('alertdialog', { name: 'Approve 3 applications?' })
    for (const { number } of [first, overlapping, other]) await expect(question).toContainText(number)
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Approve 3 applications' }).click()
    const result = page.getByRole('dialog', { name: '2 of 3 approved' })
    const item = (number: string) =>
      result.getByRole('listitem').filter({ has: page.getByText(number, { exact: true }) })
    await expect(item(first.number)).toContainText('approved')
    const refused = item(overlapping.number)
    await expect(refused).toContainText('Refused')
    await expect(refused).toContainText(`These dates overlap application ${first.number}`)
    await expect(item(other.number)).toContainText('approved')
    await expectAccessible(page)
    await result.getByRole('button', { name: 'Close' }).last().click()
    await expect(row(page, 'Approved')).toHaveCount(2)
    await expect(page.getByText('1 selected')).toBeVisible()

    await page.getByRole('button', { name: 'Decline' }).click()
    await page.getByRole('button', { name: 'Decline 1 application' }).click()
    await expect(page.getByRole('dialog', { name: '1 of 1 declined' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(row(page, overlapping.number)).toContainText('Declined')

    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete 3 applications' }).click()
    await expect(page.getByRole('dialog', { name: '3 of 3 deleted' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByText('No applications found')).toBeVisible()
    await expect(page.getByText('Bulk operations are not available yet')).toHaveCount(0)
  })
  await test.step('the list can be searched, filtered, selected and acted on by keyboard alone', async () => {
    const surname = newSurname()
    const { number } = await apply(site, 'pending', { lastName: surname })
    await openDashboard(page, site)
    await search(page).focus()
    await page.keyboard.type(number)
    await expect(rows(page)).toHaveCount(1)
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Filter' })).toBeFocused()
    await page.keyboard.press('Enter')
    const pressUntil = async (target: ReturnType<Page['locator']>, key = 'Tab') => {
      for (let presses = 0; presses < 20; presses++) {
        if (await target.evaluate(element => element === document.activeElement)) return
        await page.keyboard.press(key)
      }
      await expect(target).toBeFocused()
    }
    await pressUntil(page.getByRole('radio', { name: /^All/ }))
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('radio', { name: /^Submitted/ })).toBeChecked()
    await pressUntil(rows(page).getByRole('checkbox'))
    await page.keyboard.press('Space')
    await expect(page.getByText('1 selected')).toBeVisible()
    await pressUntil(page.getByRole('button', { name: 'Decline' }))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: '1 of 1 declined' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})

test('on a phone a card shows the essentials in 130 px, at 1440 px a row is one line of 52 px [LOOK-13, LOOK-16, LOOK-18, LOOK-97]', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const surname = newSurname()
  const { id, number } = await apply(site, 'approved', { firstName: 'Al', lastName: surname })
  await asAdmin(site, 'POST', `/api/lease/generate/${id}`, { rentalAmount: 2750.5 })
  for (let n = 0; n < 8; n++) await apply(site, 'pending', { lastName: surname })
  await openDashboard(page, site, `?search=${surname}`)
  const card = row(page, number)
  await expect(card.getByRole('link', { name: `Al ${surname}` })).toBeVisible()
  const [today] = formatShortDate(dateIn(new Date(), 'America/New_York')).split(',')
  for (const text of ['Approved', '$2,750.50', 'Waiting for signature', `Applied ${today}`])
    await expect(card.getByText(text).filter({ visible: true })).toHaveCount(1)
  for (const figure of ['Total applications', 'Pending', 'Approved', 'Total revenue'])
    await expect(
      page
        .getByRole('main')
        .getByRole('link', { name: new RegExp(`^${figure}`) })
        .first(),
    ).toBeVisible()
  const box = await card.boundingBox()
  expect(box?.height).toBeLessThanOrEqual(135)
  await rows(page).first().getByRole('checkbox').check()
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toBeInViewport({ ratio: 1 })
  await expect(rows(page).first().getByRole('checkbox')).toBeChecked()
  await page.getByRole('button', { name: 'Clear the selection' }).click()
  await card.click({ position: { x: 200, y: (box?.height ?? 0) - 30 } })
  await expect(page).toHaveURL(`/admin/application/${id}`)

  await page.setViewportSize({ width: 1440, height: 900 })
  const wide = await apply(site, 'pending', { firstName: 'Al' })
  // A name and an email of typical length; those in the tests are longer.
  await changeResponse(page, 'applications.adminList', data => {
    for (const one of data.applications as Record<string, string>[])
      Object.assign(one, { lastName: 'Montgomery', email: 'al.montgomery@guest.example' })
  })
  await page.goto(`/admin/dashboard?search=${wide.number}`)
  await expect.poll(async () => (await rows(page).first().boundingBox())?.height).toBeLessThanOrEqual(53)
  const list = await page.getByRole('region', { name: 'Applications' }).boundingBox()
  expect(list?.width).toBe(1272)
})
