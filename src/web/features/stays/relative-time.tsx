import { useEffect, useReducer } from 'react'
import { formatAge } from '../../../domain/common/age.ts'
import { formatMoment } from '../../../domain/common/dates.ts'
import { useSite } from '../../api/site.ts'
import { useTimeZone } from './today.ts'

const tickMs = 30_000

/**
 * A time in words, such as '5 minutes ago', with the exact time as its title; `ahead` for a future time. A past time
 * never shows as 'in 2 minutes', even if the browser's clock is behind the server's.
 */
export function RelativeTime({ at, ahead = false }: { at: string; ahead?: boolean }) {
  const now = useNow()
  const timeZone = useTimeZone()
  const moment = new Date(at)
  const isPast = moment <= now
  return (
    <time dateTime={at} title={formatMoment(at, timeZone)}>
      {isPast && ahead ? 'in a moment' : formatAge(at, isPast || ahead ? now : moment, timeZone)}
    </time>
  )
}

/** The current time by the server's clock, updated regularly. */
export function useNow(): Date {
  const [, tick] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(tick, tickMs)
    return () => clearInterval(timer)
  }, [])
  return new Date(Date.now() + (useSite()?.clockOffsetMs ?? 0))
}
