import { ExternalLink, Printer } from 'lucide-react'
import { formatMoment } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { paymentTypeLabels } from '../../../domain/money/ledger.ts'
import type { Outputs } from '../../api/api.ts'
import { useSite } from '../../api/site.ts'
import { paidWith } from '../../features/payments/payment-cells.tsx'
import { paymentTime } from '../../features/payments/payment-view.ts'
import { DownloadReceipt } from '../../features/payments/receipt-button.tsx'
import { useTimeZone } from '../../features/stays/today.ts'
import { Button } from '../../ui/button.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'

type Payment = Outputs['payments']['bySession']['payment']

/** What was paid, when and how; when printed, a receipt. */
export function PaymentDetails({ payment, receiptUrl }: { payment: Payment; receiptUrl: string | null }) {
  const timeZone = useTimeZone()
  const site = useSite()
  const { userId: user, feeAmount } = payment
  return (
    <div className="rounded-control border border-line bg-canvas/60 p-5">
      <p className="mb-4 hidden print:block">
        {site?.companyName}, {site?.propertyName}, {site?.propertyAddress}
        <br />
        Received from {user.firstName} {user.lastName}, {user.email}
      </p>
      <DefinitionList
        items={[
          { label: 'Amount', value: formatCents(payment.amount) },
          { label: 'Payment Type', value: paymentTypeLabels[payment.paymentType] },
          ...(feeAmount > 0
            ? [
                { label: 'Card Fee', value: formatCents(feeAmount) },
                { label: 'Total Charged', value: formatCents(payment.amount + feeAmount) },
              ]
            : []),
          { label: 'Date', value: formatMoment(paymentTime(payment), timeZone) },
          { label: 'Paid With', value: paidWith(payment) },
          { label: 'Application', value: payment.applicationId?.applicationNumber ?? '' },
          { label: 'Transaction Reference', value: payment.stripePaymentIntentId ?? '' },
          ...(payment.failureReason ? [{ label: 'Reason', value: payment.failureReason }] : []),
        ]}
      />
      {receiptUrl && (
        <a
          href={receiptUrl}
          target="_blank"
          rel="noreferrer"
          className="mt-4 inline-flex min-h-9 items-center gap-1.5 link print:hidden"
        >
          View the {payment.providerMethod === 'us_bank_account' ? 'payment' : 'card'} provider’s receipt
          <ExternalLink aria-hidden className="size-4" />
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      )}
    </div>
  )
}

export function ReceiptActions({ payment }: { payment: Payment }) {
  return (
    <div className="flex flex-wrap justify-center gap-3 max-sm:*:grow print:hidden">
      <DownloadReceipt payment={payment} />
      <Button variant="secondary" onClick={() => window.print()}>
        <Printer aria-hidden />
        Print
      </Button>
    </div>
  )
}
