import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { leases } from '../../../db/schema.ts'
import type { Admin, SignedIn } from '../../domain/accounts/access.ts'
import { isBooked } from '../../domain/bookings/application-status.ts'
import { AppError } from '../../domain/common/errors.ts'
import type { LeaseTermsInput } from '../../domain/leases/lease-generation.ts'
import { hasPlaceForSchedule, renderLeaseText } from '../../domain/leases/lease-text.ts'
import { type ChargeLine, hasOtherCharges, sumOf } from '../../domain/money/charge.ts'
import type { PlanChoice, PlanDraft } from '../../domain/money/payment-plan.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import {
  type Acceptance,
  acceptanceOf,
  assertBookable,
  recordOverride,
} from '../bookings/calendars/bookable.ts'
import { updateConflicts } from '../bookings/calendars/conflicts.ts'
import { refreshStaleFeeds } from '../bookings/calendars/refresh-stale.ts'
import { renewSecuring } from '../bookings/claims.ts'
import type { ImportedEvent } from '../bookings/imported-nights.ts'
import { notifyTenant } from '../bookings/notifications.ts'
import {
  bookedStayOf,
  getApplicationRecord,
  getSubmittedApplication,
  isSigned,
  type LeaseRow,
  type OwnApplication,
} from '../bookings/records.ts'
import { bookTerms, type LeaseTerms } from '../bookings/terms.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { failpoint } from '../lib/failpoint.ts'
import { sha256 } from '../lib/sha256.ts'
import {
  basisOfLease,
  type ChargeBasis,
  chargeBasis,
  linesOfLease,
  storeLeaseCharges,
} from '../money/lease-charges.ts'
import { releaseWaivers } from '../money/settle-charges.ts'
import { type PlanRequest, storePlan } from '../money/write-plan.ts'
import {
  type DocumentWording,
  defaultLeaseTerms,
  documentWording,
  leaseDataOf,
  resolveTerms,
} from './lease-terms.ts'
import { nextNumber } from './records.ts'
import { followDocument } from './signing/void.ts'

export type GeneratedLease = { leaseAgreement: string; leaseTextSha256: string }

type OfferedTerms = Pick<LeaseTerms, 'rentCents' | 'depositCents'> & Pick<ChargeBasis, 'fees'>

export const notApprovedMessage = 'The application must be approved before its lease is generated.'
export const leaseSignedMessage = 'The lease is signed. Delete it to change its terms.'

/**
 * Generates the lease in the newest wording, or replaces an unsigned lease.
 * @throws AppError not_found; forbidden for own lines without a step-up; conflict if the application is not approved or completed, if the lease is signed, as in
 * `assertBookable`, and if the wording must be checked or has no placeholder for the payment plan; bad_request for a
 * fee that does not apply
 */
export async function generateLease(
  deps: Deps,
  actor: Admin,
  applicationId: string,
  input: LeaseTermsInput,
): Promise<GeneratedLease> {
  const accept = acceptanceOf(deps, input.overrideCalendar)
  const { start, end } = bookedStayOf(getSubmittedApplication(deps.db, actor, applicationId).application)
  const { leaseEndDate, leaseStartDate } = input
  if ((leaseStartDate ?? start) !== start || (leaseEndDate ?? end) !== end) await refreshStaleFeeds(deps)
  return deps.write(tx => {
    const { lease, taken } = generateLeaseIn(deps, tx, actor, applicationId, input, { accept })
    updateConflicts(deps, tx, { applicationId, taken })
    return lease
  })
}

/**
 * `generateLease` inside a write; the caller calls `updateConflicts` with the imported nights `taken` nevertheless.
 * Without `notify`, the tenant gets no mail.
 * @throws AppError as in `generateLease`
 */
export function generateLeaseIn(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  applicationId: string,
  input: LeaseTermsInput,
  { accept, notify = true }: { accept?: Acceptance; notify?: boolean } = {},
): { lease: GeneratedLease; taken: ImportedEvent[] } {
  // The lines' labels are read in the lease.
  if (input.extraLines?.length) requireStepUp(deps, tx, actor)
  const record = getSubmittedApplication(tx, actor, applicationId)
  if (!isBooked(record.application.status)) throw new AppError('conflict', notApprovedMessage)
  if (isSigned(record.lease)) throw new AppError('conflict', leaseSignedMessage)
  const terms = resolveTerms(tx, record, input)
  const taken = assertBookable(deps, tx, {
    applicationId,
    stay: terms,
    held: bookedStayOf(record.application),
    accept,
  })
  const { basis } = chargeBasis(tx, applicationId, terms, input)
  const wording = documentWording(tx, 'lease')
  const planRequest = { chosen: input.plan ?? undefined }
  const writing = {
    kind: 'lease.generated',
    terms,
    basis,
    wording,
    planRequest,
    firstSignedAt: null,
  } as const
  const lease = writeLease(deps, tx, actor, applicationId, writing)
  recordOverride(deps, tx, actor, applicationId, taken)
  const offer = renewSecuring(deps, tx, actor, applicationId, terms.start)
  if (notify) notifyOfLease(deps, tx, actor, applicationId, lease, offer)
  return { lease, taken }
}

/**
 * Generates the lease of an accepted offer as it was offered, with the taxes of this moment
 * (CLAIM-19). The tenant gets no mail of it.
 * @throws AppError conflict if the wording must be checked
 */
export function generateOfferedLease(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  applicationId: string,
  { depositCents, fees, rentCents }: OfferedTerms,
): void {
  const record = getSubmittedApplication(tx, actor, applicationId)
  const terms = { ...bookedStayOf(record.application), rentCents, depositCents }
  const { taxes } = chargeBasis(tx, applicationId, terms).basis
  const planRequest = { chosen: undefined }
  const lease = { terms, basis: { fees, taxes }, wording: documentWording(tx, 'lease'), planRequest }
  writeLease(deps, tx, actor, applicationId, { kind: 'lease.generated', firstSignedAt: null, ...lease })
}

/** The charges of a lease with these terms, rent first, deposit last. @throws AppError as in `generateLease` */
export function chargesForTerms(
  db: Db,
  actor: Admin,
  applicationId: string,
  input: LeaseTermsInput,
): ChargeLine[] {
  const record = getSubmittedApplication(db, actor, applicationId)
  const terms = resolveTerms(db, record, input)
  return linesOfLease(db, record.application, terms, chargeBasis(db, applicationId, terms, input).basis)
}

/**
 * Rewrites an unsigned lease from the application's updated values, in the lease's wording version. Keeps its fees and
 * taxes unless its dates change, and its plan unless dates, rent or deposit change; then the current rules and settings
 * apply. Does nothing before generation. `planRequest` changes the payment plan; without it, a wording without a
 * placeholder for a plan gets no plan.
 * @throws AppError conflict if signed, or if the wording must be checked or has no placeholder for the wanted plan;
 * bad_request at `instalments` for payments that do not add up
 */
export function rewriteLease(
  deps: Deps,
  tx: Tx,
  actor: SignedIn,
  applicationId: string,
  planRequest?: PlanRequest,
): void {
  const record = getApplicationRecord(tx, actor, applicationId)
  const { lease } = record
  if (lease === null) return
  if (isSigned(lease)) throw new AppError('conflict', leaseSignedMessage)
  const terms = defaultLeaseTerms(tx, record)
  const hasMoved = lease.startDate !== terms.start || lease.endDate !== terms.end
  const basis = hasMoved ? chargeBasis(tx, applicationId, terms).basis : basisOfLease(tx, applicationId)
  const wording = documentWording(tx, 'lease', lease.wordingVersion)
  const keeps = hasTerms(lease, terms)
  const kept = hasPlaceForSchedule(wording.text) ? { keeps } : null
  const writing = {
    kind: 'lease.rewritten',
    terms,
    basis,
    wording,
    planRequest: planRequest ?? kept,
    firstSignedAt: planRequest || !keeps ? null : lease.firstSignedAt,
  } as const
  const written = writeLease(deps, tx, actor, applicationId, writing)
  // A change by the tenant is not announced to anybody.
  if (actor.role !== 'admin') return
  const offer = renewSecuring(deps, tx, actor, applicationId, terms.start)
  notifyOfLease(deps, tx, actor, applicationId, written, offer)
}

const hasTerms = (lease: LeaseRow, { depositCents, end, rentCents, start }: LeaseTerms): boolean =>
  lease.startDate === start &&
  lease.endDate === end &&
  lease.rentCents === rentCents &&
  lease.depositCents === depositCents

type LeaseWriting = {
  kind: 'lease.generated' | 'lease.rewritten'
  terms: LeaseTerms
  basis: ChargeBasis
  wording: DocumentWording
  /** Null if the lease gets no plan. */
  planRequest: PlanRequest | null
  /** A former signature that counts for what is due; null for an agreement with other terms or another plan. */
  firstSignedAt: string | null
}

/** Stores the lease's terms, plan, charges and text. */
function writeLease(
  deps: Deps,
  tx: Tx,
  actor: SignedIn,
  applicationId: string,
  writing: LeaseWriting,
): GeneratedLease {
  const { basis, firstSignedAt, kind, planRequest, terms, wording } = writing
  const at = nowIso(deps)
  bookTerms(tx, at, applicationId, terms)
  const record = getApplicationRecord(tx, actor, applicationId)
  if (record.lease) followDocument(deps, tx, actor, record.lease.id, record.application)
  const lines = linesOfLease(tx, record.application, terms, basis)
  const plan = planRequest && planOfLease(deps, tx, at, actor, record, { ...writing, planRequest }, lines)
  storeLeaseCharges(deps, tx, at, applicationId, lines)
  const text = renderLeaseText(leaseDataOf(deps, record, terms, lines, plan), wording.text)
  const textSha256 = sha256(text)
  const { start: startDate, end: endDate, ...money } = terms
  failpoint('in-lease-write')
  const { version: wordingVersion } = wording
  storeLease(tx, record, {
    startDate,
    endDate,
    ...money,
    text,
    textSha256,
    wordingVersion,
    planChoice: choiceAfter(record.lease?.planChoice ?? null, planRequest),
    firstSignedAt,
    generatedAt: at,
  })
  recordEvent(tx, at, actor, kind, applicationId, {
    leaseTextSha256: textSha256,
    wordingVersion,
    leaseStartDate: startDate,
    leaseEndDate: endDate,
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
  { firstSignedAt, planRequest, terms }: LeaseWriting & { planRequest: PlanRequest },
  charges: readonly ChargeLine[],
): PlanDraft | null {
  const { end, rentCents: monthlyRentCents, start } = terms
  const [applicationId, choice] = [application.id, lease?.planChoice ?? null]
  const ofLease = { applicationId, choice, firstSignedAt, start, end, monthlyRentCents, charges }
  const { plan, superseded } = storePlan(deps, tx, at, actor, ofLease, planRequest)
  if (superseded !== 'none') releaseWaivers(tx, applicationId, superseded)
  return plan
}

const choiceAfter = (before: PlanChoice | null, planRequest: PlanRequest | null): PlanChoice | null => {
  if (!planRequest?.chosen) return before
  return planRequest.chosen === 'setup' ? null : planRequest.chosen
}

/** Notifies the tenant once per lease text. */
function notifyOfLease(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  applicationId: string,
  { leaseTextSha256 }: GeneratedLease,
  offer: { claimId: string } | undefined,
): void {
  const record = getApplicationRecord(tx, actor, applicationId)
  const occasion = `${applicationId}:${leaseTextSha256}`
  notifyTenant(tx, nowIso(deps), 'lease-ready', record, { occasion, offer })
}

type WrittenLease = Omit<typeof leases.$inferInsert, 'applicationId' | 'id' | 'kind' | 'number'>

function storeLease(tx: Tx, { application, lease }: OwnApplication, written: WrittenLease): void {
  if (lease) return void tx.update(leases).set(written).where(eq(leases.id, lease.id)).run()
  const [applicationId, kind] = [application.id, 'lease' as const]
  const number = nextNumber(tx, applicationId, kind)
  tx.insert(leases)
    .values({ id: randomUUID(), applicationId, kind, number, ...written })
    .run()
}
