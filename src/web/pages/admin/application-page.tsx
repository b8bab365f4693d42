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
import { toast } from '../../ui/toast.ts'
import type { Application } from './application/application-data.ts'
import { ApplicationDetails } from './application/application-details.tsx'
import { DetailsSkeleton } from './application/details-skeleton.tsx'
import { DeleteApplicationDialog } from './delete-application-dialog.tsx'

const loadFailed = 'Failed to load application data'

export function AdminApplicationPage({ id }: { id: string }) {
  const [, navigate] = useLocation()
  const utils = api.useUtils()
  const [deleting, setDeleting] = useState(false)
  const query = api.applications.adminGet.useQuery({ id })
  const application = query.data?.application
  const isMissing = query.isError && isRefusedWith(query.error, [404])

  useEffect(() => {
    if (!isMissing) return
    toast.error('Application not found')
    navigate(paths.adminDashboard, { replace: true })
  }, [isMissing, navigate])

  if (isMissing) return null
  return (
    <Page
      title="Application Details"
      subtitle={application && <Subtitle application={application} />}
      back={
        <Link href={paths.adminDashboard} className="link inline-flex items-center gap-1.5">
          <ArrowLeft aria-hidden className="size-4" />
          Back to Dashboard
        </Link>
      }
      action={
        <>
          <RefreshButton />
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
            navigate(paths.adminDashboard)
            void utils.applications.adminList.invalidate()
            void utils.applications.adminCounts.invalidate()
            void utils.payments.invalidate()
            void utils.billing.invalidate()
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </Page>
  )
}

function Subtitle({ application }: { application: Application }) {
  const { firstName, lastName, applicationNumber, status } = application
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="wrap-anywhere">
        {firstName} {lastName} · {applicationNumber}
      </span>
      <ApplicationStatusBadge status={status} screen="details" />
    </span>
  )
}

function RefreshButton() {
  const utils = api.useUtils()
  const [refreshing, setRefreshing] = useState(false)
  const refresh = async () => {
    setRefreshing(true)
    const reads = await Promise.allSettled(
      [utils.applications, utils.payments, utils.billing, utils.leases, utils.plans].map(router =>
        router.invalidate(undefined, undefined, { throwOnError: true }),
      ),
    )
    setRefreshing(false)
    const failed = reads.find(
      (read): read is PromiseRejectedResult => read.status === 'rejected' && needsToast(read.reason),
    )
    if (failed) toastFailure(failed.reason, loadFailed)
  }
  return (
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
  )
}

/** Not for a canceled read; an expired session and a missing application have their own messages. */
function needsToast(error: unknown): boolean {
  return !isCancelledError(error) && !isRefusedWith(error, [401, 404])
}

function isRefusedWith(error: unknown, statuses: readonly number[]): boolean {
  const failure = failureOf(error)
  return failure.kind === 'refused' && statuses.includes(failure.status)
}
