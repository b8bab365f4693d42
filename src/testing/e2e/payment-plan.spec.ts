import type { Page } from '@playwright/test'
import { formatShortDate } from '../../domain/common/dates.ts'
import { formatCents } from '../../domain/common/money.ts'
import { call, makeTenant, signIn } from './accounts.ts'
import { asAdmin } from './admin-pages.ts'
import { day, freeStay, makeApplication } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { makeLease, payByCard, uploadScan } from './leases.ts'
import { changeResponse, recordInputs } from './responses.ts'
import { expect, type Site, test } from './site.ts'

// A separate site, because a payment plan is a setting of the whole property.
test.use({ siteEnv: { COMPANY_NAME: 'Plans Test Rentals' } })

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const choice = (page: Page, name: string) => page.getByRole('radio', { name: new RegExp(`^${name}`) })
const rows = (page: Page) => page.getByRole('table', { name: 'Payment plan' }).locator('tbody tr')
const byCard = (page: Page) => page.getByRole('region', { name: 'By card' })
const fromBank = (page: Page) => page.getByRole('region', { name: 'From a bank account' })
const noFee = 'US bank accounts only. It takes up to 4 business days.'

async function setUp(site: Site, section: 'plan' | 'bank', body: object) {
  const path = `/api/setup/admin/${section}`
  const { version } = await asAdmin(site, 'GET', path)
  await asAdmin(site, 'PUT', path, { version, body })
}

/** A lease with a deposit, half of the rent due at signing and half three days before arrival. */
async function withPlan(page: Page, site: Site, stay = freeStay()) {
  await setUp(site, 'plan', { kind: 'split', splitPercent: 50, daysBeforeArrival: 3 })
  await setUp(site, 'bank', { enabled: true })
  const account = await makeTenant(site)
  const token = await signIn(page, site, account)
  const { id } = await makeLease(site, token, stay)
  const { instalments } = await call(site, 'GET', `/api/plan/${id}`, { token })
  return { id, token, cents: instalments.map((row: { amountCents: number }) => row.amountCents) }
}

async function expectNoOverflow(page: Page) {
  for (const width of [390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
  await expectAccessible(page)
}

test('a stay is paid according to its plan: the deposit from a bank account, the rent by card [PLAN-26, PLAN-27, BANK-04, BANK-06, LOOK-21]', async ({
  page,
  site,
}) => {
  const stay = { requestedStartDate: day(6), requestedEndDate: day(36) }
  const { id, token, cents } = await withPlan(page, site, stay)
  const [deposit = '', first, second] = cents.map(formatCents)
  await page.goto(`/application/${id}`)
  await expect(rows(page)).toContainText([
    /Security deposit.*\$500\.00.*At signing.*Upcoming/,
    /Payment 1 of 2.*At signing.*Upcoming/,
    new RegExp(`Payment 2 of 2.*${formatShortDate(day(3))}.*Upcoming`),
  ])
  await uploadScan(site, token, id)
  await page.goto('/dashboard')
  const lead = page.getByRole('region', { name: 'Next step' })
  const both = formatCents(cents[0] + cents[1])
  await expect(lead).toContainText(`Pay ${both}Your deposit and rent are due.`)
  await lead.getByRole('link', { name: 'Pay now' }).click()
  await expect(page).toHaveURL(`/payment?applicationId=${id}`)
  await expect(rows(page).first()).toContainText('Due today')
  await expect(page.getByRole('radio', { name: `Deposit and rent ${both} in one payment` })).toBeChecked()
  await expect(byCard(page)).toContainText(`Deposit${deposit}Rent${first}Card fee`)
  await choice(page, 'Next installment').check()
  await expect(page.getByRole('radio', { name: `All that is due ${first} for 1 payment` })).toBeVisible()
  await expect(
    page.getByText('The deposit stays a payment of its own, so that it can go back to the same account.'),
  ).toBeVisible()
  await expect(fromBank(page)).toContainText(`Pay ${deposit} from a bank account`)
  await expect(fromBank(page)).toContainText(`${noFee} Your arrival details open when it has come in.`)
  await expect(byCard(page)).toContainText(`Amount${deposit}Card fee$15.00Total$515.00`)
  await expectNoOverflow(page)

  const sent = recordInputs(page, 'payments.createCheckoutSession')
  await page.getByRole('button', { name: /^Pay .*from a bank account$/ }).click()
  await page.waitForURL(/\/sandbox\/pay\//)
  const sums = { amount: cents[0], creditCardFee: 0, totalAmount: cents[0] }
  expect(sent).toMatchObject([{ ...sums, paymentType: 'deposit', providerMethod: 'us_bank_account' }])
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Payment processing' })).toBeVisible()
  await expect(page.locator('main')).toContainText('Paid withBank account')

  for (const path of [
    '/dashboard',
    '/payment/history',
    `/payment?applicationId=${id}`,
    `/application/${id}`,
  ]) {
    await page.goto(path)
    await expect(page.locator('dl').filter({ hasText: 'On its way' }).first()).toContainText(
      new RegExp(`On its way−\\${deposit}.*Left to pay`),
    )
  }
  await page.goto(`/payment?applicationId=${id}`)
  await expect(page.getByText(`A payment of ${deposit} is on its way`)).toBeVisible()
  await expect(rows(page).first()).toContainText('On its way')
  await expect(choice(page, 'Next installment Payment 1 of 2')).toBeChecked()
  await choice(page, 'Another amount').check()
  const amount = page.getByRole('spinbutton', { name: 'Amount' })
  await amount.fill('9999')
  await page.getByRole('button', { name: /^Proceed to Payment/ }).click()
  await expect(amount).toHaveAccessibleDescription(`A payment of ${deposit} is on its way already.`)
  await expect(amount).toBeFocused()
  expect(sent).toHaveLength(1)
  await amount.fill('100')
  await page.getByRole('button', { name: /^Proceed to Payment/ }).click()
  await page.waitForURL(/\/sandbox\/pay\//)
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  await page.goto(`/application/${id}`)
  await expect(rows(page).nth(1)).toContainText(`$100.00 of ${first} paid`)
  await expect(rows(page).nth(2)).toContainText(`${second}`)
  await expectNoOverflow(page)
})

test('a fully paid plan, and payments without one', async ({ page, site }) => {
  await test.step('a fully paid plan shows that everything is paid [LOOK-36]', async () => {
    const { id, token, cents } = await withPlan(page, site)
    await page.goto(`/payment?applicationId=${id}`)
    await expect(page.getByText('What would you like to pay?')).toBeVisible()
    await payByCard(site, token, { id, cents: cents[0], type: 'deposit' })
    await payByCard(site, token, { id, cents: cents[1] + cents[2], type: 'rent' })
    await page.reload()
    await expect(page.getByText('Paid in full')).toBeVisible()
    await expect(page.getByRole('button', { name: /^Proceed to Payment/ })).toHaveCount(0)
    await page.goto(`/application/${id}`)
    await expect(rows(page)).toContainText([/Paid$/, /Paid$/, /Paid$/])
    await expect(page.getByRole('link', { name: 'Make a payment' })).toHaveCount(0)
  })
  await test.step('without a plan a bank account is offered next to the card, and a payment returned by the bank is red [PLAN-02, BANK-04, BANK-11]', async () => {
    await setUp(site, 'plan', { kind: 'off' })
    await setUp(site, 'bank', { enabled: true })
    const token = await signIn(page, site, await makeTenant(site))
    const id = await makeApplication(site, token, 'approved')
    await page.goto(`/payment?applicationId=${id}`)
    await expect(page.getByRole('table')).toHaveCount(0)
    await expect(page.getByText('What would you like to pay?')).toHaveCount(0)
    await expect(fromBank(page)).toContainText(noFee)
    await expect(fromBank(page)).not.toContainText('Your arrival details')
    await choice(page, 'Rent').check()
    await button(page, '$1,000.00').click()
    await expect(fromBank(page)).toContainText('Pay $1,000.00 from a bank account')
    await expect(byCard(page)).toContainText('Total$1,030.00')
    await payByCard(site, token, { id, cents: 100_000, type: 'rent' })
    await changeResponse(page, 'payments.history', data => {
      for (const payment of data.payments as object[])
        Object.assign(payment, {
          status: 'returned',
          providerMethod: 'us_bank_account',
          cardLast4: '6789',
          failureReason: 'The account was closed.',
        })
    })
    await page.goto(`/payment/history?applicationId=${id}`)
    const row = page.getByRole('table', { name: 'Payment history' }).locator('tbody tr')
    await expect(row).toContainText(/Bank account •••• 6789.*Returned by the bank.*The account was closed\./)
    await expectNoOverflow(page)
  })
})
