// @vitest-environment dom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type PaymentApp, paymentApp } from '../../../../testing/build-payment.ts'
import { appOfFile, button, changeAnswer, openScreen } from '../../../../testing/component.tsx'

const site = appOfFile<PaymentApp>({}, paymentApp)
const toasts = () => screen.getByLabelText('Notifications').textContent

/** A tenant with a checkout that is not paid yet. */
async function makeCheckout() {
  const tenant = await site.app.makeTenant()
  const { id } = await site.app.makeApplication(tenant)
  const { checkoutSessionId } = await site.app.checkout(tenant, { applicationId: id })
  return { tenant, path: `/payment/success?session_id=${checkoutSessionId}` }
}

test('an unpaid session shows that the payment is being confirmed, not a success [PAYOK-06, LOOK-41]', async () => {
  const { tenant, path } = await makeCheckout()
  await openScreen(site.app, path, tenant)
  await screen.findByRole('heading', { name: 'Confirming your payment…' })
  screen.getByText('We are confirming your payment. This page updates by itself.')
  expect(screen.queryByText('Payment Successful')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Download receipt' })).toBeNull()
})

test.each([
  ['processing', 'Payment processing'],
  ['failed', 'Payment failed'],
  ['refunded', 'Payment refunded'],
  ['disputed', 'Payment disputed'],
  ['returned', 'Payment returned'],
])('a payment that is %s is not shown as a success [PAYOK-06]', async (status, title) => {
  const { tenant, path } = await makeCheckout()
  changeAnswer('payments.bySession', data => Object.assign(data.payment as object, { status }))
  await openScreen(site.app, path, tenant)
  await screen.findByRole('heading', { name: title })
  expect(screen.queryByText('Payment Successful')).toBeNull()
})

test('after a payment the page says what is next, with its button, and then that the stay is booked [LOOK-65]', async () => {
  const { tenant, path } = await makeCheckout()
  const asPaid = () =>
    changeAnswer('payments.bySession', data => Object.assign(data.payment as object, { status: 'succeeded' }))
  const lead = () => screen.findByRole('region', { name: 'Next step' })
  asPaid()
  await openScreen(site.app, path, tenant)
  expect((await lead()).textContent).toContain('Sign your lease')
  asPaid()
  const signed = { leaseSigned: true, paymentReceived: true }
  changeAnswer('applications.get', data => Object.assign(data.application as object, signed))
  await openScreen(site.app, path, tenant)
  expect((await lead()).textContent).toBe(
    'What happens nextPay $3,000.00$2,500.00 of it is to be paid before Jun\u00a01,\u00a02026.Pay now',
  )
  changeAnswer('charges.list', data => Object.assign(data.summary as object, { balanceCents: 0 }))
  await openScreen(site.app, path, tenant)
  expect((await lead()).textContent).toContain('Your stay is booked')
  expect(screen.queryByRole('link', { name: 'Pay now' })).toBeNull()
})

test.each([
  ['sent', 'Payment receipt sent to your email!'],
  ['failed', 'Failed to send email receipt. Please contact support.'],
  ['off', ''],
])(
  'a receipt that is %s is mentioned once, or not at all [PAYOK-08, PAYOK-09, PAYOK-10]',
  async (receiptEmail, text) => {
    const { tenant, path } = await makeCheckout()
    changeAnswer('payments.bySession', data =>
      Object.assign(data.payment as object, { status: 'succeeded', receiptEmail }),
    )
    for (const shown of [text, '']) {
      await openScreen(site.app, path, tenant)
      await screen.findByRole('heading', { name: 'Payment Successful' })
      // A toast comes shortly after the heading.
      await new Promise(resolve => setTimeout(resolve, 100))
      expect(toasts()).toBe(shown)
    }
  },
)

test.each(['/payment/success', '/payment/success?session_id=cs_test_nobody'])(
  '%s shows that the details could not be loaded, and offers a way back [PAYOK-05]',
  async path => {
    const { user } = await openScreen(site.app, path, await site.app.makeTenant())
    await screen.findByText('Error loading payment details')
    await user.click(button('Back to Dashboard'))
    await waitFor(() => expect(window.location.pathname).toBe('/dashboard'))
  },
)
