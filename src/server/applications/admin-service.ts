import { eq } from 'drizzle-orm'
import { applications } from '../../../db/schema.ts'
import type { Admin } from '../../domain/access.ts'
import {
  type ApplicationStatus,
  applicationChangedMessage,
  type DecidedStatus,
  isBooked,
} from '../../domain/application-status.ts'
import { AppError, internalErrorMessage } from '../../domain/errors.ts'
import { creditedCents } from '../../domain/ledger.ts'
import { assertNoOverlap, blockedNights, bookingsWithin } from '../bookings/nights.ts'
import { notifyTenant } from '../bookings/notifications.ts'
import { type AdminApplicationView, presentForAdmin } from '../bookings/presenter.ts'
import { type ApplicationRow, loadSubmitted, stayOf } from '../bookings/records.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { cancelPaymentsOf, closeCanceled } from '../payments/checkout/cancel.ts'
import { ledgerOf } from '../payments/ledger/records.ts'
import { unlinkPayments } from '../payments/ledger/unlink.ts'
import type { ItemResult, StatusPreview } from './presenter.ts'

/** @throws AppError not_found, also for a draft */
export function getForAdmin({ db }: Deps, actor: Admin, id: string): AdminApplicationView {
  return presentForAdmin(loadSubmitted(db, actor, id))
}

/**
 * Approves, declines or completes, at any time; the same status again changes nothing. Declining closes the checkouts
 * that are still open. `fromStatus` is the one that the decision was made on, where it is known.
 * @throws AppError not_found, also for a draft; conflict when the nights are booked by another, and when the status is
 * no longer `fromStatus`
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
    if (row.status === status) return presentForAdmin(before)
    requireStatus(row, fromStatus)
    if (isBooked(status)) assertNoOverlap(tx, stayOf(row), id)
    const at = nowIso(deps)
    tx.update(applications).set({ status, updatedAt: at }).where(eq(applications.id, id)).run()
    if (status === 'rejected') canceled = cancelPaymentsOf(tx, at, id)
    recordEvent(tx, at, actor, `application.${status}`, id, { from: row.status })
    const record = loadSubmitted(tx, actor, id)
    notifyTenant(tx, at, statusMails[status], record)
    return presentForAdmin(record)
  })
  await closeCanceled(deps, canceled)
  return view
}

/** @throws AppError not_found */
export function previewStatus({ db }: Deps, actor: Admin, id: string): StatusPreview {
  const stay = stayOf(loadSubmitted(db, actor, id).application)
  const rows = ledgerOf(db, id)
  const paid = rows.map(row => ({
    id: row.id,
    type: row.type,
    method: row.method,
    paidAt: row.paidAt,
    amountCents: creditedCents(row),
  }))
  return {
    conflicts: bookingsWithin(db, stay, id),
    blockedNights: blockedNights(db, stay),
    paidCents: paid.reduce((sum, payment) => sum + payment.amountCents, 0),
    paymentsToRefund: paid.filter(payment => payment.amountCents > 0),
    openCheckouts: rows.filter(({ status }) => status === 'pending').length,
    processingPayments: rows.filter(({ status }) => status === 'processing').length,
  }
}

/**
 * Hides the application, which frees its nights, unlinks its payments and closes the checkouts that are still open.
 * @throws AppError not_found; conflict when the status is no longer `fromStatus`, where that is given
 */
export async function deleteApplication(
  deps: Deps,
  actor: Admin,
  id: string,
  fromStatus?: ApplicationStatus,
): Promise<void> {
  const canceled = await deps.write(tx => {
    const { application: row } = loadSubmitted(tx, actor, id)
    requireStatus(row, fromStatus)
    const at = nowIso(deps)
    tx.update(applications).set({ deletedAt: at, updatedAt: at }).where(eq(applications.id, id)).run()
    const canceled = cancelPaymentsOf(tx, at, id)
    unlinkPayments(tx, id)
    recordEvent(tx, at, actor, 'application.deleted', id, { number: row.number, status: row.status })
    return canceled
  })
  await closeCanceled(deps, canceled)
}

/** @throws AppError conflict */
function requireStatus(row: ApplicationRow, fromStatus: ApplicationStatus | undefined): void {
  if (fromStatus !== undefined && row.status !== fromStatus)
    throw new AppError('conflict', applicationChangedMessage)
}

/**
 * Each application by itself, one after another in the order given, so that other requests have their turn in between:
 * one that is refused does not hold up the others.
 */
export async function forEachApplication(
  deps: Deps,
  ids: readonly string[],
  change: (id: string) => Promise<unknown>,
): Promise<ItemResult[]> {
  const results: ItemResult[] = []
  for (const id of new Set(ids)) {
    try {
      await change(id)
      results.push({ id, ok: true })
    } catch (error) {
      const isRefusal = error instanceof AppError
      if (!isRefusal) deps.log.error({ err: error }, 'one of several changes failed')
      results.push({ id, ok: false, error: isRefusal ? error.message : internalErrorMessage })
    }
  }
  return results
}

const statusMails = {
  approved: 'application-approved',
  rejected: 'application-declined',
  completed: 'booking-complete',
} as const
