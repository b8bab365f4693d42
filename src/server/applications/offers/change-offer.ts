import type { Tx } from '../../../../db/open.ts'
import { type Actor, type Admin, requireTenant, type SignedIn } from '../../../domain/accounts/access.ts'
import { emailKey } from '../../../domain/accounts/account-rules.ts'
import { endOfDay, lastDayOf, offerRefusals } from '../../../domain/bookings/claim.ts'
import { type OfferChange, offerUntil } from '../../../domain/bookings/offer-form.ts'
import { requirePromiseUntil } from '../../../domain/bookings/promise-until.ts'
import { dateIn } from '../../../domain/common/dates.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { createLink, revokeLinks } from '../../auth/sessions/access-links.ts'
import { endClaims, endOverClaims, setClaim } from '../../bookings/claims.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { mailOf, tellGuest } from './mails.ts'
import { requireNotAdmin } from './make-offer.ts'
import { changedPrice, isGiven, type Price } from './price.ts'
import { type Offer, offerOfToken, ownOffer, rangeOf, requireOffer, requireOpen } from './records.ts'
import { type ClaimView, type GuestClaimView, presentForGuest, presentOffer } from './views.ts'

/**
 * Changes times, price or words of an offer; new times or a new price are mailed (CLAIM-23).
 * @throws AppError not_found; forbidden for words of the owner without a step-up; bad_request for a time; conflict for
 * another version, once it is answered or over, and for the price of a promise that somebody asks for
 */
export function changeOffer(
  deps: Deps,
  actor: Admin,
  claimId: string,
  { version, ...change }: OfferChange,
): Promise<ClaimView> {
  return deps.write(tx => {
    if (change.message || change.extraLines?.length) requireStepUp(deps, tx, actor)
    endOverClaims(deps, tx)
    const offer = requireOffer(deps, tx, claimId)
    const { claim, terms } = offer
    requireOpen(deps, offer)
    if (claim.version !== version) throw new AppError('conflict', offerRefusals.stale)
    if (isGiven(change) && claim.state === 'asked') throw new AppError('conflict', offerRefusals.priceAsked)
    const time: Partial<Time> = change.until === undefined ? {} : newTime(deps, offer, change.until)
    const price: Partial<Price> = isGiven(change) ? changedPrice(tx, rangeOf(claim), terms, change) : {}
    const { secureDays = terms.secureDays } = change
    const isTold =
      isGiven(change) || (time.untilAt ?? claim.untilAt) !== claim.untilAt || secureDays !== terms.secureDays
    setClaim(
      tx,
      claimId,
      { state: claim.state, untilAt: claim.untilAt, ...time, version: version + 1 },
      {
        ...price,
        secureDays,
        ...(change.message !== undefined && { message: change.message }),
        isTold,
      },
    )
    recordEvent(tx, nowIso(deps), actor, 'claim.changed', claimId, {
      ...(time.untilAt && { untilAt: time.untilAt }),
      ...(price.rentCents !== undefined && {
        rentCents: price.rentCents,
        depositCents: price.depositCents ?? null,
      }),
      ...(change.secureDays !== undefined && { secureDays: change.secureDays }),
      ...(change.message !== undefined && { message: change.message }),
    })
    if (isTold) tellAgain(deps, tx, claimId)
    return presentOffer(deps, tx, claimId)
  })
}

type Time = { untilAt: string; lastDate?: string }

/** Of an asked promise, the time to answer. @throws AppError bad_request */
function newTime({ clock, config }: Deps, { claim }: Offer, wanted: string): Time {
  const { timeZone } = config.site
  const now = clock.now()
  if (claim.kind === 'offer')
    return { untilAt: offerUntil(wanted, { arrival: claim.startDate, hours: 0, now, timeZone }) }
  const day = wanted.length > 10 ? lastDayOf(wanted, timeZone) : wanted
  requirePromiseUntil(day, claim.startDate, dateIn(now, timeZone))
  return { untilAt: endOfDay(day, timeZone), ...(claim.state === 'open' && { lastDate: day }) }
}

function tellAgain(deps: Deps, tx: Tx, claimId: string): void {
  const offer = requireOffer(deps, tx, claimId)
  tellGuest(deps, tx, mailOf(offer), offer)
}

/**
 * Frees the nights and tells the guest.
 * @throws AppError forbidden for words of the owner without a step-up; not_found; conflict once it is accepted or ended
 */
export function withdrawOffer(
  deps: Deps,
  actor: Admin,
  claimId: string,
  reason?: string,
): Promise<ClaimView> {
  return deps.write(tx => {
    if (reason) requireStepUp(deps, tx, actor)
    endOverClaims(deps, tx)
    const offer = requireOffer(deps, tx, claimId)
    if (offer.claim.acceptedApplicationId !== null)
      throw new AppError('conflict', offerRefusals.acceptedForOwner)
    requireOpen(deps, offer)
    endClaims(deps, tx, actor, [claimId], 'withdrawn', reason)
    return presentOffer(deps, tx, claimId)
  })
}

/**
 * Mails a new link, to a corrected email if given; earlier links die (CLAIM-16).
 * @throws AppError not_found; conflict once it is answered or ended, and for the email of somebody with an account;
 * forbidden for another email without a step-up
 */
export function resendOffer(deps: Deps, actor: Admin, claimId: string, email?: string): Promise<ClaimView> {
  return deps.write(tx => {
    endOverClaims(deps, tx)
    const offer = requireOffer(deps, tx, claimId)
    requireOpen(deps, offer)
    const { claim } = offer
    const at = nowIso(deps)
    if (email !== undefined && emailKey(email) !== claim.emailKey) {
      requireStepUp(deps, tx, actor)
      if (claim.userId !== null)
        throw fieldError('email', 'This person has an account, with an email of its own.', 'conflict')
      requireNotAdmin(tx, email)
      setClaim(tx, claimId, { email: email.trim(), emailKey: emailKey(email) })
    } else setClaim(tx, claimId, { email: claim.email, emailKey: emailKey(claim.email) })
    revokeLinks(tx, at, 'offer', { subjectId: claimId })
    createLink(tx, at, { kind: 'offer', subjectId: claimId, personId: claim.userId })
    setClaim(tx, claimId, { version: claim.version + 1 }, { isTold: true })
    recordEvent(tx, at, actor, 'claim.changed', claimId, { sentAgain: true })
    tellAgain(deps, tx, claimId)
    return presentOffer(deps, tx, claimId)
  })
}

/** @throws AppError not_found; forbidden for an admin; conflict unless it is open or asked */
export function declineOwn(
  deps: Deps,
  actor: SignedIn,
  claimId: string,
  reason?: string,
): Promise<GuestClaimView & { _id: string; id: string }> {
  const tenant = requireTenant(actor)
  return deps.write(tx => {
    decline(deps, tx, tenant, ownOffer(deps, tx, tenant, claimId), reason)
    const view = presentForGuest(deps, tx, requireOffer(deps, tx, claimId))
    return { _id: claimId, id: claimId, ...view }
  })
}

/** Needs a few words, so that a mail scanner can not do it (CLAIM-17). @throws AppError not_found; conflict as `declineOwn` */
export function declineByLink(
  deps: Deps,
  actor: Actor,
  token: string,
  reason: string,
): Promise<GuestClaimView> {
  return deps.write(tx => {
    const offer = offerOfToken(deps, tx, token)
    decline(deps, tx, actor, offer, reason)
    return presentForGuest(deps, tx, requireOffer(deps, tx, offer.claim.id))
  })
}

function decline(deps: Deps, tx: Tx, actor: Actor, offer: Offer, reason?: string): void {
  requireOpen(deps, offer)
  endOverClaims(deps, tx)
  endClaims(deps, tx, actor, [offer.claim.id], 'declined', reason)
}

/** What a mailed link opens; notes the first time. @throws AppError not_found */
export async function openOffer(deps: Deps, token: string): Promise<GuestClaimView> {
  const { claim, terms } = offerOfToken(deps, deps.db, token)
  if (terms.openedAt === null)
    await deps.write(tx => {
      const found = requireOffer(deps, tx, claim.id)
      if (found.terms.openedAt === null) setClaim(tx, claim.id, {}, { openedAt: nowIso(deps) })
    })
  return presentForGuest(deps, deps.db, offerOfToken(deps, deps.db, token))
}
