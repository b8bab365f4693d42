import { X } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/api.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { toast } from '../../../ui/toast.ts'
import { BulkResults, ConfirmBulkAction } from './bulk-dialogs.tsx'
import {
  type BulkAction,
  type BulkResult,
  type BulkSelection,
  bulkActions,
  type ListedApplication,
} from './listed-application.ts'

type BulkActionsProps = {
  selected: readonly ListedApplication[]
  onClear: () => void
  /** Called with the ids of the applications for which the action succeeded. */
  onDone: (ids: readonly string[]) => void
}

const labels: Record<BulkAction, string> = { approve: 'Approve', reject: 'Reject', delete: 'Delete' }
const failedTexts: Record<BulkAction, string> = {
  approve: 'Failed to update status',
  reject: 'Failed to update status',
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
              {labels[action]}
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
