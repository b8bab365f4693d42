import type { Db, Tx } from '../../../db/open.ts'
import { type DateRange, nightsBetween } from '../../domain/common/dates.ts'
import { fieldError } from '../../domain/common/errors.ts'
import { defaultDepositCents, dollarsToCents } from '../../domain/common/money.ts'
import { maxStayNights } from '../../domain/common/stay.ts'
import type { LeaseTermsInput } from '../../domain/leases/lease-generation.ts'
import { defaultLeaseRentCents } from '../../domain/money/quote.ts'
import { listActiveRates } from '../bookings/rates.ts'
import { bookedStayOf, type OwnApplication } from '../bookings/records.ts'
import type { LeaseTerms } from '../bookings/terms.ts'

/**
 * The default terms of an application's lease: stored values, else the rent from the rates and the standard deposit.
 */
export function defaultLeaseTerms(
  db: Db | Tx,
  { application }: OwnApplication,
  stay: DateRange = bookedStayOf(application),
): LeaseTerms {
  return {
    ...stay,
    rentCents: application.rentCents ?? defaultLeaseRentCents(listActiveRates(db), stay),
    depositCents: application.depositCents ?? defaultDepositCents,
  }
}

/** The given terms, with defaults for the others. @throws AppError bad_request for invalid dates */
export function resolveTerms(tx: Db | Tx, record: OwnApplication, input: LeaseTermsInput): LeaseTerms {
  const known = defaultLeaseTerms(tx, record)
  const stay = { start: input.leaseStartDate ?? known.start, end: input.leaseEndDate ?? known.end }
  const nights = nightsBetween(stay.start, stay.end)
  const problem = nights < 1 ? 'End date must be after start date' : 'A stay can be at most three years long'
  if (nights < 1 || nights > maxStayNights) throw fieldError('leaseEndDate', problem)
  const defaults = defaultLeaseTerms(tx, record, stay)
  return {
    ...stay,
    rentCents: orDefault(input.rentalAmount, defaults.rentCents),
    depositCents: orDefault(input.depositAmount, defaults.depositCents),
  }
}

const orDefault = (dollars: number | null | undefined, cents: number) =>
  dollars === null || dollars === undefined ? cents : dollarsToCents(dollars)
