import { type PaymentStatus, paymentStatusLabels } from '../../../domain/money/ledger.ts'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'

export const paymentStatusTones: Record<PaymentStatus, BadgeTone> = {
  pending: 'green',
  processing: 'yellow',
  succeeded: 'green',
  failed: 'red',
  canceled: 'neutral',
  refunded: 'neutral',
  disputed: 'neutral',
  returned: 'red',
}

export function PaymentStatusBadge({ status }: { status: PaymentStatus }) {
  return (
    // The longest label wraps to two lines in a narrow table.
    <Badge tone={paymentStatusTones[status]} className="whitespace-normal!">
      {paymentStatusLabels[status]}
    </Badge>
  )
}
