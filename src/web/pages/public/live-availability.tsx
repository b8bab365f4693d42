import type { CalendarDate } from '../../../domain/common/dates.ts'
import type { HomeView } from '../../../domain/content/content-views.ts'
import { useAvailability } from '../../features/stays/use-availability.ts'
import { applyPath } from '../../session/apply-path.ts'
import { useSession } from '../../session/session.tsx'
import { AvailabilitySection } from './availability-section.tsx'
import type { StayPlannerProps } from './stay-planner.tsx'

type LiveAvailabilityProps = {
  today: CalendarDate | undefined
  rates: StayPlannerProps['rates']
  content: HomeView['availability']
}

/** The calendar with live availability from the server. */
export function LiveAvailability({ today, rates, content }: LiveAvailabilityProps) {
  const session = useSession()
  const { month, showMonth, entries, knownUntil, hasFailed, retry } = useAvailability(today?.slice(0, 7))
  return (
    <AvailabilitySection
      content={content}
      today={today}
      month={month}
      onMonthChange={showMonth}
      availability={hasFailed ? 'failed' : knownUntil ? { entries, knownUntil } : undefined}
      onRetry={retry}
      rates={rates}
      applyPath={applyPath(session)}
    />
  )
}
