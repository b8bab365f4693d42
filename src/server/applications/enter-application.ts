import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../db/open.ts'
import { applications } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import type { BookingEntry } from '../../domain/bookings/booking-entry.ts'
import type { BookingSource } from '../../domain/bookings/booking-source.ts'
import { stayPhase } from '../../domain/common/stay.ts'
import { isMailboxProven, type UserRow } from '../auth/sessions/users.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso, todayAt } from '../kernel/deps.ts'
import { nextApplicationNumber } from './create.ts'

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

type Origin = { source?: BookingSource; awaitsMailbox?: boolean }

/**
 * Inserts an application that the owner enters or offered: approved, or completed if its stay has ended. The caller must check
 * that its nights are free. It stays closed to an account whose mailbox is not proven (FIX-27). Returns its id and number.
 */
export function insertEnteredApplication(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  guest: UserRow,
  { address, startDate, endDate, note, ...fields }: EnteredFields,
  { awaitsMailbox = !isMailboxProven(guest), source = 'owner' }: Origin = {},
): { id: string; number: string } {
  const at = nowIso(deps)
  const today = todayAt(deps)
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
      source,
      sourceNote: note,
      awaitsMailbox,
    })
    .run()
  recordEvent(tx, at, actor, 'application.entered', id, { number, status })
  return { id, number }
}
