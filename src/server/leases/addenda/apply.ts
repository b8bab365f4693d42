import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { leases } from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { dateIn } from '../../../domain/common/dates.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { unavailableMessage } from '../../../domain/common/stay.ts'
import { datesError } from '../../../domain/leases/addendum.ts'
import { acceptedIn, takenOf } from '../../bookings/calendars/bookable.ts'
import { updateConflicts } from '../../bookings/calendars/conflicts.ts'
import { endClaimsOf } from '../../bookings/claims.ts'
import { bookTerms } from '../../bookings/terms.ts'
import { whoMayBook } from '../../bookings/who-may-book.ts'
import { type Deps, todayAt } from '../../kernel/deps.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { storeAddendumCharges } from '../../money/addendum-charges.ts'
import type { Signature } from '../records.ts'
import { stayOfTerms } from './draft.ts'
import { type Addendum, bodyOf, findAddendum, requireOpen, termsOf } from './records.ts'

/**
 * Makes a signed addendum the terms in force, in the write of its signature: its nights are checked again, its lines are
 * charged as printed (CHANGE-26, CHANGE-37).
 * @throws AppError conflict like `requireNights`, and for a total below zero
 */
export function applyAddendum(
  deps: Deps,
  tx: Tx,
  actor: SignedIn,
  found: Addendum,
  signature: Signature,
): Addendum {
  const at = signature.signedAt
  const signedOn = dateIn(new Date(at), deps.config.site.timeZone)
  const { after, taken } = requireNights(deps, tx, actor, found, signedOn)
  const { lease } = found
  const { applicationId, id } = lease
  endClaimsOf(deps, tx, actor, id, 'done')
  bookTerms(tx, at, applicationId, { ...after, rentCents: lease.rentCents, depositCents: lease.depositCents })
  tx.update(leases).set(signature).where(eq(leases.id, id)).run()
  failpoint('in-addendum-signature')
  const { instalments, lines } = bodyOf(found)
  storeAddendumCharges(deps, tx, at, applicationId, {
    addendumId: id,
    lines,
    installments: instalments,
    end: after.end,
  })
  updateConflicts(deps, tx, { applicationId, taken })
  return findAddendum(tx, id)
}

/**
 * The nights of an addendum that can be signed now, and the imported events on them that the owner accepted.
 * @throws AppError conflict unless it is open, for nights that are taken, and, but for a scan of the owner's, for new days
 * that are past; once all have signed, imported events refuse nothing
 */
export function requireNights(
  deps: Deps,
  db: Db,
  { role }: Pick<SignedIn, 'role'>,
  found: Addendum,
  signedOn = todayAt(deps),
) {
  requireOpen(deps, found)
  const { addendum, lease } = found
  const { applicationId } = lease
  const [before, after] = [addendum.before, termsOf(found)].map(stayOfTerms)
  if (!before || !after) throw new AppError('internal', 'This addendum has no terms.')
  // A tenant who has stayed to the end does not agree afterwards that it was shorter.
  const problem = role === 'tenant' ? datesError(before, after, signedOn) : undefined
  if (problem) throw new AppError('conflict', problem.message)
  const isHeld = (night: string) => before.start <= night && night < before.end
  const imported = takenOf(deps, db, after, before)
  const taken = imported.filter(acceptedIn(addendum.overrideCalendar))
  // An event imported after the last signature is a double booking, as on any booked night.
  const isRefused = taken.length < imported.length && !found.isFullySigned
  const gone = whoMayBook(deps, db, after, { applicationId }).filter(
    ({ accept, date, stands }) => !accept && !isHeld(date) && (stands !== 'imported' || isRefused),
  )
  if (gone.length > 0) throw new AppError('conflict', unavailableMessage(gone.map(({ date }) => date)))
  return { after, taken }
}
