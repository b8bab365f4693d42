import type Stripe from 'stripe'
import type { LineItem } from './checkout-objects.ts'
import { DemoBanner, Lines, money } from './page-parts.tsx'
import { testAccounts, testCards, testRoutingNumber } from './test-methods.ts'

export type CheckoutForm = {
  method: 'card' | 'bank'
  email: string
  card: string
  expiry: string
  cvc: string
  name: string
  account: string
}
export type FormFault = { field?: keyof CheckoutForm; message: string }

export const emptyForm: CheckoutForm = {
  method: 'card',
  email: '',
  card: '4242 4242 4242 4242',
  expiry: '12 / 34',
  cvc: '123',
  name: 'Demo Guest',
  account: '000123456789',
}

type Props = {
  session: Stripe.Checkout.Session
  lineItems: LineItem[]
  merchantName: string
  form: CheckoutForm
  fault?: FormFault
}

export function CheckoutPage({ fault, form, lineItems, merchantName, session }: Props) {
  const currency = session.currency ?? 'usd'
  const text = (name: keyof CheckoutForm, label: string, more: object = {}) => (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input
        id={name}
        name={name}
        type="text"
        autoComplete="off"
        defaultValue={form[name]}
        aria-invalid={fault?.field === name ? true : undefined}
        aria-describedby={fault?.field === name ? 'fault' : undefined}
        {...more}
      />
    </div>
  )
  return (
    <>
      <DemoBanner>Never type a real card number here.</DemoBanner>
      <main className="checkout">
        <section className="card summary" aria-label="Order summary">
          <p className="merchant">{merchantName}</p>
          <p className="amount">{money(session.amount_total, currency)}</p>
          <Lines
            items={lineItems}
            total={session.amount_total ?? 0}
            currency={currency}
            totalLabel="Total due"
          />
        </section>
        <form className="card" method="post" noValidate>
          <h1 className="title">Payment details</h1>
          {fault && (
            <p className="error" id="fault" role="alert">
              {fault.message}
            </p>
          )}
          {text('email', 'Email', {
            type: 'email',
            inputMode: 'email',
            ...(session.customer_email && { defaultValue: session.customer_email, readOnly: true }),
          })}
          <Methods session={session} form={form} />
          <div className="for-card">
            {text('card', 'Card number', {
              inputMode: 'numeric',
              'aria-describedby': fault?.field === 'card' ? 'fault' : 'card-hint',
            })}
            <div className="pair">
              {text('expiry', 'Expiry (MM / YY)', { inputMode: 'numeric' })}
              {text('cvc', 'CVC', { inputMode: 'numeric' })}
            </div>
            {text('name', 'Name on card')}
          </div>
          <div className="for-bank">
            <div className="field">
              <label htmlFor="routing">Routing number</label>
              <input id="routing" type="text" value={testRoutingNumber} readOnly />
            </div>
            {text('account', 'Account number', { inputMode: 'numeric' })}
            <p className="hint">
              A transfer takes a while: the payment is confirmed, or fails, half a minute later.
            </p>
          </div>
          <button className="primary" type="submit" name="action" value="pay">
            Pay
          </button>
          <div className={session.cancel_url ? 'pair' : undefined}>
            <button type="submit" name="action" value="decline">
              Decline
            </button>
            {session.cancel_url && (
              <button type="submit" name="action" value="cancel">
                Cancel
              </button>
            )}
          </div>
          <p className="hint" id="card-hint">
            Pay uses the test card above. Decline shows what happens when the bank refuses. Cancel goes back
            without paying.
          </p>
          <TestNumbers />
        </form>
      </main>
    </>
  )
}

function Methods({ form, session }: Pick<Props, 'form' | 'session'>) {
  const offersBank = session.payment_method_types.includes('us_bank_account')
  const offersCard = session.payment_method_types.includes('card')
  const isBank = offersBank && (form.method === 'bank' || !offersCard)
  return (
    <fieldset>
      <legend>Pay with</legend>
      <div className="methods">
        {offersCard && (
          <label htmlFor="method-card">
            <input id="method-card" type="radio" name="method" value="card" defaultChecked={!isBank} />
            Card
          </label>
        )}
        {offersBank && (
          <label htmlFor="method-bank">
            <input id="method-bank" type="radio" name="method" value="bank" defaultChecked={isBank} />
            Bank transfer (slow)
          </label>
        )}
      </div>
    </fieldset>
  )
}

function TestNumbers() {
  return (
    <details>
      <summary>Test cards and accounts</summary>
      <ul>
        {Object.entries(testCards).map(([number, { outcome }]) => (
          <li key={number}>
            <code>{spaced(number)}</code> {outcome}
          </li>
        ))}
        {Object.entries(testAccounts).map(([number, { outcome }]) => (
          <li key={number}>
            <code>{number}</code> Transfer. {outcome}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** As printed on the card: groups of four, or 4-6-5 for the fifteen digits of American Express. */
function spaced(number: string): string {
  const groups = number.length === 15 ? /^(\d{4})(\d{6})(\d{5})$/ : /^(\d{4})(\d{4})(\d{4})(\d{4})$/
  return groups.exec(number)?.slice(1).join(' ') ?? number
}
