import { CheckCircle2, DollarSign, ReceiptText } from 'lucide-react'
import { formatCents } from '../../../domain/money.ts'
import { StatCard } from '../../ui/stat-card.tsx'
import type { PaymentView } from './payment-view.ts'

/** The total is what was received and kept: pending, failed and refunded payments add nothing. */
export function PaymentTotals({ payments }: { payments: readonly PaymentView[] }) {
  const totalCents = payments.reduce((sum, payment) => sum + payment.creditedAmount, 0)
  const successful = payments.filter(({ status }) => status === 'succeeded').length
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <StatCard label="Total Payments" value={payments.length} icon={<ReceiptText />} />
      <StatCard label="Total Amount" value={formatCents(totalCents)} icon={<DollarSign />} />
      <StatCard label="Successful" value={successful} icon={<CheckCircle2 />} />
    </div>
  )
}
