import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { applications } from '../../../db/schema.ts'
import type { Admin, SignedIn } from '../../domain/access.ts'
import { coApplicantName, maxStayNights } from '../../domain/application.ts'
import { isBooked } from '../../domain/application-status.ts'
import { type DateRange, nightsBetween } from '../../domain/dates.ts'
import { AppError } from '../../domain/errors.ts'
import type { LeaseTermsInput } from '../../domain/lease-generation.ts'
import { owedCents, termRent } from '../../domain/lease-terms.ts'
import { type LeaseData, renderLeaseText } from '../../domain/lease-text.ts'
import { defaultDepositCents, dollarsToCents } from '../../domain/money.ts'
import { defaultLeaseRentCents } from '../../domain/quote.ts'
import { assertNoOverlap } from '../bookings/nights.ts'
import { notifyTenant } from '../bookings/notifications.ts'
import { type ApplicationRow, loadRecord, loadSubmitted } from '../bookings/records.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { sha256 } from '../lib/sha256.ts'
import { listActiveRates } from '../rates/service.ts'

/** Start, end, monthly rent and deposit of a lease; cents. */
export type LeaseTerms = DateRange & { rentCents: number; depositCents: number }
export type GeneratedLease = { leaseAgreement: string; leaseTextSha256: string }

export const leaseSignedMessage = 'The lease is signed. Delete it to change its terms.'

/**
 * The terms that a lease of this application starts with: what is known of it, then the requested dates, the rent of
 * the rate periods and the usual deposit.
 */
export function defaultLeaseTerms(db: Db | Tx, row: ApplicationRow, stay?: DateRange): LeaseTerms {
  const dates = stay ?? {
    start: row.leaseStartDate ?? row.requestedStartDate,
    end: row.leaseEndDate ?? row.requestedEndDate,
  }
  return {
    ...dates,
    rentCents: row.rentCents ?? defaultLeaseRentCents(listActiveRates(db), dates),
    depositCents: row.depositCents ?? defaultDepositCents,
  }
}

/**
 * Writes the lease's terms and text, again until it is signed.
 * @throws AppError not_found; conflict unless approved or completed, once signed, and onto another booking
 */
export function generateLease(
  deps: Deps,
  actor: Admin,
  applicationId: string,
  input: LeaseTermsInput,
): Promise<GeneratedLease> {
  return deps.write(tx => {
    const { application: row } = loadSubmitted(tx, actor, applicationId)
    if (!isBooked(row.status))
      throw new AppError('conflict', 'The application must be approved before its lease is generated.')
    if (row.leaseSignedAt !== null) throw new AppError('conflict', leaseSignedMessage)
    const terms = chosenTerms(tx, row, input)
    assertNoOverlap(tx, terms, row.id)
    tx.update(applications)
      .set({
        leaseStartDate: terms.start,
        leaseEndDate: terms.end,
        rentCents: terms.rentCents,
        depositCents: terms.depositCents,
        updatedAt: nowIso(deps),
      })
      .where(eq(applications.id, row.id))
      .run()
    return writeLease(tx, deps, actor, row.id, 'lease.generated')
  })
}

/**
 * Writes a generated, unsigned lease anew after the application's names, guests, dates, rent or deposit have changed.
 * The application must have its new values already. Does nothing before generation.
 * @throws AppError conflict once signed
 */
export function rewriteLease(tx: Tx, deps: Deps, actor: SignedIn, applicationId: string): void {
  const { application: row } = loadRecord(tx, actor, applicationId)
  if (row.leaseGeneratedAt === null) return
  if (row.leaseSignedAt !== null) throw new AppError('conflict', leaseSignedMessage)
  writeLease(tx, deps, actor, applicationId, 'lease.rewritten')
}

/** Text, its hash and the total from the terms in the row; the tenant is told of each text once, unless it is their own edit. */
function writeLease(
  tx: Tx,
  deps: Deps,
  actor: SignedIn,
  id: string,
  kind: 'lease.generated' | 'lease.rewritten',
): GeneratedLease {
  const at = nowIso(deps)
  const record = loadRecord(tx, actor, id)
  const data = leaseDataOf(record.application, deps)
  const leaseText = renderLeaseText(data)
  const leaseTextSha256 = sha256(leaseText)
  const totalCents = owedCents(
    termRent(data.startDate, data.endDate, data.monthlyRentCents),
    data.depositCents,
  )
  tx.update(applications)
    .set({ leaseText, leaseTextSha256, leaseGeneratedAt: at, totalCents })
    .where(eq(applications.id, id))
    .run()
  recordEvent(tx, at, actor, kind, id, {
    leaseTextSha256,
    leaseStartDate: data.startDate,
    leaseEndDate: data.endDate,
    rentCents: data.monthlyRentCents,
    depositCents: data.depositCents,
  })
  if (actor.role === 'admin') notifyTenant(tx, at, 'lease-ready', record, leaseTextSha256)
  return { leaseAgreement: leaseText, leaseTextSha256 }
}

function chosenTerms(tx: Tx, row: ApplicationRow, input: LeaseTermsInput): LeaseTerms {
  const known = defaultLeaseTerms(tx, row)
  const stay = { start: input.leaseStartDate ?? known.start, end: input.leaseEndDate ?? known.end }
  const nights = nightsBetween(stay.start, stay.end)
  const problem = nights < 1 ? 'End date must be after start date' : 'A stay can be at most three years long'
  if (nights < 1 || nights > maxStayNights)
    throw new AppError('bad_request', problem, { fields: { leaseEndDate: problem } })
  const defaults = defaultLeaseTerms(tx, row, stay)
  return {
    ...stay,
    rentCents: orDefault(input.rentalAmount, defaults.rentCents),
    depositCents: orDefault(input.depositAmount, defaults.depositCents),
  }
}

const orDefault = (dollars: number | null | undefined, cents: number) =>
  dollars === null || dollars === undefined ? cents : dollarsToCents(dollars)

function leaseDataOf(row: ApplicationRow, { config }: Deps): LeaseData {
  const { site } = config
  const { leaseStartDate, leaseEndDate, rentCents, depositCents } = row
  if (leaseStartDate === null || leaseEndDate === null || rentCents === null || depositCents === null)
    throw new Error(`application ${row.id} has no lease terms`)
  return {
    applicationNumber: row.number,
    landlordName: site.companyName,
    landlordEmail: site.ownerEmail,
    landlordPhone: site.ownerPhone,
    propertyName: site.propertyName,
    propertyAddress: site.propertyAddress,
    tenantName: `${row.firstName} ${row.lastName}`,
    coTenantName: coApplicantName(row) ?? null,
    guests: row.additionalGuests.map(guest => ({
      name: `${guest.firstName} ${guest.lastName}`,
      isAdult: guest.isAdult,
    })),
    startDate: leaseStartDate,
    endDate: leaseEndDate,
    monthlyRentCents: rentCents,
    depositCents,
  }
}
