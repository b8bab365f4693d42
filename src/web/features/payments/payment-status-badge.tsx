import { type PaymentStatus, paymentStatusLabels, paymentStatusTone } from '../../../domain/ledger.ts'
import { Badge } from '../../ui/badge.tsx'

/** How a payment stands, in words. */
export function PaymentStatusBadge({ status }: { status: PaymentStatus }) {
  return <Badge tone={paymentStatusTone(status)}>{paymentStatusLabels[status]}</Badge>
}
