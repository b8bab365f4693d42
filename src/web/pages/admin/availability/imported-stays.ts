import type { AdminAvailabilityEntry } from '../../../../domain/bookings/availability.ts'
import { addDays, type DateRange } from '../../../../domain/common/dates.ts'

export type ImportedStay = DateRange & { feedId: string; feedName: string }

/** Merges consecutive nights taken by the same imported calendar into stays. Expects the entries sorted by date. */
export function importedStays(entries: readonly AdminAvailabilityEntry[]): ImportedStay[] {
  const stays: ImportedStay[] = []
  for (const { date, feedId, feedName } of entries) {
    if (feedId === undefined || feedName === undefined) continue
    const last = stays.at(-1)
    if (last?.feedId === feedId && last.end === date) last.end = addDays(date, 1)
    else stays.push({ feedId, feedName, start: date, end: addDays(date, 1) })
  }
  return stays
}
