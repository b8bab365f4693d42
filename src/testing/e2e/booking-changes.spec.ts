import type { Locator, Page } from '@playwright/test'
import { addDays, formatShortDate } from '../../domain/common/dates.ts'
import { formatCents } from '../../domain/common/money.ts'
import { formatShortStay } from '../../domain/common/stay.ts'
import { termRent } from '../../domain/money/lease-terms.ts'
import { buildTaxRule } from '../build-charge-rule.ts'
import { call, makeTenant, signIn } from './accounts.ts'
import { asAdmin, chooseIn, notifications, openAsAdmin } from './admin-pages.ts'
import { freeStay } from './applications.ts'
import { expectFine } from './axe.ts'
import { makeLease, payByCard, scan, uploadScan } from './leases.ts'
import { expect, type Site, test } from './site.ts'

// A separate site, because plans, taxes and bank payments are settings of the whole property.
test.use({ siteEnv: { COMPANY_NAME: 'Changing Test Rentals' } })
test.setTimeout(180_000)

const dialog = (page: Page) => page.locator('[role=dialog], [role=alertdialog]')
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const plan = (page: Page) => page.getByRole('table', { name: 'Payment plan' })

async function setUp(site: Site, section: 'plan' | 'bank', body: object) {
  const path = `/api/setup/admin/${section}`
  const { version } = await asAdmin(site, 'GET', path)
  await asAdmin(site, 'PUT', path, { version, body })
}

/** A signed lease for two months, with State tax and a payment each month; its guest has a page of their own. */
async function monthlyStay(guest: Page, site: Site) {
  await setUp(site, 'plan', { kind: 'monthly' })
  await setUp(site, 'bank', { enabled: true })
  const { taxes } = await asAdmin(site, 'GET', '/api/charge/admin/taxes')
  if (taxes.length === 0) await asAdmin(site, 'POST', '/api/charge/admin/taxes', buildTaxRule())
  const account = await makeTenant(site)
  const token = await signIn(guest, site, account)
  const { requestedEndDate: end, requestedStartDate: start } = freeStay(60)
  freeStay(14)
  const { id } = await makeLease(site, token, { requestedStartDate: start, requestedEndDate: end })
  await uploadScan(site, token, id)
  return { id, token, start, end }
}

/** What is owed, after checking that the plan has open what is left of it. */
async function owedOf(site: Site, token: string, id: string): Promise<number> {
  const { summary } = await call(site, 'GET', `/api/charge/${id}`, { token })
  const { instalments } = await call(site, 'GET', `/api/plan/${id}`, { token })
  const open = instalments.map(({ openCents }: { openCents: number }) => openCents)
  expect(open.reduce((sum: number, cents: number) => sum + cents, 0)).toBe(summary.balanceCents)
  return summary.owedCents
}

/** Why a night is taken, in the calendar of the public page; undefined for a free one. */
async function takenBy(site: Site, night: string): Promise<string | undefined> {
  const { availability } = await call(site, 'GET', `/api/availability?startDate=${night}&endDate=${night}`)
  return availability[0]?.reason
}

test('a stay with taxes and a monthly plan gets two more weeks: the owner makes the addendum, the tenant signs, and plan, taxes and calendar follow [CHANGE-20, CHANGE-24, CHANGE-26, CHANGE-35]', async ({
  browser,
  page,
  site,
}) => {
  const guest = await browser.newPage({ baseURL: site.url })
  const { end, id, start, token } = await monthlyStay(guest, site)
  const until = addDays(end, 14)
  const rent = (to: string) => termRent(start, to, 2500_00).totalCents
  const addedCents = rent(until) - rent(end)
  const taxCents = Math.round((addedCents - 100_00) * 0.06)
  const otherCents = taxCents - 100_00 + 40_00
  const owedBefore = await owedOf(site, token, id)

  await openAsAdmin(page, site, `/admin/application/${id}`)
  await button(page, 'New Addendum').click()
  await button(dialog(page), 'Continue').click()
  await expect(dialog(page).getByRole('alert')).toHaveText('Nothing would change.')
  await dialog(page).getByLabel('Departure').fill(until)
  await dialog(page).getByText('More', { exact: true }).click()
  for (const [index, kind, label, amount] of [
    [0, 'discount', 'Long stay', '100'],
    [1, 'fee', 'Linen', '40'],
  ] as const) {
    await button(dialog(page), 'Add a line').click()
    const line = dialog(page).getByRole('group', { name: `Line ${index + 1}` })
    await line.getByLabel('Kind').selectOption(kind)
    await line.getByLabel('Label').fill(label)
    await line.getByLabel('Amount').fill(amount)
  }
  const payment = (index: number) => dialog(page).getByRole('group', { name: `Payment ${index}` })
  for (const [index, amount, date] of [
    [1, '600', end],
    [2, '600', until],
  ] as const) {
    await button(dialog(page), 'Add a payment').click()
    await payment(index).getByLabel('Amount').fill(amount)
    await payment(index).getByLabel('Due date').fill(date)
  }
  await button(dialog(page), 'Continue').click()
  await expect(dialog(page).getByRole('alert')).toHaveText(
    `The payments add up to $1,200.00; ${formatCents(addedCents)} is needed.`,
  )
  await expectFine(page, 'addendum-form')
  await payment(2)
    .getByLabel('Amount')
    .fill(((addedCents - 600_00) / 100).toFixed(2))
  await button(dialog(page), 'Continue').click()
  const facts = dialog(page).getByRole('definition')
  await expect(facts).toContainText([
    `${formatShortStay({ start, end: until })} before: ${formatShortStay({ start, end })}`,
    formatCents(addedCents),
    '−$100.00',
    '$40.00',
    formatCents(taxCents),
    formatCents(owedBefore + addedCents + otherCents),
  ])
  await expect(dialog(page).getByRole('list', { name: 'New payments' }).getByRole('listitem')).toHaveText([
    `Rent (Addendum No. 1)Due ${formatShortDate(end)}$600.00`,
    `Rent (Addendum No. 1)Due ${formatShortDate(until)}${formatCents(addedCents - 600_00)}`,
    'LinenDue 7 days after the signature$40.00',
    `State tax (6%, Addendum No. 1)Due 7 days after the signature${formatCents(taxCents)}`,
  ])
  await dialog(page).getByText('The text').click()
  await expect(dialog(page)).toContainText('Everything else in the lease stays as it is.')
  await expectFine(page, 'addendum-text')
  await button(dialog(page), 'Send to the tenant').click()
  await expect(notifications(page).getByText('Addendum sent')).toBeVisible()
  await expect(page.getByText(/^Addendum No\. 1, open until/)).toBeVisible()
  await expectFine(page, 'owner-addendum')
  expect([await takenBy(site, addDays(until, -1)), await takenBy(site, until)]).toEqual(['Held', undefined])
  expect(await owedOf(site, token, id)).toBe(owedBefore)

  await guest.goto(`/application/${id}`)
  await expect(region(guest, 'Addenda')).toContainText('Addendum No. 1, open until')
  await expectFine(guest, 'tenant-addendum')
  await button(guest, 'Read and Sign').click()
  await expect(dialog(guest)).toContainText('Addendum No. 1')
  await expectFine(guest, 'sign-addendum')
  await dialog(guest).getByLabel('Your full name').fill('Maya Rivers')
  await dialog(guest).getByRole('checkbox').check()
  await button(dialog(guest), 'Sign addendum').click()
  await expect(notifications(guest).getByText('Addendum signed')).toBeVisible()
  await expect(region(guest, 'Addenda')).toContainText('Signed')
  await expect(region(guest, 'Lease Agreement')).toContainText(formatShortStay({ start, end: until }))
  for (const cents of [600_00, addedCents - 600_00, taxCents])
    await expect(
      plan(guest)
        .getByRole('row')
        .filter({ hasText: formatCents(cents) }),
    ).toContainText('Addendum No. 1')
  await expectFine(guest, 'tenant-addendum-signed')
  const owed = owedBefore + addedCents + otherCents
  expect(await owedOf(site, token, id)).toBe(owed)
  expect(await takenBy(site, addDays(until, -1))).toBe('Booked')

  await page.reload()
  const lease = region(page, 'Lease Information')
  await expect(lease).toContainText(formatShortStay({ start, end: until }))
  await expect(lease).toContainText(`Total in the lease${formatCents(owed)}`)
  await expect(plan(page)).toContainText(formatCents(addedCents - 600_00))
  await expectFine(page, 'owner-addendum-signed')

  await asAdmin(site, 'POST', `/api/change/admin/addendum/${id}`, { depositAmount: 600 })
  await guest.reload()
  await guest.getByText('Prefer paper?').click()
  await guest.locator('input[type=file]').setInputFiles(scan('signed addendum.pdf'))
  await button(guest, 'Upload Signed Addendum').click()
  await expect(notifications(guest).getByText('Signed addendum uploaded successfully!')).toBeVisible()
  await expect(region(guest, 'Addendum No. 2')).toContainText('Signed')
  expect(await owedOf(site, token, id)).toBe(owed + 100_00)
  await guest.close()
})

test('a stay is cancelled while a bank payment is on its way, which is told when it arrives, and comes back as it was [CHANGE-16, CHANGE-33]', async ({
  browser,
  page,
  site,
}) => {
  const guest = await browser.newPage({ baseURL: site.url })
  const { id, start, token } = await monthlyStay(guest, site)
  await payByCard(site, token, { id, cents: 500_00, type: 'deposit' })
  const owed = await owedOf(site, token, id)
  await guest.goto(`/payment?applicationId=${id}`)
  const payNext = guest.getByRole('button', { name: /^Pay .*from a bank account$/ })
  const [amount = ''] = (await payNext.textContent())?.match(/\$[\d,]+\.\d\d/) ?? []
  await payNext.click()
  await guest.waitForURL(/\/sandbox\/pay\//)
  await guest.getByRole('button', { name: 'Pay', exact: true }).click()
  await expect(guest.getByRole('heading', { name: 'Payment processing' })).toBeVisible()

  await openAsAdmin(page, site, `/admin/application/${id}`)
  await chooseIn(region(page, 'Application Status'), 'Cancel Stay')
  await expect(dialog(page)).toContainText('is still on its way. It is given back after it has arrived.')
  await expect(dialog(page)).toContainText('To keep a part of it, wait until it has arrived.')
  await dialog(page).getByLabel('Reason').fill('A pipe has burst.')
  await expectFine(page, 'cancel-on-its-way')
  await button(dialog(page), 'Cancel Stay').click()
  await expect(notifications(page).getByText('Stay cancelled')).toBeVisible()
  await expect(region(page, 'Cancellation')).toContainText('$500.00 to the card')
  const notice = `A bank payment of ${amount} is still on its way. It is given back after it has arrived.`
  await expect(region(page, 'Cancellation')).toContainText(notice)
  await expect(plan(page)).toBeHidden()
  await expectFine(page, 'owner-cancelled-plan')
  expect(await takenBy(site, start)).toBeUndefined()

  await guest.goto(`/application/${id}`)
  await expect(region(guest, 'Cancellation')).toContainText('$500.00 to the card')
  await expect(region(guest, 'Cancellation')).toContainText(notice)
  await expect(plan(guest)).toBeHidden()
  await expect(guest.getByRole('link', { name: 'Make a payment' })).toBeHidden()
  await expectFine(guest, 'tenant-cancelled-plan')
  await guest.goto('/dashboard')
  await expectFine(guest, 'tenant-cancelled-dashboard')

  await expect(async () => {
    await page.goto('/admin/dashboard')
    await expect(page.getByText('A payment arrived for a cancelled stay')).toBeVisible({ timeout: 4000 })
  }).toPass({ timeout: 60_000 })
  await expectFine(page, 'arrived')
  await page.goto(`/admin/application/${id}`)
  await chooseIn(region(page, 'Application Status'), 'Approve')
  await button(dialog(page), 'Approve').click()
  await expect(notifications(page).getByText('Application status updated')).toBeVisible()
  // The deposit went back, and is owed again; the bank's money counts.
  const row = (text: string) => plan(page).getByRole('row').filter({ hasText: text })
  await expect(row('Security deposit')).toContainText('Due today')
  await expect(row('Payment 1 of')).toContainText('Paid')
  await expectFine(page, 'owner-reinstated')
  expect(await owedOf(site, token, id)).toBe(owed)
  expect(await takenBy(site, start)).toBe('Booked')
  await guest.close()
})
