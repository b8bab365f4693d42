import { useState } from 'react'
import { api } from '../../../app/api.ts'
import { toastFailure } from '../../../features/forms/failure-toast.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { type ListedApplication, nameOf } from './applications-table.tsx'

type Action = 'approve' | 'reject' | 'delete'
type Result = { application: ListedApplication; error: string | undefined }
type BulkActionsProps = {
  selected: readonly ListedApplication[]
  onClear: () => void
  /** Called with the applications that the action went through for. */
  onDone: (ids: readonly string[]) => void
}

const words: Record<Action, { label: string; done: string; busy: string; explain: string; failed: string }> =
  {
    approve: {
      label: 'Approve',
      done: 'approved',
      busy: 'Approving...',
      explain:
        'Each tenant is told by e-mail. An application whose dates are booked by another one is refused; the others go through.',
      failed: 'Failed to update status',
    },
    reject: {
      label: 'Reject',
      done: 'declined',
      busy: 'Declining...',
      explain:
        'Each tenant is told by e-mail, and their nights become free at once. Card checkouts that are still open are closed. Payments are not refunded by this: open a paid application to give its money back.',
      failed: 'Failed to update status',
    },
    delete: {
      label: 'Delete',
      done: 'deleted',
      busy: 'Deleting...',
      explain:
        'Their nights become free at once. Card checkouts that are still open are closed. Their payments stay in the ledger, without an application.',
      failed: 'Failed to delete application',
    },
  }

/** What can be done with the selected rows: asked before, and answered one by one afterwards. */
export function BulkActions({ selected, onClear, onDone }: BulkActionsProps) {
  const [asking, setAsking] = useState<Action>()
  const [outcome, setOutcome] = useState<{ action: Action; results: Result[] }>()
  const setStatuses = api.applications.adminSetStatuses.useMutation()
  const deleteMany = api.applications.adminDeleteMany.useMutation()
  const noun = selected.length === 1 ? 'application' : 'applications'

  const run = async (action: Action) => {
    const ids = selected.map(({ id }) => id)
    try {
      const { results } =
        action === 'delete'
          ? await deleteMany.mutateAsync({ ids })
          : await setStatuses.mutateAsync({ ids, status: action === 'approve' ? 'approved' : 'rejected' })
      setOutcome({
        action,
        results: results.flatMap(result => {
          const application = selected.find(({ id }) => id === result.id)
          return application ? [{ application, error: result.ok ? undefined : result.error }] : []
        }),
      })
      onDone(results.filter(({ ok }) => ok).map(({ id }) => id))
      setAsking(undefined)
    } catch (error) {
      toastFailure(error, { failed: words[action].failed, threw: words[action].failed })
    }
  }

  return (
    <>
      {selected.length > 0 && (
        <div className="flex flex-wrap items-center gap-2">
          <span className="mr-1 font-semibold text-navy tabular-nums">{selected.length} selected</span>
          <Button size="sm" variant="secondary" onClick={() => setAsking('approve')}>
            Approve
          </Button>
          <Button size="sm" variant="secondary" onClick={() => setAsking('reject')}>
            Reject
          </Button>
          <Button size="sm" variant="secondary" className="text-red" onClick={() => setAsking('delete')}>
            Delete
          </Button>
          <Button size="sm" variant="ghost" onClick={onClear}>
            Clear
          </Button>
        </div>
      )}
      {asking && (
        <ConfirmDialog
          open
          danger={asking !== 'approve'}
          title={
            asking === 'delete'
              ? `Are you sure you want to delete ${selected.length === 1 ? 'this application' : `these ${selected.length} applications`}?`
              : `${words[asking].label} ${selected.length} ${noun}?`
          }
          body={
            <>
              <p>{words[asking].explain}</p>
              <ul className="mt-3 max-h-48 list-disc overflow-y-auto pl-5">
                {selected.map(application => (
                  <li key={application.id} className="wrap-anywhere">
                    {nameOf(application)}, {application.applicationNumber}
                  </li>
                ))}
              </ul>
            </>
          }
          confirmLabel={`${words[asking].label} ${selected.length} ${noun}`}
          busy={setStatuses.isPending || deleteMany.isPending}
          busyLabel={words[asking].busy}
          onConfirm={() => void run(asking)}
          onCancel={() => setAsking(undefined)}
        />
      )}
      {outcome && <BulkResults {...outcome} onClose={() => setOutcome(undefined)} />}
    </>
  )
}

function BulkResults({
  action,
  results,
  onClose,
}: {
  action: Action
  results: Result[]
  onClose: () => void
}) {
  const done = results.filter(({ error }) => error === undefined).length
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${done} of ${results.length} ${words[action].done}`}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <ul className="divide-y divide-line">
        {results.map(({ application, error }) => (
          <li
            key={application.id}
            className="grid gap-x-4 gap-y-0.5 py-2.5 first:pt-0 last:pb-0 sm:grid-cols-[1fr_auto]"
          >
            <span className="min-w-0">
              <span className="font-semibold wrap-anywhere text-navy">{nameOf(application)}</span>{' '}
              <span className="text-sm text-muted">{application.applicationNumber}</span>
              {error && <span className="block text-red">{error}</span>}
            </span>
            <span>
              {error ? <Badge tone="red">Refused</Badge> : <Badge tone="green">{words[action].done}</Badge>}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
