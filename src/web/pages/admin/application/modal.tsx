import type { Site } from '../../../api/site.ts'
import type { Application, Modal, OpenModal } from './application-data.ts'
import { CardRefundDialog } from './card-refund-dialog.tsx'
import { ManualPaymentDialog } from './manual-payment-dialog.tsx'
import { RecordReturnDialog } from './record-return-dialog.tsx'
import { RemovePaymentDialog } from './remove-payment-dialog.tsx'
import { ReturnOptionsDialog } from './return-options-dialog.tsx'
import { StatusDialog } from './status-dialog.tsx'
import { TransferDialog } from './transfer-dialog.tsx'

type ModalViewProps = { modal: Modal; open: OpenModal; application: Application; site: Site }

export function ModalView({ modal, open, application, site }: ModalViewProps) {
  const close = () => open(undefined)
  switch (modal.kind) {
    case 'status':
      return <StatusDialog application={application} status={modal.status} open={open} />
    case 'money-back':
      return <ReturnOptionsDialog application={application} open={open} />
    case 'manual-payment':
      return <ManualPaymentDialog application={application} today={site.today} onClose={close} />
    case 'transfer':
      return <TransferDialog application={application} onClose={() => open(modal.returnTo)} />
    case 'refund':
      return <CardRefundDialog payment={modal.payment} onClose={() => open(modal.returnTo)} />
    case 'give-back':
      return (
        <RecordReturnDialog
          application={application}
          today={site.today}
          amountCents={modal.amountCents}
          onClose={() => open(modal.returnTo)}
        />
      )
    case 'remove-payment':
      return <RemovePaymentDialog payment={modal.payment} onClose={close} />
  }
}
