import { formatCents } from '../../../domain/common/money.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

type OverpayDialogProps = { warning: string; amountCents: number; onConfirm: () => void; onClose: () => void }

/** Asks for confirmation before the tenant pays more than is owed. */
export function OverpayDialog({ amountCents, onClose, onConfirm, warning }: OverpayDialogProps) {
  return (
    <ConfirmDialog
      open
      title={`Pay ${formatCents(amountCents)}?`}
      body={warning}
      confirmLabel={`Pay ${formatCents(amountCents)}`}
      cancelLabel="Change the Amount"
      onConfirm={onConfirm}
      onCancel={onClose}
    />
  )
}
