import { isCancelledError } from '@tanstack/react-query'
import { RefreshCw, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { nightsBetween } from '../../../../domain/common/dates.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { formatShortStay } from '../../../../domain/common/stay.ts'
import { api } from '../../../api/api.ts'
import { failureOf } from '../../../api/failures.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { BackLink } from '../../../routing/back-link.tsx'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { MenuItem, MoreActions } from '../../../ui/menu.tsx'
import { Page } from '../../../ui/page.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import type { Application } from './application-data.ts'
import { ApplicationDetails, DetailsSkeleton } from './application-details.tsx'
import { DeleteApplicationDialog } from './delete-application-dialog.tsx'

const loadFailed = 'Failed to load application data'

export function AdminApplicationPage({ id }: { id: string }) {
  const [, navigate] = useLocation()
  const utils = api.useUtils()
  const [deleting, setDeleting] = useState(false)
  const query = api.applications.adminGet.useQuery({ id })
  const application = query.data?.application
  const isMissing = query.isError && isRefusedWith(query.error, [404])
  const hasFailed = query.isError && !application

  useEffect(() => {
    if (!isMissing) return
    toast.error('Application not found')
    navigate(paths.adminDashboard, { replace: true })
  }, [isMissing, navigate])

  if (isMissing) return null
  return (
    <Page
      title={hasFailed ? 'Application Details' : <Title application={application} />}
      subtitle={
        application ? (
          <Stay application={application} />
        ) : (
          !hasFailed && <Skeleton className="h-6 w-72 max-w-full" />
        )
      }
      back={
        <span className="flex items-center justify-between">
          <BackLink href={paths.adminDashboard}>Back to Dashboard</BackLink>
          {!hasFailed && <PageActions onDelete={application && (() => setDeleting(true))} />}
        </span>
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
            void utils.charges.invalidate()
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </Page>
  )
}

/** The title of the screen with the guest's name. */
function Title({ application }: { application: Application | undefined }) {
  return (
    <>
      <span className="block text-[0.9375rem] leading-snug font-normal tracking-normal text-muted">
        Application Details
      </span>{' '}
      {application ? (
        <span className="flex flex-wrap items-baseline gap-x-3 wrap-anywhere">
          {application.firstName} {application.lastName}{' '}
          <span className="text-lg font-normal tracking-normal text-muted">
            {application.applicationNumber}
          </span>
        </span>
      ) : (
        <Skeleton className="mt-1 h-8 w-56 sm:h-9" />
      )}
    </>
  )
}

function Stay({ application }: { application: Application }) {
  const stay = {
    start: application.leaseStartDate ?? application.requestedStartDate,
    end: application.leaseEndDate ?? application.requestedEndDate,
  }
  const nights = plural(nightsBetween(stay.start, stay.end), 'night')
  return `${formatShortStay(stay)} · ${nights} · ${plural(application.guestCount, 'guest')}`
}

/** `onDelete` is undefined while loading (LOOK-97). */
function PageActions({ onDelete }: { onDelete: (() => void) | undefined }) {
  const [isRefreshing, refresh] = useRefresh()
  const refreshTexts = (
    <>
      <RefreshCw aria-hidden className={isRefreshing ? 'animate-spin' : undefined} />
      {isRefreshing ? 'Refreshing...' : 'Refresh'}
    </>
  )
  const deleteTexts = (
    <>
      <Trash2 aria-hidden />
      Delete
    </>
  )
  return (
    <>
      <span className="-my-2 -mr-2.5 md:hidden">
        <MoreActions>
          <MenuItem disabled={isRefreshing} onSelect={refresh}>
            {refreshTexts}
          </MenuItem>
          <MenuItem danger disabled={!onDelete} onSelect={() => onDelete?.()}>
            {deleteTexts}
          </MenuItem>
        </MoreActions>
      </span>
      <span className="-my-2 -mr-3 flex gap-1 max-md:hidden">
        <Button variant="ghost" size="sm" disabled={isRefreshing} onClick={refresh}>
          {refreshTexts}
        </Button>
        <Button
          variant="ghost"
          size="sm"
          className="hover:text-red"
          disabled={!onDelete}
          onClick={() => onDelete?.()}
        >
          {deleteTexts}
        </Button>
      </span>
    </>
  )
}

function useRefresh() {
  const utils = api.useUtils()
  const [isRefreshing, setRefreshing] = useState(false)
  const refresh = async () => {
    setRefreshing(true)
    const reads = await Promise.allSettled(
      [utils.applications, utils.payments, utils.charges, utils.leases, utils.plans, utils.deposits].map(
        router => router.invalidate(undefined, undefined, { throwOnError: true }),
      ),
    )
    setRefreshing(false)
    const failed = reads.find(
      (read): read is PromiseRejectedResult => read.status === 'rejected' && needsToast(read.reason),
    )
    if (failed) toastFailure(failed.reason, loadFailed)
  }
  return [isRefreshing, () => void refresh()] as const
}

/** No toast for a canceled fetch; an expired session and a missing application have their own messages. */
function needsToast(error: unknown): boolean {
  return !isCancelledError(error) && !isRefusedWith(error, [401, 404])
}

function isRefusedWith(error: unknown, statuses: readonly number[]): boolean {
  const failure = failureOf(error)
  return failure.kind === 'refused' && statuses.includes(failure.status)
}
