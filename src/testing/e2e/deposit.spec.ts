import type { Locator, Page } from '@playwright/test'
import { datedJpeg } from '../build-evidence.ts'
import { type Account, makeTenant, signIn, tokenOf } from './accounts.ts'
import { notifications, openAsAdmin } from './admin-pages.ts'
import { day } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { makeLease, payByCard, recordPayment, uploadScan } from './leases.ts'
import { admin, expect, type Site, test } from './site.ts'

// A separate site, because its clock is moved and deposits are watched.
test.use({ siteEnv: { CLOCK_OFFSET: '0d' } })
test.setTimeout(180_000)

const card = (page: Page) => page.getByRole('region', { name: 'Security Deposit', exact: true })
const list = (page: Page, name: string) => card(page).getByRole('region', { name, exact: true })
const dialog = (page: Page) => page.locator('[role=dialog], [role=alertdialog]')
const button = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: true })

/** Fits on phones, tablets and laptops, and passes axe. */
async function expectFine(page: Page) {
  for (const width of [390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
  await expectAccessible(page)
}

/** A signed stay whose deposit was paid by card and by hand, and which ends in 31 days. */
async function bookedStay(site: Site, account: Account): Promise<string> {
  const token = await tokenOf(site, account)
  const stay = { requestedStartDate: day(1), requestedEndDate: day(31) }
  const { id } = await makeLease(site, token, stay)
  await uploadScan(site, token, id)
  await recordPayment(site, id, { amount: 200_00, paymentType: 'deposit' })
  await payByCard(site, token, { id, cents: 300_00, type: 'deposit' })
  return id
}

test('an owner watches a deposit, claims a part of it with a photo, keeps it after an objection and returns the rest to the card and by hand [DEP-05, DEP-12, DEP-19, DEP-27, DEP-29, DEP-30]', async ({
  browser,
  page,
  site,
}) => {
  const account = await makeTenant(site)
  const id = await bookedStay(site, account)
  await openAsAdmin(page, site, `/admin/application/${id}`)
  await expect(page.getByRole('region', { name: 'Payment Information', exact: true })).toBeVisible()
  await expect(card(page)).toHaveCount(0)
  await page.goto('/admin/revenue/due')
  await expect(page.getByRole('link', { name: 'Due', exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Deposits', exact: true })).toHaveCount(0)

  await page.goto('/admin/rates/fees')
  await expectFine(page)
  await button(page, 'Edit: Returning deposits').click()
  await page.getByLabel('Watch deposits and their dates').check()
  await expect(page.getByText('A preset, not reviewed by a lawyer.').first()).toBeVisible()
  await expectFine(page)
  await button(page, 'Save').click()
  await expect(notifications(page).getByText('Deposit saved')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Returning deposits' })).toContainText(
    'Florida, s. 83.49 (not reviewed)',
  )
  // The amount is in the same section, and saving it keeps the rest.
  await button(page, 'Edit: Security deposit').click()
  await page.getByRole('spinbutton', { name: 'Amount' }).fill('600')
  await button(page, 'Save').click()
  await expect(page.getByRole('region', { name: 'Security deposit', exact: true })).toContainText('$600.00')
  await expect(page.getByRole('region', { name: 'Returning deposits' })).toContainText(
    'Deadlines and remindersOn',
  )
  await button(page, 'New rule').click()
  await dialog(page).getByLabel('Name').fill('Ours')
  await dialog(page).getByText('More: objecting').click()
  await expectFine(page)
  await button(dialog(page), 'Save').click()
  await expect(notifications(page).getByText('Rule saved')).toBeVisible()
  await expectFine(page)
  await button(page, 'Archive Ours').click()
  await button(dialog(page), 'Archive').click()
  await expect(notifications(page).getByText('Rule archived')).toBeVisible()

  await page.goto(`/admin/application/${id}`)
  await expect(card(page)).toContainText('Held $500.00')
  await expectFine(page)
  const guest = await browser.newPage({ baseURL: site.url })
  await signIn(guest, site, account)
  await guest.goto(`/application/${id}`)
  await expect(card(guest)).toContainText('We hold $500.00. It goes back, or you get a statement, by ')
  await expectFine(guest)

  await site.restart({ CLOCK_OFFSET: '33d' })
  await openAgain(page, site, admin, `/admin/application/${id}`)
  await expect(card(page)).toContainText('Tenant has left')
  await expect(card(page)).toContainText('28 days left')
  await expect(card(page)).toContainText('Nothing is claimed.')
  await expectFine(page)
  await button(card(page), 'Edit the day and the rule').click()
  await expect(dialog(page)).toContainText('Empty: the last day of the stay.')
  await expectFine(page)
  await button(dialog(page), 'Cancel').click()
  await button(card(page), 'Add item').click()
  await dialog(page).getByLabel('What it is').selectOption('damage')
  await dialog(page).getByLabel('Label').fill('Broken lamp')
  await dialog(page).getByLabel('Amount').fill('120')
  await expectFine(page)
  await button(dialog(page), 'Add item').click()
  await expect(notifications(page).getByText('Item added')).toBeVisible()
  const photo = { name: 'lamp.jpg', mimeType: 'image/jpeg', buffer: await datedJpeg(1) }
  await card(page).getByLabel('Add a photo').setInputFiles(photo)
  await expect(notifications(page).getByText('Photo saved')).toBeVisible()
  await expect(card(page).getByRole('img')).toHaveCount(0)
  await expect(card(page).locator('img')).toHaveJSProperty('complete', true)
  await expect(card(page)).toContainText(/Received .+ [AP]M/)
  await expect(card(page)).toContainText('The camera says Mar 4, 2026, 11:58 AM. Not checked.')
  const removePhoto = card(page).getByRole('button', { name: /^Remove the photo/ })
  await expect(removePhoto).toHaveCount(1)
  await expectFine(page)
  await guest.reload()
  await signIn(guest, site, account)
  await guest.goto(`/application/${id}`)
  await expect(card(guest)).toContainText('We hold $500.00.')
  await expect(card(guest)).not.toContainText('Broken lamp')

  await button(page, 'Send statement').click()
  await dialog(page).getByText('By post').click()
  await expectFine(page)
  await dialog(page).getByText('By email').click()
  await button(dialog(page), 'Send statement').click()
  await expect(notifications(page).getByText('Statement sent')).toBeVisible()
  await expect(card(page)).toContainText('The tenant can object until')
  await expect(button(card(page), 'Keep $120.00')).toHaveCount(0)
  await expect(removePhoto).toHaveCount(0)
  await expectFine(page)
  const loaded = page.waitForEvent('download')
  await button(card(page), 'Download statement 1').click()
  expect((await loaded).suggestedFilename()).toBe('deposit-statement-1.pdf')

  await guest.reload()
  await expect(card(guest)).toContainText('Broken lamp')
  await expect(card(guest).locator('img')).toHaveJSProperty('complete', true)
  await expect(card(guest)).toContainText('You can object until')
  await expectFine(guest)
  await button(card(guest), 'I object').click()
  await dialog(guest).getByLabel('What you object to').fill('It was broken before.\nSee my photo.')
  await expectFine(guest)
  await button(dialog(guest), 'Send').click()
  await expect(notifications(guest).getByText('Objection sent')).toBeVisible()
  await expect(card(guest)).toContainText('You objected on')
  await expect(button(card(guest), 'I agree')).toHaveCount(0)
  await expectFine(guest)

  await page.reload()
  await expect(list(page, 'Statements')).toContainText('It was broken before.')
  await button(card(page), 'Keep $120.00').click()
  await button(dialog(page), 'Keep $120.00').click()
  await expect(dialog(page).getByText('Please note what was agreed or decided')).toBeVisible()
  await dialog(page).getByLabel('What was agreed or decided').fill('Agreed on the phone')
  await expectFine(page)
  await button(dialog(page), 'Keep $120.00').click()
  await expect(notifications(page).getByText('Kept $120.00')).toBeVisible()
  await expect(card(page)).toContainText('Kept$120.00')
  await expectFine(page)

  await button(card(page), 'Return $380.00').click()
  await expect(dialog(page).getByRole('status')).toHaveText(
    'To Visa ending in 4242$300.00Card fee, goes back too$9.00By check or transfer$80.00In all$389.00',
  )
  await expect(button(dialog(page), 'Keep a part')).toBeVisible()
  await dialog(page).getByLabel('Amount').fill('381')
  await expect(dialog(page).getByText('Only $380.00 is left of the deposit.')).toBeVisible()
  await dialog(page).getByLabel('Amount').fill('380')
  await dialog(page).getByLabel('Check number').fill('1042')
  await expectFine(page)
  await button(dialog(page), 'Return $389.00').click()
  await expect(notifications(page).getByText('The return has begun')).toBeVisible()
  await expect(async () => {
    await page.reload()
    await expect(card(page)).toContainText('Closed', { timeout: 2_000 })
  }).toPass({ timeout: 30_000 })
  await card(page).getByText('Returned $380.00 · Kept $120.00').click()
  await expect(list(page, 'What went back')).toContainText('$80.00 by check 1042')
  await expect(card(page)).toContainText('Returned$380.00')
  await expectFine(page)
  await guest.reload()
  await expect(card(guest)).toContainText('$380.00 went back to you.')
  await expect(card(guest)).toContainText('We kept $120.00.')
  await expectFine(guest)

  await page.goto('/admin/revenue/deposits')
  await expect(page.getByText('No deposit is open.')).toBeVisible()
  await button(page, 'Show all deposits').click()
  await expect(page.getByRole('row').filter({ hasText: 'Maya Rivers' })).toContainText('Closed')
  await expectFine(page)
  await page.getByLabel('Show').selectOption('held')
  await expect(page.getByText('No deposit is “Held”.')).toBeVisible()
})

/** The sessions of the time before have ended. */
async function openAgain(page: Page, site: Site, account: typeof admin, path: string) {
  const token = await tokenOf(site, account)
  await page.addInitScript(value => {
    localStorage.setItem('token', value)
    localStorage.setItem('lastActivity', String(Date.now()))
  }, token)
  await page.goto(path)
}
