import type { ComponentProps } from 'react'
import { testAccounts } from '../../domain/accounts/test-accounts.ts'
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
  account: testAccounts.arrives as string,
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
      <ProviderBanner>
        Never type a real {offersCard(session) ? 'card' : 'account'} number here.
      </ProviderBanner>
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
            Pay uses the test {offersCard(session) ? 'card' : 'account'} above. Decline shows what happens
            when the bank refuses. Cancel goes back without paying.
          </p>
          <TestNumbers session={session} />
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
      {offersCard(session) && (
        <div className="for-card">
          {field('card', 'Card number', { inputMode: 'numeric', 'aria-describedby': 'card-hint' })}
          <div className="pair">
            {field('expiry', 'Expiry (MM / YY)', { inputMode: 'numeric' })}
            {field('cvc', 'CVC', { inputMode: 'numeric' })}
          </div>
          {field('name', 'Name on card')}
        </div>
      )}
      {offersBank(session) && (
        <div className="for-bank">
          <Field name="routing" label="Routing number" value={testRoutingNumber} readOnly />
          {field('account', 'Account number', { inputMode: 'numeric' })}
          <p className="hint">
            A transfer takes a while: the payment arrives, or fails, half a minute later. What the bank
            returns comes back half a minute after that.
          </p>
        </div>
      )}
    </>
  )
}

const offersCard = ({ payment_method_types: types }: Session) => types.includes('card')
const offersBank = ({ payment_method_types: types }: Session) => types.includes('us_bank_account')

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

function Methods({ form, session }: Pick<Props, 'form' | 'session'>) {
  const methods = [
    { value: 'card', label: 'Card', isOffered: offersCard(session) },
    { value: 'bank', label: 'Bank transfer (slow)', isOffered: offersBank(session) },
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

function TestNumbers({ session }: Pick<Props, 'session'>) {
  const offered = testNumbers.filter(({ type }) => session.payment_method_types.includes(type))
  const kinds = [offersCard(session) && 'cards', offersBank(session) && 'accounts'].filter(Boolean)
  return (
    <details>
      <summary>Test {kinds.join(' and ')}</summary>
      <ul>
        {offered.map(({ number, outcome }) => (
          <li key={number}>
            <code>{number}</code> {outcome}
          </li>
        ))}
      </ul>
    </details>
  )
}
