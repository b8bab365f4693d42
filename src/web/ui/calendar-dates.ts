/** A calendar date as local noon, where the day picker can count with it and no clock change can move it. */
export function toLocalDate(date: string): Date {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return new Date(year, month - 1, day, 12)
}

/** The calendar date that a local Date stands for, as YYYY-MM-DD. */
export function toCalendarDate(date: Date): string {
  return `${toMonth(date)}-${pad(date.getDate(), 2)}`
}

/** The month of a local Date, as YYYY-MM. */
export function toMonth(date: Date): string {
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1, 2)}`
}

/** Moves a month (YYYY-MM) by a number of months. */
export function shiftMonth(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return toMonth(new Date(year, number - 1 + by, 1, 12))
}

function pad(value: number, length: number) {
  return String(value).padStart(length, '0')
}
