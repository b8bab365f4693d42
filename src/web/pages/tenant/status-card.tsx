import { useState } from 'react'
import { canWithdraw } from '../../../domain/application-status.ts'
import { formatMomentDate } from '../../../domain/dates.ts'
import { api, type Outputs } from '../../api/api.ts'
import { ApplicationStatusBadge } from '../../features/applications/status-badge.tsx'
import { useTimeZone } from '../../features/stays/today.ts'
import { toastFailure } from '../../forms/failure-toast.ts'
import { useUser } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { toast } from '../../ui/toast.ts'

type Application = Outputs['applications']['get']['application']

/** The application's status, the owner's notes, and what the tenant can do. */
export function StatusCard({ application }: { application: Application }) {
  const { status, submittedAt, notes } = application
  const timeZone = useTimeZone()
  const isTenant = useUser().role === 'tenant'
  return (
    <Card aria-label="Application Status">
      <CardHeader
        title="Application Status"
        action={<ApplicationStatusBadge status={status} screen="details" />}
      />
      <CardBody className="grid gap-4">
        <dl className="grid gap-4">
          <div>
            <dt className="text-[0.9375rem] text-muted">Submitted</dt>
            <dd className="font-semibold text-navy">
              {submittedAt ? formatMomentDate(submittedAt, timeZone) : 'Not submitted yet'}
            </dd>
          </div>
          {notes && (
            <div>
              <dt className="text-[0.9375rem] text-muted">Notes</dt>
              <dd className="wrap-anywhere whitespace-pre-line">{notes}</dd>
            </div>
          )}
        </dl>
        {isTenant && status === 'draft' && <SubmitDraft id={application.id} />}
        {isTenant && canWithdraw(status) && <Withdraw id={application.id} />}
      </CardBody>
    </Card>
  )
}

function SubmitDraft({ id }: { id: string }) {
  const queries = api.useUtils()
  const submission = api.applications.submit.useMutation()
  const [formError, setFormError] = useState<string>()
  const submit = async () => {
    setFormError(undefined)
    try {
      const answer = await submission.mutateAsync({ id })
      queries.applications.get.setData({ id }, answer)
      toast.success('Application submitted successfully!')
    } catch (error) {
      const { detail } = toastFailure(error, {
        failed: 'Failed to submit application',
        threw: 'Failed to submit application. Please try again.',
      })
      setFormError(detail)
    }
  }
  return (
    <>
      <p className="text-muted">This is a draft. We see it once you submit it.</p>
      <FormError>{formError}</FormError>
      <Button onClick={() => void submit()} busy={submission.isPending} busyLabel="Submitting...">
        Submit Application
      </Button>
    </>
  )
}

function Withdraw({ id }: { id: string }) {
  const queries = api.useUtils()
  const withdrawal = api.applications.withdraw.useMutation()
  const [asking, setAsking] = useState(false)
  const withdraw = async () => {
    try {
      const answer = await withdrawal.mutateAsync({ id })
      queries.applications.get.setData({ id }, answer)
      toast.success('Application withdrawn')
    } catch (error) {
      const text = 'Failed to withdraw application'
      toastFailure(error, { failed: text, threw: `${text}. Please try again.` })
    }
    setAsking(false)
  }
  return (
    <>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        Withdraw Application
      </Button>
      <ConfirmDialog
        open={asking}
        danger
        title="Withdraw this application?"
        body="We stop the review and your dates are not kept. This cannot be undone, but you can always apply again."
        confirmLabel="Withdraw"
        cancelLabel="Keep Application"
        busy={withdrawal.isPending}
        busyLabel="Withdrawing..."
        onConfirm={() => void withdraw()}
        onCancel={() => setAsking(false)}
      />
    </>
  )
}
