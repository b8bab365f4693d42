import type { ReactNode } from 'react'
import { formatCents } from '../../../domain/common/money.ts'
import { StatCard } from '../../ui/stat-card.tsx'
import type { PaymentView } from './payment-view.ts'

/** The totals. Only money that was received and kept counts: pending, failed and refunded payments add nothing. */
export function PaymentTotals({ payments }: { payments: readonly PaymentView[] }) {
  const totalCents = payments.reduce((sum, payment) => sum + payment.creditedAmount, 0)
  const successful = payments.filter(({ status }) => status === 'succeeded').length
  return (
    <div className="grid grid-cols-3 gap-2 sm:gap-4">
      <Total label="Total Payments" value={payments.length} />
      <Total label="Total Amount" value={formatCents(totalCents)} />
      <Total label="Successful" value={successful} />
    </div>
  )
}

/** Small enough to fit three in a row on a phone. */
function Total({ label, value }: { label: string; value: ReactNode }) {
  return (
    <StatCard
      className="max-sm:p-3"
      label={<span className="max-sm:block max-sm:min-h-[2lh]">{label}</span>}
      value={<span className="max-sm:text-base">{value}</span>}
    />
  )
}
