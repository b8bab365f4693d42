import type { Locator, Page } from '@playwright/test'
import { type Account, call, failCall, makeTenant, signIn, tokenOf } from './accounts.ts'
import { asAdmin, failOnly, notifications, openAsAdmin } from './admin-pages.ts'
import { day, makeApplication } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { payByCard, uploadScan } from './leases.ts'
import { recordInputs } from './responses.ts'
import { expect, type Site, test } from './site.ts'

// A separate site, because its rules would change the totals in other tests.
test.use({ siteEnv: { COMPANY_NAME: 'Charged Test Rentals' } })

const payments = (page: Page) => page.getByRole('region', { name: 'Payment Information', exact: true })
const owes = (page: Page) => page.getByRole('region', { name: 'Payments', exact: true })
const lease = (page: Page) => page.getByRole('region', { name: 'Lease Information', exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const sum = (page: Page) => dialog(page).getByRole('status')
const field = (page: Page, label: string) => dialog(page).getByLabel(label)
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const regenerate = async (page: Page) => {
  await button(lease(page), 'More actions').click()
  await page.getByRole('menuitem', { name: 'Regenerate' }).click()
}
const line = (within: Locator, text: string) => within.locator('dl > div').filter({ hasText: text })

async function expectNoOverflow(page: Page) {
  for (const width of [390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
  await expectAccessible(page)
}

test.describe('without rules', () => {
  test('without fees and taxes the owner sees only rent and deposit, and how they add up [CHG-03, LOOK-20]', async ({
    page,
    site,
  }) => {
    const account = await makeTenant(site)
    const id = await makeApplication(site, await tokenOf(site, account), 'approved')
    await openAsAdmin(page, site, `/admin/application/${id}`)
    const inputs = recordInputs(page, 'leases.generate')
    await button(page, 'Generate lease').click()
    await expect(sum(page)).toContainText('Rent for the stay30 nights: one month’s rent$2,500.00')
    await expect(sum(page)).toContainText('Total in the lease$3,000.00')
    await expect(dialog(page).getByRole('group')).toHaveCount(0)
    await button(dialog(page), 'Generate lease').click()
    await expect(lease(page)).toContainText('Total in the lease$3,000.00')
    expect(Object.keys(inputs[0] ?? {}).sort()).toEqual([
      'applicationId',
      'depositAmount',
      'leaseEndDate',
      'leaseStartDate',
      'rentalAmount',
    ])
    await expect(payments(page)).toContainText('Total$3,000.00')
    await expect(payments(page).getByText('Charges', { exact: true })).toHaveCount(0)
    await expect(button(payments(page), 'Add charge')).toHaveCount(0)
    await expect(lease(page)).not.toContainText('Fees')
  })
})

test.describe('with a cleaning fee, a pet fee and two taxes', () => {
  // These tests follow one booking from its lease to its last charge.
  test.describe.configure({ mode: 'serial' })
  let account: Account
  let id: string

  test('a lease has charges, and the tenant pays them', async ({ page, site }) => {
    await test.step('a lease is generated with the fees that its dates offer and an extra line, and the dialog shows the total [CHG-07, CHG-08, CHG-09, CHG-10]', async () => {
      await makeRules(site)
      account = await makeTenant(site)
      id = await makeApplication(site, await tokenOf(site, account), 'approved')
      await openAsAdmin(page, site, `/admin/application/${id}`)
      await button(page, 'Generate lease').click()
      await expect(field(page, 'Cleaning fee $150.00')).toBeChecked()
      await expect(field(page, 'Pet fee $200.00')).not.toBeChecked()
      // 6% of rent and fees, 5% of rent.
      await expect(sum(page)).toContainText('State tax (6% of $2,650.00)$159.00')
      await expect(sum(page)).toContainText('Total in the lease$3,434.00')
      await field(page, 'Pet fee').check()
      await expect(sum(page)).toContainText('State tax (6% of $2,850.00)$171.00')

      await button(dialog(page), 'Add a line').click()
      await field(page, 'Kind').selectOption('discount')
      await expect(field(page, 'Taxable')).toHaveCount(0)
      await field(page, 'Label').fill('Early booking')
      await button(dialog(page), 'Generate lease').click()
      await expect(dialog(page).getByText('Please enter a valid amount')).toBeVisible()
      await field(page, 'Amount').fill('100')
      for (const text of [
        'Rent for the stay30 nights: one month’s rent$2,500.00',
        'Cleaning fee$150.00',
        'Pet fee$200.00',
        'Early booking−$100.00',
        'State tax (6% of $2,750.00)$165.00',
        'County tax (5% of $2,400.00)$120.00',
        'Security deposit$500.00',
        'Total in the lease$3,535.00',
      ])
        await expect(sum(page)).toContainText(text)
      await expectNoOverflow(page)

      await failCall(page, 'leases.previewCharges', { status: 500 })
      await field(page, 'Rent for the stay').fill('2600')
      await expect(sum(page)).toContainText('Failed to add up the charges')
      await page.unrouteAll()
      await button(dialog(page), 'Try Again').click()
      await expect(sum(page)).toContainText('Rent for the stay30 nights: one month’s rent$2,600.00')
      await field(page, 'Rent for the stay').fill('2500')
      await expect(sum(page)).toContainText('Total in the lease$3,535.00')
      await button(dialog(page), 'Generate lease').click()
      await expect(notifications(page).getByText('Lease generated')).toBeVisible()
      await expect(lease(page)).toContainText('Fees, discounts and taxes$535.00')
      await expect(lease(page)).toContainText('Total in the lease$3,535.00')
      await expect(payments(page)).toContainText('Security deposit$500.00Total$3,535.00')
      await expect(button(payments(page), 'Void')).toHaveCount(0)
      await expect(button(payments(page), 'Add charge')).toHaveCount(0)

      // The dialog keeps the choices when the lease is regenerated.
      await regenerate(page)
      await expect(field(page, 'Pet fee')).toBeChecked()
      await expect(field(page, 'Label')).toHaveValue('Early booking')
      await expect(field(page, 'Amount')).toHaveValue('100')
      await button(dialog(page), 'Remove line 1').click()
      await expect(button(dialog(page), 'Add a line')).toBeFocused()
      await expect(sum(page)).toContainText('Total in the lease$3,646.00')

      // Other dates offer other fees.
      await page.reload()
      await regenerate(page)
      await expect(field(page, 'Pet fee')).toBeChecked()
      await expect(field(page, 'Long stay')).toHaveCount(0)
      await field(page, 'Lease start date').fill(day(700))
      await field(page, 'Lease end date').fill(day(760))
      await expect(field(page, 'Long stay 10% off the rent')).not.toBeChecked()
      await field(page, 'Long stay').check()
      await expect(sum(page)).toContainText('Long stay (10% of')
      await field(page, 'Lease end date').fill(day(730))
      await expect(field(page, 'Long stay')).toHaveCount(0)
      await expect(sum(page)).not.toContainText('Long stay')
      await expect(field(page, 'Pet fee')).toBeChecked()
      await failOnly(page, 'leases.terms')
      await field(page, 'Lease end date').fill(day(731))
      await expect(dialog(page).getByText('Failed to load fees')).toBeVisible()
      await page.unrouteAll()
      await button(dialog(page), 'Try Again').first().click()
      await expect(field(page, 'Pet fee')).toBeChecked()
    })
    await test.step('the tenant sees the charges line by line and pays them [CHG-27]', async () => {
      const guest = await page.context().newPage()
      const token = await signIn(guest, site, account)
      await uploadScan(site, token, id)
      await guest.goto(`/application/${id}`)
      await expect(owes(guest).locator('dl > div')).toContainText([
        'Rent30 nights: one month’s rent$2,500.00',
        'Cleaning fee$150.00',
        'Pet fee$200.00',
        'Early booking−$100.00',
        'State tax (6% of $2,750.00)$165.00',
        'County tax (5% of $2,400.00)$120.00',
        'Security deposit$500.00',
        'Total$3,535.00',
        'Paid$0.00',
        'Amount owed$3,535.00',
      ])
      await expectNoOverflow(guest)
      await payByCard(site, token, { id, cents: 500_00, type: 'deposit' })
      await payByCard(site, token, { id, cents: 3_035_00, type: 'rent' })
      await guest.reload()
      await expect(guest.getByText('Paid in full')).toBeVisible()
      await expect(guest.getByRole('link', { name: 'Make a payment' })).toHaveCount(0)
      await guest.close()
    })
  })

  test('a taxable charge can be added later with its tax, and voided, also for the tenant [CHG-22, CHG-23, CHG-24, CHG-27]', async ({
    page,
    site,
  }) => {
    await openAsAdmin(page, site, `/admin/application/${id}`)
    await button(payments(page), 'Add charge').click()
    await button(dialog(page), 'Add charge').click()
    for (const problem of [
      'Please choose what is charged',
      'Please enter a valid amount',
      'A label is required',
    ])
      await expect(dialog(page).getByText(problem)).toBeVisible()
    await field(page, 'Kind').selectOption('deposit')
    await expect(field(page, 'Taxable')).toHaveCount(0)
    await field(page, 'Label').fill('Goodwill')
    await field(page, 'Amount').fill('-9999')
    await expect(dialog(page).getByText('Please enter a valid amount')).toBeVisible()
    await field(page, 'Kind').selectOption('adjustment')
    await expect(dialog(page).getByText('Please enter a valid amount')).toHaveCount(0)
    await button(dialog(page), 'Add charge').click()
    await expect(dialog(page).getByRole('alert')).toContainText(
      'That would make the total less than nothing.',
    )
    await field(page, 'Kind').selectOption('damage')
    await field(page, 'Label').fill('Broken lamp')
    await field(page, 'Amount').fill('50')
    await field(page, 'Taxable').check()
    await expectNoOverflow(page)
    const inputs = recordInputs(page, 'charges.add')
    await failCall(page, 'charges.add', { status: 500 })
    await button(dialog(page), 'Add charge').click()
    await expect(dialog(page).getByRole('alert')).toContainText('Failed to add charge')
    await page.unrouteAll()
    await button(dialog(page), 'Add charge').click()
    await expect(notifications(page).getByText('Charge added')).toBeVisible()
    expect(inputs).toHaveLength(2)
    expect(inputs[1]).toEqual(inputs[0])
    const charges = payments(page)
    await expect(line(charges, 'Broken lamp')).toContainText('$50.00')
    await expect(line(charges, 'State tax (6% of $50.00, added later)')).toContainText('$3.00')
    const voids = charges.getByRole('button', { name: /^Void/ })
    await expect(voids).toHaveText(['Void'])
    await expect(payments(page)).toContainText('Amount owed$53.00')
    // The lease still shows the signed total.
    await expect(lease(page)).toContainText('Total in the lease$3,535.00')
    await expectNoOverflow(page)

    const tenant = await tokenOf(site, account)
    const seen = await call(site, 'GET', `/api/charge/${id}`, { token: tenant })
    expect(seen.summary).toMatchObject({ owedCents: 3_588_00, balanceCents: 53_00 })

    await button(charges, 'Void Broken lamp').click()
    await button(dialog(page), 'Void').click()
    await expect(dialog(page).getByText('Please give a reason')).toBeVisible()
    await expectAccessible(page)
    await field(page, 'Reason').fill('It was broken before')
    await failCall(page, 'charges.void', { status: 500 })
    await button(dialog(page), 'Void').click()
    await expect(notifications(page).getByText('Failed to void charge')).toBeVisible()
    await page.unrouteAll()
    await button(dialog(page), 'Void').click()
    await expect(notifications(page).getByText('Charge voided')).toBeVisible()
    await expect(line(charges, 'Broken lamp').locator('del').first()).toHaveText('Broken lamp')
    await expect(line(charges, 'Broken lamp')).toContainText(/Voided .+: It was broken before/)
    await expect(voids).toHaveCount(0)
    await expect(payments(page)).toContainText('BalancePaid in full')
    await expect(notifications(page)).toHaveText('')
    await expectNoOverflow(page)

    // The tenant sees a charge until it is voided.
    const { charge } = await asAdmin(site, 'POST', `/api/charge/admin/${id}`, {
      kind: 'fee',
      label: 'Late checkout',
      amountCents: 40_00,
      taxable: true,
    })
    const other = await page.context().newPage()
    await signIn(other, site, account)
    await other.goto(`/application/${id}`)
    await expect(line(owes(other), 'Late checkout')).toContainText('$40.00')
    await expect(line(owes(other), 'State tax (6% of $40.00, added later)')).toContainText('$2.40')
    await expect(owes(other)).not.toContainText('Broken lamp')
    await expect(other.getByRole('link', { name: 'Pay now' })).toBeVisible()
    await asAdmin(site, 'POST', `/api/charge/admin/${charge.id}/void`, { reason: 'Agreed before' })
    await other.reload()
    await expect(line(owes(other), 'Security deposit')).toBeVisible()
    await expect(owes(other)).not.toContainText('Late checkout')
  })
})

async function makeRules(site: Site) {
  const fee = { kind: 'fee', per: 'stay', taxable: true }
  await asAdmin(site, 'POST', '/api/charge/admin/fees', {
    ...fee,
    name: 'Cleaning fee',
    amountCents: 150_00,
    required: true,
  })
  await asAdmin(site, 'POST', '/api/charge/admin/fees', { ...fee, name: 'Pet fee', amountCents: 200_00 })
  await asAdmin(site, 'POST', '/api/charge/admin/fees', {
    kind: 'discount',
    name: 'Long stay',
    per: 'rent',
    basisPoints: 1000,
    minNights: 50,
  })
  const tax = { onRent: true, onFees: true }
  await asAdmin(site, 'POST', '/api/charge/admin/taxes', {
    ...tax,
    name: 'State tax',
    authority: 'State',
    basisPoints: 600,
  })
  await asAdmin(site, 'POST', '/api/charge/admin/taxes', {
    ...tax,
    name: 'County tax',
    authority: 'County',
    basisPoints: 500,
    onFees: false,
  })
}
