import type Stripe from 'stripe'
import type { LineItem } from './checkout-objects.ts'
import { DemoBanner, Lines, money } from './page-parts.tsx'

type Props = { charge: Stripe.Charge; lineItems: LineItem[]; merchantName: string }

export function ReceiptPage({ charge, lineItems, merchantName }: Props) {
  const paidAt = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return (
    <>
      <DemoBanner />
      <main>
        <article className="card receipt">
          <p className="merchant">Receipt from {merchantName}</p>
          <h1 className="amount">{money(charge.amount, charge.currency)}</h1>
          <Stamp charge={charge} />
          <dl className="facts">
            <div>
              <dt>Date paid</dt>
              <dd>{paidAt.format(new Date(charge.created * 1000))} UTC</dd>
            </div>
            <div>
              <dt>Payment method</dt>
              <dd>{methodName(charge)}</dd>
            </div>
            {charge.billing_details.email && (
              <div>
                <dt>Email</dt>
                <dd>{charge.billing_details.email}</dd>
              </div>
            )}
            <div>
              <dt>Transaction</dt>
              <dd>
                <code>{charge.id}</code>
              </dd>
            </div>
          </dl>
          <Lines
            items={lineItems}
            total={charge.amount}
            refunded={charge.amount_refunded}
            currency={charge.currency}
            totalLabel={charge.amount_refunded > 0 ? 'Paid after refunds' : 'Amount paid'}
          />
        </article>
      </main>
      <footer>A receipt of the sandbox, for trying things out. It is no proof of payment.</footer>
    </>
  )
}

function Stamp({ charge }: { charge: Stripe.Charge }) {
  if (charge.refunded) return <span className="stamp back">Refunded</span>
  if (charge.amount_refunded > 0) return <span className="stamp back">Partly refunded</span>
  return <span className="stamp">Paid</span>
}

const brandNames: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
}

function methodName({ payment_method_details: details }: Stripe.Charge): string {
  if (details?.card)
    return `${brandNames[details.card.brand ?? ''] ?? 'Card'} ending in ${details.card.last4}`
  return `Bank account ending in ${details?.us_bank_account?.last4 ?? ''}`
}
