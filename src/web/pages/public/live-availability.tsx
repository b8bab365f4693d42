import { useState } from 'react'
import type { CalendarDate } from '../../../domain/dates.ts'
import { api } from '../../api/api.ts'
import { availabilityWindow } from '../../features/stays/availability-window.ts'
import { applyPath } from '../../session/apply-path.ts'
import { useSession } from '../../session/session.tsx'
import { AvailabilitySection } from './availability-section.tsx'
import type { StayPlannerProps } from './stay-planner.tsx'

type LiveAvailabilityProps = { today: CalendarDate | undefined; rates: StayPlannerProps['rates'] }

/** The calendar with the server's days. What was loaded for earlier months stays, so that a stay may span them all. */
export function LiveAvailability({ today, rates }: LiveAvailabilityProps) {
  const [stepped, setStepped] = useState<string[]>([])
  const session = useSession()
  const thisMonth = today?.slice(0, 7)
  const months = thisMonth ? [...new Set([thisMonth, ...stepped])] : []
  const month = stepped.at(-1) ?? thisMonth ?? ''
  const windows = api.useQueries(t => months.map(m => t.availability.range(availabilityWindow(m))))

  const loaded = windows.filter(window => window.data !== undefined)
  const failed = windows.some(window => window.isError && window.data === undefined)
  const entries = loaded.flatMap(window => window.data?.availability ?? [])
  const knownUntil = months
    .filter((_, index) => windows[index]?.data !== undefined)
    .map(m => availabilityWindow(m).endDate)
    .sort()
    .at(-1)

  return (
    <AvailabilitySection
      today={today}
      month={month}
      // The month viewed last stands at the end.
      onMonthChange={next => setStepped(before => [...before.filter(m => m !== next), next])}
      availability={failed ? 'failed' : knownUntil ? { entries, knownUntil } : undefined}
      onRetry={() => {
        for (const window of windows) if (window.isError) void window.refetch()
      }}
      rates={rates}
      applyPath={applyPath(session)}
    />
  )
}
