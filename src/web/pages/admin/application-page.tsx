import { isCancelledError } from '@tanstack/react-query'
import { ArrowLeft, RefreshCw, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { api, failureOf } from '../../api/api.ts'
import { ApplicationStatusBadge } from '../../features/applications/status-badge.tsx'
import { toastFailure } from '../../forms/failure-toast.ts'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { toast } from '../../ui/toasts.tsx'
import { ApplicationDetails } from './application/application-details.tsx'
import { DetailsSkeleton } from './application/details-skeleton.tsx'
import { DeleteApplicationDialog } from './delete-application-dialog.tsx'

const loadFailed = 'Failed to load application data'

export function AdminApplicationPage({ id }: { id: string }) {
  const [, navigate] = useLocation()
  const utils = api.useUtils()
  const [deleting, setDeleting] = useState(false)
  const [refreshing, setRefreshing] = useState(false)
  const query = api.applications.adminGet.useQuery({ id })
  const application = query.data?.application
  const failure = query.isError ? failureOf(query.error) : undefined
  const isMissing = failure?.kind === 'refused' && failure.status === 404

  useEffect(() => {
    if (!isMissing) return
    toast.error('Application not found')
    navigate(paths.adminDashboard, { replace: true })
  }, [isMissing, navigate])

  const refresh = async () => {
    setRefreshing(true)
    const reads = await Promise.allSettled(
      [utils.applications, utils.payments, utils.leases].map(router =>
        router.invalidate(undefined, undefined, { throwOnError: true }),
      ),
    )
    setRefreshing(false)
    const failed = reads.find(
      (read): read is PromiseRejectedResult => read.status === 'rejected' && isUntold(read.reason),
    )
    if (failed) toastFailure(failed.reason, { failed: loadFailed, threw: loadFailed })
  }

  if (isMissing) return null
  return (
    <Page
      title="Application Details"
      subtitle={
        application && (
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="wrap-anywhere">
              {application.firstName} {application.lastName} · {application.applicationNumber}
            </span>
            <ApplicationStatusBadge status={application.status} screen="details" />
          </span>
        )
      }
      back={
        <Link href={paths.adminDashboard} className="link inline-flex items-center gap-1.5">
          <ArrowLeft aria-hidden className="size-4" />
          Back to Dashboard
        </Link>
      }
      action={
        <>
          <Button
            variant="secondary"
            size="sm"
            busy={refreshing}
            busyLabel="Refreshing..."
            onClick={() => void refresh()}
          >
            <RefreshCw aria-hidden />
            Refresh
          </Button>
          <Button
            variant="secondary"
            size="sm"
            className="text-red"
            disabled={!application}
            onClick={() => setDeleting(true)}
          >
            <Trash2 aria-hidden />
            Delete
          </Button>
        </>
      }
    >
      <QueryView query={query} loading={<DetailsSkeleton />} error={loadFailed}>
        {data => <ApplicationDetails application={data.application} />}
      </QueryView>
      {deleting && application && (
        <DeleteApplicationDialog
          application={application}
          onDeleted={() => {
            setDeleting(false)
            navigate(paths.adminDashboard)
            void utils.applications.adminList.invalidate()
            void utils.applications.adminCounts.invalidate()
            void utils.payments.invalidate()
          }}
          onCancel={() => setDeleting(false)}
        />
      )}
    </Page>
  )
}

/** A read that another one replaced did not fail; a dead session and a missing application have words of their own. */
function isUntold(error: unknown): boolean {
  const failure = failureOf(error)
  return !isCancelledError(error) && !(failure.kind === 'refused' && [401, 404].includes(failure.status))
}
