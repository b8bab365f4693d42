import type { Page } from '@playwright/test'
import { call } from './accounts.ts'
import { apply, asAdmin, notifications, openAsAdmin } from './admin-pages.ts'
import { expectAccessible } from './axe.ts'
import { changeResponse, recordInputs } from './responses.ts'
import { expect, type Site, test } from './site.ts'

const board = (page: Page) => page.getByRole('region', { name: 'Notices' })

/** Opens a checkout for the deposit as the tenant, and returns the URL of the provider's page. */
async function openCheckout(site: Site, applicationId: string, token: string): Promise<string> {
  const body = {
    amount: 50_000,
    creditCardFee: 1500,
    totalAmount: 51_500,
    paymentType: 'deposit',
    applicationId,
    description: '',
  }
  return (await call(site, 'POST', '/api/payment/create-checkout-session', { token, body })).url
}

async function payDeposit(page: Page, site: Site, applicationId: string, token: string): Promise<string> {
  await page.goto(await openCheckout(site, applicationId, token))
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.waitForURL(/payment\/success/)
  const history = async () => (await call(site, 'GET', '/api/payment/history', { token })).payments[0]
  await expect.poll(async () => (await history())?.status).toBe('succeeded')
  return (await history()).id
}

test('a decline shows the number of pending payments and closes their checkouts [FIX-01]', async ({
  page,
  site,
}) => {
  const { id, token } = await apply(site, 'approved')
  const url = await openCheckout(site, id, token)
  await openAsAdmin(page, site, `/admin/application/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('1 card payment is under way. Its checkout will be closed.')
  await question.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Decline', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('1 card payment is under way. Its checkout will be closed.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Decline', exact: true }).click()
  await expect(notifications(page).getByText('Application status updated')).toBeVisible()
  await page.goto(url)
  await expect(page.getByRole('button', { name: 'Pay', exact: true })).toHaveCount(0)
})

test('an unexpected payment can be refunded or dismissed on the notice board [FIX-01]', async ({
  page,
  site,
}) => {
  const { id, number, token } = await apply(site, 'approved')
  const paymentId = await payDeposit(page, site, id, token)
  await asAdmin(site, 'DELETE', `/api/application/admin/${id}`)
  const other = await apply(site, 'approved')
  const notice = (key: string, title: string, applicationId: string | null, payment: string) => ({
    id: key,
    tone: 'danger',
    title,
    detail: `Maya Rivers paid $515.00 for ${number}.`,
    at: null,
    action: { kind: 'unexpected_payment', paymentId: payment, applicationId, leftCents: 515_00 },
  })
  await changeResponse(page, 'notices.list', data => {
    data.notices = [
      notice('deleted', 'A payment arrived for a deleted application', null, paymentId),
      notice('declined', 'A payment arrived for a declined application', other.id, 'of-nobody'),
    ]
  })
  const refunds = recordInputs(page, 'payments.refund')
  const dismissals = recordInputs(page, 'payments.dismissUnexpected')
  await openAsAdmin(page, site, '/admin/dashboard')
  await expect(board(page)).toContainText('A payment arrived for a deleted application')
  await expectAccessible(page)
  await board(page).getByRole('button', { name: 'Refund to card' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog', { name: 'Refund $515.00 to the card?' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Refund $515.00' }).click()
  await expect(notifications(page).getByText('$515.00 refunded')).toBeVisible()
  expect(refunds).toMatchObject([{ paymentId, totalCents: 515_00 }])
  expect((await call(site, 'GET', '/api/payment/history', { token })).payments[0].status).toBe('refunded')

  await board(page).getByRole('button', { name: 'Dismiss' }).last().click()
  await expect(notifications(page).getByText('Failed to dismiss')).toBeVisible()
  expect(dismissals).toEqual([{ paymentId: 'of-nobody' }])
  await board(page).getByRole('link', { name: 'Open application' }).click()
  await expect(page).toHaveURL(`/admin/application/${other.id}`)
})
