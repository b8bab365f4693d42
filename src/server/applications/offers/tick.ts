import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { applications, claims } from '../../../../db/schema.ts'
import { system } from '../../../domain/accounts/access.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import { updateConflicts } from '../../bookings/calendars/conflicts.ts'
import { overClaims } from '../../bookings/claim-records.ts'
import { closeClaimsOf, endClaims, endOverClaims } from '../../bookings/claims.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { futureEventTime } from '../../kernel/clock-skew.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { voidSigning } from '../../leases/signing/void.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { cancelUnsentMails, enqueueMail } from '../../mail/outbox.ts'
import { closeCanceledCheckouts, requestCancellation } from '../../money/payments/checkout/cancel.ts'
import { syncCheckouts } from '../../money/payments/checkout/sweep.ts'
import { markHeldPayments } from '../../money/payments/unexpected-payments.ts'
import { currentSite } from '../../site/content/published.ts'
import { closeRequest } from '../cancellation/requests.ts'
import { findOffer, missingOf, type Offer, staysBooked } from './records.ts'

/** Whether payments may be missing here, like after a restore. */
type MayLackPayments = (deps: Deps) => boolean

/** Ends what is over; nothing while the clock is known to be wrong (CLAIM-04). Usually nothing is over; then no write is needed. */
export async function tickOffers(deps: Deps, mayLackPayments: MayLackPayments = () => false): Promise<void> {
  if (futureEventTime(deps) !== undefined) return
  // Claims that do not depend on the provider come first, because its response can take long.
  if (overClaims(deps.db, nowIso(deps)).length > 0) {
    await deps.write(tx => {
      if (futureEventTime({ clock: deps.clock, db: tx }) !== undefined) return
      endOverClaims(deps, tx)
      updateConflicts(deps, tx)
    })
    failpoint('after-claim-tick')
  }
  const overdue = mayLackPayments(deps) ? new Set<string>() : await askAboutOverdue(deps)
  // The owner may have given new days while the provider was asked (CLAIM-25).
  const isOverdue = ({ claim }: Offer) => overdue.has(claim.id) && claim.untilAt <= nowIso(deps)
  const toSettle = (db: Db) =>
    acceptedOffers(deps, db).filter(offer => isOverdue(offer) || missingOf(db, offer).length === 0)
  if (toSettle(deps.db).length === 0) return
  const canceled = await deps.write(tx => {
    if (futureEventTime({ clock: deps.clock, db: tx }) !== undefined) return []
    return toSettle(tx).flatMap(offer => settle(deps, tx, offer))
  })
  failpoint('after-claim-tick')
  await closeCanceledCheckouts(deps, canceled)
}

const acceptedOffers = (deps: Deps, db: Db): Offer[] =>
  db
    .select({ id: claims.id })
    .from(claims)
    .where(eq(claims.state, 'accepted'))
    .all()
    .flatMap(({ id }) => findOffer(deps, db, id) ?? [])

/**
 * The accepted offers whose deadline has passed and whose payments are known: what was paid in time may not have been told,
 * so the provider is asked about their open checkouts. Those without an answer wait for a later minute.
 */
async function askAboutOverdue(deps: Deps): Promise<Set<string>> {
  const known = new Set<string>()
  for (const { claim } of acceptedOffers(deps, deps.db)) {
    if (claim.untilAt > nowIso(deps)) continue
    await syncCheckouts(deps, claim.acceptedApplicationId ?? '').then(
      () => known.add(claim.id),
      error =>
        deps.log.warn({ err: error, claimId: claim.id }, 'the deadline of an offer waits for its payments'),
    )
  }
  return known
}

/** Looks once (CLAIM-26). Returns the checkouts to close. */
function settle(deps: Deps, tx: Tx, offer: Offer): string[] {
  const { acceptedApplicationId: applicationId, email, id } = offer.claim
  if (applicationId === null) return []
  const isSecured = missingOf(tx, offer).length === 0
  if (isSecured || staysBooked(tx, applicationId)) {
    endClaims(deps, tx, system, [id], isSecured ? 'done' : 'incomplete')
    return []
  }
  const at = nowIso(deps)
  endClaims(deps, tx, system, [id], 'lapsed')
  tx.update(applications)
    .set({ status: 'rejected', updatedAt: at })
    .where(eq(applications.id, applicationId))
    .run()
  closeRequest(tx, system, at, applicationId)
  const canceled = requestCancellation(tx, at, applicationId)
  cancelUnsentMails(tx, applicationId, ['invitation'])
  voidSigning(deps, tx, system, { applicationId }, 'The offer has lapsed.')
  closeClaimsOf(deps, tx, system, applicationId)
  markHeldPayments(tx, at, applicationId)
  recordEvent(tx, at, system, 'application.rejected', applicationId, { from: 'approved', claimId: id })
  updateConflicts(deps, tx)
  const validUntil = new Date(Date.parse(at) + 7 * dayMs).toISOString()
  const props = { claimId: id }
  for (const [to, who] of [
    [email, 'guest'],
    [currentSite(deps).ownerEmail, 'owner'],
  ] as const) {
    const dedupeKey = `offer-lapsed:${id}:${who}`
    enqueueMail(tx, at, { kind: 'offer-lapsed', to, dedupeKey, props: { ...props, who }, validUntil })
  }
  failpoint('in-lapsing')
  return canceled
}
