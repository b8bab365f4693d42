import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { applications } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import {
  adminEmailMessage,
  type BookingEntry,
  unprovenApplicantMessage,
} from '../../../domain/bookings/booking-entry.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { createGuestAccount } from '../../auth/accounts/create-account.ts'
import { findUserByEmail, isMailboxProven, type UserRow } from '../../auth/sessions/users.ts'
import { assertBookable, recordOverride } from '../../bookings/calendars/bookable.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { insertRow, paidOn } from '../../money/payments/manual-payments.ts'
import { insertEnteredApplication } from '../enter-application.ts'
import { writeTerms } from './terms.ts'
import { warningsOf } from './warnings.ts'

export type InsertedEntry = { id: string; number: string; guest: UserRow; warnings: string[] }

/**
 * Writes a booking with its account, lease or charges, and payments, in the caller's transaction. Sends no mails. The
 * caller must call `updateConflicts` once.
 * @throws AppError conflict like `assertBookable`, for an administrator's e-mail, and if this guest has a pending
 * application for the same dates; bad_request for a payment's date
 */
export function insertEntry(deps: Deps, tx: Tx, actor: Admin, entry: BookingEntry): InsertedEntry {
  const known = findUserByEmail(tx, entry.email)
  if (known?.role === 'admin') throw fieldError('email', adminEmailMessage, 'conflict')
  if (known) requireNotPending(tx, known, entry)
  const stay = { start: entry.startDate, end: entry.endDate }
  const { overrideCalendar } = entry
  const taken = assertBookable(deps, tx, { applicationId: '', stay, overrideCalendar })
  const warnings = warningsOf(deps, tx, entry)
  const at = nowIso(deps)
  const guest = known ?? createGuestAccount(tx, at, actor, entry)
  const { id, number } = insertEnteredApplication(deps, tx, actor, guest, entry)
  recordOverride(deps, tx, actor, id, taken)
  writeTerms(deps, tx, actor, id, entry)
  failpoint('in-entry-write')
  for (const [index, payment] of entry.payments.entries())
    insertRow(deps, tx, actor, 'payment.manual_added', {
      userId: guest.id,
      applicationId: id,
      type: payment.paymentType,
      method: 'manual',
      amountCents: payment.amount,
      checkNumber: payment.checkNumber,
      notes: payment.notes,
      paidAt: paidOn(deps, `payments.${index}.paymentDate`, payment.paymentDate),
    })
  return { id, number, guest, warnings }
}

/** @throws AppError conflict */
function requireNotPending(tx: Tx, guest: UserRow, { startDate, endDate }: BookingEntry): void {
  const pending = tx
    .select({ number: applications.number })
    .from(applications)
    .where(
      and(
        eq(applications.userId, guest.id),
        eq(applications.status, 'pending'),
        eq(applications.requestedStartDate, startDate),
        eq(applications.requestedEndDate, endDate),
        isNull(applications.deletedAt),
      ),
    )
    .get()
  if (!pending) return
  // It may be a stranger's, who registered the guest's e-mail.
  const unproven = isMailboxProven(guest) ? '' : ` ${unprovenApplicantMessage}`
  throw new AppError('conflict', `${pending.number} asks for the same dates: approve it instead.${unproven}`)
}
