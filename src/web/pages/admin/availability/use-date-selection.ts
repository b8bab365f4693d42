import { useState } from 'react'
import type { CalendarDate } from '../../../../domain/common/dates.ts'

/** The selected days, including those in months that are not in view. */
export function useDateSelection() {
  const [dates, setDates] = useState<ReadonlySet<CalendarDate>>(new Set())
  return {
    dates,
    toggle: (date: CalendarDate) => {
      const next = new Set(dates)
      if (!next.delete(date)) next.add(date)
      setDates(next)
    },
    add: (more: readonly CalendarDate[]) => setDates(new Set([...dates, ...more])),
    clear: () => setDates(new Set()),
  }
}
