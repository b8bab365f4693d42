import { api } from '../../api/api.ts'
import { toastFailure } from '../../forms/failure-toast.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toast.ts'

type ConfirmWithdrawalProps = { id: string; onClose: () => void }

export function ConfirmWithdrawal({ id, onClose }: ConfirmWithdrawalProps) {
  const queries = api.useUtils()
  const withdrawal = api.applications.withdraw.useMutation()
  const withdraw = async () => {
    try {
      const answer = await withdrawal.mutateAsync({ id })
      queries.applications.get.setData({ id }, answer)
      toast.success('Application withdrawn')
    } catch (error) {
      const text = 'Failed to withdraw application'
      toastFailure(error, { failed: text, noResponse: `${text}. Please try again.` })
    }
    onClose()
  }
  return (
    <ConfirmDialog
      open
      danger
      title="Withdraw this application?"
      body="We stop the review and your dates are not kept. This cannot be undone, but you can always apply again."
      confirmLabel="Withdraw"
      cancelLabel="Keep Application"
      busy={withdrawal.isPending}
      busyLabel="Withdrawing..."
      onConfirm={() => void withdraw()}
      onCancel={onClose}
    />
  )
}
