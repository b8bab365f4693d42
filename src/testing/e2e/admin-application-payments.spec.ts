import type { Locator, Page, Route } from '@playwright/test'
import { dateIn } from '../../domain/common/dates.ts'
import { call, failCall } from './accounts.ts'
import { apply, asAdmin, chooseIn, failOnly, notifications, numberOf, openAsAdmin } from './admin-pages.ts'
import { day, makeApplication } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { openCheckout } from './leases.ts'
import { expect, type Site, test } from './site.ts'

const payments = (page: Page) => page.getByRole('region', { name: 'Payment Information', exact: true })
const rows = (page: Page) => payments(page).locator('tbody').getByRole('row')
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const question = (page: Page) => page.getByRole('alertdialog')
const field = (page: Page, label: string) => dialog(page).getByLabel(label)

async function openApplication(page: Page, site: Site, id: string) {
  await openAsAdmin(page, site, `/admin/application/${id}`)
  await expect(payments(page)).toBeVisible()
}

/** Records a payment by check; `amount` in cents. */
const pay = (site: Site, applicationId: string, amount: number, paymentDate = day(0), paymentType = 'rent') =>
  asAdmin(site, 'POST', '/api/payment/admin/manual-payment', {
    amount,
    paymentType,
    paymentDate,
    applicationId,
  })

/** Pays the deposit through the demo's card provider: $500.00 and a fee of $15.00. */
async function payDepositByCard(page: Page, site: Site, applicationId: string, token: string) {
  const { url } = await call(site, 'POST', '/api/payment/create-checkout-session', {
    token,
    body: {
      amount: 50_000,
      creditCardFee: 1500,
      totalAmount: 51_500,
      paymentType: 'deposit',
      applicationId,
      description: '',
    },
  })
  await page.goto(url)
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.waitForURL(/payment\/success/)
  await expect
    .poll(async () => (await call(site, 'GET', '/api/payment/history', { token })).payments[0]?.status)
    .toBe('succeeded')
}

const menu = async (page: Page, row: Locator, item: string) => {
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('a manual payment can be added and deleted, and missing fields and failures are reported [ADMAPP-33, ADMAPP-34, ADMAPP-35, ADMAPP-36, ADMAPP-37]', async ({
  page,
  site,
}) => {
  const { id } = await apply(site, 'approved')
  await openApplication(page, site, id)
  await expect(payments(page)).toContainText('No payments found')
  await button(payments(page), 'Add Manual Payment').click()
  await expect(field(page, 'Payment date')).toHaveValue(dateIn(new Date(), 'America/New_York'))
  await expect(field(page, 'Payment type').locator('option')).toHaveText([
    'Select a type',
    'Rent',
    'Deposit',
    'Other',
  ])
  // They start with what is open.
  await field(page, 'Amount').fill('')
  await field(page, 'Payment type').selectOption('')
  await button(dialog(page), 'Add payment').click()
  await expect(dialog(page).getByText('Please fill in all required fields')).toHaveCount(2)
  await expectAccessible(page)
  await field(page, 'Amount').fill('12.345')
  await expect(dialog(page).getByText('Please enter a valid amount')).toBeVisible()

  await field(page, 'Amount').fill('1234.50')
  await field(page, 'Payment type').selectOption('rent')
  await field(page, 'Payment date').fill(day(-3))
  await field(page, 'Check number').fill('1042')
  await field(page, 'Notes').fill('Left at the desk')
  await failCall(page, 'payments.addManual', { status: 500 })
  await button(dialog(page), 'Add payment').click()
  await expect(notifications(page).getByText('Failed to add manual payment')).toBeVisible()
  await page.unrouteAll()
  await button(dialog(page), 'Add payment').click()
  await expect(notifications(page).getByText('Manual payment added successfully!')).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  for (const text of ['Rent', 'Check 1042', 'Left at the desk', '$1,234.50', 'Succeeded'])
    await expect(rows(page)).toContainText(text)

  await failCall(page, 'payments.remove', { status: 500 })
  await menu(page, rows(page), 'Delete')
  await expect(question(page)).toHaveAccessibleName('Are you sure you want to delete this payment?')
  await button(question(page), 'Delete').click()
  await expect(notifications(page).getByText('Failed to delete payment')).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await page.unrouteAll()
  await menu(page, rows(page), 'Delete')
  await button(question(page), 'Delete').click()
  await expect(notifications(page).getByText('Payment deleted successfully!')).toBeVisible()
  await expect(payments(page)).toContainText('No payments found')
})

test('shows the first five payments with the balance, and a link to the rest [ADMAPP-15, ADMAPP-16]', async ({
  page,
  site,
}) => {
  const { id, account } = await apply(site, 'approved')
  await asAdmin(site, 'POST', `/api/lease/generate/${id}`, { rentalAmount: 2000, depositAmount: 500 })
  for (let n = 1; n <= 6; n++) await pay(site, id, n * 100_00, day(-n))
  await openApplication(page, site, id)
  await expect(rows(page)).toHaveCount(5)
  await expect(rows(page).first()).toContainText('$100.00')
  await expect(payments(page).getByText('$600.00')).toHaveCount(0)
  const summary = payments(page).locator('dl')
  await expect(summary).toContainText('Owed$2,500.00')
  await expect(summary).toContainText('Paid−$2,100.00')
  await expect(summary).toContainText('Amount owed$400.00')
  const { application } = await asAdmin(site, 'GET', `/api/application/admin/${id}`)
  await payments(page).getByRole('link', { name: 'View all 6 payments' }).click()
  await expect(page).toHaveURL(`/admin/payment/history/${application.userId.id}`)
  const state = await page.evaluate(() => history.state)
  expect(state).toMatchObject({
    tenantId: application.userId.id,
    tenantName: `${account.firstName} ${account.lastName}`,
  })
})

test('an amount can be transferred to another application of the tenant that has a balance due [ADMAPP-38, ADMAPP-39, ADMAPP-40, ADMAPP-41, ADMAPP-42, ADMAPP-43]', async ({
  page,
  site,
}) => {
  const { id, token, lastName } = await apply(site, 'approved')
  const owing = await makeApplication(site, token, 'approved', { lastName })
  const owingNothing = await makeApplication(site, token, 'pending', { lastName })
  await asAdmin(site, 'POST', `/api/lease/generate/${owing}`, { rentalAmount: 1000, depositAmount: 500 })
  await openApplication(page, site, id)
  await expect(payments(page)).toContainText('No payments found')
  for (const name of ['Transfer Amount', 'Give money back'])
    await expect(button(payments(page), name)).toHaveCount(0)
  await pay(site, id, 700_00)
  await pay(site, id, 50_00, day(0), 'deposit')

  await failOnly(page, 'payments.availableDeposits')
  await page.reload()
  await button(payments(page), 'Transfer Amount').click()
  await expect(dialog(page).getByText('Failed to fetch available applications')).toBeVisible()
  await page.unrouteAll()
  await button(dialog(page), 'Try Again').click()
  const destination = field(page, 'Destination application')
  await expect(destination.locator('option')).toHaveText([
    'Select an application',
    `${await numberOf(site, owing)}, $1,500.00 owed`,
  ])
  await expect(destination).not.toContainText(await numberOf(site, owingNothing))
  await expectAccessible(page)
  await button(dialog(page), 'Transfer').click()
  await expect(dialog(page).getByText('Please select destination application and enter amount')).toHaveCount(
    2,
  )
  await destination.selectOption({ index: 1 })
  await expect(dialog(page)).toContainText('Up to $750.00 was paid')
  await field(page, 'What to move').selectOption('deposit')
  await expect(dialog(page)).toContainText(/Up to \$50\.00 was paid on \S+ as deposit\./)
  await field(page, 'What to move').selectOption({ index: 0 })
  await field(page, 'Amount').fill('750.01')
  await field(page, 'Notes').fill('As agreed')
  await button(dialog(page), 'Transfer').click()
  await expect(notifications(page).getByText('Transfer failed')).toBeVisible()
  await expect(dialog(page).getByRole('alert')).toContainText('At most $750.00 can be transferred')
  await field(page, 'Amount').fill('250.25')
  const sent = page.waitForRequest(/payments\.transfer/)
  await button(dialog(page), 'Transfer').click()
  expect(Object.values((await sent).postDataJSON())[0]).toEqual({
    fromApplicationId: id,
    toApplicationId: owing,
    depositAmount: 250_25,
    transferNotes: 'As agreed',
  })
  await expect(notifications(page).getByText('Transfer completed successfully!')).toBeVisible()
  await expect(rows(page).filter({ hasText: 'Admin Transfer' })).toContainText('−$250.25')
  await expect(payments(page).locator('dl')).toContainText('Paid−$499.75')
})

test('declining a paid application offers a refund or a transfer, and a card payment can be refunded in parts [FIX-01]', async ({
  page,
  site,
}) => {
  const { id, token } = await apply(site, 'approved')
  const other = await makeApplication(site, token, 'approved')
  await asAdmin(site, 'POST', `/api/lease/generate/${other}`, {})
  await payDepositByCard(page, site, id, token)
  await pay(site, id, 80_00)
  await openCheckout(site, token, { id, cents: 30_00, type: 'rent' })
  await openApplication(page, site, id)
  await chooseIn(page.getByRole('region', { name: 'Application Status' }), 'Decline')
  await expect(dialog(page)).toContainText('1 card payment is under way. Its checkout will be closed.')
  await expect(dialog(page)).toContainText('The tenant has paid $580.00')
  await button(dialog(page), 'Decline').click()
  await expect(dialog(page)).toHaveAccessibleName('Give the money back')
  await expect(dialog(page)).toContainText('$580.00 of the tenant’s money is still on it.')
  await expect(button(dialog(page), 'Transfer Amount')).toBeVisible()
  // Otherwise axe would measure the colors of a fading toast.
  await expect(notifications(page)).toHaveText('')
  await expectAccessible(page)

  await button(dialog(page), 'Refund to card').click()
  await expect(dialog(page)).toContainText('Up to $515.00 of this payment can go back to Visa •••• 4242')
  await dialog(page)
    .getByRole('radio', { name: /^A part/ })
    .check()
  await field(page, 'Amount to refund').fill('600')
  await button(dialog(page), 'Refund').click()
  await expect(dialog(page).getByText('At most $515.00 can be refunded.')).toBeVisible()
  await field(page, 'Amount to refund').fill('103')
  await expectAccessible(page)
  await button(dialog(page), 'Refund').click()
  await expect(question(page)).toHaveAccessibleName('Refund $103.00 to Visa •••• 4242?')
  await button(question(page), 'Cancel').click()
  await expect(field(page, 'Amount to refund')).toHaveValue('103')
  await button(dialog(page), 'Refund').click()
  await button(question(page), 'Refund $103.00').click()
  await expect(notifications(page).getByText('$103.00 refunded')).toBeVisible()
  await expect(dialog(page)).toContainText('$480.00 of the tenant’s money is still on it.')

  await button(dialog(page), 'Refund to card').click()
  await button(dialog(page), 'Refund').click()
  await button(question(page), 'Refund $412.00').click()
  await expect(dialog(page)).toContainText('$80.00 of the tenant’s money is still on it.')
  await button(dialog(page), 'Record money given back').click()
  await expect(field(page, 'Amount')).toHaveValue('80')
  await button(dialog(page), 'Save').click()
  await expect(notifications(page).getByText('Money given back was recorded')).toBeVisible()
  await expect(dialog(page)).toContainText('Nothing of the tenant’s money is left on this application.')
  await button(dialog(page), 'Done').click()
  await expect(payments(page).locator('dl')).toContainText('Paid$0.00')
  await expect(rows(page).filter({ hasText: 'Deposit' })).toContainText('Refunded')
})

test('a refund with an unknown outcome is retried with the same amount, which the confirmation keeps [LOOK-02, LOOK-11]', async ({
  page,
  site,
}) => {
  const { id, token } = await apply(site, 'approved')
  await payDepositByCard(page, site, id, token)
  await openApplication(page, site, id)
  await menu(page, rows(page), 'Refund to card')
  await dialog(page)
    .getByRole('radio', { name: /^A part/ })
    .check()
  await field(page, 'Amount to refund').fill('20')
  const requests: unknown[] = []
  page.on('request', request => {
    if (request.url().includes('payments.refund')) requests.push(Object.values(request.postDataJSON())[0])
  })
  await failCall(page, 'payments.refund', 'no answer')
  await button(dialog(page), 'Refund').click()
  await button(question(page), 'Refund $20.00').click()
  await expect(notifications(page).getByText('Refund failed')).toBeVisible()
  await expect(field(page, 'Amount to refund')).toHaveAttribute('readonly', '')
  await expect(dialog(page).getByRole('radio', { name: /^All of it/ })).toBeDisabled()
  await page.unrouteAll()
  await button(dialog(page), 'Refund').click()
  await button(question(page), 'Refund $20.00').click()
  await expect(notifications(page).getByText('$20.00 refunded')).toBeVisible()
  expect(requests).toHaveLength(2)
  expect(requests[1]).toEqual(requests[0])
  await expect(rows(page)).toContainText('$20.00 refunded')

  const other = await apply(site, 'approved')
  await payDepositByCard(page, site, other.id, other.token)
  await openApplication(page, site, other.id)
  await menu(page, rows(page), 'Refund to card')
  await button(dialog(page), 'Refund').click()
  await expect(question(page)).toHaveAccessibleName('Refund $515.00 to Visa •••• 4242?')
  const changes = await question(page).evaluateHandle(shown => {
    const texts: string[] = []
    new MutationObserver(records => {
      for (const { target } of records) texts.push(target.textContent ?? '')
    }).observe(shown, { subtree: true, childList: true, characterData: true })
    return texts
  })
  const held = Promise.withResolvers<Route>()
  await page.route(/payments\.refund/, held.resolve)
  await button(question(page), 'Refund $515.00').click()
  const route = await held.promise
  await expect(notifications(page)).toHaveText('Refunding...')
  await expect(question(page)).toHaveAccessibleName('Refund $515.00 to Visa •••• 4242?')
  const message = 'The card provider did not answer.'
  const error = { error: { message, code: -32603, data: { code: 'BAD_GATEWAY', httpStatus: 502 } } }
  await route.fulfill({ status: 502, json: [error] })
  await expect(notifications(page)).toHaveText(`Refund failed ${message}`)
  expect((await changes.jsonValue()).filter(text => text.includes('$0.00'))).toEqual([])
  await expect(dialog(page)).toContainText('Up to $515.00 of this payment can go back')

  await page.unrouteAll()
  await button(dialog(page), 'Refund').click()
  await expect(question(page)).toHaveAccessibleName('Refund $515.00 to Visa •••• 4242?')
  await button(question(page), 'Refund $515.00').click()
  await expect(notifications(page)).toContainText('$515.00 refunded')
  await expect(notifications(page)).not.toContainText('Refunding...')
})

test('a deduction from the deposit requires a reason, and a receipt can be sent on request', async ({
  page,
  site,
}) => {
  const { id, account } = await apply(site, 'approved')
  await asAdmin(site, 'POST', '/api/payment/admin/manual-payment', {
    amount: 500_00,
    paymentType: 'deposit',
    applicationId: id,
  })
  await openApplication(page, site, id)
  await menu(page, rows(page), 'Send receipt')
  await expect(notifications(page).getByText('Receipt is on its way')).toBeVisible()
  await expect(notifications(page)).toContainText(account.email)

  await expect(notifications(page)).toHaveText('')
  await button(payments(page), 'Give money back').click()
  await expectAccessible(page)
  await field(page, 'What it is').selectOption('deduction')
  await field(page, 'Amount').fill('75')
  await button(dialog(page), 'Save').click()
  await expect(dialog(page).getByText('Please say what the deduction is for')).toBeVisible()
  await field(page, 'What the deduction is for').fill('Broken lamp')
  await button(dialog(page), 'Save').click()
  await expect(notifications(page).getByText('Deduction recorded')).toBeVisible()
  await expect(rows(page).filter({ hasText: 'Deposit deduction' })).toContainText('Broken lamp')

  await button(payments(page), 'Give money back').click()
  await expect(dialog(page).getByText('$500.00 was paid.')).toBeVisible()
  await field(page, 'What it is').selectOption('deposit_return')
  await expect(dialog(page).getByText('$425.00 is left of the deposit.', { exact: true })).toBeVisible()
  await field(page, 'Amount').fill('425.01')
  await button(dialog(page), 'Save').click()
  await expect(dialog(page).getByRole('alert')).toContainText('Only $425.00 is left of the deposit.')
})
