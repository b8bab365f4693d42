import { formatCents } from '../../../../domain/common/money.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'

type ConfirmRefundProps = {
  amountCents: number
  /** 'Visa •••• 4242', or 'the card'. */
  source: string
  busy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks for confirmation before money is refunded to a card or a bank account. */
export function ConfirmRefund({ amountCents, source, ...props }: ConfirmRefundProps) {
  const amount = formatCents(amountCents)
  return (
    <ConfirmDialog
      {...props}
      open
      danger
      title={`Refund ${amount} to ${source}?`}
      body="The money goes out at once, and you cannot get it back."
      confirmLabel={`Refund ${amount}`}
      busyLabel="Refunding..."
    />
  )
}
