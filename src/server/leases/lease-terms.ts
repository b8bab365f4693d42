import type { Db } from '../../../db/open.ts'
import { coApplicantName } from '../../domain/bookings/people.ts'
import { type DateRange, nightsBetween } from '../../domain/common/dates.ts'
import { AppError, fieldError } from '../../domain/common/errors.ts'
import { dollarsToCents } from '../../domain/common/money.ts'
import { maxStayNights } from '../../domain/common/stay.ts'
import type { LeaseTermsInput } from '../../domain/leases/lease-generation.ts'
import type { SignedDocument } from '../../domain/leases/lease-signing.ts'
import type { LeaseData } from '../../domain/leases/lease-text.ts'
import type { ChargeLine } from '../../domain/money/charge.ts'
import { type PlanDraft, scheduleText } from '../../domain/money/payment-plan.ts'
import { type ApplicationRow, bookedStayOf, type OwnApplication } from '../bookings/records.ts'
import type { LeaseTerms } from '../bookings/terms.ts'
import type { Deps } from '../kernel/deps.ts'
import { usualTerms } from '../money/usual-terms.ts'
import { currentSite } from '../site/content/published.ts'
import { usableWording } from '../site/content/wordings.ts'

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

export type DocumentWording = { version: number; text: string }

/** The newest wording, or the given version. @throws AppError conflict if it cannot be used (LTEXT-05) */
export function documentWording(db: Db, kind: SignedDocument, version?: number): DocumentWording {
  const wording = usableWording(db, kind, version)
  if (wording.body) return { version: wording.version, text: wording.body.text }
  throw new AppError('conflict', `The ${kind} wording must be checked: ${wording.fault}`)
}

/** Who makes the contract, and where. */
export function partiesOf(deps: Deps, application: ApplicationRow) {
  const { companyName: landlordName, propertyAddress, propertyName } = currentSite(deps)
  return {
    applicationNumber: application.number,
    landlordName,
    propertyName,
    propertyAddress,
    tenantName: `${application.firstName} ${application.lastName}`,
    coTenantName: coApplicantName(application) ?? null,
  }
}

/** The values that fill in the placeholders of a lease's wording. */
export function leaseDataOf(
  deps: Deps,
  { application }: OwnApplication,
  terms: LeaseTerms,
  charges: readonly ChargeLine[],
  plan: PlanDraft | null,
): LeaseData {
  const site = currentSite(deps)
  const { facts, houseRules } = deps.siteContent().content
  return {
    ...partiesOf(deps, application),
    landlordEmail: site.ownerEmail,
    landlordPhone: site.ownerPhone,
    guests: application.additionalGuests.map(guest => ({
      name: `${guest.firstName} ${guest.lastName}`,
      isAdult: guest.isAdult,
    })),
    startDate: terms.start,
    endDate: terms.end,
    monthlyRentCents: terms.rentCents,
    depositCents: terms.depositCents,
    guestLimit: facts.sleeps,
    houseRules: houseRules.rules,
    charges: charges.filter(({ kind }) => kind !== 'rent' && kind !== 'deposit'),
    paymentSchedule: plan ? scheduleText(plan.installments, plan.lateFee) : '',
  }
}
