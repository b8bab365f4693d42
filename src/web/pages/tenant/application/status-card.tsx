import { type ReactNode, useState } from 'react'
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

/** The application's status, the owner's notes, and the buttons to end it. */
export function StatusCard({ application, children }: { application: Application; children: ReactNode }) {
  const { status, submittedAt, notes } = application
  const timeZone = useTimeZone()
  const withdrawable = useUser().role === 'tenant' && canWithdraw(status)
  return (
    <Card aria-label="Application Status">
      <CardHeader
        // Nothing may follow it.
        className="has-[+:empty]:border-transparent"
        title="Application Status"
        subtitle={submittedAt ? `Submitted ${formatMomentDate(submittedAt, timeZone)}` : 'Not submitted yet'}
        action={<ApplicationStatusBadge status={status} screen="details" />}
      />
      <CardBody className="grid justify-items-start gap-4 empty:hidden">
        {notes && (
          <dl>
            <dt className="text-muted">Notes</dt>
            <dd className="wrap-anywhere whitespace-pre-line">{notes}</dd>
          </dl>
        )}
        {withdrawable && <Withdraw id={application.id} />}
        {children}
      </CardBody>
    </Card>
  )
}

function Withdraw({ id }: { id: string }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setAsking(true)}>
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
