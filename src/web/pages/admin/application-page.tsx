import { ArrowLeft, RefreshCw, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { api, failureOf } from '../../app/api.ts'
import { paths } from '../../app/paths.ts'
import { ApplicationStatusBadge } from '../../features/applications/status-badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { toast } from '../../ui/toasts.tsx'
import { ApplicationDetails } from './application/application-details.tsx'
import { DetailsSkeleton } from './application/details-skeleton.tsx'
import { DeleteApplicationDialog } from './delete-application-dialog.tsx'

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
    await Promise.all([
      utils.applications.invalidate(),
      utils.payments.invalidate(),
      utils.leases.invalidate(),
    ]).finally(() => setRefreshing(false))
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
      <QueryView query={query} loading={<DetailsSkeleton />} error="Failed to load application data">
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
