import { AddChargeDialog } from './add-charge-dialog.tsx'
import type { Application, Modal, OpenModal } from './application-data.ts'
import { CardRefundDialog } from './card-refund-dialog.tsx'
import { ChangePlanDialog } from './change-plan-dialog.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { ChargeLateFeeDialog, DismissLateFeeDialog } from './late-fee-dialogs.tsx'
import { ManualPaymentDialog } from './manual-payment-dialog.tsx'
import { PostponeDialog } from './postpone-dialog.tsx'
import { RecordReturnDialog } from './record-return-dialog.tsx'
import { RemovePaymentDialog } from './remove-payment-dialog.tsx'
import { ReturnOptionsDialog } from './return-options-dialog.tsx'
import { StatusDialog } from './status-dialog.tsx'
import { TransferDialog } from './transfer-dialog.tsx'
import { VoidChargeDialog } from './void-charge-dialog.tsx'
import { WaiveDialog } from './waive-dialog.tsx'

type ModalViewProps = { modal: Modal; open: OpenModal; application: Application }

export function ModalView({ modal, open, application }: ModalViewProps) {
  const onClose = () => open('returnTo' in modal ? modal.returnTo : undefined)
  switch (modal.kind) {
    case 'status':
      return <StatusDialog application={application} status={modal.status} open={open} />
    case 'return-options':
      return <ReturnOptionsDialog application={application} open={open} />
    case 'manual-payment':
      return <ManualPaymentDialog application={application} onClose={onClose} />
    case 'add-charge':
      return <AddChargeDialog application={application} onClose={onClose} />
    case 'void-charge':
      return <VoidChargeDialog charge={modal.charge} onClose={onClose} />
    case 'transfer':
      return <TransferDialog application={application} onClose={onClose} />
    case 'card-refund':
      return <CardRefundDialog payment={modal.payment} onClose={onClose} />
    case 'record-return':
      return (
        <RecordReturnDialog
          application={application}
          suggestedCents={modal.suggestedCents}
          onClose={onClose}
        />
      )
    case 'invite':
      return <InviteDialog application={application} onClose={onClose} />
    case 'change-plan':
      return <ChangePlanDialog application={application} onClose={onClose} />
    case 'postpone':
      return <PostponeDialog application={application} instalment={modal.instalment} onClose={onClose} />
    case 'waive':
      return <WaiveDialog application={application} instalment={modal.instalment} onClose={onClose} />
    case 'charge-late-fee':
      return <ChargeLateFeeDialog application={application} instalment={modal.instalment} onClose={onClose} />
    case 'dismiss-late-fee':
      return (
        <DismissLateFeeDialog application={application} instalment={modal.instalment} onClose={onClose} />
      )
    case 'remove-payment':
      return <RemovePaymentDialog payment={modal.payment} onClose={onClose} />
  }
}
