import type { ComponentType } from 'react'
import { AddChargeDialog } from './add-charge-dialog.tsx'
import type { Application, Modal, Modals, OpenModal } from './application-data.ts'
import { CardRefundDialog } from './card-refund-dialog.tsx'
import { ChangePlanDialog } from './change-plan-dialog.tsx'
import { GenerateLeaseDialog } from './generate-lease-dialog.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { ChargeLateFeeDialog, DismissLateFeeDialog } from './late-fee-dialogs.tsx'
import { LeaseTextDialog } from './lease-text-dialog.tsx'
import { ManualPaymentDialog } from './manual-payment-dialog.tsx'
import { PostponeDialog } from './postpone-dialog.tsx'
import { RecordReturnDialog } from './record-return-dialog.tsx'
import { RemoveLeaseDialog, VoidSignatureDialog } from './remove-lease-dialog.tsx'
import { RemovePaymentDialog } from './remove-payment-dialog.tsx'
import { ReturnOptionsDialog } from './return-options-dialog.tsx'
import { StatusDialog } from './status-dialog.tsx'
import { TransferDialog } from './transfer-dialog.tsx'
import { VoidChargeDialog } from './void-charge-dialog.tsx'
import { WaiveDialog } from './waive-dialog.tsx'

type ModalProps = { application: Application; open: OpenModal; onClose: () => void }

/** The dialog component for each kind of modal. */
const dialogs = {
  status: StatusDialog,
  'generate-lease': GenerateLeaseDialog,
  'lease-text': LeaseTextDialog,
  'delete-lease': RemoveLeaseDialog,
  'void-signature': VoidSignatureDialog,
  'return-options': ReturnOptionsDialog,
  'manual-payment': ManualPaymentDialog,
  'add-charge': AddChargeDialog,
  'void-charge': VoidChargeDialog,
  transfer: TransferDialog,
  'card-refund': CardRefundDialog,
  'record-return': RecordReturnDialog,
  'remove-payment': RemovePaymentDialog,
  invite: InviteDialog,
  'change-plan': ChangePlanDialog,
  postpone: PostponeDialog,
  waive: WaiveDialog,
  'charge-late-fee': ChargeLateFeeDialog,
  'dismiss-late-fee': DismissLateFeeDialog,
} satisfies { [Kind in keyof Modals]: ComponentType<Modals[Kind] & ModalProps> }

type ModalViewProps = Omit<ModalProps, 'onClose'> & { modal: Modal }

export function ModalView({ modal, open, application }: ModalViewProps) {
  const onClose = () => open('returnTo' in modal ? modal.returnTo : undefined)
  const Dialog = dialogs[modal.kind] as ComponentType<Modal & ModalProps>
  return <Dialog {...modal} application={application} open={open} onClose={onClose} />
}
