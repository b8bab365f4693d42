import type { Admin, SignedIn } from '../../domain/accounts/access.ts'
import { isBooked, isEnded } from '../../domain/bookings/application-status.ts'
import { lastDayOf } from '../../domain/bookings/claim.ts'
import { guestCount } from '../../domain/bookings/people.ts'
import type { Waiting } from '../../domain/bookings/tenant-step.ts'
import { afterRequestedRefunds, creditedCents, type LedgerRow } from '../../domain/money/ledger.ts'
import { planTotals } from '../../domain/money/payment-plan-state.ts'
import { ruleWarnings } from '../bookings/booking-rules.ts'
import { importedOverlaps } from '../bookings/calendars/bookable.ts'
import { claimsWithin } from '../bookings/claim-records.ts'
import { blockedNights, bookingsWithin } from '../bookings/nights.ts'
import {
  type ApplicationRecord,
  bookedStayOf,
  getApplicationRecord,
  getSubmittedApplication,
  isSigned,
  listOwnApplications,
  needsLease,
  type OwnApplication,
} from '../bookings/records.ts'
import {
  type AdminApplicationView,
  type ApplicationView,
  presentForAdmin,
  presentForTenant,
} from '../bookings/views.ts'
import type { Deps } from '../kernel/deps.ts'
import { addendaOf, stateOf } from '../leases/addenda/records.ts'
import { leftToReturn } from '../money/accounts.ts'
import { claimToAnswer } from '../money/deposits/records.ts'
import { summaryOf } from '../money/queries.ts'
import { ledgersOf, moneyOf } from '../money/records.ts'
import { toldClaimOf } from '../money/statements.ts'
import { unpaidPlans } from '../money/unpaid-plans.ts'
import { decisionOn } from './decision.ts'
import { type ListedApplication, presentWithNextSteps } from './next-steps.ts'
import { unsecuredOf } from './offers/records.ts'
import type { StatusPreview } from './views.ts'

/** The caller's own applications, newest first. */
export function listOwn(deps: Deps, actor: SignedIn): ApplicationView[] {
  return listOwnApplications(deps.db, actor).map(record => presentOwn(deps, record))
}

/**
 * An application with what waits for its tenant. Whoever asks for dates that are promised reads by when they get an answer,
 * and nothing of the promise (CLAIM-31).
 */
export function presentOwn(deps: Deps, record: OwnApplication): ApplicationView {
  const { application } = record
  const waiting = waitingFor(deps, record)
  const view = { ...presentForTenant(record), ...leaseNeed(deps, record), ...(waiting && { waiting }) }
  if (application.status !== 'pending') return view
  const [last] = claimsWithin(deps, deps.db, bookedStayOf(application))
    .filter(({ state, userId }) => state === 'asked' && userId !== application.userId)
    .map(({ untilAt }) => untilAt)
    .sort()
    .reverse()
  return last ? { ...view, answerBy: lastDayOf(last, deps.config.site.timeZone) } : view
}

/**
 * An accepted offer to sign or pay by its deadline, an addendum to sign, else a claim on the deposit to answer; nothing
 * while a payment is overdue. For a declined or cancelled application the claim, else the money that comes back.
 */
function waitingFor(deps: Deps, record: OwnApplication): Waiting | undefined {
  const { application } = record
  if (isEnded(application.status)) {
    const claim = claimToAnswer(deps, record)
    if (claim) return { kind: 'claim', ...claim }
    const amountCents = summaryOf(deps.db, application, true).ended?.toReturnCents ?? 0
    return amountCents > 0 ? { kind: 'refund', amountCents } : undefined
  }
  if (!isBooked(application.status)) return undefined
  const offer = unsecuredOf(deps, application, isSigned(record.lease))
  if (offer) return offer
  const open = addendaOf(deps.db, application.id).find(
    row => !row.isTenantSigned && stateOf(deps, row) === 'open',
  )
  const claim = open ? undefined : claimToAnswer(deps, record)
  if (!open && !claim) return undefined
  // An overdue payment comes first, on every screen.
  const plan = unpaidPlans(deps).find(({ applicationId }) => applicationId === application.id)
  if (planTotals(plan?.installments ?? []).overdueCents > 0) return undefined
  return open ? { kind: 'addendum', until: open.addendum.validUntil } : claim && { kind: 'claim', ...claim }
}

/** @throws AppError not_found, also for another tenant's application */
export function getApplication(
  deps: Deps,
  actor: SignedIn,
  id: string,
): ApplicationView | AdminApplicationView {
  const record = getApplicationRecord(deps.db, actor, id)
  return actor.role === 'admin'
    ? { ...presentForAdmin(deps.db, record), ...leaseNeed(deps, record) }
    : presentOwn(deps, record)
}

const leaseNeed = ({ db }: Deps, record: ApplicationRecord): { withoutLease?: true } =>
  needsLease(record, () => moneyOf(db, record.application).money.balanceCents) ? {} : { withoutLease: true }

/** @throws AppError not_found, also for a draft */
export function getForAdmin(deps: Deps, actor: Admin, id: string): ListedApplication {
  const [view] = presentWithNextSteps(deps, [getSubmittedApplication(deps.db, actor, id)])
  if (!view) throw new Error('no view for the record')
  return view
}

/** @throws AppError not_found */
export function previewStatus(deps: Deps, actor: Admin, id: string): StatusPreview {
  const { db } = deps
  const record = getSubmittedApplication(db, actor, id)
  const { application: row } = record
  const stay = bookedStayOf(row)
  const rows = ledgersOf(db, [id]).get(id) ?? []
  return {
    decision: decisionOn(deps, db, record),
    conflicts: bookingsWithin(db, stay, id),
    ...(!isBooked(row.status) && importedOverlaps(deps, stay)),
    blockedNights: blockedNights(db, stay),
    warnings: ruleWarnings(db, deps, { stay, people: guestCount(row), excludeId: id }),
    paidCents: isEnded(row.status)
      ? leftToReturn(row, rows, toldClaimOf(db, id)).toReturnCents
      : summaryOf(db, row).paidCents,
    paymentsToRefund: paymentsLeft(afterRequestedRefunds(rows)),
    openCheckouts: rows.filter(({ status }) => status === 'pending').length,
    processingPayments: rows.filter(({ status }) => status === 'processing').length,
  }
}

/** What is left of each payment; of money that was moved here without what was moved on, or lost where it came from. */
function paymentsLeft(rows: readonly (LedgerRow & { id: string })[]): StatusPreview['paymentsToRefund'] {
  const moved = new Map<string, number>()
  for (const row of rows)
    if (row.method === 'transfer') moved.set(row.type, (moved.get(row.type) ?? 0) + creditedCents(row))
  return rows.flatMap(row => {
    const { id, method, paidAt, type } = row
    const ofType = moved.get(type) ?? Number.POSITIVE_INFINITY
    const amountCents = Math.min(creditedCents(row), ofType)
    if (amountCents <= 0) return []
    moved.set(type, ofType - amountCents)
    return [{ id, type, method, paidAt, amountCents }]
  })
}
