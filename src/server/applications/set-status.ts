import { and, eq, inArray, isNotNull, isNull, notInArray } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { applications } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import {
  type ApplicationStatus,
  applicationChangedMessage,
  bookedStatuses,
  type DecidedStatus,
  isBooked,
  isEnded,
  statusMailKinds,
} from '../../domain/bookings/application-status.ts'
import { cancellationMessages } from '../../domain/bookings/cancellation.ts'
import { AppError } from '../../domain/common/errors.ts'
import type { CalendarOverride } from '../../domain/common/inputs.ts'
import { codeShown } from '../arrival/code-tasks.ts'
import { forgetOpening } from '../arrival/gate.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import {
  type Acceptance,
  acceptanceOf,
  assertBookable,
  recordOverride,
} from '../bookings/calendars/bookable.ts'
import { updateConflicts } from '../bookings/calendars/conflicts.ts'
import { refreshStaleFeeds } from '../bookings/calendars/refresh-stale.ts'
import { closeClaimsOf, endOverClaims } from '../bookings/claims.ts'
import { notifyTenant } from '../bookings/notifications.ts'
import { type ApplicationRow, bookedStayOf, getSubmittedApplication } from '../bookings/records.ts'
import { type AdminApplicationView, presentForAdmin } from '../bookings/views.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { closeAddenda } from '../leases/addenda/close.ts'
import { voidSigning } from '../leases/signing/void.ts'
import { closeCanceledCheckouts, requestCancellation } from '../money/payments/checkout/cancel.ts'
import { oweDepositAgain } from '../money/payments/returns/owner-legs.ts'
import { markHeldPayments, withdrawCancellation } from '../money/payments/unexpected-payments.ts'
import { reinstate } from './cancellation/reinstate.ts'
import { closeRequest } from './cancellation/requests.ts'
import { decisionOn, mailFactsFor } from './decision.ts'
import { type SeenDecision, seenDecision } from './views.ts'

type StatusOptions = {
  /** The status that the admin saw. */
  fromStatus?: ApplicationStatus | undefined
  seen?: SeenDecision
  /** Whether imported nights may be booked. */
  accept?: Acceptance | undefined
  /** The owner's words in the mail to the tenant. */
  message?: string | undefined
}

/**
 * Like `setStatus`, but first reads the calendars if the application is to be booked. `warnings` names the calendars
 * that could not be read, and is left out when there are none.
 */
export async function changeStatus(
  deps: Deps,
  actor: Admin,
  id: string,
  status: DecidedStatus,
  {
    overrideCalendar,
    ...options
  }: Pick<StatusOptions, 'fromStatus' | 'message' | 'seen'> & {
    overrideCalendar?: CalendarOverride | undefined
  } = {},
): Promise<{ application: AdminApplicationView; warnings?: string[]; codeShown?: true }> {
  const accept = acceptanceOf(deps, overrideCalendar)
  const warnings = await refreshCalendarsBefore(deps, [id], status)
  const application = await setStatus(deps, actor, id, status, { ...options, accept })
  return {
    application,
    ...(warnings.length > 0 && { warnings }),
    ...(status === 'rejected' && codeShown(deps.db, id)),
  }
}

/** Reads the stale calendars if this status books one of these applications (CAL-40). */
export async function refreshCalendarsBefore(
  deps: Deps,
  ids: readonly string[],
  status: DecidedStatus,
): Promise<string[]> {
  if (!isBooked(status)) return []
  const { deletedAt, id, status: from, submittedAt } = applications
  const isToBeBooked = and(notInArray(from, [...bookedStatuses]), isNotNull(submittedAt), isNull(deletedAt))
  const unbooked = deps.db
    .select({ id })
    .from(applications)
    .where(and(inArray(id, [...ids]), isToBeBooked))
    .limit(1)
    .get()
  return unbooked ? refreshStaleFeeds(deps) : []
}

/**
 * Approves, declines or completes; idempotent. Declining closes open checkouts; approving after all keeps what was paid, and
 * reinstates a cancelled stay.
 * @throws AppError not_found, also for a draft; forbidden for a message without a step-up; conflict when `fromStatus` is
 * given and is no longer the status, when the amounts or dates that the owner saw have changed, and for declining a
 * cancelled stay; like `assertBookable`
 */
export async function setStatus(
  deps: Deps,
  actor: Admin,
  id: string,
  status: DecidedStatus,
  { accept, fromStatus, message, seen }: StatusOptions = {},
): Promise<AdminApplicationView> {
  let canceled: string[] = []
  const view = await deps.write(tx => {
    endOverClaims(deps, tx)
    const before = getSubmittedApplication(tx, actor, id)
    const { application: row } = before
    if (row.status === status) return presentForAdmin(tx, before)
    requireStatus(row, fromStatus)
    const now = seen && seenDecision.parse(decisionOn(deps, tx, before))
    if (JSON.stringify(seen) !== JSON.stringify(now))
      throw new AppError('conflict', applicationChangedMessage)
    if (message) requireStepUp(deps, tx, actor)
    if (row.status === 'cancelled' && !isBooked(status))
      throw new AppError('conflict', cancellationMessages.cancelledAlready)
    const stay = bookedStayOf(row)
    const held = isBooked(row.status) ? stay : undefined
    const taken = isBooked(status) ? assertBookable(deps, tx, { applicationId: id, stay, held, accept }) : []
    const at = nowIso(deps)
    writeStatus(deps, tx, actor, row, status)
    if (status === 'rejected') {
      closeRequest(tx, actor, at, id)
      canceled = requestCancellation(tx, at, id)
      markHeldPayments(tx, at, id)
      closeAddenda(deps, tx, actor, id)
      voidSigning(deps, tx, actor, { applicationId: id }, 'The booking was declined.')
      closeClaimsOf(deps, tx, actor, id)
    } else withdrawCancellation(tx, id)
    if (isBooked(status) && !held) forgetOpening(tx, id)
    recordEvent(tx, at, actor, `application.${status}`, id, { from: row.status })
    recordOverride(deps, tx, actor, id, taken)
    updateConflicts(deps, tx, { applicationId: id, taken })
    const record = getSubmittedApplication(tx, actor, id)
    notifyTenant(tx, at, statusMailKinds[status], record, {
      message,
      ...mailFactsFor(deps, tx, record, status),
    })
    return presentForAdmin(tx, record)
  })
  await closeCanceledCheckouts(deps, canceled)
  return view
}

/** Stores a status; an application that had ended is booked again by it, and a cancelled stay reinstated. */
export function writeStatus(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  { id, status: from }: ApplicationRow,
  status: DecidedStatus,
): void {
  tx.update(applications)
    .set({ status, updatedAt: nowIso(deps) })
    .where(eq(applications.id, id))
    .run()
  if (from === 'cancelled') reinstate(deps, tx, actor, id)
  if (isEnded(from) && isBooked(status)) oweDepositAgain(tx, id)
}

/** @throws AppError conflict */
export function requireStatus(row: ApplicationRow, fromStatus: ApplicationStatus | undefined): void {
  if (fromStatus !== undefined && row.status !== fromStatus)
    throw new AppError('conflict', applicationChangedMessage)
}
