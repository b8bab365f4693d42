import { useState } from 'react'
import { holdsNights } from '../../../../domain/application-status.ts'
import { plural } from '../../../../domain/plural.ts'
import { api } from '../../../api/api.ts'
import { useToday } from '../../../features/stays/today.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { type ListedApplication, nameOf } from './applications-table.tsx'

const actions = ['approve', 'reject', 'delete'] as const
type Action = (typeof actions)[number]
type Result = { application: ListedApplication; error: string | undefined }
type BulkActionsProps = {
  selected: readonly ListedApplication[]
  onClear: () => void
  /** Called with the ids of the applications for which the action succeeded. */
  onDone: (ids: readonly string[]) => void
}

/** Whether some of the selected applications hold nights, or were paid for. */
type Affected = { freesNights: boolean; isPaid: boolean }
type Words = {
  label: string
  done: string
  busy: string
  explain: (affected: Affected) => string
  failed: string
}
const words: Record<Action, Words> = {
  approve: {
    label: 'Approve',
    done: 'approved',
    busy: 'Approving...',
    explain: () =>
      'Each tenant is told by e-mail. An application whose dates are booked by another one is refused; the others go through.',
    failed: 'Failed to update status',
  },
  reject: {
    label: 'Reject',
    done: 'declined',
    busy: 'Declining...',
    explain: ({ freesNights, isPaid }) =>
      `Each tenant is told by e-mail${freesNights ? ', and the nights they hold become free at once' : ''}. Card checkouts that are still open are closed.${isPaid ? ' Payments are not refunded by this: open a paid application to give its money back.' : ''}`,
    failed: 'Failed to update status',
  },
  delete: {
    label: 'Delete',
    done: 'deleted',
    busy: 'Deleting...',
    explain: ({ freesNights, isPaid }) =>
      `${freesNights ? 'The nights they hold become free at once. ' : ''}Card checkouts that are still open are closed.${isPaid ? ' Their payments stay in the ledger, without an application.' : ''}`,
    failed: 'Failed to delete application',
  },
}

/** Each action asks first, and then lists the result for every row. */
export function BulkActions({ selected, onClear, onDone }: BulkActionsProps) {
  const { question, ask, cancel, run, busy, outcome, closeOutcome } = useBulkAction(onDone)
  return (
    <>
      {selected.length > 0 && (
        <div className="flex flex-wrap items-center gap-2">
          <span className="mr-1 font-semibold text-navy tabular-nums">{selected.length} selected</span>
          {actions.map(action => (
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
          <Button size="sm" variant="ghost" onClick={onClear}>
            Clear
          </Button>
        </div>
      )}
      {question && (
        <Question {...question} busy={busy} onConfirm={() => void run(question)} onCancel={cancel} />
      )}
      {outcome && <BulkResults {...outcome} onClose={closeOutcome} />}
    </>
  )
}

/** The applications at the time of the question: the table refreshes behind it. */
type Selection = { action: Action; selected: readonly ListedApplication[] }

function useBulkAction(onDone: BulkActionsProps['onDone']) {
  const [question, ask] = useState<Selection>()
  const [outcome, setOutcome] = useState<{ action: Action; results: Result[] }>()
  const setStatuses = api.applications.adminSetStatuses.useMutation()
  const deleteMany = api.applications.adminDeleteMany.useMutation()

  const send = async ({ action, selected }: Selection) => {
    const ids = selected.map(({ id }) => id)
    const fromStatuses = Object.fromEntries(selected.map(({ id, status }) => [id, status]))
    if (action === 'delete') return deleteMany.mutateAsync({ ids, fromStatuses })
    const status = action === 'approve' ? 'approved' : 'rejected'
    const { results, warnings = [] } = await setStatuses.mutateAsync({ ids, status, fromStatuses })
    for (const warning of warnings) toast.info('Please note', warning)
    return { results }
  }
  const run = async (selection: Selection) => {
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
      toastFailure(error, words[action].failed)
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

type QuestionProps = Selection & { busy: boolean; onConfirm: () => void; onCancel: () => void }

function Question({ action, selected, ...props }: QuestionProps) {
  const today = useToday()
  const { label, explain, busy } = words[action]
  const explanation = explain({
    freesNights: selected.some(application => holdsNights(application, today)),
    isPaid: selected.some(({ paymentReceived }) => paymentReceived),
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
      {...props}
    />
  )
}

type BulkResultsProps = { action: Action; results: Result[]; onClose: () => void }

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
