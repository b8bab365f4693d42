import type { Tx } from '../../../../db/open.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import type { BookingEntry } from '../../../domain/bookings/booking-entry.ts'
import { stayPhase } from '../../../domain/common/stay.ts'
import { sendInvitation } from '../../auth/accounts/invitations.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import type { UserRow } from '../../auth/sessions/users.ts'
import { acceptanceOf } from '../../bookings/calendars/bookable.ts'
import { updateConflicts } from '../../bookings/calendars/conflicts.ts'
import { refreshStaleFeeds } from '../../bookings/calendars/refresh-stale.ts'
import { bookedStayOf, getSubmittedApplication, type OwnApplication } from '../../bookings/records.ts'
import { presentForAdmin } from '../../bookings/views.ts'
import { type Deps, nowIso, todayAt } from '../../kernel/deps.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { offerOf } from '../offers/records.ts'
import { oncePerRequest } from './idempotency.ts'
import { insertEntry } from './insert-entry.ts'
import type { EntryResponse } from './views.ts'

/**
 * Enters a booking that was made elsewhere, in one transaction. Repeating a `requestId` returns the first response.
 * @throws AppError forbidden without a step-up; like `insertEntry`
 */
export async function enterBooking(
  deps: Deps,
  actor: Admin,
  { requestId, ...entry }: BookingEntry & { requestId?: string | undefined },
): Promise<EntryResponse> {
  const accept = acceptanceOf(deps, entry.overrideCalendar)
  const unread = await refreshStaleFeeds(deps)
  const answer = await deps.write(tx => {
    requireStepUp(deps, tx, actor)
    return oncePerRequest(tx, nowIso(deps), 'entry', requestId, () => {
      const { id, guest, taken, warnings } = insertEntry(deps, tx, actor, entry, accept)
      updateConflicts(deps, tx, { applicationId: id, taken })
      const record = getSubmittedApplication(tx, actor, id)
      if (entry.invite && !isOver(deps, record)) inviteTo(deps, tx, guest, record)
      return {
        application: presentForAdmin(tx, getSubmittedApplication(tx, actor, id)),
        warnings: [...unread, ...warnings],
      }
    })
  })
  failpoint('after-entry-write')
  return answer
}

/** Mails the guest about a booking: with a link to set a password if they have none, whose id it returns. */
export function inviteTo(
  deps: Deps,
  tx: Tx,
  guest: UserRow,
  { application }: OwnApplication,
): string | undefined {
  const { start, end } = bookedStayOf(application)
  return sendInvitation(deps, tx, guest, {
    firstName: application.firstName,
    applicationNumber: application.number,
    applicationId: application.id,
    startDate: start,
    endDate: end,
    offer: offerOf(tx, application.id),
  })
}

/** Whether the stay has ended, so that its guest is not invited. */
export function isOver(deps: Deps, { application }: OwnApplication): boolean {
  return stayPhase(bookedStayOf(application), todayAt(deps)) === 'after'
}
