import type { Locator, Page, Route } from '@playwright/test'
import { call, failCall } from './accounts.ts'
import { apply, asAdmin, chooseIn, notifications, openAsAdmin } from './admin-pages.ts'
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

test('card payments are refunded', async ({ page, site }) => {
  await test.step('declining a paid application offers a refund or a transfer, and a card payment can be refunded in parts [FIX-01]', async () => {
    const { id, token } = await apply(site, 'approved')
    const other = await makeApplication(site, token, 'approved')
    await asAdmin(site, 'POST', `/api/lease/generate/${other}`, {})
    await payDepositByCard(page, site, id, token)
    await pay(site, id, 80_00)
    await openCheckout(site, token, { id, cents: 30_00, type: 'rent' })
    await openApplication(page, site, id)
    for (const name of ['Add Manual Payment', 'Transfer Amount', 'Give money back']) {
      await button(payments(page), name).click()
      await expect(dialog(page)).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
    }
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
    await expect(payments(page).locator('dl')).toHaveText('Paid$580.00Returned−$580.00')
    await expect(rows(page).filter({ hasText: 'Deposit' })).toContainText('Refunded')
  })
  await test.step('a refund with an unknown outcome is retried with the same amount, which the confirmation keeps [LOOK-02, LOOK-11]', async () => {
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
})
