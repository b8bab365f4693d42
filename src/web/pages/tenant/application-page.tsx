import { Plus } from 'lucide-react'
import { useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import type { ChecklistStep } from '../../../domain/checklist.ts'
import { api, failureOf, type Outputs } from '../../api/api.ts'
import { BookingProgress } from '../../features/applications/booking-progress.tsx'
import { GuestsList } from '../../features/applications/guests-list.tsx'
import { LeaseBlock } from '../../features/leases/lease-block.tsx'
import { PaymentsBlock } from '../../features/payments/payments-block.tsx'
import { BackLink } from '../../routing/back-link.tsx'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { PersonalInfoCard } from './personal-info-card.tsx'
import { StatusCard } from './status-card.tsx'

type Application = Outputs['applications']['get']['application']

export function ApplicationPage({ id }: { id: string }) {
  const query = api.applications.get.useQuery({ id }, { refetchInterval: 15_000 })
  const failure = query.error && failureOf(query.error)
  const isMissing = failure?.kind === 'refused' && failure.status === 404
  useRedirectWhen(isMissing)
  return (
    <Page
      title="Application Details"
      subtitle={query.data?.application.applicationNumber ?? ' '}
      back={<BackLink href={paths.dashboard}>Back to Dashboard</BackLink>}
      action={
        <Button variant="secondary" asChild>
          <Link href={paths.newApplication}>
            <Plus aria-hidden />
            New Application
          </Link>
        </Button>
      }
    >
      {!isMissing && (
        <QueryView query={query} loading={<LoadingDetails />} error="Failed to load application data">
          {({ application }) => <Details key={application.id} application={application} />}
        </QueryView>
      )}
    </Page>
  )
}

/** Another tenant's application is answered like a missing one. */
function useRedirectWhen(isMissing: boolean) {
  const [, navigate] = useLocation()
  useEffect(() => {
    if (!isMissing) return
    toast.error('Application not found')
    navigate(paths.dashboard, { replace: true })
  }, [isMissing, navigate])
}

function Details({ application }: { application: Application }) {
  const queries = api.useUtils()
  // Signing sets the dates of a payment plan.
  const refresh = () => Promise.all([queries.applications.invalidate(), queries.plans.invalidate()])
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid gap-6 lg:col-start-2 lg:row-start-1">
        <StatusCard application={application} />
        <BookingProgress application={application} nextAction={step => nextAction(step, application.id)} />
      </div>
      <div className="grid gap-6 lg:col-start-1 lg:row-start-1">
        <PersonalInfoCard application={application} />
        <Card aria-label="Additional Guests">
          <CardHeader title="Additional Guests" />
          <CardBody>
            <GuestsList guests={application.additionalGuests} />
          </CardBody>
        </Card>
        <div id="lease" className="scroll-mt-20">
          <LeaseBlock application={application} onChanged={refresh} />
        </div>
        <PaymentsBlock application={application} limit={3} />
      </div>
    </div>
  )
}

/** On a phone the lease and the payments are a long way down. */
function nextAction(step: ChecklistStep['key'], id: string) {
  if (step === 'signed') {
    return (
      <a href="#lease" className="link">
        Go to the lease
      </a>
    )
  }
  return (
    step === 'paid' && (
      <Link href={paths.payment(id)} className="link">
        Make a payment
      </Link>
    )
  )
}

function LoadingDetails() {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid gap-6 lg:col-start-2 lg:row-start-1">
        <Skeleton className="h-52 w-full rounded-card" />
        <Skeleton className="h-96 w-full rounded-card" />
      </div>
      <div className="grid gap-6 lg:col-start-1 lg:row-start-1">
        <Skeleton className="h-80 w-full rounded-card" />
        <Skeleton className="h-32 w-full rounded-card" />
      </div>
    </div>
  )
}
