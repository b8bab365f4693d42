import { formatMomentDate } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { useTimeZone } from '../stays/today.ts'
import { type ChargeView, paymentLabel } from './charge-view.ts'
import { PaymentStatusBadge, paidWith } from './payment-cells.tsx'
import { type PaymentView, paymentTime, refundedNote, statusNote } from './payment-view.ts'

type RecentPaymentsProps = { charges: readonly ChargeView[]; payments: readonly PaymentView[] }

/** Payments as a list, for places too narrow for a table. */
export function RecentPayments({ charges, payments }: RecentPaymentsProps) {
  const timeZone = useTimeZone()
  return (
    <ul className="divide-y divide-line">
      {payments.map(payment => (
        <li key={payment.id} className="flex items-center justify-between gap-x-4 py-3 first:pt-0 last:pb-0">
          <div className="min-w-0">
            <p className="font-semibold text-navy">{paymentLabel(payment.paymentType, charges)}</p>
            <p className="flex flex-wrap gap-x-2 text-[0.9375rem] text-muted">
              <span>{formatMomentDate(paymentTime(payment), timeZone)}</span>
              {paidWith(payment) && <span>{paidWith(payment)}</span>}
            </p>
            <p className="text-sm wrap-anywhere text-muted">{statusNote(payment)}</p>
          </div>
          <div className="grid shrink-0 justify-items-end gap-0.5">
            <span className="font-semibold text-navy tabular-nums">{formatCents(payment.amount)}</span>
            {payment.status === 'succeeded' ? (
              <span className="text-sm text-muted">{payment.amount < 0 ? 'Returned' : 'Paid'}</span>
            ) : (
              <PaymentStatusBadge payment={payment} />
            )}
            <span className="text-sm text-muted">{refundedNote(payment)}</span>
          </div>
        </li>
      ))}
    </ul>
  )
}
