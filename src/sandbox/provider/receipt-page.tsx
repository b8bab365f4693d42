import { Facts } from '../page.tsx'
import type { Charge, LineItem, Session } from './objects.ts'
import { Lines, money, ProviderBanner } from './page-parts.tsx'

type Props = { charge: Charge; session: Session; lineItems: LineItem[]; merchantName: string }

const dateFormat = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})
const brandNames: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
}

export function ReceiptPage({ charge, lineItems, merchantName, session }: Props) {
  const { amount, amount_refunded: refunded, currency } = charge
  const facts = {
    'Date paid': `${dateFormat.format(new Date(charge.created * 1000))} UTC`,
    'Payment method': methodName(charge),
    Email: session.customer_details?.email,
    Transaction: <code>{charge.id}</code>,
  }
  return (
    <>
      <ProviderBanner />
      <main>
        <article className="card receipt">
          <p className="merchant">Receipt from {merchantName}</p>
          <h1 className="amount">{money(amount, currency)}</h1>
          <span className={refunded > 0 ? 'stamp back' : 'stamp'}>{stateOf(charge)}</span>
          <Facts facts={facts} />
          <Lines
            items={lineItems}
            total={amount}
            refunded={refunded}
            currency={currency}
            totalLabel={refunded > 0 ? 'Paid after refunds' : 'Amount paid'}
          />
        </article>
      </main>
      <footer>A receipt of the sandbox, for trying things out. It is not proof of payment.</footer>
    </>
  )
}

function stateOf({ amount_refunded, refunded }: Charge): string {
  if (refunded) return 'Refunded'
  return amount_refunded > 0 ? 'Partly refunded' : 'Paid'
}

function methodName({ payment_method_details: { card, us_bank_account: bank } }: Charge): string {
  return card
    ? `${brandNames[card.brand ?? ''] ?? 'Card'} ending in ${card.last4}`
    : `Bank account ending in ${bank?.last4 ?? ''}`
}
