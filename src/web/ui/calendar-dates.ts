/*
 * Days (YYYY-MM-DD) and months (YYYY-MM), calculated in UTC, so that time zones and clock changes do not affect them.
 */

/** Moves a month by a number of months. */
export function shiftMonth(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return isoDay(Date.UTC(year, number - 1 + by)).slice(0, 7)
}

/** The weeks of a month from Sunday to Saturday, only those that exist; days outside the month are `undefined`. */
export function weeksOf(month: string): (string | undefined)[][] {
  const before = weekday(`${month}-01`)
  const length = daysIn(month)
  return Array.from({ length: Math.ceil((before + length) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, index) => {
      const day = week * 7 + index - before + 1
      return day >= 1 && day <= length ? dayOf(month, day) : undefined
    }),
  )
}

/** `2026-02` -> `February 2026`. */
export const monthName = (month: string): string => monthFormat.format(utcMs(`${month}-01`))

/** The day that a key moves the focus to; undefined for other keys. */
export function dayAfterKey(date: string, { key, shiftKey }: { key: string; shiftKey: boolean }) {
  switch (key) {
    case 'ArrowLeft':
      return shiftKey ? sameDay(date, -1) : shiftDay(date, -1)
    case 'ArrowRight':
      return shiftKey ? sameDay(date, 1) : shiftDay(date, 1)
    case 'ArrowUp':
      return shiftKey ? sameDay(date, -12) : shiftDay(date, -7)
    case 'ArrowDown':
      return shiftKey ? sameDay(date, 12) : shiftDay(date, 7)
    case 'PageUp':
      return sameDay(date, shiftKey ? -12 : -1)
    case 'PageDown':
      return sameDay(date, shiftKey ? 12 : 1)
    case 'Home':
      return shiftDay(date, -weekday(date))
    case 'End':
      return shiftDay(date, 6 - weekday(date))
    default:
      return undefined
  }
}

/** The day, or the nearest day within the allowed months. */
export function clampDay(date: string, minMonth: string | undefined, maxMonth: string | undefined): string {
  if (minMonth && date.slice(0, 7) < minMonth) return dayOf(minMonth, 1)
  if (maxMonth && date.slice(0, 7) > maxMonth) return dayOf(maxMonth, daysIn(maxMonth))
  return date
}

/** The same day in another month, or the last day of a shorter month. */
function sameDay(date: string, months: number): string {
  const month = shiftMonth(date.slice(0, 7), months)
  return dayOf(month, Math.min(Number(date.slice(8)), daysIn(month)))
}

const shiftDay = (date: string, by: number) => isoDay(utcMs(date) + by * 86_400_000)
const weekday = (date: string) => new Date(utcMs(date)).getUTCDay()
const daysIn = (month: string) =>
  Math.round((utcMs(`${shiftMonth(month, 1)}-01`) - utcMs(`${month}-01`)) / 86_400_000)
const dayOf = (month: string, day: number) => `${month}-${String(day).padStart(2, '0')}`
const utcMs = (date: string) => Date.parse(`${date}T00:00:00Z`)
const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)

const monthFormat = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long', year: 'numeric' })
