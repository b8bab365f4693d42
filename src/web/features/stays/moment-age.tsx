import { useEffect, useReducer } from 'react'
import { formatAge } from '../../../domain/age.ts'
import { formatMoment } from '../../../domain/dates.ts'
import { useSite } from '../../api/site.ts'
import { useTimeZone } from './today.ts'

const tickMs = 30_000

/**
 * A moment in words, such as '5 minutes ago', with the exact one as the pointer's title; `ahead` for one to come. A
 * browser whose clock differs from the server's never says 'in 2 minutes' of what has happened.
 */
export function MomentAge({ at, ahead = false }: { at: string; ahead?: boolean }) {
  const now = useNow()
  const timeZone = useTimeZone()
  const moment = new Date(at)
  const isPast = moment <= now
  return (
    <time dateTime={at} title={formatMoment(at, timeZone)}>
      {isPast && ahead ? 'in a moment' : formatAge(at, isPast || ahead ? now : moment)}
    </time>
  )
}

/** Now by the server's clock, renewed while the screen is open. */
function useNow(): Date {
  const [, tick] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(tick, tickMs)
    return () => clearInterval(timer)
  }, [])
  return new Date(Date.now() + (useSite()?.clockOffsetMs ?? 0))
}
