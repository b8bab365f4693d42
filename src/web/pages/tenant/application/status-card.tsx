import { useState } from 'react'
import { canWithdraw } from '../../../../domain/bookings/application-status.ts'
import { formatMomentDate } from '../../../../domain/common/dates.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { ApplicationStatusBadge } from '../../../features/applications/status-badge.tsx'
import { useTimeZone } from '../../../features/stays/today.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { useUser } from '../../../session/session.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toast.ts'

type Application = Outputs['applications']['get']['application']

/** The application's status and the owner's notes. */
export function StatusCard({ application }: { application: Application }) {
  const { status, submittedAt, notes } = application
  const timeZone = useTimeZone()
  return (
    <Card aria-label="Application Status">
      <CardHeader
        title="Application Status"
        subtitle={submittedAt ? `Submitted ${formatMomentDate(submittedAt, timeZone)}` : 'Not submitted yet'}
        action={<ApplicationStatusBadge status={status} screen="details" />}
      />
      {notes && (
        <CardBody>
          <dl>
            <dt className="text-muted">Notes</dt>
            <dd className="wrap-anywhere whitespace-pre-line">{notes}</dd>
          </dl>
        </CardBody>
      )}
    </Card>
  )
}

export function Withdraw({ application: { id, status } }: { application: Application }) {
  const [asking, setAsking] = useState(false)
  const isTenant = useUser().role === 'tenant'
  if (!isTenant || !canWithdraw(status)) return null
  return (
    <>
      <Button variant="ghost" size="sm" onClick={() => setAsking(true)}>
        Withdraw application
      </Button>
      {asking && <ConfirmWithdrawal id={id} onClose={() => setAsking(false)} />}
    </>
  )
}

type ConfirmWithdrawalProps = { id: string; onClose: () => void }

function ConfirmWithdrawal({ id, onClose }: ConfirmWithdrawalProps) {
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
      cancelLabel="Keep application"
      busy={withdrawal.isPending}
      busyLabel="Withdrawing..."
      onConfirm={() => void withdraw()}
      onCancel={onClose}
    />
  )
}
