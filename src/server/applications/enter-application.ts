import { randomUUID } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { applications } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { emailKey } from '../../domain/accounts/account-rules.ts'
import type { BookingEntry } from '../../domain/bookings/booking-entry.ts'
import { dateIn } from '../../domain/common/dates.ts'
import { stayPhase } from '../../domain/common/stay.ts'
import { isMailboxProven, type UserRow } from '../auth/sessions/users.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { nextApplicationNumber } from './application-number.ts'

type EnteredFields = Pick<
  BookingEntry,
  | 'firstName'
  | 'lastName'
  | 'secondApplicantFirstName'
  | 'secondApplicantLastName'
  | 'phone'
  | 'address'
  | 'additionalGuests'
  | 'startDate'
  | 'endDate'
  | 'note'
>

/**
 * Inserts an application that the owner enters: approved, or completed if its stay has ended. The caller must check
 * that its nights are free. It stays closed to an account whose mailbox is not proven (FIX-27). Returns its id and number.
 */
export function insertEnteredApplication(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  guest: UserRow,
  { address, startDate, endDate, note, ...fields }: EnteredFields,
): { id: string; number: string } {
  const at = nowIso(deps)
  const today = dateIn(deps.clock.now(), deps.config.site.timeZone)
  const id = randomUUID()
  const number = nextApplicationNumber(tx, today)
  const status = stayPhase({ start: startDate, end: endDate }, today) === 'after' ? 'completed' : 'approved'
  tx.insert(applications)
    .values({
      ...fields,
      ...address,
      id,
      number,
      status,
      userId: guest.id,
      email: guest.email,
      requestedStartDate: startDate,
      requestedEndDate: endDate,
      stayStartDate: startDate,
      stayEndDate: endDate,
      createdAt: at,
      updatedAt: at,
      submittedAt: at,
      source: 'owner',
      sourceNote: note,
      awaitsMailbox: !isMailboxProven(guest),
    })
    .run()
  recordEvent(tx, at, actor, 'application.entered', id, { number, status })
  return { id, number }
}

/** Updates the contact e-mail of applications that still have the account's former e-mail. */
export function correctContactEmail(
  tx: Tx,
  at: string,
  userId: string,
  { from, to }: { from: string; to: string },
): void {
  const rows = tx
    .select({ id: applications.id, email: applications.email })
    .from(applications)
    .where(and(eq(applications.userId, userId), isNull(applications.deletedAt)))
    .all()
  for (const { id, email } of rows)
    if (emailKey(email) === emailKey(from))
      tx.update(applications).set({ email: to, updatedAt: at }).where(eq(applications.id, id)).run()
}
