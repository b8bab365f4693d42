import type { Locator, Page } from '@playwright/test'
import { formatShortDate } from '../../domain/common/dates.ts'
import { makeTenant, tokenOf } from './accounts.ts'
import { asAdmin, failOnly, notifications, openAsAdmin } from './admin-pages.ts'
import { day, makeApplication } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { uploadScan } from './leases.ts'
import { expect, test } from './site.ts'

// A separate site, because its settings would change the leases of other tests. The tests follow one booking from its
// plan to its late fee.
test.use({ siteEnv: { COMPANY_NAME: 'Plan Test Rentals' } })
test.describe.configure({ mode: 'serial' })

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const plan = (page: Page) => region(page, 'Payment plan')
const dialog = (page: Page) => page.getByRole('dialog')
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const row = (page: Page, name: RegExp) => page.getByRole('row', { name })
const menuOf = async (page: Page, of: Locator, item: string) => {
  await of.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}
const generate = async (page: Page) => {
  await button(page, 'Generate lease').click()
  await expect(dialog(page)).toContainText('Total in the lease$8,000.00')
}

let token: string
let id: string

test('payment plans are set up, and the plan of a lease is changed', async ({ page, site }) => {
  await test.step('payment plans are hidden until they are set up, and the setup shows an example [PLAN-01, PLAN-02, BANK-02]', async () => {
    token = await tokenOf(site, await makeTenant(site))
    id = await makeApplication(site, token, 'approved', {
      requestedStartDate: day(60),
      requestedEndDate: day(150),
    })
    await openAsAdmin(page, site, `/admin/application/${id}`)
    await generate(page)
    await expect(dialog(page).getByLabel('Payment plan')).toHaveCount(0)
    await expect(plan(page)).toHaveCount(0)
    await page.goto('/admin/revenue')
    await expect(region(page, 'Recent Payments')).toBeVisible()
    await page.getByRole('link', { name: 'How guests pay' }).click()
    await button(plan(page), 'Edit: Payment plan').click()
    await plan(page).getByLabel('Monthly').check()
    const example = plan(page).getByRole('region', { name: 'Example' })
    await expect(example.getByRole('listitem')).toHaveCount(4)
    await plan(page).getByLabel('Late fee').selectOption('percent')
    await plan(page).getByLabel('Percent of what is open').fill('26')
    await button(plan(page), 'Save').click()
    await expect(plan(page).getByLabel('Percent of what is open')).toBeFocused()
    await expect(plan(page)).toContainText('Please enter a percentage from 0.01% to 25%')
    await plan(page).getByLabel('Percent of what is open').fill('2')
    await expect(example).toContainText('a late fee of $50.00 is proposed')
    await expectAccessible(page)
    await button(plan(page), 'Save').click()
    await expect(notifications(page).getByText('Payment plan saved')).toBeVisible()
    await button(region(page, 'Bank payments'), 'Edit: Bank payments').click()
    await region(page, 'Bank payments').getByRole('switch').check()
    await button(region(page, 'Bank payments'), 'Save').click()
    await expect(notifications(page).getByText('Bank payments saved')).toBeVisible()
    expect((await asAdmin(site, 'GET', '/api/setup/admin/bank')).body).toEqual({ enabled: true })
  })
  await test.step('the owner can change the plan of a lease until it is signed [PLAN-05, PLAN-15, PLAN-16, PLAN-17]', async () => {
    await openAsAdmin(page, site, `/admin/application/${id}`)
    await generate(page)
    await dialog(page).getByLabel('Payment plan').selectOption('Two parts')
    await button(dialog(page), 'Generate lease').click()
    await expect(plan(page)).toContainText('Two parts. Late fee: 2% of what is open after 5 days.')
    await expect(row(page, /^Payment 1 of 2 \$3,750\.00 At signing/)).toBeVisible()

    await button(plan(page), 'Change plan').click()
    await dialog(page).getByLabel('Payment plan').selectOption('Monthly')
    await dialog(page).getByLabel('Payment plan').selectOption('Custom payments')
    await expect(dialog(page).getByLabel('Amount')).toHaveCount(3)
    await dialog(page).getByLabel('Amount').first().fill('2400')
    await button(dialog(page), 'Change plan').click()
    await expect(dialog(page).getByRole('alert')).toHaveText(
      'The payments add up to $7,400.00; $7,500.00 is needed.',
    )
    await asAdmin(site, 'PUT', `/api/plan/admin/${id}`, { version: 1, kind: 'full' })
    await dialog(page).getByLabel('Amount').first().fill('2500')
    await button(dialog(page), 'Change plan').click()
    await expect(dialog(page).getByRole('alert')).toContainText('The plan was changed meanwhile.')
    await expectAccessible(page)
    await button(dialog(page), 'Load current plan').click()
    await expect(dialog(page).getByLabel('Payment plan')).toHaveValue('full')
    await dialog(page).getByLabel('Payment plan').selectOption('Monthly')
    await button(dialog(page), 'Change plan').click()
    await expect(notifications(page).getByText('Payment plan changed')).toBeVisible()
    await expect(row(page, /^Payment 3 of 3 \$2,500\.00/)).toBeVisible()

    await uploadScan(site, token, id)
    await failOnly(page, 'plans.show')
    await page.reload()
    await expect(plan(page)).toContainText('Failed to load the payment plan')
    await page.unrouteAll()
    await button(plan(page), 'Try Again').click()
    await expect(row(page, /^Payment 1 of 3/)).toContainText('Upcoming')
    await expect(button(plan(page), 'Change plan')).toHaveCount(0)
  })
})

test('single payments are postponed, and late ones dealt with', async ({ page, site }) => {
  await test.step('the owner postpones and waives single payments, and sees what the tenant will read [PLAN-28, PLAN-29]', async () => {
    await openAsAdmin(page, site, `/admin/application/${id}`)
    await menuOf(page, row(page, /^Payment 1 of 3/), 'Postpone')
    await dialog(page).getByLabel('New due date').fill(day(10))
    await dialog(page).getByLabel('Reason').fill('A new account')
    await button(dialog(page), 'Postpone').click()
    await expect(dialog(page).getByLabel('New due date')).toHaveAccessibleDescription(/a date after/)
    await dialog(page).getByLabel('New due date').fill(day(50))
    await dialog(page).getByLabel('Amount').fill('500')
    await expect(dialog(page).getByRole('status')).toContainText(
      `Payment 1 of 3: $500.00 is now due on ${formatShortDate(day(50))}.`,
    )
    await expectAccessible(page)
    await button(dialog(page), 'Postpone').click()
    await expect(notifications(page).getByText('Payment postponed')).toBeVisible()
    await expect(row(page, /^Payment 1 of 3 \$500\.00/)).toContainText(formatShortDate(day(50)))

    await menuOf(page, row(page, /^Payment 3 of 3/), 'Waive')
    await dialog(page).getByLabel('Reason').fill('A gift')
    await button(dialog(page), 'Waive').click()
    await expect(notifications(page).getByText('Payment waived')).toBeVisible()
    await expect(row(page, /^Payment 3 of 3 \$0\.00/)).toContainText('Waived')
    await expect(region(page, 'Payment Information')).toContainText('Waived: Payment 3 of 3')
  })
  await test.step('due payments are listed, and late fees can be charged or dismissed [PLAN-33, PLAN-34, PLAN-35, PLAN-36]', async () => {
    await openAsAdmin(page, site, '/admin/revenue')
    await page.getByRole('link', { name: 'Due', exact: true }).click()
    await expect(row(page, /^Maya Rivers/)).toHaveCount(2)
    await page.getByLabel('Show').selectOption('overdue')
    await expect(page).toHaveURL('/admin/revenue/due?state=overdue')
    await expect(page.getByText('No payments found')).toBeVisible()

    await site.restart({ CLOCK_OFFSET: '+70d' })
    // The previous session has expired.
    await openAsAdmin(page, site, '/admin/revenue/due')
    await expect(page.getByRole('definition').first()).toHaveText('$3,000.00')
    await expect(row(page, /^Maya Rivers/)).toHaveCount(4)
    await page.getByRole('link', { name: 'Maya Rivers' }).first().click()

    await button(page, 'Charge late fee').first().click()
    await dialog(page).getByLabel('Amount').fill('40.01')
    await button(dialog(page), 'Charge late fee').click()
    await expect(dialog(page).getByLabel('Amount')).toHaveAccessibleDescription(/At most \$40\.00/)
    await dialog(page).getByLabel('Amount').fill('')
    await button(dialog(page), 'Charge late fee').click()
    await expect(dialog(page).getByLabel('Amount')).toHaveAccessibleDescription(/Please enter a valid amount/)
    await dialog(page).getByLabel('Amount').fill('30')
    await button(dialog(page), 'Charge late fee').click()
    await expect(notifications(page).getByText('Late fee charged')).toBeVisible()
    await expect(row(page, /^Late fee: Payment 1 of 3 \$30\.00/)).toContainText('Upcoming')
    await menuOf(page, row(page, /^Payment 1 of 3 \$500\.00/), 'No late fee')
    await button(page.getByRole('alertdialog'), 'No late fee').click()
    await expect(notifications(page).getByText('No late fee for this payment')).toBeVisible()
    await expect(button(page, 'Charge late fee')).toHaveCount(0)
  })
})
