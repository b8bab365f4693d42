import { formatCents } from '../../../domain/money.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

type RefundQuestionProps = {
  amountCents: number
  /** 'Visa •••• 4242', or 'the card'. */
  card: string
  busy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks once more before money goes back to a card. */
export function RefundQuestion({ amountCents, card, ...props }: RefundQuestionProps) {
  const amount = formatCents(amountCents)
  return (
    <ConfirmDialog
      {...props}
      open
      danger
      title={`Refund ${amount} to ${card}?`}
      body="The money leaves at once and cannot be called back."
      confirmLabel={`Refund ${amount}`}
      busyLabel="Refunding..."
    />
  )
}
