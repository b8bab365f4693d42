import { randomUUID } from 'node:crypto'
import { and, count, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { leases } from '../../../db/schema.ts'
import type { Admin, SignedIn } from '../../domain/access.ts'
import { isBooked } from '../../domain/application-status.ts'
import { type ChargeLine, hasOtherCharges, sumOf } from '../../domain/charge.ts'
import { type DateRange, nightsBetween } from '../../domain/dates.ts'
import { AppError, fieldError } from '../../domain/errors.ts'
import type { LeaseTermsInput } from '../../domain/lease-generation.ts'
import { hasPlaceForSchedule, type LeaseData, renderLeaseText } from '../../domain/lease-text.ts'
import { defaultDepositCents, dollarsToCents } from '../../domain/money.ts'
import type { WrittenPlan } from '../../domain/payment-plan.ts'
import type { PlanChoice } from '../../domain/payment-plan-kinds.ts'
import { scheduleText } from '../../domain/payment-plan-text.ts'
import { coApplicantName } from '../../domain/people.ts'
import { defaultLeaseRentCents } from '../../domain/quote.ts'
import { maxStayNights } from '../../domain/stay.ts'
import { notifyTenant } from '../bookings/notifications.ts'
import {
  bookedStayOf,
  isSigned,
  loadRecord,
  loadSubmitted,
  type OwnApplication,
} from '../bookings/records.ts'
import { bookTerms, type LeaseTerms } from '../bookings/terms.ts'
import { assertBookable, recordOverride } from '../calendars/bookable.ts'
import { updateConflicts } from '../calendars/conflicts.ts'
import {
  basisOfLease,
  type ChargeBasis,
  chargeBasis,
  linesOfLease,
  storeLeaseCharges,
} from '../charges/lease-charges.ts'
import { releaseWaivers } from '../charges/waivers.ts'
import { currentSite } from '../content/current-site.ts'
import { usableWording } from '../content/wordings.ts'
import { type PlanWish, storePlan } from '../instalments/write-plan.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { failpoint } from '../lib/failpoint.ts'
import { sha256 } from '../lib/sha256.ts'
import { listActiveRates } from '../rates/service.ts'

export type GeneratedLease = { leaseAgreement: string; leaseTextSha256: string }

export const notApprovedMessage = 'The application must be approved before its lease is generated.'
export const leaseSignedMessage = 'The lease is signed. Delete it to change its terms.'

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

/**
 * Generates the lease in the newest wording, or replaces an unsigned lease.
 * @throws AppError not_found; conflict if the application is not approved or completed, if the lease is signed, as in
 * `assertBookable`, and if the wording must be checked or has no placeholder for the payment plan; bad_request for a
 * fee that does not apply
 */
export function generateLease(
  deps: Deps,
  actor: Admin,
  applicationId: string,
  input: LeaseTermsInput,
): Promise<GeneratedLease> {
  return deps.write(tx => {
    const lease = generateLeaseIn(deps, tx, actor, applicationId, input)
    updateConflicts(deps, tx, ...(input.overrideCalendar ? [applicationId] : []))
    return lease
  })
}

/**
 * `generateLease` inside a write; the caller calls `updateConflicts`. Without `notify`, the tenant gets no mail.
 * @throws AppError as in `generateLease`
 */
export function generateLeaseIn(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  applicationId: string,
  input: LeaseTermsInput,
  { notify = true }: { notify?: boolean } = {},
): GeneratedLease {
  const record = loadSubmitted(tx, actor, applicationId)
  if (!isBooked(record.application.status)) throw new AppError('conflict', notApprovedMessage)
  if (isSigned(record.lease)) throw new AppError('conflict', leaseSignedMessage)
  const terms = chosenTerms(tx, record, input)
  const taken = assertBookable(deps, tx, {
    applicationId,
    stay: terms,
    held: bookedStayOf(record.application),
    overrideCalendar: input.overrideCalendar,
  })
  const { basis } = chargeBasis(tx, applicationId, terms, input)
  const wording = leaseWording(tx)
  const wish = { chosen: input.plan ?? undefined }
  const writing = { kind: 'lease.generated', terms, basis, wording, wish } as const
  const lease = writeLease(deps, tx, actor, applicationId, writing)
  recordOverride(deps, tx, actor, applicationId, taken)
  if (notify) notifyOfLease(deps, tx, actor, applicationId, lease)
  return lease
}

/** The charges of a lease with these terms, rent first, deposit last. @throws AppError as in `generateLease` */
export function chargesOfTerms(
  db: Db,
  actor: Admin,
  applicationId: string,
  input: LeaseTermsInput,
): ChargeLine[] {
  const record = loadSubmitted(db, actor, applicationId)
  const terms = chosenTerms(db, record, input)
  return linesOfLease(record.application, terms, chargeBasis(db, applicationId, terms, input).basis)
}

/**
 * Rewrites an unsigned lease from the application's updated values, in the lease's wording version. Keeps its fees and
 * taxes unless its dates change; then the current rules apply. Does nothing before generation. `wish` changes the
 * payment plan; without it, a wording without a placeholder for a plan gets no plan.
 * @throws AppError conflict if signed, or if the wording must be checked or has no placeholder for the wanted plan;
 * bad_request at `instalments` for payments that do not add up
 */
export function rewriteLease(
  deps: Deps,
  tx: Tx,
  actor: SignedIn,
  applicationId: string,
  wish?: PlanWish,
): void {
  const record = loadRecord(tx, actor, applicationId)
  const { lease } = record
  if (lease === null) return
  if (isSigned(lease)) throw new AppError('conflict', leaseSignedMessage)
  const terms = defaultLeaseTerms(tx, record)
  const hasMoved = lease.startDate !== terms.start || lease.endDate !== terms.end
  const basis = hasMoved ? chargeBasis(tx, applicationId, terms).basis : basisOfLease(tx, applicationId)
  const wording = leaseWording(tx, lease.wordingVersion)
  const keep = hasPlaceForSchedule(wording.text) ? {} : null
  const writing = { kind: 'lease.rewritten', terms, basis, wording, wish: wish ?? keep } as const
  const written = writeLease(deps, tx, actor, applicationId, writing)
  notifyOfLease(deps, tx, actor, applicationId, written)
}

type LeaseTemplate = { version: number; text: string }

/** The newest lease wording, or the given version. @throws AppError conflict if it cannot be used (LTEXT-05) */
function leaseWording(tx: Tx, version?: number): LeaseTemplate {
  const wording = usableWording(tx, 'lease', version)
  if (wording.body) return { version: wording.version, text: wording.body.text }
  throw new AppError('conflict', `The lease wording must be checked: ${wording.fault}`)
}

type LeaseWriting = {
  kind: 'lease.generated' | 'lease.rewritten'
  terms: LeaseTerms
  basis: ChargeBasis
  wording: LeaseTemplate
  /** Null if the lease gets no plan. */
  wish: PlanWish | null
}

/** Stores the lease's terms, plan, charges and text. */
function writeLease(
  deps: Deps,
  tx: Tx,
  actor: SignedIn,
  applicationId: string,
  { basis, kind, terms, wish, wording }: LeaseWriting,
): GeneratedLease {
  const at = nowIso(deps)
  bookTerms(tx, at, applicationId, terms)
  const record = loadRecord(tx, actor, applicationId)
  const lines = linesOfLease(record.application, terms, basis)
  const plan = wish && planOfLease(deps, tx, at, actor, record, { terms, lines, wish })
  storeLeaseCharges(deps, tx, at, applicationId, lines)
  const text = renderLeaseText(leaseDataOf(deps, record, terms, lines, plan), wording.text)
  const textSha256 = sha256(text)
  const { start, end, ...money } = terms
  failpoint('in-lease-write')
  const { version: wordingVersion } = wording
  const period = { startDate: start, endDate: end }
  const planChoice = choiceAfter(record.lease?.planChoice ?? null, wish)
  storeLease(tx, record, {
    ...{ ...period, ...money, text, textSha256, wordingVersion },
    ...{ planChoice, generatedAt: at },
  })
  recordEvent(tx, at, actor, kind, applicationId, {
    leaseTextSha256: textSha256,
    wordingVersion,
    leaseStartDate: start,
    leaseEndDate: end,
    ...money,
    ...(hasOtherCharges(lines) && { owedCents: sumOf(lines) }),
  })
  return { leaseAgreement: text, leaseTextSha256: textSha256 }
}

/** Stores the lease's plan. Waivers of payments that the new plan drops become plain adjustments (`releaseWaivers`). */
function planOfLease(
  deps: Deps,
  tx: Tx,
  at: string,
  actor: SignedIn,
  { application, lease }: OwnApplication,
  { lines, terms, wish }: { terms: LeaseTerms; lines: readonly ChargeLine[]; wish: PlanWish },
): WrittenPlan | null {
  const { end, rentCents: monthlyRentCents, start } = terms
  const choice = lease?.planChoice ?? null
  const ofLease = { applicationId: application.id, choice, start, end, monthlyRentCents, charges: lines }
  const { plan, superseded } = storePlan(deps, tx, at, actor, ofLease, wish)
  if (superseded !== 'none') releaseWaivers(tx, application.id, superseded)
  return plan
}

const choiceAfter = (before: PlanChoice | null, wish: PlanWish | null): PlanChoice | null => {
  if (!wish?.chosen) return before
  return wish.chosen === 'setup' ? null : wish.chosen
}

/** Notifies the tenant once per lease text, unless the tenant made the change. */
function notifyOfLease(
  deps: Deps,
  tx: Tx,
  actor: SignedIn,
  applicationId: string,
  { leaseTextSha256 }: GeneratedLease,
): void {
  if (actor.role !== 'admin') return
  notifyTenant(tx, nowIso(deps), 'lease-ready', loadRecord(tx, actor, applicationId), leaseTextSha256)
}

type WrittenLease = Pick<
  typeof leases.$inferInsert,
  | 'startDate'
  | 'endDate'
  | 'rentCents'
  | 'depositCents'
  | 'text'
  | 'textSha256'
  | 'wordingVersion'
  | 'planChoice'
  | 'generatedAt'
>

function storeLease(tx: Tx, { application, lease }: OwnApplication, written: WrittenLease): void {
  if (lease) return void tx.update(leases).set(written).where(eq(leases.id, lease.id)).run()
  const before = tx
    .select({ count: count() })
    .from(leases)
    .where(and(eq(leases.applicationId, application.id), eq(leases.kind, 'lease')))
    .get()
  tx.insert(leases)
    .values({
      id: randomUUID(),
      applicationId: application.id,
      kind: 'lease',
      number: (before?.count ?? 0) + 1,
      ...written,
    })
    .run()
}

/** The given terms, with defaults for the others. @throws AppError bad_request for invalid dates */
export function chosenTerms(tx: Db | Tx, record: OwnApplication, input: LeaseTermsInput): LeaseTerms {
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

function leaseDataOf(
  deps: Deps,
  { application }: OwnApplication,
  terms: LeaseTerms,
  charges: readonly ChargeLine[],
  plan: WrittenPlan | null,
): LeaseData {
  const site = currentSite(deps)
  const { facts, houseRules } = deps.words().content
  return {
    applicationNumber: application.number,
    landlordName: site.companyName,
    landlordEmail: site.ownerEmail,
    landlordPhone: site.ownerPhone,
    propertyName: site.propertyName,
    propertyAddress: site.propertyAddress,
    tenantName: `${application.firstName} ${application.lastName}`,
    coTenantName: coApplicantName(application) ?? null,
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
    paymentSchedule: plan ? scheduleText(plan.instalments, plan.lateFee) : '',
  }
}
