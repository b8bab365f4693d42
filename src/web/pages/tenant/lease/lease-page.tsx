import { KeyRound, PenLine } from 'lucide-react'
import { useEffect } from 'react'
import { Link } from 'wouter'
import { type LeaseState, leaseMessages, leaseState } from '../../../../domain/leases/lease.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { PaperUpload } from '../../../features/leases/lease-block.tsx'
import { LeaseFacts, LeaseStateBadge } from '../../../features/leases/lease-facts.tsx'
import { uploadSignedLease } from '../../../features/leases/lease-files.ts'
import { SignedFileBox } from '../../../features/leases/signed-file-box.tsx'
import { BackLink } from '../../../routing/back-link.tsx'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { LeaseTextActions, useLeaseText } from './lease-text-actions.tsx'

type Status = Outputs['leases']['status']
type Lease = Status & { applicationId: string }

export function LeasePage() {
  const query = api.leases.status.useQuery()
  const { error } = query
  useEffect(() => {
    if (error) console.warn('The status of the lease could not be loaded:', error)
  }, [error])
  const status = query.data
  return (
    <Page
      title="Lease Agreement"
      subtitle={status?.applicationNumber ?? ' '}
      action={status && !isLease(status) && <LeaseStateBadge state={leaseState(status)} />}
      back={<BackLink href={paths.dashboard}>Back to Dashboard</BackLink>}
    >
      <QueryView query={query} loading={<LoadingLease />} error="Your lease could not be loaded.">
        {found =>
          isLease(found) ? (
            <div
              className={classNames(
                'grid items-start gap-6',
                isAllDone(found) && 'lg:grid-cols-[minmax(0,1fr)_22rem]',
              )}
            >
              <LeaseCards key={found.applicationId} lease={found} />
              {isAllDone(found) && <AllCompleted />}
            </div>
          ) : (
            <NoLease status={found} />
          )
        }
      </QueryView>
    </Page>
  )
}

function isLease(status: Status): status is Lease {
  return status.hasApplication && status.applicationId !== null
}

const isAllDone = ({ message }: Status) => message === leaseMessages.noActiveApplications
const allDone = {
  title: 'All Applications Completed',
  hint: 'Your bookings are complete. For another stay, start a new application.',
}
const noneYet = {
  title: 'No application yet',
  hint: 'Your lease is based on your application. Tell us when you would like to stay.',
}

function AllCompleted() {
  return (
    <Card aria-label={allDone.title}>
      <CardHeader title={allDone.title} />
      <CardBody>
        <p className="text-muted">{allDone.hint}</p>
        <Button variant="secondary" className="mt-4 max-sm:w-full" asChild>
          <Link href={paths.newApplication}>Start New Application</Link>
        </Button>
      </CardBody>
    </Card>
  )
}

function NoLease({ status }: { status: Status }) {
  return (
    <Card>
      <EmptyState
        icon={<KeyRound />}
        {...(isAllDone(status) ? allDone : noneYet)}
        action={
          <Button size="lg" asChild>
            <Link href={paths.newApplication}>Start New Application</Link>
          </Button>
        }
      />
    </Card>
  )
}

function LeaseCards({ lease }: { lease: Lease }) {
  const queries = api.useUtils()
  const state = leaseState(lease)
  const text = useLeaseText(lease)
  const { applicationId, canRemoveSignedLease, signedLeaseFile } = lease
  const reload = () => queries.leases.status.invalidate()
  return (
    <Card aria-label="Your lease">
      <CardHeader
        title={titleOf(state, text.value)}
        action={<LeaseStateBadge state={state} />}
        className="flex-nowrap!"
      />
      <CardBody className="grid gap-6">
        {state === 'not_started' ? (
          <p className="text-muted">
            The lease is generated once your application is approved. You will find it here.
          </p>
        ) : (
          <LeaseFacts lease={lease} />
        )}
        <div className="flex flex-wrap gap-3 empty:hidden">
          {state === 'available' && (
            <Button asChild className="max-sm:w-full">
              <Link href={paths.signLease(applicationId)}>
                <PenLine aria-hidden />
                Sign Lease
              </Link>
            </Button>
          )}
          {(state === 'available' || (state === 'signed' && !signedLeaseFile)) && (
            <LeaseTextActions lease={lease} text={text} />
          )}
        </div>
        <section aria-label="Signed lease">
          {signedLeaseFile && (
            <SignedFileBox
              applicationId={applicationId}
              file={signedLeaseFile}
              onRemoved={canRemoveSignedLease ? reload : undefined}
            />
          )}
          {state !== 'signed' && (
            <PaperUpload
              send={uploadSignedLease(applicationId)}
              disabledReason={state === 'not_started' ? `${leaseMessages.notGenerated}.` : undefined}
              onUploaded={reload}
            />
          )}
        </section>
        {state !== 'available' && (
          <Link href={paths.application(applicationId)} className="justify-self-start link">
            View application
          </Link>
        )}
      </CardBody>
    </Card>
  )
}

function titleOf(state: LeaseState, text: string | undefined): string {
  if (state === 'not_started') return 'Lease Agreement Not Started'
  if (state === 'signed') return 'Lease Signed & Uploaded'
  return text ? 'Lease Ready to View and Sign' : 'Lease Available to Sign'
}

function LoadingLease() {
  return (
    <div className="grid gap-6">
      <Skeleton className="h-96 w-full rounded-card" />
    </div>
  )
}
