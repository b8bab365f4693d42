import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { formatMomentDate } from '../../domain/common/dates.ts'
import { formatShortStay } from '../../domain/common/stay.ts'
import { adminToken, call, failCall, makeTenant, signIn } from './accounts.ts'
import { failOnly } from './admin-pages.ts'
import { freeStay, makeApplication } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { makeLease, openCheckout, payByCard, recordPayment, type Terms } from './leases.ts'
import { changeResponse, changeSite, recordInputs, recordRequests } from './responses.ts'
import { expect, owner, type Site, test } from './site.ts'

const notifications = (page: Page) => page.getByLabel('Notifications')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const type = (page: Page, name: 'Deposit' | 'Rent') =>
  page.getByRole('radio', { name: new RegExp(`^${name}`) })
const amount = (page: Page) => page.getByLabel('Custom amount')
const summary = (page: Page) => page.getByRole('region', { name: 'Summary' })
const history = (page: Page) => page.getByRole('region', { name: 'Payment History' })
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
  test('the deposit is fixed, and the fee and the total are calculated from it [PAY-02, PAY-04, PAY-11, PAY-12, PAY-14, PAY-27]', async ({
    page,
    site,
  }) => {
    const { account, id } = await withLease(page, site, { depositAmount: 612.5 })
    await page.goto(`/payment?applicationId=${id}`)
    await expect(page.getByRole('radio')).toHaveCount(2)
    await expect(type(page, 'Deposit')).toBeChecked()
    await expect(type(page, 'Deposit')).toHaveAccessibleName('Deposit $612.50')
    await expect(page.getByRole('region', { name: 'Payment', exact: true }).getByRole('textbox')).toHaveCount(
      0,
    )
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
    await expectAccessible(page)
  })

  test('rent offers the balance first and preselected, smaller quick amounts and a custom amount [PAY-06, PAY-07, PAY-08, PAY-09, PAY-11, LOOK-26]', async ({
    page,
    site,
  }) => {
    const { id } = await withLease(page, site, { rentalAmount: 3600.5 })
    await page.goto(`/payment?applicationId=${id}`)
    const sent = recordInputs(page, 'payments.createCheckoutSession')
    await expect(type(page, 'Rent')).toHaveAccessibleName('Rent $3,600.50')
    await type(page, 'Rent').check()
    // The $500.00 deposit is paid separately.
    const quick = page.getByRole('group', { name: 'Quick amounts' }).getByRole('button')
    await expect(quick).toHaveCount(7)
    await expect(quick.first()).toHaveText('Balance without the deposit $3,600.50')
    await expect(quick.first()).toHaveAttribute('aria-pressed', 'true')
    await expect(summary(page)).toHaveText('Amount$3,600.50Card fee$108.02Total$3,708.52')
    for (const dollars of [1000, 1500, 2000, 2500, 3000, 3500]) {
      await button(page, `$${(dollars / 1000).toFixed(3).replace('.', ',')}.00`).click()
      await expect(amount(page)).toHaveValue(String(dollars))
      await expect(summary(page)).toContainText(`Card fee$${(dollars * 0.03).toFixed(2)}`)
    }
    await expect(button(page, '$3,500.00')).toHaveAttribute('aria-pressed', 'true')
    await expect(button(page, '$1,000.00')).toHaveAttribute('aria-pressed', 'false')
    await quick.first().click()
    await expect(amount(page)).toHaveValue('3600.50')
    await expect(amount(page)).toHaveAttribute('min', '1')
    await expect(amount(page)).toHaveAttribute('step', '0.01')
    await expectAccessible(page)

    for (const wrong of ['', '0', '-5', '0.99', '10.005']) {
      await amount(page).fill('7')
      await amount(page).fill(wrong)
      await proceed(page)
      await expect(page.getByText('Please enter a valid amount')).toBeVisible()
      await expect(amount(page)).toBeFocused()
    }
    await expectAccessible(page)
    for (const [text, reason] of [
      ['', 'Enter an amount to see the total.'],
      ['2000000', 'At most $970,873.77'],
    ] as const) {
      await amount(page).fill(text)
      await expect(summary(page)).toHaveText(`Amount–Card fee–Total–${reason}`)
    }
    await proceed(page)
    await expect(amount(page)).toHaveAccessibleDescription('At most $970,873.77')
    expect(sent).toEqual([])
    await amount(page).fill('1')
    await expect(page.getByText('Please enter a valid amount')).toBeHidden()
    await expect(summary(page)).toHaveText('Amount$1.00Card fee$0.03Total$1.03')
  })

  test('Proceed asks about an overpayment, sends the shown amounts once, and opens the returned URL [PAY-17, PAY-18, PAY-19, MONEY-02, LOOK-37]', async ({
    page,
    site,
  }) => {
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
    await button(page, 'Change the Amount').click()
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

  test('an overpayment confirmed for one application is asked about again for another [LOOK-37]', async ({
    page,
    site,
  }) => {
    const { id, token } = await withLease(page, site)
    const { id: other } = await makeLease(site, token)
    await page.goto('/payment')
    const choice = page.getByLabel('For which application?')
    await failCall(page, 'payments.createCheckoutSession', { status: 409, message: 'Please try again.' })
    for (const application of [id, other]) {
      await choice.selectOption(application)
      await type(page, 'Rent').check()
      await amount(page).fill('5200')
      await proceed(page)
      const question = page.getByRole('alertdialog', { name: 'Pay $5,200.00?' })
      await button(page, 'Pay $5,200.00').click()
      await expect(question).toBeHidden()
      await expect(notifications(page)).toContainText('Please try again.')
    }
  })

  test('the button is disabled while the checkout is created [PAY-19]', async ({ page, site }) => {
    const { id } = await withLease(page, site)
    await page.goto(`/payment?applicationId=${id}`)
    let answer = () => {}
    const held = new Promise<void>(resolve => {
      answer = resolve
    })
    await page.route(/createCheckoutSession/, async route => {
      await held
      await route.continue()
    })
    await proceed(page)
    await expect(button(page, 'Taking you to the payment...')).toBeDisabled()
    answer()
    await page.waitForURL(/\/sandbox\/pay\//)
  })

  test('a rejected checkout shows the reason, and any other failure a default message [PAY-20, PAY-21, TOAST-06]', async ({
    page,
    site,
  }) => {
    const { id } = await withLease(page, site)
    await page.goto(`/payment?applicationId=${id}`)
    for (const [failure, text] of [
      [{ status: 409, message: 'The security deposit has already been paid.' }, 'has already been paid.'],
      [{ status: 500 }, 'Failed to create checkout session'],
      ['no answer', 'Payment failed'],
    ] as const) {
      await failCall(page, 'payments.createCheckoutSession', failure)
      await proceed(page)
      await expect(notifications(page)).toContainText(text)
      await expect(page.getByRole('region', { name: 'Payment', exact: true })).toContainText(text)
      await expect(payByCardButton(page)).toBeEnabled()
      await page.unrouteAll()
    }
  })

  test('the newest active application is preselected, and another can be chosen [PAY-16]', async ({
    page,
    site,
  }) => {
    const token = await signIn(page, site, await makeTenant(site))
    const older = freeStay()
    const first = await makeApplication(site, token, 'approved', older)
    const second = await makeApplication(site, token, 'pending')
    const done = await makeApplication(site, token, 'completed')
    await makeApplication(site, token, 'rejected')
    const sent = recordInputs(page, 'payments.createCheckoutSession')
    await page.goto('/payment')
    const choice = page.getByLabel('For which application?')
    await expect(choice).toHaveValue(second)
    await expect(choice.locator('option')).toHaveCount(3)
    await expect(choice.locator(`option[value="${done}"]`)).toHaveCount(1)
    await choice.selectOption({ label: await optionOf(page, first) })
    await expect(choice).toHaveValue(first)
    await expect(choice.locator('option:checked')).toContainText(
      formatShortStay({ start: older.requestedStartDate, end: older.requestedEndDate }),
    )
    await expectAccessible(page)
    await proceed(page)
    await page.waitForURL(/\/sandbox\/pay\//)
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({ applicationId: first, amount: 50_000 })
  })

  test('without an application the payment is sent without one [PAY-16]', async ({ page, site }) => {
    await signIn(page, site, await makeTenant(site))
    const sent = recordInputs(page, 'payments.createCheckoutSession')
    await page.goto('/payment')
    await expect(page.getByText('You have no application yet.')).toBeVisible()
    await proceed(page)
    await page.waitForURL(/\/sandbox\/pay\//)
    expect(sent).toHaveLength(1)
    expect(sent[0]).not.toHaveProperty('applicationId')
    expect(sent[0]).toMatchObject({ amount: 50_000, creditCardFee: 1_500, totalAmount: 51_500 })
  })

  test('a paid deposit is not offered again', async ({ page, site }) => {
    const { id, token } = await withLease(page, site)
    await payByCard(site, token, { id, cents: 50_000, type: 'deposit' })
    await page.goto(`/payment?applicationId=${id}`)
    await expect(type(page, 'Deposit')).toBeDisabled()
    await expect(page.getByText('Paid already')).toBeVisible()
    await expect(type(page, 'Rent')).toBeChecked()
  })

  test('offers the rest of a deposit, no refunded deposit, and nothing once everything is paid [FIX-06, FIX-07, LOOK-36]', async ({
    page,
    site,
  }) => {
    const { id, token } = await withLease(page, site, { depositAmount: 800 })
    await recordPayment(site, id, { amount: 500_00, paymentType: 'deposit' })
    await page.goto(`/payment?applicationId=${id}`)
    await expect(type(page, 'Deposit')).toHaveAccessibleName('Deposit $300.00')
    await expect(page.getByText('What is left to pay of the security deposit of $800.00.')).toBeVisible()
    await expect(summary(page)).toHaveText('Amount$300.00Card fee$9.00Total$309.00')
    await expectAccessible(page)
    const session = await payByCard(site, token, { id, cents: 300_00, type: 'deposit' })
    const { payment } = await call(site, 'GET', `/api/payment/by-session/${session}`, { token })
    await call(site, 'POST', '/trpc/payments.refund', {
      token: await adminToken(site),
      body: { paymentId: payment.id, requestId: crypto.randomUUID() },
    })
    await page.reload()
    await expect(type(page, 'Deposit')).toBeDisabled()
    await expect(page.getByText('Paid already')).toBeVisible()
    // After the rent, nothing is left to pay.
    await recordPayment(site, id, { amount: 2500_00, paymentType: 'rent' })
    await page.reload()
    await expect(page.getByText('Everything is paid')).toBeVisible()
    await expect(page.getByRole('radio')).toHaveCount(0)
    await expect(payByCardButton(page)).toHaveCount(0)
    await expect(page.getByRole('region', { name: 'Other Ways to Pay' })).toHaveCount(0)
    await expect(history(page).getByRole('listitem')).toHaveCount(3)
    await expectAccessible(page)
  })

  test('the history shows the payments of the selected application, or of all applications [PAY-03, PAY-15]', async ({
    page,
    site,
  }) => {
    const { id, token } = await withLease(page, site)
    const other = await makeLease(site, token)
    await recordPayment(site, id, { amount: 70_000 })
    await recordPayment(site, other.id, { amount: 80_000, paymentType: 'other' })
    await page.goto(`/payment?applicationId=${id}`)
    await expect(page.getByLabel('For which application?')).toBeHidden()
    await expect(history(page).getByRole('listitem')).toHaveText([/^Rent.*\$700\.00Succeeded$/])
    await page.goto('/payment')
    await expect(history(page).getByRole('listitem')).toHaveCount(2)
    await expect(history(page)).toContainText('$800.00')
  })

  test('a history that fails to load is reported and can be retried [PAY-22]', async ({ page, site }) => {
    const { id } = await withLease(page, site)
    await failOnly(page, 'payments.history')
    await page.goto(`/payment?applicationId=${id}`)
    await expect(history(page)).toContainText('Failed to load payment history')
    await page.unrouteAll()
    await history(page).getByRole('button', { name: 'Try Again' }).click()
    await expect(history(page)).toContainText('No payments found')
  })

  test('ways to pay without a fee are listed [PAY-13]', async ({ page, site }) => {
    await signIn(page, site, await makeTenant(site))
    await page.goto('/payment')
    const ways = page.getByRole('region', { name: 'Other Ways to Pay' })
    await expect(ways.locator('dt')).toHaveText([
      'Zelle',
      'Venmo',
      'Money order',
      'Wire transfer',
      'Stablecoin (USDC)',
      'Check',
    ])
    await expect(ways).toContainText(owner.email)
    await expect(ways).not.toContainText(/[{}]/)
  })

  test('without a card provider the page shows a note and the other ways to pay [PAY-26]', async ({
    page,
    site,
  }) => {
    await signIn(page, site, await makeTenant(site))
    await changeResponse(page, 'payments.options', data => {
      data.cardPayments = false
    })
    await page.goto('/payment')
    await expect(page.getByText('Card payments are not set up')).toBeVisible()
    await expect(payByCardButton(page)).toBeHidden()
    await expect(page.getByRole('region', { name: 'Other Ways to Pay' })).toContainText('Wire transfer')
    await expectAccessible(page)
  })

  test('a declined application cannot be paid for [PAY-28]', async ({ page, site }) => {
    const token = await signIn(page, site, await makeTenant(site))
    const id = await makeApplication(site, token, 'rejected')
    await page.goto(`/payment?applicationId=${id}`)
    await expect(page.getByText('Nothing can be paid for this application')).toBeVisible()
    await expect(payByCardButton(page)).toBeHidden()
    await expect(openCheckout(site, token, { id, cents: 50_000, type: 'deposit' })).rejects.toThrow('409')
  })

  test('an ended session is reported in place of the screen [PAY-01]', async ({ page, site }) => {
    await signIn(page, site, await makeTenant(site))
    await failCall(page, 'payments.options', { status: 401, message: 'Please log in' })
    await page.goto('/payment')
    await expect(page.getByText('Please log in to access payments')).toBeVisible()
    await page.getByRole('link', { name: 'Go to Login' }).click()
    await expect(page).toHaveURL('/login')
  })

  test('a payment can be started by keyboard alone', async ({ page, site }) => {
    const { id } = await withLease(page, site)
    await page.goto(`/payment?applicationId=${id}`)
    await type(page, 'Deposit').focus()
    await page.keyboard.press('ArrowRight')
    await expect(type(page, 'Rent')).toBeChecked()
    await expect(amount(page)).toHaveValue('2500')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await expect(amount(page)).toHaveValue('1000')
    await amount(page).focus()
    await page.keyboard.press('End')
    await page.keyboard.type('9')
    await page.keyboard.press('Enter')
    // More than the amount owed.
    await page.getByRole('alertdialog').getByRole('button', { name: 'Pay $10,009.00' }).press('Enter')
    await page.waitForURL(/\/sandbox\/pay\//)
  })
})

async function optionOf(page: Page, id: string): Promise<string> {
  return (await page.locator(`option[value="${id}"]`).textContent()) ?? ''
}

test.describe("the provider's script", () => {
  // The demo's content security policy does not allow the provider.
  test.use({ bypassCSP: true })

  const withKey = (page: Page) =>
    changeSite(page, site => {
      site.publishableKey = 'pk_test_shore'
    })

  test('loads with the key, and only on the payment page [PAY-23]', async ({ page, site }) => {
    await signIn(page, site, await makeTenant(site))
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
  })

  test('a load failure is only logged [PAY-24]', async ({ page, site }) => {
    const { id } = await withLease(page, site)
    await withKey(page)
    await page.route('https://js.stripe.com/**', route => route.abort('connectionfailed'))
    const logged = page.waitForEvent('console', message => /could not be started/.test(message.text()))
    await page.goto(`/payment?applicationId=${id}`)
    await logged
    await expect(notifications(page)).toHaveText('')
    await proceed(page)
    await page.waitForURL(/\/sandbox\/pay\//)
  })

  test('a missing key logs a warning [PAY-25]', async ({ page, site }) => {
    await signIn(page, site, await makeTenant(site))
    const logged = page.waitForEvent('console', message => /no publishable key/.test(message.text()))
    await page.goto('/payment')
    expect((await logged).type()).toBe('warning')
    await expect(payByCardButton(page)).toBeVisible()
    await expect(notifications(page)).toHaveText('')
  })
})

test.describe('after the payment', () => {
  test('a payment on the provider’s page shows its success page and leads back to the dashboard [PAYOK-01, PAYOK-02, PAYOK-03, PAYOK-04, PAYOK-07, PAYOK-08]', async ({
    page,
    site,
  }) => {
    const { account, id, token } = await withLease(page, site)
    await page.addInitScript(() => {
      const set = Storage.prototype.setItem
      Storage.prototype.setItem = function (key, value) {
        if (key === 'paymentSuccessReturn') document.documentElement.dataset.flag = 'set'
        set.call(this, key, value)
      }
    })
    await page.goto(`/payment?applicationId=${id}`)
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
      'Card Fee$15.00',
      'Total Charged$515.00',
      'Payment TypeDeposit',
      `Date${formatMomentDate(payments[0].paidAt, 'America/New_York')}`,
      'Paid WithVisa •••• 4242',
      `Transaction Reference${payments[0].stripePaymentIntentId}`,
      'What happens next',
    ])
      await expect(main).toContainText(text)
    await expectAccessible(page)
    const receipt = page.getByRole('link', { name: /card provider’s receipt/ })
    await expect(receipt).toHaveAttribute('href', payments[0].receiptUrl)

    const downloading = page.waitForEvent('download')
    await button(page, 'Download Receipt').click()
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

    await button(page, 'Back to Dashboard').click()
    await expect(page).toHaveURL('/dashboard')
    await expect(page.locator('html')).toHaveAttribute('data-flag', 'set')
  })

  test('Print prints only the receipt, without the rest of the page', async ({ page, site }) => {
    const { account, id, token } = await withLease(page, site)
    const session = await payByCard(site, token, { id, cents: 50_000, type: 'deposit' })
    await page.goto(`/payment/success?session_id=${session}`)
    await expect(notifications(page)).toContainText('receipt')
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
    await expect(page.getByText('Payment receipt sent to your email!')).toBeHidden()
  })

  test('a sent or failed receipt is mentioned once, and a disabled receipt not at all [PAYOK-08, PAYOK-09, PAYOK-10]', async ({
    page,
    site,
  }) => {
    const { id, token } = await withLease(page, site)
    let receiptEmail = ''
    await changeResponse(page, 'payments.bySession', data => {
      Object.assign(data.payment as object, { receiptEmail })
    })
    for (const [state, text] of [
      ['sent', 'Payment receipt sent to your email!'],
      ['failed', 'Failed to send email receipt. Please contact support.'],
      ['off', ''],
    ] as const) {
      receiptEmail = state
      const session = await payByCard(site, token, { id, cents: 50_000, type: 'rent' })
      for (const shown of [text, '']) {
        await page.goto(`/payment/success?session_id=${session}`)
        await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
        await page.waitForTimeout(150)
        await expect(notifications(page)).toHaveText(shown)
      }
    }
  })

  test('a missing session id and details that fail to load offer a way back [PAYOK-05]', async ({
    page,
    site,
  }) => {
    await signIn(page, site, await makeTenant(site))
    for (const path of ['/payment/success', '/payment/success?session_id=cs_test_nobody']) {
      await page.goto(path)
      await expect(page.getByText('Error loading payment details')).toBeVisible()
      await expectAccessible(page)
      await button(page, 'Back to Dashboard').click()
      await expect(page).toHaveURL('/dashboard')
    }
  })

  test('an unpaid session shows that the payment is being confirmed, not a success [PAYOK-06, LOOK-41]', async ({
    page,
    site,
  }) => {
    const { id, token } = await withLease(page, site)
    const url = await openCheckout(site, token, { id, cents: 50_000, type: 'deposit' })
    await page.goto(`/payment/success?session_id=${url.split('/').at(-1)}`)
    await expect(page.getByRole('heading', { name: 'Confirming your payment…' })).toBeVisible()
    await expect(page.getByText('We are confirming your payment. This page updates by itself.')).toBeVisible()
    await expect(page.getByText('Payment Successful')).toBeHidden()
    await expect(button(page, 'Download Receipt')).toBeHidden()
    const { payments } = await call(site, 'GET', `/api/payment/history?applicationId=${id}`, { token })
    expect(payments.filter(({ status }: { status: string }) => status === 'succeeded')).toEqual([])
  })

  test('a processing, failed, refunded or disputed payment shows its status [PAYOK-06]', async ({
    page,
    site,
  }) => {
    const { id, token } = await withLease(page, site)
    const url = await openCheckout(site, token, { id, cents: 50_000, type: 'deposit' })
    let shownStatus = ''
    await changeResponse(page, 'payments.bySession', data => {
      Object.assign(data.payment as object, { status: shownStatus })
    })
    for (const [status, title] of [
      ['processing', 'Payment Processing'],
      ['failed', 'Payment Failed'],
      ['refunded', 'Payment Refunded'],
      ['disputed', 'Payment Disputed'],
    ] as const) {
      shownStatus = status
      await page.goto(`/payment/success?session_id=${url.split('/').at(-1)}`)
      await expect(page.getByRole('heading', { name: title })).toBeVisible()
      await expect(page.getByText('Payment Successful')).toBeHidden()
      await expectAccessible(page)
    }
  })

  test('a canceled payment shows that nothing was charged and offers ways back [PAYOK-11, PAYOK-12, PAYOK-13, PAYOK-14, LOOK-40]', async ({
    page,
    site,
  }) => {
    const { id } = await withLease(page, site)
    await page.goto(`/payment?applicationId=${id}`)
    await proceed(page)
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await expect(page).toHaveURL('/payment/cancel')
    await expect(page.getByRole('heading', { name: 'Payment Cancelled' })).toBeVisible()
    await expect(page.getByText('Nothing was charged')).toBeVisible()
    await expect(page.locator('main').getByRole('link', { name: owner.email })).toHaveAttribute(
      'href',
      `mailto:${owner.email}`,
    )
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Try Again' }).click()
    await expect(page).toHaveURL(`/payment?applicationId=${id}`)
    await page.goto('/payment/cancel')
    await page.getByRole('link', { name: 'Back to Dashboard' }).click()
    await expect(page).toHaveURL('/dashboard')
  })
})
