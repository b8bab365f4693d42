import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { formatMomentDate } from '../../domain/common/dates.ts'
import { call, makeTenant, signIn } from './accounts.ts'
import { freeStay } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { makeLease, type Terms } from './leases.ts'
import { changeSite, recordInputs, recordRequests } from './responses.ts'
import { expect, owner, type Site, test } from './site.ts'

const notifications = (page: Page) => page.getByLabel('Notifications')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const type = (page: Page, name: 'Deposit' | 'Rent') =>
  page.getByRole('radio', { name: new RegExp(`^${name}(?! and)`) })
const amount = (page: Page) => page.getByLabel('Custom amount')
const summary = (page: Page) => page.getByRole('region', { name: 'Summary' })
const payByCardButton = (page: Page) => page.getByRole('button', { name: /^Proceed to Payment/ })
const proceed = (page: Page) => payByCardButton(page).click()

async function withLease(page: Page, site: Site, terms: Terms = {}) {
  const account = await makeTenant(site)
  const token = await signIn(page, site, account)
  const stay = freeStay()
  const { id } = await makeLease(site, token, stay, terms)
  return { account, token, id, stay }
}

test.describe('the payment page', () => {
  test('the payment page shows what is paid, and sends it', async ({ page, site }) => {
    await test.step('the deposit is fixed, and the fee and the total are calculated from it [PAY-02, PAY-04, PAY-11, PAY-12, PAY-14, PAY-27]', async () => {
      const { account, id } = await withLease(page, site, { depositAmount: 612.5 })
      await page.goto(`/payment?applicationId=${id}`)
      await expect(page.getByRole('radio')).toHaveCount(3)
      await type(page, 'Deposit').check()
      await expect(type(page, 'Deposit')).toHaveAccessibleName('Deposit $612.50')
      await expect(
        page.getByRole('region', { name: 'Payment', exact: true }).getByRole('textbox'),
      ).toHaveCount(0)
      await expect(page.getByText(`Your receipt goes to ${account.email}.`)).toBeVisible()
      await expect(page.getByText('Card payments carry a 3% fee.')).toBeVisible()
      // $18.375, rounded half up.
      await expect(summary(page)).toHaveText('Amount$612.50Card fee$18.38Total$630.88')
      await expect(button(page, 'Proceed to Payment · $630.88')).toBeVisible()
      await expect(page.getByText('This is a demo: no real money moves.')).toBeVisible()
      await expect(page.getByRole('link', { name: 'Open the mailbox' })).toHaveAttribute(
        'href',
        '/sandbox/mailbox',
      )
    })
    await test.step('Proceed asks about an overpayment, sends the shown amounts once, and opens the returned URL [PAY-17, PAY-18, PAY-19, MONEY-02, LOOK-37]', async () => {
      const { id } = await withLease(page, site)
      await page.goto(`/payment?applicationId=${id}`)
      const sent = recordInputs(page, 'payments.createCheckoutSession')
      await type(page, 'Rent').check()
      // More than the amount owed shows a note and asks for confirmation.
      await amount(page).fill('5200')
      await expect(page.getByRole('status').filter({ hasText: 'more than you owe' })).toHaveText(
        'This is $2,700.00 more than you owe besides the deposit.',
      )
      await proceed(page)
      const question = page.getByRole('alertdialog', { name: 'Pay $5,200.00?' })
      await expect(question).toContainText('This is $2,700.00 more than you owe besides the deposit.')
      await expectAccessible(page)
      await button(page, 'Change the amount').click()
      await expect(question).toBeHidden()
      expect(sent).toEqual([])
      await amount(page).fill('1234.5')
      await expect(page.getByText('more than you owe')).toHaveCount(0)
      await page.getByText('Add a description').click()
      await page.getByLabel('Description (optional)').fill('June')
      await payByCardButton(page).dblclick()
      await page.waitForURL(/\/sandbox\/pay\//)
      expect(sent).toEqual([
        {
          amount: 123_450,
          creditCardFee: 3_704,
          totalAmount: 127_154,
          paymentType: 'rent',
          applicationId: id,
          description: 'June',
          successUrl: `${site.url}/payment/success?session_id={CHECKOUT_SESSION_ID}`,
          cancelUrl: `${site.url}/payment/cancel`,
        },
      ])
    })
  })
})

test.describe("the provider's script", () => {
  // The demo's content security policy does not allow the provider.
  test.use({ bypassCSP: true })

  const withKey = (page: Page) =>
    changeSite(page, site => {
      site.publishableKey = 'pk_test_shore'
    })

  test('loads with the key, and only on the payment page; without a key or a response the page works [PAY-23, PAY-24, PAY-25]', async ({
    page,
    site,
  }) => {
    const { id } = await withLease(page, site)
    const missing = page.waitForEvent('console', message => /no publishable key/.test(message.text()))
    await page.goto('/payment')
    expect((await missing).type()).toBe('warning')
    await expect(payByCardButton(page)).toBeVisible()
    await expect(notifications(page)).toHaveText('')

    await withKey(page)
    const body = 'window.Stripe = key => { document.documentElement.dataset.key = key }'
    await page.route('https://js.stripe.com/**', route =>
      route.fulfill({ contentType: 'text/javascript', body }),
    )
    const asked = recordRequests(page)
    const scripts = () => asked.filter(url => url.startsWith('https://js.stripe.com/'))
    for (const path of ['/dashboard', '/lease', '/payment/history', '/payment/cancel']) {
      await page.goto(path)
      await page.waitForLoadState('networkidle')
    }
    expect(scripts()).toEqual([])
    await page.goto('/payment')
    await expect(page.locator('html')).toHaveAttribute('data-key', 'pk_test_shore')
    expect(scripts()).toHaveLength(1)

    await page.route('https://js.stripe.com/**', route => route.abort('connectionfailed'))
    const logged = page.waitForEvent('console', message => /could not be started/.test(message.text()))
    await page.goto(`/payment?applicationId=${id}`)
    await logged
    await expect(notifications(page)).toHaveText('')
    await proceed(page)
    await page.waitForURL(/\/sandbox\/pay\//)
  })
})

test.describe('after the payment', () => {
  test('a payment succeeds or is canceled', async ({ page, site }) => {
    await test.step('a payment on the provider’s page leads to a receipt that can be saved and printed, and back [PAYOK-01, PAYOK-02, PAYOK-03, PAYOK-04, PAYOK-07, PAYOK-08]', async () => {
      const { account, id, token } = await withLease(page, site)
      await page.addInitScript(() => {
        const set = Storage.prototype.setItem
        Storage.prototype.setItem = function (key, value) {
          if (key === 'paymentSuccessReturn') document.documentElement.dataset.flag = 'set'
          set.call(this, key, value)
        }
      })
      await page.goto(`/payment?applicationId=${id}`)
      await type(page, 'Deposit').check()
      await proceed(page)
      await page.getByRole('button', { name: 'Pay', exact: true }).click()
      await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
      await expect(page).toHaveURL(/\/payment\/success\?session_id=\w+/)
      await expect(notifications(page)).toContainText('Payment receipt sent to your email!')
      const { payments } = await call(site, 'GET', `/api/payment/history?applicationId=${id}`, { token })
      expect(payments).toMatchObject([{ amount: 50_000, feeAmount: 1_500, status: 'succeeded' }])
      const main = page.locator('main')
      for (const text of [
        'Amount$500.00',
        'Card fee$15.00',
        'Total charged$515.00',
        'Payment TypeDeposit',
        `Date${formatMomentDate(payments[0].paidAt, 'America/New_York')}`,
        'Paid withVisa •••• 4242',
        `Transaction reference${payments[0].stripePaymentIntentId.slice(-8)}`,
        'What happens next',
      ])
        await expect(main).toContainText(text)
      const receipt = page.getByRole('link', { name: /card provider’s receipt/ })
      await expect(receipt).toHaveAttribute('href', payments[0].receiptUrl)

      const downloading = page.waitForEvent('download')
      await button(page, 'Download receipt').click()
      const download = await downloading
      expect(download.suggestedFilename()).toMatch(/^receipt-\d{4}-\d\d-\d\d\.pdf$/)
      expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-')

      await page.reload()
      await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
      await page.waitForLoadState('networkidle')
      await expect(notifications(page)).not.toContainText('receipt')
      await expect
        .poll(
          async () =>
            (await (await fetch(`${site.url}/sandbox/mailbox`)).text()).split(account.email).length - 1,
        )
        .toBeGreaterThan(0)

      // Prints the receipt without the rest of the page.
      await page.evaluate(() => {
        window.print = () => {
          document.documentElement.dataset.printed = 'yes'
        }
      })
      await button(page, 'Print').click()
      await expect(page.locator('html')).toHaveAttribute('data-printed', 'yes')
      await page.emulateMedia({ media: 'print' })
      await expect(page.getByText(`Received from Maya Rivers, ${account.email}`)).toBeVisible()
      await expect(page.getByText('$515.00')).toBeVisible()
      for (const hidden of [page.getByRole('banner'), page.getByRole('contentinfo'), button(page, 'Print')])
        await expect(hidden).toBeHidden()
      await page.emulateMedia({ media: 'screen' })

      await button(page, 'Back to Dashboard').click()
      await expect(page).toHaveURL('/dashboard')
      await expect(page.locator('html')).toHaveAttribute('data-flag', 'set')
    })
    await test.step('a canceled payment shows that nothing was charged and offers ways back [PAYOK-11, PAYOK-12, PAYOK-13, PAYOK-14, LOOK-40]', async () => {
      const { id } = await withLease(page, site)
      await page.goto(`/payment?applicationId=${id}`)
      await proceed(page)
      await page.getByRole('button', { name: 'Cancel', exact: true }).click()
      await expect(page).toHaveURL('/payment/cancel')
      await expect(page.getByRole('heading', { name: 'Payment canceled' })).toBeVisible()
      await expect(page.getByText('Nothing was charged')).toBeVisible()
      await expect(page.locator('main').getByRole('link', { name: owner.email })).toHaveAttribute(
        'href',
        `mailto:${owner.email}`,
      )
      await page.getByRole('link', { name: 'Try Again' }).click()
      await expect(page).toHaveURL(`/payment?applicationId=${id}`)
      await page.goto('/payment/cancel')
      await page.getByRole('link', { name: 'Back to Dashboard' }).click()
      await expect(page).toHaveURL('/dashboard')
    })
  })
})
