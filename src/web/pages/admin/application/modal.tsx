import { type ComponentType, useState } from 'react'
import { guestMessageForm } from '../../../../domain/bookings/application-query.ts'
import { isBooked } from '../../../../domain/bookings/application-status.ts'
import { invitationForm } from '../../../../domain/bookings/booking-entry.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { paymentTypeLabels } from '../../../../domain/money/ledger.ts'
import { api, newId } from '../../../api/api.ts'
import { LeaseText } from '../../../features/leases/lease-text.tsx'
import { useDialogSubmit } from '../../../forms/change.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { ReminderDialog } from '../revenue/reminder-dialog.tsx'
import { AddendumDialog } from './addendum-dialog.tsx'
import {
  type Application,
  type Modal,
  type Modals,
  type OpenModal,
  type Payment,
  refundableCents,
  useCharges,
} from './application-data.ts'
import { CancelStayDialog, KeepBookingDialog, RefundByHandDialog } from './cancellation-dialogs.tsx'
import { ChangePlanDialog } from './change-plan-dialog.tsx'
import {
  AddChargeDialog,
  ChargeLateFeeDialog,
  DismissLateFeeDialog,
  PostponeDialog,
  VoidChargeDialog,
  WaiveDialog,
} from './charge-dialogs.tsx'
import {
  DepositCaseDialog,
  DepositItemDialog,
  DepositKeepDialog,
  DepositLetterDialog,
  DepositRemoveDialog,
  DepositReturnDialog,
  DepositStatementDialog,
} from './deposit-dialogs.tsx'
import { GenerateLeaseDialog } from './generate-lease-dialog.tsx'
import { InviteSignersDialog } from './invite-signers-dialog.tsx'
import {
  CardRefundDialog,
  ManualPaymentDialog,
  RecordReturnDialog,
  ReturnOptionsDialog,
  TransferDialog,
} from './money-dialogs.tsx'
import { SameAgainDialog } from './same-again-dialog.tsx'
import { SendAgainDialog, TakeBackDialog } from './signing-panel.tsx'
import { StatusDialog } from './status-dialog.tsx'

type ModalProps = { application: Application; open: OpenModal; onClose: () => void }

/** The dialog component for each kind of modal. */
const dialogs = {
  status: StatusDialog,
  'generate-lease': GenerateLeaseDialog,
  'lease-text': LeaseTextDialog,
  'new-addendum': AddendumDialog,
  'invite-signers': InviteSignersDialog,
  'send-again': SendAgainDialog,
  'take-back': TakeBackDialog,
  'same-again': SameAgainDialog,
  'write-to-guest': WriteToGuestDialog,
  remind: RemindDialog,
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
  'deposit-case': DepositCaseDialog,
  'deposit-item': DepositItemDialog,
  'deposit-letter': DepositLetterDialog,
  'deposit-statement': DepositStatementDialog,
  'deposit-keep': DepositKeepDialog,
  'deposit-return': DepositReturnDialog,
  'deposit-remove': DepositRemoveDialog,
  'cancel-stay': CancelStayDialog,
  'keep-booking': KeepBookingDialog,
  'refund-by-hand': RefundByHandDialog,
} satisfies { [Kind in keyof Modals]: ComponentType<Modals[Kind] & ModalProps> }

type ModalViewProps = Omit<ModalProps, 'onClose'> & { modal: Modal }

export function ModalView({ modal, open, application }: ModalViewProps) {
  const onClose = () => open('returnTo' in modal ? modal.returnTo : undefined)
  const Dialog = dialogs[modal.kind] as ComponentType<Modal & ModalProps>
  return <Dialog {...modal} application={application} open={open} onClose={onClose} />
}

function RemovePaymentDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const remove = api.payments.remove.useMutation()
  return (
    <ConfirmAction
      title="Are you sure you want to delete this payment?"
      body={
        <>
          <p className="font-semibold">
            {paymentTypeLabels[payment.paymentType]}, {formatCents(payment.amount)}
          </p>
          <p className="mt-2">It is removed from every list and total but stays in the audit log.</p>
          {payment.transferId && <p className="mt-2">The other side of the transfer goes with it.</p>}
          {refundableCents(payment) > 0 && (
            <p className="mt-2 font-semibold text-red">
              The money does not go back to the card. If the tenant should get it back, refund it first.
            </p>
          )}
        </>
      }
      confirmLabel="Delete"
      busyLabel="Deleting..."
      action={async () => (await remove.mutateAsync({ paymentId: payment.id })).message}
      failedText="Failed to delete payment"
      onClose={onClose}
    />
  )
}

type LeaseTextDialogProps = { application: Application; onClose: () => void }

function LeaseTextDialog({ application, onClose }: LeaseTextDialogProps) {
  const utils = api.useUtils()
  const close = () => {
    // The lease's history records who viewed it.
    void utils.leases.trail.invalidate()
    onClose()
  }
  const preview = api.leases.preview.useQuery(
    { id: application.id },
    { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnWindowFocus: false },
  )
  return (
    <Dialog open onOpenChange={close} title="Lease Agreement" footer={<Button onClick={close}>Close</Button>}>
      <QueryView query={preview} loading="Loading the lease..." error="Failed to load preview">
        {({ leaseText, leaseTextSha256 }) => (
          <>
            <LeaseText text={leaseText} />
            <p className="mx-auto mt-6 max-w-[61ch] border-t border-line pt-3 text-sm wrap-anywhere text-muted">
              SHA-256 of this text: {leaseTextSha256}
            </p>
          </>
        )}
      </QueryView>
    </Dialog>
  )
}

type DialogProps = { application: Application; onClose: () => void }

/** Deletes the lease and its signature. */
function RemoveLeaseDialog({ application, onClose }: DialogProps) {
  const remove = api.leases.adminRemove.useMutation()
  const restoresDates =
    isBooked(application.status) &&
    (application.leaseStartDate !== application.requestedStartDate ||
      application.leaseEndDate !== application.requestedEndDate)
  return (
    <ConfirmAction
      title="Are you sure you want to delete this lease?"
      body={
        <Consequences
          application={application}
          first="This removes the signed file, the signature and the generated lease. Copies are kept for the audit log."
          nights={restoresDates ? 'The requested dates are booked again in place of the lease’s.' : undefined}
          money="Rent, deposit and fees of the lease are no longer owed."
        />
      }
      confirmLabel="Delete lease"
      busyLabel="Deleting..."
      action={async () => {
        await remove.mutateAsync({ id: application.id })
        return 'Lease deleted successfully!'
      }}
      failedText="Failed to delete lease"
      onClose={onClose}
    />
  )
}

/** Removes only the signature; the generated lease stays. */
function VoidSignatureDialog({ application, onClose }: DialogProps) {
  const voidSignature = api.leases.removeSigned.useMutation()
  return (
    <ConfirmAction
      title="Are you sure you want to void the signature?"
      body={
        <Consequences
          application={application}
          first="The signed file is set aside, and the tenant can sign the same lease again."
          money="What is owed stays owed."
        />
      }
      confirmLabel="Void signature"
      busyLabel="Voiding..."
      action={async () => {
        await voidSignature.mutateAsync({ applicationId: application.id })
        return 'Signed lease removed successfully'
      }}
      failedText="Error removing signed lease"
      onClose={onClose}
    />
  )
}

type ConsequencesProps = {
  application: Application
  first: string
  nights?: string | undefined
  money: string
}

/** What ending a lease or its signature means for nights, money and mail (LOOK-69). */
function Consequences({ application, first, money, nights }: ConsequencesProps) {
  const paidCents = useCharges(application).data?.summary.paidCents ?? 0
  const sentences = [
    nights ?? (isBooked(application.status) && 'The nights stay booked.'),
    money,
    paidCents > 0 && `The ${formatCents(paidCents)} paid so far stays on the booking.`,
    'The tenant gets no email.',
  ]
  return (
    <>
      <p>{first}</p>
      <ul className="mt-2 list-disc pl-5">
        {sentences.map(sentence => sentence && <li key={sentence}>{sentence}</li>)}
      </ul>
    </>
  )
}

/** One email in the owner's own words; answers go to the owner (LOOK-81). */
function WriteToGuestDialog({
  application,
  message = '',
  subject = '',
  onClose,
}: DialogProps & Modals['write-to-guest']) {
  const write = api.applications.writeToGuest.useMutation()
  const [requestId] = useState(newId)
  const form = useZodForm(guestMessageForm, { subject, message })
  const field = fieldPropsOf(form)
  const submission = useDialogSubmit(form, 'Failed to send the email', onClose, async words => {
    const { message } = await write.mutateAsync({ ...words, id: application.id, requestId })
    return { title: message, detail: `To ${application.userId.email}` }
  })
  return (
    <FormDialog
      {...submission}
      title={`Write to ${application.firstName} ${application.lastName}`}
      description={`One email to ${application.userId.email}. The answer goes to your mailbox.`}
      submitLabel="Send"
      busyLabel="Sending..."
    >
      <TextField label="Subject" required autoComplete="off" {...field('subject')} />
      <TextAreaField label="Message" rows={7} required {...field('message')} />
    </FormDialog>
  )
}

function RemindDialog({ application, open, onClose }: ModalProps) {
  const { firstName, id, lastName } = application
  return (
    <ReminderDialog
      applicationId={id}
      name={`${firstName} ${lastName}`}
      onPaid={() => open({ kind: 'manual-payment' })}
      onWrite={() => open({ kind: 'write-to-guest' })}
      onClose={onClose}
    />
  )
}

type InviteDialogProps = { application: Application; onClose: () => void }

/** Invites a guest. The email address can be corrected unless somebody has registered it. */
function InviteDialog({ application, onClose }: InviteDialogProps) {
  const invite = api.manualBookings.invite.useMutation()
  const form = useZodForm(invitationForm, {
    email: application.userId.email,
  })
  const field = fieldPropsOf(form)
  const submission = useDialogSubmit(form, 'Failed to send the invitation', onClose, async ({ email }) => {
    const corrected = email === application.userId.email ? {} : { email }
    return (await invite.mutateAsync({ applicationId: application.id, ...corrected })).message
  })
  return (
    <FormDialog
      {...submission}
      title={application.invitation ? 'Send invitation again' : 'Send invitation'}
      description="The guest gets a link to set a password. Older links no longer work."
      submitLabel="Send invitation"
      busyLabel="Sending..."
    >
      <TextField
        readOnly={application.guestAccess === 'unproven'}
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="off"
        required
        hint={
          application.guestAccess === 'unproven'
            ? 'Somebody registered this address. To correct it, delete the booking and enter it again.'
            : 'A correction changes the guest’s account and this booking.'
        }
        {...field('email')}
      />
    </FormDialog>
  )
}
