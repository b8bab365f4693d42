import { formatMomentDate } from '../../../domain/dates.ts'
import { paymentTypeLabels } from '../../../domain/ledger.ts'
import { formatCents } from '../../../domain/money.ts'
import { useTimeZone } from '../stays/today.ts'
import { PaymentStatus, paidWith } from './payment-table.tsx'
import { type PaymentView, paymentMoment, refundedCents } from './payment-view.ts'

/** Payments as a list, where a table does not fit. */
export function RecentPayments({ payments }: { payments: readonly PaymentView[] }) {
  const timeZone = useTimeZone()
  return (
    <ul className="divide-y divide-line">
      {payments.map(payment => (
        <li
          key={payment.id}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3 first:pt-0 last:pb-0"
        >
          <div className="min-w-0">
            <p className="font-semibold text-navy">{paymentTypeLabels[payment.paymentType]}</p>
            <p className="flex flex-wrap gap-x-2 text-[0.9375rem] text-muted">
              <span>{formatMomentDate(paymentMoment(payment), timeZone)}</span>
              {paidWith(payment) && <span>{paidWith(payment)}</span>}
            </p>
          </div>
          <div className="grid justify-items-end gap-0.5">
            <span className="font-semibold text-navy tabular-nums">{formatCents(payment.amount)}</span>
            <PaymentStatus payment={payment} />
            {refundedCents(payment) > 0 && (
              <span className="text-sm text-muted">{formatCents(refundedCents(payment))} refunded</span>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
