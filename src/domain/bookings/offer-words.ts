import type { CalendarDate } from '../common/dates.ts'
import { lastDayOf, untilText } from './claim.ts'
import { checking } from './securing.ts'

export const unsigned = 'The lease is not signed.'
export const noLease = 'The lease is not written yet.'

/** The open steps in words, such as 'sign the lease and pay the deposit'; empty if the guest can do nothing. */
export function toSecure(missing: readonly string[]): string {
  const payments = missing.filter(each => each !== unsigned && each !== noLease)
  const tasks = [
    ...(missing.includes(unsigned) ? ['sign the lease'] : []),
    ...(payments.length > 0 ? ['pay the deposit'] : []),
  ]
  return tasks.join(' and ')
}

/** What the guest is asked for, or waits for. */
export function pleaseSecure(missing: readonly string[], until = ''): string {
  const tasks = toSecure(missing)
  return tasks ? `Please ${tasks}${until && ` by ${until}`}.` : missing.join(' ')
}

/**
 * What whoever accepted an offer is asked for. After the deadline the offer waits until the provider has told what was paid
 * in time.
 */
export const secureSentence = (
  missing: readonly string[],
  untilAt: string,
  day: { today: CalendarDate; timeZone: string },
): string =>
  missing.length === 0 || lastDayOf(untilAt, day.timeZone) < day.today
    ? checking
    : pleaseSecure(missing, untilText(untilAt, day.timeZone))

/** 'next year' or 'in 2028'. */
export const inYear = (date: CalendarDate, today: CalendarDate): string => {
  const year = Number(date.slice(0, 4))
  return year === Number(today.slice(0, 4)) + 1 ? 'next year' : `in ${year}`
}
