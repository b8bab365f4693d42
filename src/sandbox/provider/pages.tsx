import { attemptPayment } from './checkout.ts'
import { type CheckoutForm, CheckoutPage, emptyForm, type FormError } from './checkout-page.tsx'
import type { ProviderRequest, ProviderResponse } from './http.ts'
import type { Session } from './objects.ts'
import { money, NoticePage, pageResponse } from './page-parts.tsx'
import { ReceiptPage } from './receipt-page.tsx'
import type { SandboxContext } from './store.ts'
import { asDeclined, findMethod, type Method } from './test-numbers.ts'

type PageContext = SandboxContext & { merchantName: string }

/** Serves the hosted pages: `/sandbox/pay/:session` (GET, and POST of its form) and `/sandbox/receipts/:charge`. */
export function handlePage(context: PageContext, request: ProviderRequest): ProviderResponse {
  const [, kind, id = ''] = /^\/sandbox\/(pay|receipts)\/([A-Za-z0-9_]+)\/?(?:\?|$)/.exec(request.path) ?? []
  const isPost = request.method === 'POST'
  if (kind === 'receipts' && !isPost) return receipt(context, id)
  if (kind !== 'pay') return missing('Page not found', 'There is nothing at this address.')
  const session = context.store.find('checkout.session', id)
  if (!session) return missing('This checkout does not exist', 'The address may have been cut short.')
  if (session.status === 'expired') return expired(context, session)
  // The second request of a double click: the payment is complete, so redirect like the first request.
  if (session.status === 'complete')
    return isPost ? redirect(successUrl(session)) : complete(context, session)
  return isPost
    ? submit(context, session, new URLSearchParams(request.body))
    : checkout(context, session, readForm(new URLSearchParams(), session))
}

function checkout(
  { merchantName, store }: PageContext,
  session: Session,
  form: CheckoutForm,
  error?: FormError,
): ProviderResponse {
  const { lineItems } = store.details(session.id)
  return pageResponse(
    `Pay ${money(session.amount_total, session.currency)} to ${merchantName}`,
    <CheckoutPage {...{ session, lineItems, merchantName, form, error }} />,
    { leadsTo: [session.success_url, session.cancel_url] },
  )
}

function submit(context: PageContext, session: Session, sent: URLSearchParams): ProviderResponse {
  const action = sent.get('action')
  if (action === 'cancel') return redirect(session.cancel_url)
  const form = readForm(sent, session)
  const method = chooseMethod(form, context.now())
  if ('message' in method) {
    // A number that is not a test number could be real, so it is not sent back.
    const card = findMethod('card', form.card) ? form.card : emptyForm.card
    const account = findMethod('us_bank_account', form.account) ? form.account : emptyForm.account
    return checkout(context, session, { ...form, account, card }, method)
  }
  const { message } = attemptPayment(
    context,
    session.id,
    action === 'decline' ? asDeclined(method) : method,
    {
      payer: { email: form.email, name: form.name || null },
    },
  )
  if (!message) return redirect(successUrl(session))
  return checkout(context, session, form, {
    field: form.method === 'card' ? 'card' : 'account',
    message: `${message} Nothing was charged. Try another ${form.method === 'card' ? 'card' : 'account'}, or go back.`,
  })
}

function readForm(sent: URLSearchParams, { customer_email, payment_method_types }: Session): CheckoutForm {
  const value = (name: keyof CheckoutForm) => (sent.get(name) ?? emptyForm[name]).trim().slice(0, 200)
  const offersCard = payment_method_types.includes('card')
  const offersBank = payment_method_types.includes('us_bank_account')
  return {
    method: offersBank && (sent.get('method') === 'bank' || !offersCard) ? 'bank' : 'card',
    // The payer cannot change an address set by the merchant.
    email: customer_email ?? value('email'),
    card: value('card'),
    expiry: value('expiry'),
    cvc: value('cvc'),
    name: value('name'),
    account: value('account'),
  }
}

function chooseMethod(form: CheckoutForm, now: Date): Method | FormError {
  const wrong = (field: keyof CheckoutForm, message: string): FormError => ({ field, message })
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(form.email))
    return wrong('email', 'Please enter your email address.')
  if (form.method === 'bank')
    return findMethod('us_bank_account', form.account) ?? wrong('account', onlyTestNumbers('accounts'))
  const card = findMethod('card', form.card)
  if (!card) return wrong('card', onlyTestNumbers('cards'))
  const [, month, year] = /^(\d{1,2})\s*\/\s*(?:20)?(\d{2})$/.exec(form.expiry) ?? []
  const isMonth = Number(month) >= 1 && Number(month) <= 12
  if (!isMonth || Date.UTC(2000 + Number(year), Number(month), 1) <= now.getTime())
    return wrong('expiry', 'Please enter an expiry date in the future.')
  if (!/^\d{3,4}$/.test(form.cvc)) return wrong('cvc', 'Please enter the three or four digits.')
  return card
}

const onlyTestNumbers = (kind: 'accounts' | 'cards') =>
  `Only the test ${kind} work here. Choose one from the list below the buttons.`

function expired({ merchantName }: PageContext, { cancel_url }: Session): ProviderResponse {
  return pageResponse(
    'Checkout expired',
    <NoticePage
      title="This checkout has expired"
      back={{ href: cancel_url, label: `Back to ${merchantName}` }}
    >
      Nothing was charged. Please start the payment again.
    </NoticePage>,
  )
}

function complete({ merchantName }: PageContext, session: Session): ProviderResponse {
  const amount = money(session.amount_total, session.currency)
  const isPaid = session.payment_status === 'paid'
  return pageResponse(
    'Payment complete',
    <NoticePage
      title={isPaid ? 'This payment is complete' : 'Your bank transfer has started'}
      back={{ href: successUrl(session), label: `Back to ${merchantName}` }}
    >
      {isPaid
        ? `${amount} was paid to ${merchantName}. There is nothing more to pay here.`
        : `${amount} to ${merchantName}. It takes a while for the bank to confirm a transfer.`}
    </NoticePage>,
  )
}

function receipt({ merchantName, store }: PageContext, chargeId: string): ProviderResponse {
  const charge = store.find('charge', chargeId)
  const [session] = charge?.paid
    ? store.list('checkout.session', { payment_intent: charge.payment_intent }, { limit: 1 }).data
    : []
  if (!charge || !session)
    return missing('This receipt does not exist', 'There is a receipt once a payment has arrived.')
  const { lineItems } = store.details(session.id)
  return pageResponse(
    `Receipt from ${merchantName}`,
    <ReceiptPage {...{ charge, session, lineItems, merchantName }} />,
  )
}

function missing(title: string, text: string): ProviderResponse {
  return pageResponse(title, <NoticePage title={title}>{text}</NoticePage>, { status: 404 })
}

function successUrl({ id, success_url }: Session): string {
  return success_url.replaceAll('{CHECKOUT_SESSION_ID}', id)
}

function redirect(location: string): ProviderResponse {
  return {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
    body: '',
  }
}
