import { type ComponentProps, lazy, Suspense, useEffect, useState } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'

const ApplicationCalendar = lazy(() =>
  import('./application-calendar.tsx').then(m => ({ default: m.ApplicationCalendar })),
)

const signs = ['pointermove', 'pointerdown', 'touchstart', 'scroll', 'keydown', 'input'] as const
const patienceMs = 2000

/**
 * The form's calendar, the heaviest part of it: loaded when somebody moves, presses or types, or after a moment, so that
 * the fields are there first.
 */
export function CalendarWhenUsed(props: ComponentProps<typeof ApplicationCalendar>) {
  const isWanted = useFirstSign()
  const loading = <LoadingCalendar />
  return isWanted ? (
    <Suspense fallback={loading}>
      <ApplicationCalendar {...props} />
    </Suspense>
  ) : (
    loading
  )
}

function useFirstSign(): boolean {
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (seen) return
    const see = () => setSeen(true)
    const timer = setTimeout(see, patienceMs)
    for (const sign of signs) window.addEventListener(sign, see, { passive: true })
    return () => {
      clearTimeout(timer)
      for (const sign of signs) window.removeEventListener(sign, see)
    }
  }, [seen])
  return seen
}

/** As high as the calendar, so that nothing moves when it comes. */
function LoadingCalendar() {
  return (
    <div role="status">
      <p className="mb-3 text-[0.9375rem] text-muted">Loading availability...</p>
      <Skeleton className="h-[30rem] w-full sm:h-[29.5rem] rounded-control" />
    </div>
  )
}
