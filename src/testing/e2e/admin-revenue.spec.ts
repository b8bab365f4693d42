import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { addMonths, formatMonth, formatShortDate } from '../../domain/common/dates.ts'
import { monthsBetween, twelveMonthsStart } from '../../domain/money/revenue.ts'
import { apply, asAdmin, notifications, openAsAdmin } from './admin-pages.ts'
import { day } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { changeResponse } from './responses.ts'
import { expect, type Site, test } from './site.ts'

// A separate site, so that this file knows all of its payments.
test.use({ siteEnv: { COMPANY_NAME: 'Revenue Test Rentals' } })

const today = day(0)
const thisYear = Number(today.slice(0, 4))
const period = (page: Page) => page.getByLabel('Period', { exact: true })
const year = (page: Page) => page.getByLabel('Year', { exact: true })
const month = (page: Page) => page.getByLabel('Month', { exact: true })
const card = (page: Page, label: string) =>
  page.locator('dl').filter({ has: page.getByText(label, { exact: true }) })
const payments = (page: Page) => page.getByRole('table', { name: 'Recent payments' })
const options = (page: Page, select: 'Period' | 'Year' | 'Month') =>
  page.getByLabel(select, { exact: true }).locator('option')

type Manual = { amount: number; paymentDate: string; paymentType?: string; notes?: string }

const pay = (site: Site, applicationId: string, payment: Manual) =>
  asAdmin(site, 'POST', '/api/payment/admin/manual-payment', {
    paymentType: 'rent',
    applicationId,
    ...payment,
  })

async function choose(page: Page, chosenYear: number, name?: string) {
  await period(page).selectOption(name ? 'Month' : 'Year')
  await year(page).selectOption(String(chosenYear))
  if (name) await month(page).selectOption(name)
}

test('the revenue of a period is chosen, read and exported', async ({ page, site }) => {
  await test.step('the period is all time, a year or a month, by mouse or keyboard, and only that period is requested [REV-01, REV-02, REV-03, REV-04, REV-05]', async () => {
    const asked: unknown[] = []
    page.on('request', request => {
      const url = new URL(request.url())
      const input = JSON.parse(url.searchParams.get('input') ?? '{}')
      for (const [index, name] of url.pathname.replace('/trpc/', '').split(',').entries())
        if (name === 'payments.revenueSummary') asked.push(input[index])
    })
    // A year without revenue cannot be chosen.
    const { id } = await apply(site, 'approved')
    await pay(site, id, { amount: 10_00, paymentDate: `${thisYear - 4}-05-05` })
    await openAsAdmin(page, site, '/admin/revenue')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Revenue Dashboard')
    await expect(options(page, 'Period')).toHaveText(['All Time', 'Year', 'Month'])
    await expect(year(page)).toHaveCount(0)
    await expect(card(page, 'Total Revenue')).toBeVisible()
    expect(asked).toEqual([{}])

    await period(page).selectOption('Year')
    await expect(options(page, 'Year')).toHaveText([0, 1, 2, 3, 4, 5].map(back => String(thisYear - back)))
    await expect(year(page)).toHaveValue(String(thisYear))
    await expect(month(page)).toHaveCount(0)
    await year(page).selectOption(String(thisYear - 4))
    await expect(page.getByText(`${thisYear - 4}, card fees included`)).toBeVisible()

    await period(page).selectOption('Month')
    const names = Array.from({ length: 12 }, (_, index) =>
      formatMonth(`2026-${String(index + 1).padStart(2, '0')}-01`).replace(' 2026', ''),
    )
    await expect(options(page, 'Month')).toHaveText(names)
    await month(page).selectOption('March')
    await expect(page.getByText(`March ${thisYear - 4}, card fees included`)).toBeVisible()
    await expect.poll(() => asked.at(-1)).toEqual({ period: 'month', year: thisYear - 4, month: 3 })
    expect(asked).toContainEqual({ period: 'year', year: thisYear })
    expect(asked).toContainEqual({ period: 'year', year: thisYear - 4 })

    await page.reload()
    await expect(card(page, 'Total Revenue')).toBeVisible()
    await page.getByRole('button', { name: 'Export to CSV' }).focus()
    await page.keyboard.press('Shift+Tab')
    await expect(period(page)).toBeFocused()
    await page.keyboard.type('Month')
    await expect(month(page)).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(year(page)).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(month(page)).toBeFocused()
    await page.keyboard.type('Feb')
    await expect(page.getByText(`February ${thisYear}, card fees included`)).toBeVisible()
  })
  await test.step('shows cards, shares, months and payments of the money received, or zeros [REV-06, REV-10, REV-11, REV-12, REV-13, MONEY-01]', async () => {
    const then = thisYear - 2
    const { id, number, lastName } = await apply(site, 'approved')
    const gone = await apply(site, 'pending')
    await pay(site, id, { amount: 1000_00, paymentDate: `${then}-03-10` })
    await pay(site, id, { amount: 500_00, paymentDate: `${then}-03-11`, paymentType: 'deposit' })
    await pay(site, gone.id, { amount: 234_56, paymentDate: `${then}-07-04`, paymentType: 'other' })
    await asAdmin(site, 'DELETE', `/api/application/admin/${gone.id}`)
    const fiveBack = addMonths(today, -5)
    await pay(site, id, { amount: 4321_09, paymentDate: fiveBack })

    await openAsAdmin(page, site, '/admin/revenue')
    await choose(page, then)
    await expect(card(page, 'Total Revenue')).toContainText('$1,734.56')
    await expect(card(page, 'Net Revenue')).toContainText('$1,734.56after card fees of $0.00')
    await expect(card(page, 'Total Payments')).toContainText('3')
    await expect(card(page, 'Average Payment')).toContainText('$578.19')

    const byType = page.getByRole('region', { name: 'Revenue by Type' }).getByRole('listitem')
    await expect(byType).toHaveText([
      'Rent 1 entry$1,000.00 57.7%',
      'Other 1 entry$234.56 13.5%',
      'Deposit 1 entry$500.00 28.8%',
    ])
    const rows = payments(page).locator('tbody').getByRole('row')
    await expect(payments(page).getByRole('columnheader')).toHaveText([
      'Application or customer',
      'Type',
      'Amount',
      'Date',
    ])
    await expect(rows).toHaveCount(3)
    await expect(rows.nth(0)).toContainText(`Maya ${gone.lastName}`)
    await expect(rows.nth(0)).toContainText('Unlinked')
    await expect(rows.nth(0)).toContainText(formatShortDate(`${then}-07-04`))
    await expect(rows.nth(1)).toContainText(number)
    await expect(rows.nth(1)).toContainText(`Maya ${lastName}`)
    await expect(rows.nth(1)).toContainText('Deposit')
    await expect(rows.nth(1)).toContainText('$500.00')
    await expect(rows.nth(1)).not.toContainText('Unlinked')

    await period(page).selectOption('All Time')
    await expect(page.getByRole('heading', { name: 'Monthly Revenue (Last 12 Months)' })).toBeVisible()
    await expect(page.locator('[data-month]')).toHaveCount(12)
    const months = page.getByRole('table', { name: 'Monthly revenue for the last 12 months' })
    const expected = monthsBetween(twelveMonthsStart(today), today).map(
      each => `${formatMonth(`${each}-01`)}${each === fiveBack.slice(0, 7) ? '$4,321.09' : '$0.00'}`,
    )
    expect(expected).toHaveLength(12)
    await expect(months.locator('tbody').getByRole('row')).toHaveText(expected)
    await expectAccessible(page)

    await choose(page, then, 'July')
    await expect(card(page, 'Total Revenue')).toContainText('$234.56')
    await expect(rows).toHaveCount(1)
    await choose(page, then, 'March')
    await rows
      .first()
      .getByRole('link', { name: `Maya ${lastName}` })
      .click()
    await expect(page).toHaveURL(`/admin/application/${id}`)

    await pay(site, id, { amount: 10_00, paymentDate: `${thisYear - 4}-05-05` })
    await page.goto('/admin/revenue')
    await choose(page, then, 'May')
    for (const label of ['Total Revenue', 'Net Revenue', 'Average Payment'])
      await expect(card(page, label)).toContainText('$0.00')
    await expect(card(page, 'Total Payments')).toContainText('0')
    await expect(page.getByText('No revenue in this period.')).toBeVisible()
    await expect(page.getByText('No payments in this period.')).toBeVisible()
    await changeResponse(page, 'payments.revenueSummary', data => {
      for (const payment of data.payments as { paidAt: string | null }[]) payment.paidAt = null
    })
    await choose(page, thisYear - 4)
    await expect(payments(page).locator('tbody').getByRole('cell').last()).toHaveText(/N\/A$/)
  })
  await test.step('shares are based on the money received, returned money is counted separately, and Export saves the chosen period as CSV [LOOK-03, LOOK-06, REV-14]', async () => {
    const then = thisYear - 3
    const { id, number, account } = await apply(site, 'approved')
    const recordReturn = async (kind: string, amount: number) =>
      asAdmin(site, 'POST', '/trpc/payments.recordReturn', {
        applicationId: id,
        kind,
        amount,
        date: `${then}-02-03`,
      })
    for (let paid = 0; paid < 9; paid++) await pay(site, id, { amount: 100_00, paymentDate: `${then}-02-01` })
    await pay(site, id, { amount: 2100_00, paymentDate: `${then}-02-02`, paymentType: 'deposit' })
    await recordReturn('deposit_return', 2000_00)
    await recordReturn('deposit_return', 50_00)
    await recordReturn('refund', 100_00)

    await openAsAdmin(page, site, '/admin/revenue')
    await choose(page, then)
    const byType = page.getByRole('region', { name: 'Revenue by Type' })
    await expect(byType.getByRole('listitem')).toHaveText([
      'Rent 9 entries$900.00 30%',
      'Deposit 1 entry$2,100.00 70%',
      'Deposits returned 2 entries−$2,050.00',
      'Refunds 1 entry−$100.00',
    ])
    const deposits = byType.getByRole('region', { name: 'Deposits' })
    await expect(deposits.getByRole('listitem')).toHaveCount(2)
    await expect(deposits).toContainText('Received less returned$50.00')
    await expect(byType.getByText('Money given back')).toBeVisible()
    await expect(byType.locator('li > [aria-hidden]')).toHaveCount(2)
    await expect(card(page, 'Total Revenue')).toContainText('$850.00')
    await expect(card(page, 'Total Payments')).toContainText('103 returns not counted')
    const list = page.getByRole('region', { name: 'Recent Payments' })
    await expect(list).toContainText(`10 payments, 2 deposits returned, 1 refund`)
    await page.getByRole('button', { name: 'Show all 13 entries' }).click()
    await expect(payments(page).locator('tbody').getByRole('row')).toHaveCount(13)

    const lastYear = thisYear - 1
    const row = { amount: 1234_56, paymentDate: `${lastYear}-01-31`, notes: '=cmd|calc' }
    await pay(site, id, row)
    await pay(site, id, { ...row, paymentDate: `${lastYear}-02-01` })
    await page.reload()
    await choose(page, lastYear, 'January')
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: /Export/ }).click()
    const download = await saved
    expect(download.suggestedFilename()).toBe(`revenue-${lastYear}-01.csv`)
    const [head = '', ...lines] = (await readFile(await download.path(), 'utf8')).split('\r\n')
    expect(head).toMatch(/^\uFEFFDate,Application,Customer,/)
    expect(lines).toEqual([
      `${lastYear}-01-31,${number},${account.firstName} ${account.lastName},${account.email},Rent,By hand,,,,'=cmd|calc,1234.56,0.00,0.00,1234.56,1234.56`,
      '',
    ])

    await page.route('**/api/payment/admin/revenue.csv*', route => route.abort('connectionfailed'))
    await page.getByRole('button', { name: /Export/ }).click()
    await expect(notifications(page).getByText('Failed to export revenue data')).toBeVisible()
  })
})
