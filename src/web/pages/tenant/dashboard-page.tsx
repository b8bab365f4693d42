import { KeyRound, Plus } from 'lucide-react'
import { Link } from 'wouter'
import { api, type Outputs } from '../../api/api.ts'
import { paths } from '../../routing/paths.ts'
import { useUser } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ApplicationCard } from './application-card.tsx'
import { useListRefresh } from './use-list-refresh.ts'

export function DashboardPage() {
  const status = api.applications.status.useQuery(undefined, {
    refetchInterval: 10_000,
    // Done by useListRefresh, which listens to the focus, too.
    refetchOnWindowFocus: false,
  })
  useListRefresh(status)
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-6 sm:px-6 sm:py-8">
      <WelcomeBanner />
      <QueryView
        query={status}
        loading={<LoadingList />}
        error="Your applications could not be loaded."
        empty={({ hasApplications }) => !hasApplications && <NoApplications />}
      >
        {({ applications }) => <ApplicationList applications={applications} />}
      </QueryView>
    </div>
  )
}

function WelcomeBanner() {
  const user = useUser()
  return (
    <header className="mb-8 flex flex-wrap items-center justify-between gap-x-8 gap-y-5 rounded-card bg-navy px-5 py-7 text-white sm:px-8 sm:py-9">
      <div className="min-w-0">
        <h1 className="font-display text-3xl leading-tight wrap-anywhere sm:text-4xl">
          Welcome, {user.firstName}
        </h1>
        <p className="mt-1.5 text-white/85">Your applications, from the first form to the keys.</p>
      </div>
      <Button variant="accent" asChild className="max-sm:w-full">
        <Link href={paths.newApplication}>
          <Plus aria-hidden />
          New Application
        </Link>
      </Button>
    </header>
  )
}

type Applications = Outputs['applications']['status']['applications']

function ApplicationList({ applications }: { applications: Applications }) {
  return (
    <section aria-labelledby="applications">
      <h2 id="applications" className="mb-4 text-xl font-semibold text-navy">
        Your applications
      </h2>
      <ul className="grid gap-4">
        {applications.map(application => (
          <li key={application.id}>
            <ApplicationCard application={application} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function NoApplications() {
  return (
    <Card>
      <EmptyState
        icon={<KeyRound />}
        title="Ready to Get Started?"
        hint="Tell us who you are and when you would like to stay. We review your application within 1-2 business days."
        action={
          <Button size="lg" asChild>
            <Link href={paths.newApplication}>Create Application</Link>
          </Button>
        }
      />
    </Card>
  )
}

function LoadingList() {
  return (
    <>
      <Skeleton className="mb-4 h-7 w-48" />
      <Skeleton className="h-36 w-full rounded-card" />
    </>
  )
}
