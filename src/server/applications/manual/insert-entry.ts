import { randomUUID } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { applications } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { missingEmail } from '../../../domain/accounts/account-rules.ts'
import {
  adminEmailMessage,
  type BookingEntry,
  unprovenApplicantMessage,
} from '../../../domain/bookings/booking-entry.ts'
import { guestCount } from '../../../domain/bookings/people.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { dollarsToCents } from '../../../domain/common/money.ts'
import { formatNights } from '../../../domain/common/stay.ts'
import { createGuestAccount } from '../../auth/accounts/create-account.ts'
import { findUserByEmail, isMailboxProven, type UserRow } from '../../auth/sessions/users.ts'
import { ruleWarnings } from '../../bookings/booking-rules.ts'
import { type Acceptance, assertBookable, recordOverride } from '../../bookings/calendars/bookable.ts'
import type { ImportedEvent } from '../../bookings/imported-nights.ts'
import { blockedNights } from '../../bookings/nights.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { generateLeaseIn } from '../../leases/generate.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { chargeTerms } from '../../money/lease-charges.ts'
import { insertRow, paidOn } from '../../money/payments/manual-payments.ts'
import { insertEnteredApplication } from '../enter-application.ts'

export type InsertedEntry = {
  id: string
  number: string
  guest: UserRow
  warnings: string[]
  /** The imported nights that it takes nevertheless, for `updateConflicts`. */
  taken: ImportedEvent[]
}

/**
 * Writes a booking with its account, lease or charges, and payments, in the caller's transaction. Sends no mails. The
 * caller must call `updateConflicts` once.
 * @throws AppError conflict like `assertBookable`, for an administrator's email, and if this guest has a pending
 * application for the same dates; bad_request for a payment's date
 */
export function insertEntry(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  entry: BookingEntry,
  accept: Acceptance,
): InsertedEntry {
  const known = findUserByEmail(tx, entry.email)
  if (known?.role === 'admin') throw fieldError('email', adminEmailMessage, 'conflict')
  if (known) requireNotPending(tx, known, entry)
  const stay = { start: entry.startDate, end: entry.endDate }
  const warnings = warningsOf(deps, tx, entry)
  const at = nowIso(deps)
  const email = entry.email || missingEmail(randomUUID())
  const guest = known ?? createGuestAccount(tx, at, actor, { ...entry, email })
  const { id, number } = insertEnteredApplication(deps, tx, actor, guest, entry)
  // Once it is stored, as it may take what is promised to its guest.
  const taken = assertBookable(deps, tx, { applicationId: id, stay, accept })
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
  return { id, number, guest, warnings, taken }
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
  // It may be a stranger's, who registered the guest's email.
  const unproven = isMailboxProven(guest) ? '' : ` ${unprovenApplicantMessage}`
  throw new AppError('conflict', `${pending.number} asks for the same dates: approve it instead.${unproven}`)
}

/** Warnings about a booking before it is stored. Blocked nights and broken rules do not prevent it. */
function warningsOf(deps: Deps, tx: Tx, entry: BookingEntry): string[] {
  const stay = { start: entry.startDate, end: entry.endDate }
  const blocked = blockedNights(tx, stay)
  return [
    ...(blocked.length > 0 ? [`You have blocked these nights: ${formatNights(blocked)}`] : []),
    ...ruleWarnings(tx, deps, { stay, people: guestCount(entry) }),
  ]
}

/**
 * Creates the charges of a booking that the owner enters: by its lease, or only rent and deposit, 0 if missing.
 * @throws AppError like `generateLeaseIn`
 */
function writeTerms(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  applicationId: string,
  { startDate, endDate, rentalAmount, depositAmount, generateLease, feeIds, extraLines }: BookingEntry,
): void {
  if (generateLease) {
    const terms = { rentalAmount, depositAmount, feeIds, extraLines }
    generateLeaseIn(deps, tx, actor, applicationId, terms, { notify: false })
    return
  }
  chargeTerms(deps, tx, nowIso(deps), applicationId, {
    start: startDate,
    end: endDate,
    rentCents: toCents(rentalAmount),
    depositCents: toCents(depositAmount),
  })
}

const toCents = (dollars: number | null | undefined) =>
  typeof dollars === 'number' ? dollarsToCents(dollars) : null
