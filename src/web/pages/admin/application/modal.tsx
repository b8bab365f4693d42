import type { ComponentType } from 'react'
import { dialogOnDemand } from '../../../ui/on-demand.tsx'
import type { Application, Modal, Modals, OpenModal } from './application-data.ts'

type ModalProps = { application: Application; open: OpenModal; onClose: () => void }

const leaseRemovals = () => import('./remove-lease-dialog.tsx')
const lateFees = () => import('./late-fee-dialogs.tsx')

/** The dialog component for each kind of modal. */
const dialogs = {
  status: dialogOnDemand(async () => (await import('./status-dialog.tsx')).StatusDialog),
  'generate-lease': dialogOnDemand(
    async () => (await import('./generate-lease-dialog.tsx')).GenerateLeaseDialog,
  ),
  'lease-text': dialogOnDemand(async () => (await import('./lease-text-dialog.tsx')).LeaseTextDialog),
  'delete-lease': dialogOnDemand(async () => (await leaseRemovals()).RemoveLeaseDialog),
  'void-signature': dialogOnDemand(async () => (await leaseRemovals()).VoidSignatureDialog),
  'return-options': dialogOnDemand(
    async () => (await import('./return-options-dialog.tsx')).ReturnOptionsDialog,
  ),
  'manual-payment': dialogOnDemand(
    async () => (await import('./manual-payment-dialog.tsx')).ManualPaymentDialog,
  ),
  'add-charge': dialogOnDemand(async () => (await import('./add-charge-dialog.tsx')).AddChargeDialog),
  'void-charge': dialogOnDemand(async () => (await import('./void-charge-dialog.tsx')).VoidChargeDialog),
  transfer: dialogOnDemand(async () => (await import('./transfer-dialog.tsx')).TransferDialog),
  'card-refund': dialogOnDemand(async () => (await import('./card-refund-dialog.tsx')).CardRefundDialog),
  'record-return': dialogOnDemand(
    async () => (await import('./record-return-dialog.tsx')).RecordReturnDialog,
  ),
  'remove-payment': dialogOnDemand(
    async () => (await import('./remove-payment-dialog.tsx')).RemovePaymentDialog,
  ),
  invite: dialogOnDemand(async () => (await import('./invite-dialog.tsx')).InviteDialog),
  'change-plan': dialogOnDemand(async () => (await import('./change-plan-dialog.tsx')).ChangePlanDialog),
  postpone: dialogOnDemand(async () => (await import('./postpone-dialog.tsx')).PostponeDialog),
  waive: dialogOnDemand(async () => (await import('./waive-dialog.tsx')).WaiveDialog),
  'charge-late-fee': dialogOnDemand(async () => (await lateFees()).ChargeLateFeeDialog),
  'dismiss-late-fee': dialogOnDemand(async () => (await lateFees()).DismissLateFeeDialog),
} satisfies { [Kind in keyof Modals]: ComponentType<Modals[Kind] & ModalProps> }

/** Preloads the code of a dialog. */
export const preloadModal = (kind: Modal['kind']) => dialogs[kind].preloadProps.onFocus()

type ModalViewProps = Omit<ModalProps, 'onClose'> & { modal: Modal }

export function ModalView({ modal, open, application }: ModalViewProps) {
  const onClose = () => open('returnTo' in modal ? modal.returnTo : undefined)
  const Dialog = dialogs[modal.kind] as ComponentType<Modal & ModalProps>
  return <Dialog {...modal} application={application} open={open} onClose={onClose} />
}
