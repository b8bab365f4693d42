import { ArrowRight, CalendarDays } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'wouter'
import { bookingChecklist } from '../../../domain/checklist.ts'
import { formatMomentDate, nightsBetween } from '../../../domain/dates.ts'
import { plural } from '../../../domain/plural.ts'
import { formatStay, stayOf } from '../../../domain/stay.ts'
import type { Outputs } from '../../api/api.ts'
import { CompactProgress } from '../../features/applications/booking-progress.tsx'
import { ApplicationStatusBadge } from '../../features/applications/status-badge.tsx'
import { useTimeZone } from '../../features/stays/today.ts'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

type Application = Outputs['applications']['status']['applications'][number]

/** An application on the dashboard: its dates, status and next step. */
export function ApplicationCard({ application }: { application: Application }) {
  const timeZone = useTimeZone()
  const headingId = useId()
  const stay = stayOf(application)
  return (
    <Card className="grid gap-x-8 gap-y-4 p-5 sm:p-6 md:grid-cols-[minmax(0,1fr)_15rem_auto] md:items-center">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h3 id={headingId} className="flex items-center gap-2 text-lg leading-snug font-semibold text-navy">
            <CalendarDays aria-hidden className="size-5 shrink-0 text-lagoon-dark" />
            {formatStay(stay)}
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
        <p className="mt-1 text-[0.9375rem] text-muted">{nextStep(application)}</p>
      </div>
      <Button variant="secondary" asChild className="max-md:w-full">
        <Link href={paths.application(application.id)} aria-describedby={headingId}>
          View Details
          <ArrowRight aria-hidden />
        </Link>
      </Button>
    </Card>
  )
}

function nextStep(application: Application): string {
  if (application.status === 'draft') return 'Next: submit your application'
  if (application.status === 'rejected') return 'This application was declined'
  const { steps, banner } = bookingChecklist(application)
  const next = steps.find(step => step.next)
  return banner ?? (next ? `Next: ${next.title}` : '')
}
