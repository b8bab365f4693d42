import type { ComponentProps } from 'react'
import type { LineItem, Session } from './objects.ts'
import { Lines, money, ProviderBanner } from './page-parts.tsx'
import { testNumbers, testRoutingNumber } from './test-numbers.ts'

export type CheckoutForm = typeof emptyForm
export type FormError = { field?: keyof CheckoutForm; message: string }

export const emptyForm = {
  method: 'card' as 'bank' | 'card',
  email: '',
  card: '4242 4242 4242 4242',
  expiry: '12 / 34',
  cvc: '123',
  name: 'Demo Guest',
  account: '000123456789',
}

type Props = {
  session: Session
  lineItems: LineItem[]
  merchantName: string
  form: CheckoutForm
  error?: FormError
}

export function CheckoutPage({ error, form, lineItems, merchantName, session }: Props) {
  const { amount_total: total, currency } = session
  return (
    <>
      <ProviderBanner>Never type a real card number here.</ProviderBanner>
      <main className="checkout">
        <section className="card summary" aria-label="Order summary">
          <p className="merchant">{merchantName}</p>
          <p className="amount">{money(total, currency)}</p>
          <Lines items={lineItems} total={total} currency={currency} totalLabel="Total due" />
        </section>
        <form className="card" method="post" noValidate>
          <h1 className="title">Payment details</h1>
          {error && (
            <p className="error" id="error" role="alert">
              {error.message}
            </p>
          )}
          <Fields session={session} form={form} error={error} />
          <Buttons />
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

function Fields({ error, form, session }: Pick<Props, 'error' | 'form' | 'session'>) {
  const isFixed = session.customer_email !== null
  const field = (name: keyof CheckoutForm, label: string, more: ComponentProps<'input'> = {}) => (
    <Field name={name} label={label} error={error} defaultValue={form[name]} {...more} />
  )
  return (
    <>
      {field('email', 'Email', { type: 'email', inputMode: 'email', readOnly: isFixed })}
      <Methods session={session} form={form} />
      <div className="for-card">
        {field('card', 'Card number', { inputMode: 'numeric', 'aria-describedby': 'card-hint' })}
        <div className="pair">
          {field('expiry', 'Expiry (MM / YY)', { inputMode: 'numeric' })}
          {field('cvc', 'CVC', { inputMode: 'numeric' })}
        </div>
        {field('name', 'Name on card')}
      </div>
      <div className="for-bank">
        <Field name="routing" label="Routing number" value={testRoutingNumber} readOnly />
        {field('account', 'Account number', { inputMode: 'numeric' })}
        <p className="hint">
          A transfer takes a while: the payment is confirmed, or fails, half a minute later.
        </p>
      </div>
    </>
  )
}

function Buttons() {
  return (
    <>
      <button className="primary" type="submit" name="action" value="pay">
        Pay
      </button>
      <div className="pair">
        <button type="submit" name="action" value="decline">
          Decline
        </button>
        <button type="submit" name="action" value="cancel">
          Cancel
        </button>
      </div>
    </>
  )
}

function Field({
  error,
  label,
  name,
  ...input
}: ComponentProps<'input'> & { name: string; label: string; error?: FormError }) {
  const isWrong = error?.field === name
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input
        id={name}
        name={name}
        type="text"
        autoComplete="off"
        {...input}
        {...(isWrong && { 'aria-invalid': true, 'aria-describedby': 'error' })}
      />
    </div>
  )
}

function Methods({ form, session: { payment_method_types: types } }: Pick<Props, 'form' | 'session'>) {
  const methods = [
    { value: 'card', label: 'Card', isOffered: types.includes('card') },
    { value: 'bank', label: 'Bank transfer (slow)', isOffered: types.includes('us_bank_account') },
  ]
  return (
    <fieldset>
      <legend>Pay with</legend>
      <div className="methods">
        {methods.map(
          ({ isOffered, label, value }) =>
            isOffered && (
              <label key={value} htmlFor={`method-${value}`}>
                <input
                  id={`method-${value}`}
                  type="radio"
                  name="method"
                  value={value}
                  defaultChecked={form.method === value}
                />
                {label}
              </label>
            ),
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
        {testNumbers.map(({ number, outcome }) => (
          <li key={number}>
            <code>{number}</code> {outcome}
          </li>
        ))}
      </ul>
    </details>
  )
}
