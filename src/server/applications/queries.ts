import type { Admin, SignedIn } from '../../domain/accounts/access.ts'
import { isBooked } from '../../domain/bookings/application-status.ts'
import { lastDayOf } from '../../domain/bookings/claim.ts'
import { guestCount } from '../../domain/bookings/people.ts'
import { creditedCents, paidCents } from '../../domain/money/ledger.ts'
import { ruleWarnings } from '../bookings/booking-rules.ts'
import { importedOverlaps } from '../bookings/calendars/bookable.ts'
import { claimsWithin } from '../bookings/claim-records.ts'
import { blockedNights, bookingsWithin } from '../bookings/nights.ts'
import {
  bookedStayOf,
  getApplicationRecord,
  getSubmittedApplication,
  listOwnApplications,
  type OwnApplication,
} from '../bookings/records.ts'
import {
  type AdminApplicationView,
  type ApplicationView,
  presentForAdmin,
  presentForTenant,
} from '../bookings/views.ts'
import type { Deps } from '../kernel/deps.ts'
import { ledgerOf } from '../money/records.ts'
import { decisionOn } from './decision.ts'
import { type ListedApplication, presentWithNextSteps } from './next-steps.ts'
import type { StatusPreview } from './views.ts'

/** The caller's own applications, newest first. */
export function listOwn(deps: Deps, actor: SignedIn): ApplicationView[] {
  return listOwnApplications(deps.db, actor).map(record => presentOwn(deps, record))
}

/** Whoever asks for dates that are promised reads by when they get an answer, and nothing of the promise (CLAIM-31). */
function presentOwn(deps: Deps, record: OwnApplication): ApplicationView {
  const { application } = record
  const view = presentForTenant(record)
  if (application.status !== 'pending') return view
  const [last] = claimsWithin(deps, deps.db, bookedStayOf(application))
    .filter(({ state, userId }) => state === 'asked' && userId !== application.userId)
    .map(({ untilAt }) => untilAt)
    .sort()
    .reverse()
  return last ? { ...view, answerBy: lastDayOf(last, deps.config.site.timeZone) } : view
}

/** @throws AppError not_found, also for another tenant's application */
export function getApplication(
  deps: Deps,
  actor: SignedIn,
  id: string,
): ApplicationView | AdminApplicationView {
  const record = getApplicationRecord(deps.db, actor, id)
  return actor.role === 'admin' ? presentForAdmin(deps.db, record) : presentOwn(deps, record)
}

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
  const rows = ledgerOf(db, id)
  const paid = rows.map(row => ({
    id: row.id,
    type: row.type,
    method: row.method,
    paidAt: row.paidAt,
    amountCents: creditedCents(row),
  }))
  return {
    decision: decisionOn(deps, db, record),
    conflicts: bookingsWithin(db, stay, id),
    ...(!isBooked(row.status) && importedOverlaps(deps, stay)),
    blockedNights: blockedNights(db, stay),
    warnings: ruleWarnings(db, deps, { stay, people: guestCount(row), excludeId: id }),
    paidCents: paidCents(rows),
    paymentsToRefund: paid.filter(payment => payment.amountCents > 0),
    openCheckouts: rows.filter(({ status }) => status === 'pending').length,
    processingPayments: rows.filter(({ status }) => status === 'processing').length,
  }
}
