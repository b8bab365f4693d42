import { call } from './accounts.ts'
import { apply, notifications, openAsAdmin } from './admin-pages.ts'
import { expect, type Site, test } from './site.ts'

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
  await dialog.getByRole('button', { name: 'Decline', exact: true }).click()
  await expect(notifications(page).getByText('Application status updated')).toBeVisible()
  await page.goto(url)
  await expect(page.getByRole('button', { name: 'Pay', exact: true })).toHaveCount(0)
})
