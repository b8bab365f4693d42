import type { z } from 'zod'
import type { Tx } from '../../../../db/open.ts'
import { type Actor, type Admin, requireTenant, type SignedIn } from '../../../domain/accounts/access.ts'
import { adminEmailMessage } from '../../../domain/bookings/booking-entry.ts'
import { endOfDay, offerRefusals } from '../../../domain/bookings/claim.ts'
import type { acceptanceForm, linkAcceptanceForm, OfferPerson } from '../../../domain/bookings/offer-form.ts'
import { guestCount } from '../../../domain/bookings/people.ts'
import { lastSecureDay } from '../../../domain/bookings/securing.ts'
import { AppError, type FieldErrors, fieldError } from '../../../domain/common/errors.ts'
import { plural } from '../../../domain/common/plural.ts'
import { createGuestAccount } from '../../auth/accounts/create-account.ts'
import { isEmailTaken } from '../../auth/accounts/email-change/changes.ts'
import { issueToken } from '../../auth/sessions/access-links.ts'
import { findUser, findUserByEmail, isMailboxProven, type UserRow } from '../../auth/sessions/users.ts'
import { acceptedIn, takenOf } from '../../bookings/calendars/bookable.ts'
import { updateConflicts } from '../../bookings/calendars/conflicts.ts'
import { refreshStaleFeeds } from '../../bookings/calendars/refresh-stale.ts'
import { nameOf } from '../../bookings/claim-records.ts'
import { endClaims, endOverClaims, setClaim } from '../../bookings/claims.ts'
import type { ImportedEvent } from '../../bookings/imported-nights.ts'
import { notifyTenant } from '../../bookings/notifications.ts'
import { getSubmittedApplication } from '../../bookings/records.ts'
import { whoMayBook } from '../../bookings/who-may-book.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso, todayAt } from '../../kernel/deps.ts'
import { generateOfferedLease } from '../../leases/generate.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { currentSite } from '../../site/content/published.ts'
import { insertEnteredApplication } from '../enter-application.ts'
import { inviteTo } from '../manual/enter-booking.ts'
import { requireSeen } from './price.ts'
import {
  linesOfOffer,
  type Offer,
  offerOf,
  offerOfToken,
  ownOffer,
  peopleOf,
  rangeOf,
  requireOffer,
  requireOpen,
} from './records.ts'
import { type acceptedNext, type GuestClaimView, presentForGuest } from './views.ts'

type Next = z.output<typeof acceptedNext>
type Accepted = { id: string; claim: GuestClaimView; next: Next }
type Answer = z.output<typeof acceptanceForm> & { typedName?: string }

/** Accepts by a mailed link, with a typed name. @throws AppError not_found; bad_request; conflict, see `accept` */
export async function acceptByLink(
  deps: Deps,
  actor: Actor,
  { token, ...answer }: z.output<typeof linkAcceptanceForm> & { token: string },
): Promise<Pick<Accepted, 'claim' | 'next'>> {
  offerOfToken(deps, deps.db, token)
  const { claim, next } = await accept(deps, actor, tx => offerOfToken(deps, tx, token), answer)
  return { claim, next }
}

/** The same for a signed-in tenant. @throws AppError not_found; forbidden for an admin; as `acceptByLink` */
export async function acceptOwn(deps: Deps, actor: SignedIn, claimId: string, answer: Answer) {
  const tenant = requireTenant(actor)
  ownOffer(deps, deps.db, tenant, claimId)
  const { claim, id, next } = await accept(deps, tenant, tx => ownOffer(deps, tx, tenant, claimId), answer)
  return { claim: { _id: id, id, ...claim }, next }
}

/**
 * One transaction: account, approved application, lease with its plan and charges, claim and mails (CLAIM-19). The
 * calendars are read before.
 * @throws AppError conflict once it is answered or over, for another price and for nights that are taken; bad_request for
 * what is missing of the person
 */
async function accept(
  deps: Deps,
  actor: Actor,
  find: (tx: Tx) => Offer,
  { person, secureDays, totalCents, typedName, ...seen }: Answer,
): Promise<Accepted> {
  requireOpen(deps, find(deps.db as Tx))
  await refreshStaleFeeds(deps)
  const accepted = await deps.write(tx => {
    const offer = find(tx)
    const { claim } = offer
    requireOpen(deps, offer)
    requireSeen({ totalCents, ...seen }, { ...offer.terms, totalCents: linesOfOffer(tx, offer).totalCents })
    if (secureDays !== undefined && secureDays !== offer.terms.secureDays)
      throw new AppError('conflict', offerRefusals.stale)
    const people = requirePeople(tx, offer, person)
    const taken = requireNights(deps, tx, offer)
    endOverClaims(deps, tx)
    const at = nowIso(deps)
    // Accepting only says yes: what follows is the owner's.
    const owner: Admin = {
      role: 'admin',
      userId: claim.createdBy ?? '',
      requestOrigin: { address: '', userAgent: '' },
    }
    const guest = accountFor(deps, tx, at, owner, claim)
    failpoint('in-accepting-account')
    const { endDate, firstName, id, lastName, startDate } = claim
    const fields = { firstName, lastName, startDate, endDate, ...people, note: '' }
    // Who is signed in to the account that is booked for sees it; else the mailbox decides.
    const isSelf = actor.role !== 'guest' && actor.userId === guest.id
    const isTheirs = isSelf || isMailboxProven(guest)
    const origin = { source: 'offer', awaitsMailbox: !isTheirs } as const
    const { id: applicationId } = insertEnteredApplication(deps, tx, owner, guest, fields, origin)
    failpoint('in-accepting-application')
    secure(deps, tx, actor, offer, { applicationId, totalCents, typedName })
    generateOfferedLease(deps, tx, owner, applicationId, offer.terms)
    failpoint('in-accepting-lease')
    updateConflicts(deps, tx, { applicationId, taken })
    const next = tellOfBooking(deps, tx, { guest, isSelf, isTheirs, owner }, applicationId)
    enqueueMail(tx, at, {
      kind: 'offer-accepted',
      to: currentSite(deps).ownerEmail,
      dedupeKey: `offer-accepted:${id}`,
      props: { claimId: id, applicationId, name: nameOf(claim) },
    })
    return { id, claim: presentForGuest(deps, tx, requireOffer(deps, tx, id)), next }
  })
  failpoint('after-accepting')
  return accepted
}

/** The people of the application: known ones, and those that are given where something is asked. @throws AppError bad_request */
function requirePeople(tx: Tx, offer: Offer, person: OfferPerson | undefined) {
  const { known, needs } = peopleOf(tx, offer)
  const fields: FieldErrors = {}
  if (needs.includes('phone') && !person?.phone) fields['person.phone'] = 'Phone number is required'
  if (needs.includes('address') && !person?.address) fields['person.address'] = 'Address is required'
  const [first] = Object.values(fields)
  if (first) throw new AppError('bad_request', first, { fields })
  const { address = known.address, phone = known.phone, ...guests } = person ?? known
  const people = {
    ...known,
    ...(needs.includes('phone') && { phone }),
    ...(needs.includes('address') && { address }),
    ...(needs.includes('additionalGuests') && guests),
  }
  if (needs.includes('additionalGuests') && guestCount(people) > offer.terms.guests)
    throw fieldError(
      'person.additionalGuests',
      `This offer is for at most ${plural(offer.terms.guests, 'guest')}.`,
    )
  return people
}

/** The imported nights that the owner has accepted. @throws AppError conflict */
function requireNights(deps: Deps, tx: Tx, { claim }: Offer): ImportedEvent[] {
  const stay = rangeOf(claim)
  const eyes = { claimId: claim.id, withoutImported: true }
  const taken = takenOf(deps, tx, stay)
  if (
    whoMayBook(deps, tx, stay, eyes).some(({ accept }) => !accept) ||
    !taken.every(acceptedIn(claim.overrideEvents ?? []))
  )
    throw new AppError('conflict', offerRefusals.taken(currentSite(deps).ownerEmail))
  return taken
}

/**
 * The tenant of the booking that it comes from, else the account of the email, else a new one.
 * @throws AppError conflict for an administrator's email, and for a former one whose owner can still return to it: the
 * account may be in other hands (SAFE-28)
 */
function accountFor(
  deps: Deps,
  tx: Tx,
  at: string,
  owner: Admin,
  { email, firstName, lastName, userId }: Offer['claim'],
): UserRow {
  const known = userId === null ? findUserByEmail(tx, email) : findUser(tx, userId)
  if (known?.role === 'admin') throw new AppError('conflict', adminEmailMessage)
  if (!known && isEmailTaken(tx, at, email))
    throw new AppError(
      'conflict',
      `Your account has another email address now. Please write to ${currentSite(deps).ownerEmail}.`,
    )
  return known ?? createGuestAccount(tx, at, owner, { email, firstName, lastName })
}

/** From now on the nights are the booking's, with a deadline to sign the lease and pay the deposit (CLAIM-25). */
function secure(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  { claim, terms }: Offer,
  {
    applicationId,
    totalCents,
    typedName = null,
  }: { applicationId: string; totalCents: number; typedName?: string | null | undefined },
): void {
  const { timeZone } = deps.config.site
  const at = nowIso(deps)
  const { startDate } = claim
  const day = lastSecureDay({ startDate, secureDays: terms.secureDays }, todayAt(deps))
  setClaim(
    tx,
    claim.id,
    { state: 'accepted', untilAt: endOfDay(day, timeZone), acceptedApplicationId: applicationId },
    { acceptedAt: at, totalCents, typedName, isTold: true },
  )
  recordEvent(tx, at, actor, 'claim.accepted', claim.id, { applicationId, totalCents, typedName })
  if (terms.secureDays === 0) endClaims(deps, tx, actor, [claim.id], 'done')
}

/**
 * Mails the guest, and says how they get in. An account that somebody registered with their email is not theirs before
 * a new password proves the mailbox.
 */
function tellOfBooking(
  deps: Deps,
  tx: Tx,
  { guest, isSelf, isTheirs, owner }: { guest: UserRow; isSelf: boolean; isTheirs: boolean; owner: Admin },
  applicationId: string,
): Next {
  const at = nowIso(deps)
  const record = getSubmittedApplication(tx, owner, applicationId)
  const offer = offerOf(tx, applicationId)
  if (isTheirs) notifyTenant(tx, at, 'lease-ready', record, { occasion: `${applicationId}:offer`, offer })
  if (isSelf) return { kind: 'application', applicationId }
  const linkId = isTheirs ? undefined : inviteTo(deps, tx, guest, record)
  const token = linkId && issueToken(tx, at, linkId)?.token
  return token
    ? { kind: 'password', applicationId, invitationToken: token }
    : { kind: 'login', applicationId }
}
