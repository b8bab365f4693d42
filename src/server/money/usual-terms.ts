import type { Db } from '../../../db/open.ts'
import type { DateRange } from '../../domain/common/dates.ts'
import { depositSection } from '../../domain/money/deposit-input.ts'
import { defaultLeaseRentCents } from '../../domain/money/rent-quote.ts'
import { listActiveRates } from '../bookings/rates.ts'
import { type ApplicationRow, bookedStayOf } from '../bookings/records.ts'
import { readSection } from '../site/settings.ts'

/** Rent and deposit of an application's lease in cents: its own, else the rent from the rates and the usual deposit. */
export function usualTerms(
  db: Db,
  application: ApplicationRow,
  stay: DateRange = bookedStayOf(application),
): { rentCents: number; depositCents: number } {
  const rentCents = application.rentCents ?? defaultLeaseRentCents(listActiveRates(db), stay)
  const { amountCents } = readSection(db, depositSection).body
  return { rentCents, depositCents: application.depositCents ?? amountCents ?? rentCents }
}
