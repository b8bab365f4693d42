import type { Db } from '../../../db/open.ts'
import { type DateRange, nightsBetween } from '../../domain/common/dates.ts'
import { fieldError } from '../../domain/common/errors.ts'
import { dollarsToCents } from '../../domain/common/money.ts'
import { maxStayNights } from '../../domain/common/stay.ts'
import type { LeaseTermsInput } from '../../domain/leases/lease-generation.ts'
import { bookedStayOf, type OwnApplication } from '../bookings/records.ts'
import type { LeaseTerms } from '../bookings/terms.ts'
import { usualTerms } from '../money/usual-terms.ts'

/** The default terms of an application's lease: stored values, else those that are usual. */
export function defaultLeaseTerms(
  db: Db,
  { application }: OwnApplication,
  stay: DateRange = bookedStayOf(application),
): LeaseTerms {
  return { ...stay, ...usualTerms(db, application, stay) }
}

/** The given terms, with defaults for the others. @throws AppError bad_request for invalid dates */
export function resolveTerms(tx: Db, record: OwnApplication, input: LeaseTermsInput): LeaseTerms {
  const known = defaultLeaseTerms(tx, record)
  const stay = { start: input.leaseStartDate ?? known.start, end: input.leaseEndDate ?? known.end }
  const nights = nightsBetween(stay.start, stay.end)
  const problem = nights < 1 ? 'End date must be after start date' : 'A stay can be at most three years long'
  if (nights < 1 || nights > maxStayNights) throw fieldError('leaseEndDate', problem)
  const { application } = record
  const given = {
    ...application,
    rentCents: inCents(input.rentalAmount) ?? application.rentCents,
    depositCents: inCents(input.depositAmount) ?? application.depositCents,
  }
  return defaultLeaseTerms(tx, { ...record, application: given }, stay)
}

const inCents = (dollars: number | null | undefined) =>
  dollars === null || dollars === undefined ? null : dollarsToCents(dollars)
