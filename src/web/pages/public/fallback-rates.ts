import type { RateRow } from './rates-table.tsx'

const none = {
  nightly: null,
  weekendNight: null,
  weekly: null,
  monthly: null,
  startDate: null,
  endDate: null,
}

/** Shown if the live rates could not be loaded; in US dollars. */
export const fallbackRates: RateRow[] = [
  { ...none, id: 'off-season', period: 'Off Season (Sep-May)', nightly: 150, minStay: 3 },
  { ...none, id: 'peak-season', period: 'Peak Season (Jun-Aug)', nightly: 200, minStay: 7 },
  { ...none, id: 'holidays', period: 'Holiday Weekends', nightly: 250, minStay: 3 },
  { ...none, id: 'monthly', period: 'Monthly', monthly: 3500, minStay: 30 },
  { ...none, id: 'weekly', period: 'Weekly', weekly: 1200, minStay: 7 },
]
