import { addDays, dateIn, datesInRange, formatShortDate } from '../../domain/common/dates.ts'
import { rateForNight } from '../../domain/money/season.ts'
import type { NoticeCheck } from '../kernel/notice.ts'
import { listAvailability } from './availability.ts'
import { listActiveRates } from './rates.ts'

const daysAhead = 183

/** The next free nights without a rate, for which nobody can apply (LOOK-58). A demo has rates from its start. */
export const missingRates: NoticeCheck = deps => {
  const { clock, config, db } = deps
  if (config.mode === 'demo') return []
  const today = dateIn(clock.now(), config.site.timeZone)
  const end = addDays(today, daysAhead)
  const taken = new Set(
    listAvailability(deps, { startDate: today, endDate: end }).flatMap(({ date, isAvailable }) =>
      isAvailable ? [] : [date],
    ),
  )
  const rates = listActiveRates(db)
  const isPriced = (night: string) => taken.has(night) || rateForNight(rates, night) !== undefined
  const nights = datesInRange({ start: today, end })
  const first = nights.find(night => !isPriced(night))
  if (first === undefined) return []
  const priced = nights.find(night => night > first && isPriced(night))
  const gap = priced
    ? `for nights from ${formatShortDate(first)} to ${formatShortDate(addDays(priced, -1))}`
    : `for nights from ${formatShortDate(first)} on`
  return [
    {
      id: 'missing-rates',
      tone: 'warning',
      title: rates.length === 0 ? 'There are no rates yet' : 'Rates are missing',
      detail: `Nobody can apply ${gap}: guests can only ask for a price.`,
      action: { kind: 'rates' },
    },
  ]
}
