export const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Lists weekdays from Sunday on: `Friday`, `Friday and Saturday`, `Sunday, Friday and Saturday`. */
export function formatWeekdays(weekdays: readonly number[]): string {
  const names = weekdayNames.filter((_, day) => weekdays.includes(day))
  const [last = ''] = names.slice(-1)
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last
}
