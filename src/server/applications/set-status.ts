import { eq } from 'drizzle-orm'
import { applications } from '../../../db/schema.ts'
import type { Admin } from '../../domain/access.ts'
import {
  type ApplicationStatus,
  applicationChangedMessage,
  type DecidedStatus,
  isBooked,
} from '../../domain/application-status.ts'
import { AppError } from '../../domain/errors.ts'
import { assertNoOverlap } from '../bookings/nights.ts'
import { notifyTenant } from '../bookings/notifications.ts'
import { type AdminApplicationView, presentForAdmin } from '../bookings/presenter.ts'
import { type ApplicationRow, bookedStayOf, loadSubmitted } from '../bookings/records.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { closeCanceledCheckouts, requestCancellation } from '../payments/checkout/cancel.ts'

/**
 * Approves, declines or completes; the same status again changes nothing. Declining closes open checkouts.
 * @throws AppError not_found, also for a draft; conflict when another booking has the nights, or the status is no longer
 * `fromStatus`, if given
 */
export async function setStatus(
  deps: Deps,
  actor: Admin,
  id: string,
  status: DecidedStatus,
  fromStatus?: ApplicationStatus,
): Promise<AdminApplicationView> {
  let canceled: string[] = []
  const view = await deps.write(tx => {
    const before = loadSubmitted(tx, actor, id)
    const { application: row } = before
    if (row.status === status) return presentForAdmin(tx, before)
    requireStatus(row, fromStatus)
    if (isBooked(status)) assertNoOverlap(tx, bookedStayOf(row), id)
    const at = nowIso(deps)
    tx.update(applications).set({ status, updatedAt: at }).where(eq(applications.id, id)).run()
    if (status === 'rejected') canceled = requestCancellation(tx, at, id)
    recordEvent(tx, at, actor, `application.${status}`, id, { from: row.status })
    const record = loadSubmitted(tx, actor, id)
    notifyTenant(tx, at, statusMails[status], record)
    return presentForAdmin(tx, record)
  })
  await closeCanceledCheckouts(deps, canceled)
  return view
}

/** @throws AppError conflict */
export function requireStatus(row: ApplicationRow, fromStatus: ApplicationStatus | undefined): void {
  if (fromStatus !== undefined && row.status !== fromStatus)
    throw new AppError('conflict', applicationChangedMessage)
}

const statusMails = {
  approved: 'application-approved',
  rejected: 'application-declined',
  completed: 'booking-complete',
} as const
