import type { Locator, Page } from '@playwright/test'
import { makeTenant, signIn, tokenOf } from './accounts.ts'
import { chooseIn, notifications, openAsAdmin } from './admin-pages.ts'
import { freeStay } from './applications.ts'
import { expectFine } from './axe.ts'
import { makeLease, payByCard, recordPayment, uploadScan } from './leases.ts'
import { expect, test } from './site.ts'

test.setTimeout(180_000)

const card = (page: Page) => page.getByRole('region', { name: 'Cancellation', exact: true })
const status = (page: Page) => page.getByRole('region', { name: 'Application Status', exact: true })
const dialog = (page: Page) => page.locator('[role=dialog], [role=alertdialog]')
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })

test('a tenant sees what would come back and asks; the owner cancels, the card gets its part at once and the rest goes back by hand [CHANGE-01, CHANGE-02, CHANGE-05, CHANGE-09, CHANGE-11, CHANGE-15]', async ({
  browser,
  page,
  site,
}) => {
  const account = await makeTenant(site)
  const token = await tokenOf(site, account)
  const { id } = await makeLease(site, token, freeStay())
  await uploadScan(site, token, id)
  await recordPayment(site, id, { amount: 1000_00 })
  await payByCard(site, token, { id, cents: 500_00, type: 'deposit' })

  await openAsAdmin(page, site, '/admin/rates/stay-rules')
  await expect(card(page)).toContainText('30 days before arrival, or more100% back')
  await button(page, 'Edit: Cancellation').click()
  await button(card(page), 'Add a line').click()
  await card(page).getByLabel('Days before (2)').fill('10')
  await card(page).getByLabel('Percent back (2)').fill('120')
  await button(card(page), 'Save').click()
  await expect(card(page).getByText('Please enter a whole number from 0 to 100')).toBeVisible()
  await card(page).getByLabel('Percent back (2)').fill('50')
  await expectFine(page, 'settings')
  await button(card(page), 'Save').click()
  await expect(notifications(page).getByText('Cancellation saved')).toBeVisible()
  await expect(card(page)).toContainText('10 days before arrival, or more50% back')

  const guest = await browser.newPage({ baseURL: site.url })
  await signIn(guest, site, account)
  await guest.goto(`/application/${id}`)
  await button(guest, 'Ask to Cancel').click()
  await expect(dialog(guest)).toContainText('Goes back$1,500.00')
  await expectFine(guest, 'ask')
  await dialog(guest).getByLabel('Reason').fill('My mother is ill.')
  await button(dialog(guest), 'Ask to Cancel').click()
  await expect(notifications(guest).getByText('Cancellation requested')).toBeVisible()
  await expect(card(guest)).toContainText('Your booking stands until the owner has answered.')
  await expectFine(guest, 'requested')
  await button(card(guest), 'Take Back').click()
  await expect(notifications(guest).getByText('Request taken back')).toBeVisible()
  await expect(card(guest)).toBeHidden()
  await button(guest, 'Ask to Cancel').click()
  await dialog(guest).getByLabel('Reason').fill('My mother is ill.')
  await button(dialog(guest), 'Ask to Cancel').click()
  await expect(card(guest)).toBeVisible()

  await page.goto(`/admin/application/${id}`)
  await expect(page.getByText('The tenant asks to cancel')).toBeVisible()
  await expectFine(page, 'owner-request')
  await button(page, 'Keep the Booking').click()
  await expect(dialog(page)).toContainText('Nothing changes.')
  await button(dialog(page), 'Cancel').click()
  await button(page, 'Cancel Stay').click()
  await expect(dialog(page)).toContainText('100% back')
  await dialog(page).getByLabel('Refund').fill('400')
  await dialog(page).getByLabel('Reason').fill('The tenant is needed at home.')
  await expectFine(page, 'cancel')
  await button(dialog(page), 'Cancel Stay').click()
  await expect(dialog(page).getByLabel('Refund')).toHaveAccessibleDescription(
    /The deposit of \$500\.00 goes back in any case\.$/,
  )
  await dialog(page).getByLabel('Refund').fill('1300')
  await button(dialog(page), 'Cancel Stay').click()
  await expect(notifications(page).getByText('Stay cancelled')).toBeVisible()
  await expect(status(page)).toContainText('Cancelled')
  await expect(card(page)).toContainText('$500.00 to the card, with $15.00 of the card fee')
  await expect(card(page)).toContainText('$800.00 by check or transfer')
  await expectFine(page, 'owner-cancelled')
  await button(status(page), 'Record refund').click()
  await dialog(page).getByLabel('Check number').fill('1042')
  await expectFine(page, 'by-hand')
  await button(dialog(page), 'Record $800.00').click()
  await expect(notifications(page).getByText('Refund recorded')).toBeVisible()
  await expect(card(page).getByText('Waiting')).toBeHidden()

  await guest.goto(`/application/${id}`)
  await expect(guest.getByRole('region', { name: 'Payments' })).toContainText('What we keep−$200.00')
  await expect(button(guest, 'Ask to Cancel')).toBeHidden()
  await expectFine(guest, 'tenant-cancelled')
  await guest.goto('/dashboard')
  await expect(guest.getByText('Cancelled', { exact: true })).toBeVisible()
  await expectFine(guest, 'dashboard')

  await page.goto('/admin/dashboard')
  await expect(page.getByRole('link', { name: /^Cancelled/ }).first()).toBeVisible()
  await page.goto(`/admin/application/${id}`)
  await chooseIn(status(page), 'Approve')
  await button(dialog(page), 'Approve').click()
  await expect(notifications(page).getByText('Application status updated')).toBeVisible()
  await expect(card(page)).toBeHidden()
})
