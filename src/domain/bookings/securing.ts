import { addDays, type CalendarDate, formatShortDate } from '../common/dates.ts'
import { formatCents } from '../common/money.ts'
import { plural } from '../common/plural.ts'

type Securing = { startDate: CalendarDate; secureDays: number; depositCents: number }

/** The last day to sign and pay after accepting today: at most the day of arrival (CLAIM-25). */
export const lastSecureDay = (
  { secureDays, startDate }: Omit<Securing, 'depositCents'>,
  today: CalendarDate,
): CalendarDate => [addDays(today, secureDays), startDate].sort()[0] ?? startDate

/** What follows an acceptance, as its guest reads it before; undefined if there is no deadline. */
export function afterAccepting(offer: Securing, today: CalendarDate): string | undefined {
  const { depositCents, secureDays, startDate } = offer
  if (secureDays === 0) return undefined
  const isEarlier = startDate < addDays(today, secureDays)
  const when = isEarlier ? `by ${formatShortDate(startDate)}` : `within ${plural(secureDays, 'day')}`
  return `After accepting, please ${signAndPay(depositCents)} ${when}, or the booking lapses.`
}

const signAndPay = (depositCents: number, lease = 'the lease') =>
  `sign ${lease}${depositCents > 0 ? ` and pay the ${formatCents(depositCents)} deposit` : ''}`

/** The same below 'Sign your lease', until the last day. */
export const signInTime = (depositCents: number, until: CalendarDate, today: CalendarDate): string =>
  until < today
    ? checking
    : `Please ${signAndPay(depositCents, 'it')} by ${formatShortDate(until)}, or the booking lapses.`

export const checking = 'We are checking your payment.'
