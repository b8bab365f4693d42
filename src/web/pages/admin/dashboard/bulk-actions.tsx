import { X } from 'lucide-react'
import { useState } from 'react'
import { holdsNights, isEnded } from '../../../../domain/bookings/application-status.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { api } from '../../../api/api.ts'
import { useToday } from '../../../features/stays/today.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { toast } from '../../../ui/toast.ts'
import {
  type BulkAction,
  type BulkResult,
  type BulkSelection,
  bulkActions,
  type ListedApplication,
  nameOf,
} from './list-query.ts'

type BulkActionsProps = {
  selected: readonly ListedApplication[]
  onClear: () => void
  /** Called with the ids of the applications for which the action succeeded. */
  onDone: (ids: readonly string[]) => void
}

const failedTexts: Record<BulkAction, string> = {
  approve: 'Failed to update status',
  decline: 'Failed to update status',
  delete: 'Failed to delete application',
}

/**
 * A bar at the bottom of the window while applications are selected. Each action asks for confirmation, then lists the
 * results.
 */
export function BulkActions({ selected, onClear, onDone }: BulkActionsProps) {
  const { question, ask, cancel, run, busy, outcome, closeOutcome } = useBulkAction(onDone)
  return (
    <>
      {selected.length > 0 && (
        <div className="sticky bottom-0 z-20 flex flex-wrap items-center gap-2 rounded-b-card border-t border-line bg-white px-4 py-2.5 shadow-overlay max-sm:gap-1.5 max-sm:px-3 sm:px-5 max-sm:[&>button]:px-2.5">
          <span
            role="status"
            className="mr-auto font-semibold whitespace-nowrap text-navy tabular-nums max-sm:text-[0.9375rem]"
          >
            {selected.length} selected
          </span>
          {bulkActions.map(action => (
            <Button
              key={action}
              size="sm"
              variant="secondary"
              className={action === 'delete' ? 'text-red' : undefined}
              onClick={() => ask({ action, selected })}
            >
              {words[action].label}
            </Button>
          ))}
          <IconButton label="Clear the selection" className="-mr-2 max-sm:size-9" onClick={onClear}>
            <X aria-hidden />
          </IconButton>
        </div>
      )}
      {question && (
        <ConfirmBulkAction {...question} busy={busy} onConfirm={() => void run(question)} onClose={cancel} />
      )}
      {outcome && <BulkResults {...outcome} onClose={closeOutcome} />}
    </>
  )
}

function useBulkAction(onDone: BulkActionsProps['onDone']) {
  const [question, ask] = useState<BulkSelection>()
  const [outcome, setOutcome] = useState<{ action: BulkAction; results: BulkResult[] }>()
  const setStatuses = api.applications.adminSetStatuses.useMutation()
  const deleteMany = api.applications.adminDeleteMany.useMutation()

  const send = async ({ action, selected }: BulkSelection) => {
    const ids = selected.map(({ id }) => id)
    const fromStatuses = Object.fromEntries(selected.map(({ id, status }) => [id, status]))
    if (action === 'delete') return deleteMany.mutateAsync({ ids, fromStatuses })
    const status = action === 'approve' ? 'approved' : 'rejected'
    const { results, warnings = [] } = await setStatuses.mutateAsync({ ids, status, fromStatuses })
    for (const warning of warnings) toast.info('Please note', warning)
    return { results }
  }
  const run = async (selection: BulkSelection) => {
    const { action, selected } = selection
    try {
      const { results } = await send(selection)
      setOutcome({
        action,
        results: results.flatMap(result => {
          const application = selected.find(({ id }) => id === result.id)
          return application ? [{ application, error: result.ok ? undefined : result.error }] : []
        }),
      })
      onDone(results.filter(({ ok }) => ok).map(({ id }) => id))
      ask(undefined)
    } catch (error) {
      toastFailure(error, failedTexts[action])
    }
  }
  return {
    question,
    ask,
    cancel: () => ask(undefined),
    run,
    busy: setStatuses.isPending || deleteMany.isPending,
    outcome,
    closeOutcome: () => setOutcome(undefined),
  }
}

/** Whether some of the selected applications have booked nights, payments, or have ended. */
type Affected = { freesNights: boolean; isPaid: boolean; hasEnded: boolean }
type Words = {
  label: string
  done: string
  busy: string
  explain: (affected: Affected) => string
}
const words: Record<BulkAction, Words> = {
  approve: {
    label: 'Approve',
    done: 'approved',
    busy: 'Approving...',
    explain: ({ hasEnded }) =>
      `Each tenant gets an email. An application whose dates are booked by another one is refused; the others go through.${hasEnded ? ' Declined and cancelled ones are booked again: what was to go back of a cancelled stay stays here.' : ''}`,
  },
  decline: {
    label: 'Decline',
    done: 'declined',
    busy: 'Declining...',
    explain: ({ freesNights, isPaid }) =>
      `Each tenant gets an email${freesNights ? ', and the nights they hold become free at once' : ''}. Card checkouts in progress are closed.${isPaid ? ' This does not refund payments. To give money back, open the paid application.' : ''}`,
  },
  delete: {
    label: 'Delete',
    done: 'deleted',
    busy: 'Deleting...',
    explain: ({ freesNights, isPaid }) =>
      `${freesNights ? 'The nights they hold become free at once. ' : ''}Card checkouts in progress are closed.${isPaid ? ' Their payments stay in the ledger, without an application.' : ''}`,
  },
}

type ConfirmBulkActionProps = BulkSelection & { busy: boolean; onConfirm: () => void; onClose: () => void }

/** Asks for confirmation before many applications are changed, and explains the consequences. */
function ConfirmBulkAction({ action, onClose, selected, ...props }: ConfirmBulkActionProps) {
  const today = useToday()
  const { label, explain, busy } = words[action]
  const explanation = explain({
    freesNights: selected.some(application => holdsNights(application, today)),
    isPaid: selected.some(({ paymentReceived }) => paymentReceived),
    hasEnded: selected.some(({ status }) => isEnded(status)),
  })
  const counted = plural(selected.length, 'application')
  return (
    <ConfirmDialog
      open
      danger={action !== 'approve'}
      title={
        action === 'delete'
          ? `Are you sure you want to delete ${selected.length === 1 ? 'this application' : `these ${counted}`}?`
          : `${label} ${counted}?`
      }
      body={
        <>
          {explanation && <p>{explanation}</p>}
          <ul className="mt-3 max-h-48 list-disc overflow-y-auto pl-5">
            {selected.map(application => (
              <li key={application.id} className="wrap-anywhere">
                {nameOf(application)}, {application.applicationNumber}
              </li>
            ))}
          </ul>
        </>
      }
      confirmLabel={`${label} ${counted}`}
      busyLabel={busy}
      onCancel={onClose}
      {...props}
    />
  )
}

type BulkResultsProps = { action: BulkAction; results: BulkResult[]; onClose: () => void }

/** The result for each application. */
function BulkResults({ action, results, onClose }: BulkResultsProps) {
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
