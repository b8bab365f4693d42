import type Stripe from 'stripe'
import type { ProviderRequest, ProviderResponse } from './api.ts'
import { noSuch } from './api-error.ts'
import { attemptPayment, sessionDetails } from './checkout.ts'
import { type CheckoutForm, CheckoutPage, emptyForm, type FormFault } from './checkout-page.tsx'
import type { SandboxContext } from './events.ts'
import { pageResponse } from './page-document.tsx'
import { money, NoticePage } from './page-parts.tsx'
import { ReceiptPage } from './receipt-page.tsx'
import { bankMethod, cardMethod, declined, type Method } from './test-methods.ts'

export type PageContext = SandboxContext & { merchantName: string }

const onlyTestCards = 'Only the test cards work here. Choose one from the list below the buttons.'

/** The hosted pages: `/sandbox/pay/:session` (GET and its form's POST) and `/sandbox/receipts/:charge`. */
export function answerPage(context: PageContext, request: ProviderRequest): ProviderResponse {
  const [, kind, id = ''] = /^\/sandbox\/(pay|receipts)\/([A-Za-z0-9_]+)\/?(?:\?|$)/.exec(request.path) ?? []
  const isPost = request.method === 'POST'
  if (kind === 'receipts' && request.method === 'GET') return receipt(context, id)
  if (kind === 'pay' && (isPost || request.method === 'GET')) {
    const session = context.store.find('checkout.session', id)
    if (!session)
      return missing('This checkout does not exist', 'The address may have been cut off on its way.')
    if (session.status !== 'open') return closedCheckout(context, session, request)
    return isPost
      ? submit(context, session, new URLSearchParams(request.body))
      : checkout(context, session, emptyForm)
  }
  return missing('Page not found', 'There is nothing at this address.')
}

function checkout(
  context: PageContext,
  session: Stripe.Checkout.Session,
  form: CheckoutForm,
  fault?: FormFault,
): ProviderResponse {
  const { lineItems } = sessionDetails(context, session.id)
  const title = `Pay ${money(session.amount_total, session.currency ?? 'usd')} to ${context.merchantName}`
  return pageResponse(
    title,
    <CheckoutPage {...{ session, lineItems, form, fault }} merchantName={context.merchantName} />,
    { leadsTo: [session.success_url, session.cancel_url] },
  )
}

function submit(
  context: PageContext,
  session: Stripe.Checkout.Session,
  sent: URLSearchParams,
): ProviderResponse {
  const action = sent.get('action')
  if (action === 'cancel' && session.cancel_url) return redirect(session.cancel_url)
  const form = readForm(sent, session)
  const method = chooseMethod(form, session, context.now())
  if ('message' in method) {
    // A number that is no test number could be a real one: it is not sent back.
    const card = cardMethod(form.card) ? form.card : emptyForm.card
    const account = bankMethod(form.account) ? form.account : emptyForm.account
    return checkout(context, session, { ...form, account, card }, method)
  }
  const payer = { email: form.email, name: form.name || null }
  const attempt = context.store.atomically(() =>
    attemptPayment(context, session.id, action === 'decline' ? refused(method) : method, { payer }),
  )
  if (attempt.message) {
    const message = `${attempt.message} Nothing was charged. Try another card, or go back.`
    return checkout(context, session, form, { field: form.method === 'card' ? 'card' : undefined, message })
  }
  return redirect(successUrl(session))
}

function readForm(sent: URLSearchParams, session: Stripe.Checkout.Session): CheckoutForm {
  const value = (name: keyof CheckoutForm) => (sent.get(name) ?? emptyForm[name]).trim().slice(0, 200)
  const offersCard = session.payment_method_types.includes('card')
  const offersBank = session.payment_method_types.includes('us_bank_account')
  return {
    method: offersBank && (sent.get('method') === 'bank' || !offersCard) ? 'bank' : 'card',
    // The address that the merchant gave is not the payer's to change.
    email: session.customer_email ?? value('email'),
    card: value('card'),
    expiry: value('expiry'),
    cvc: value('cvc'),
    name: value('name'),
    account: value('account'),
  }
}

function chooseMethod(form: CheckoutForm, session: Stripe.Checkout.Session, now: Date): Method | FormFault {
  if (!session.customer_email && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(form.email)) {
    return { field: 'email', message: 'Please enter your e-mail address.' }
  }
  if (form.method === 'bank') {
    const message = 'Only the test accounts work here. Choose one from the list below the buttons.'
    return bankMethod(form.account) ?? { field: 'account', message }
  }
  const [, month = '', year = ''] = /^(\d{1,2})\s*\/\s*(?:20)?(\d{2})$/.exec(form.expiry) ?? []
  const expMonth = Number(month)
  const expYear = 2000 + Number(year)
  const card = cardMethod(form.card, expMonth, expYear)
  if (!card) return { field: 'card', message: onlyTestCards }
  const endOfMonth = Date.UTC(expYear, expMonth, 1)
  if (!year || expMonth < 1 || expMonth > 12 || endOfMonth <= now.getTime()) {
    return { field: 'expiry', message: 'Please enter an expiry date in the future.' }
  }
  if (!/^\d{3,4}$/.test(form.cvc)) return { field: 'cvc', message: 'Please enter the three or four digits.' }
  return card
}

/** Decline means a refused card, also where a bank transfer was chosen. */
function refused(method: Method): Method {
  const card = method.type === 'card' ? method : cardMethod('4242424242424242')
  return card ? declined(card) : method
}

function closedCheckout(
  context: PageContext,
  session: Stripe.Checkout.Session,
  request: ProviderRequest,
): ProviderResponse {
  const { merchantName } = context
  if (session.status === 'expired') {
    const back = session.cancel_url
      ? { href: session.cancel_url, label: `Back to ${merchantName}` }
      : undefined
    return pageResponse(
      'Checkout expired',
      <NoticePage title="This checkout has expired" back={back}>
        Nothing was charged. Please start the payment again.
      </NoticePage>,
    )
  }
  // The second click of a double click: the payment is made, so it leads where the first one led.
  if (request.method === 'POST') return redirect(successUrl(session))
  const amount = money(session.amount_total, session.currency ?? 'usd')
  const paid = session.payment_status === 'paid'
  return pageResponse(
    'Payment complete',
    <NoticePage
      title={paid ? 'This payment is complete' : 'Your bank transfer was started'}
      back={{ href: successUrl(session), label: `Back to ${merchantName}` }}
    >
      {paid
        ? `${amount} was paid to ${merchantName}. There is nothing more to pay here.`
        : `${amount} to ${merchantName}. It takes a while until the bank confirms a transfer.`}
    </NoticePage>,
  )
}

function receipt(context: PageContext, chargeId: string): ProviderResponse {
  const charge = context.store.find('charge', chargeId)
  const intentId = String(charge?.payment_intent)
  const [session] = context.store.list('checkout.session', { payment_intent: intentId }, { limit: 1 }).data
  if (!charge?.paid || !session) {
    return missing('This receipt does not exist', 'There is a receipt once a payment has arrived.')
  }
  const { lineItems } = sessionDetails(context, session.id)
  return pageResponse(
    `Receipt from ${context.merchantName}`,
    <ReceiptPage charge={charge} lineItems={lineItems} merchantName={context.merchantName} />,
  )
}

function missing(title: string, text: string): ProviderResponse {
  return pageResponse(title, <NoticePage title={title}>{text}</NoticePage>, { status: 404 })
}

function successUrl(session: Stripe.Checkout.Session): string {
  if (!session.success_url) throw noSuch('success_url', session.id)
  return session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id)
}

function redirect(location: string): ProviderResponse {
  return {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
    body: '',
  }
}
