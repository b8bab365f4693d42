import { ArrowRight, CalendarDays, FileText } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'wouter'
import { type OutstandingBalance, tenantStep } from '../../../domain/bookings/tenant-step.ts'
import { formatMomentDate, nightsBetween } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { plural } from '../../../domain/common/plural.ts'
import { formatShortStay, stayOf } from '../../../domain/common/stay.ts'
import type { Outputs } from '../../api/api.ts'
import { CompactProgress } from '../../features/applications/booking-progress.tsx'
import { ApplicationStatusBadge } from '../../features/applications/status-badge.tsx'
import { OnItsWay } from '../../features/payments/on-its-way.tsx'
import { useTimeZone } from '../../features/stays/today.ts'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

type Application = Outputs['applications']['status']['applications'][number]

type ApplicationCardProps = {
  application: Application
  outstanding: OutstandingBalance | undefined
  /** Whether the lease page shows this application's lease. */
  hasLeasePage: boolean
}

/** An application on the dashboard, with its dates, status and next step. */
export function ApplicationCard({ application, outstanding, hasLeasePage }: ApplicationCardProps) {
  const timeZone = useTimeZone()
  const headingId = useId()
  const stay = stayOf(application)
  return (
    <Card className="grid gap-x-8 gap-y-4 p-5 sm:grid-cols-[minmax(0,1fr)_14rem] sm:items-center sm:p-6 lg:grid-cols-[minmax(0,1fr)_15rem_auto]">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h3 id={headingId} className="flex items-center gap-2 text-lg leading-snug font-semibold text-navy">
            <CalendarDays aria-hidden className="size-5 shrink-0 text-lagoon-dark" />
            {formatShortStay(stay)}
          </h3>
          <ApplicationStatusBadge status={application.status} screen="dashboard" />
        </div>
        <p className="mt-1.5 flex flex-wrap gap-x-2 text-[0.9375rem] text-muted *:whitespace-nowrap">
          <span>{application.applicationNumber}</span>
          <span aria-hidden>·</span>
          <span>{plural(nightsBetween(stay.start, stay.end), 'night')}</span>
          <span aria-hidden className="max-sm:hidden">
            ·
          </span>
          <span>
            {application.submittedAt
              ? `Submitted ${formatMomentDate(application.submittedAt, timeZone)}`
              : 'Not submitted yet'}
          </span>
        </p>
      </div>
      <div>
        <CompactProgress application={application} />
        <p className="mt-1 text-[0.9375rem] text-muted">{summaryOf(application, outstanding)}</p>
        {outstanding && <OnItsWay {...outstanding} />}
      </div>
      <div className="flex flex-wrap gap-3 max-sm:*:grow sm:max-lg:col-span-full">
        <Button variant="secondary" asChild>
          <Link href={paths.application(application.id)} aria-describedby={headingId}>
            View Details
            <ArrowRight aria-hidden />
          </Link>
        </Button>
        {hasLeasePage && (
          <Button variant="secondary" asChild>
            <Link href={paths.lease} aria-describedby={headingId}>
              <FileText aria-hidden />
              Lease
            </Link>
          </Button>
        )}
      </div>
    </Card>
  )
}

function summaryOf(application: Application, outstanding: OutstandingBalance | undefined): string {
  const step = tenantStep(application, outstanding)
  if (!step) return ''
  if (step.kind === 'declined') return 'This application was declined'
  if (step.kind === 'pay' && outstanding) return `Amount owed: ${formatCents(outstanding.balanceCents)}`
  const isToDo = ['submit', 'sign', 'pay'].includes(step.kind)
  return isToDo ? `Next: ${step.title.charAt(0).toLowerCase()}${step.title.slice(1)}` : step.title
}
