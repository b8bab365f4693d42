import type { CalendarDate } from '../../../../domain/common/dates.ts'
import type { Rate } from '../../../../domain/money/rate.ts'

type Period = Pick<Rate, 'startDate' | 'endDate' | 'isActive'> & { id?: string | undefined }
type Overlap = { rate: Rate; from: CalendarDate; to: CalendarDate }

/**
 * The other active periods that share days with an active period, and those days, both ends inclusive. Overlaps are
 * allowed: the shortest period sets the price. A reversed period shares no day.
 */
export function overlapsOf(period: Period, rates: readonly Rate[]): Overlap[] {
  if (!period.isActive) return []
  return rates
    .filter(rate => rate.isActive && rate.id !== period.id)
    .map(rate => ({
      rate,
      from: later(rate.startDate, period.startDate),
      to: earlier(rate.endDate, period.endDate),
    }))
    .filter(({ from, to }) => from !== '' && from <= to)
}

const later = (a: CalendarDate, b: CalendarDate) => (a > b ? a : b)
const earlier = (a: CalendarDate, b: CalendarDate) => (a < b ? a : b)
