import { and, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../../../db/open.ts'
import { applications, claims } from '../../../../db/schema.ts'
import { actorRoles } from '../../../domain/accounts/access.ts'
import { isBooked } from '../../../domain/bookings/application-status.ts'
import {
  claimEnds,
  claimKinds,
  claimStates,
  priceSources,
  promisePlatforms,
} from '../../../domain/bookings/claim.ts'
import { personFields } from '../../../domain/bookings/offer-form.ts'
import { afterAccepting } from '../../../domain/bookings/securing.ts'
import { nightsBetween } from '../../../domain/common/dates.ts'
import { centsToDollars } from '../../../domain/common/money.ts'
import { apiCents, recordIds, wireDate, wireDollars, wireMoment } from '../../../domain/common/wire.ts'
import { type ChargeLine, chargeKinds } from '../../../domain/money/charge.ts'
import { quoteLine, stayQuoteView } from '../../../domain/money/stay-quote.ts'
import { atPresent, type ClaimRow, pendingOverlaps } from '../../bookings/claim-records.ts'
import { type Deps, todayAt } from '../../kernel/deps.ts'
import { view } from '../../kernel/view.ts'
import { currentSite } from '../../site/content/published.ts'
import { mailPreview } from '../views.ts'
import {
  claimNotFound,
  linesOfOffer,
  missingOf,
  type Offer,
  peopleOf,
  rangeOf,
  selectClaims,
  staysBooked,
} from './records.ts'

const line = z.strictObject({ kind: z.enum(chargeKinds), label: z.string(), amountCents: apiCents })
/** Lines without what costs nothing, rent excepted. */
export const chargeLineView = (lines: readonly ChargeLine[]): z.output<typeof line>[] =>
  lines
    .filter(({ amountCents, kind }) => kind === 'rent' || amountCents !== 0)
    .map(({ amountCents, kind, label }) => ({ kind, label, amountCents }))

const common = {
  kind: z.enum(claimKinds),
  state: z.enum(claimStates),
  endedAs: z.enum(claimEnds).nullable(),
  firstName: z.string(),
  lastName: z.string(),
  startDate: wireDate,
  endDate: wireDate,
  nights: z.int(),
  guests: z.int().nullable(),
  until: wireMoment.nullable(),
  rentalAmount: wireDollars.nullable(),
  depositAmount: wireDollars.nullable(),
  lines: z.array(line).nullable(),
  totalCents: apiCents.nullable(),
  depositCents: apiCents.nullable(),
  secureDays: z.int().nullable(),
  message: z.string().nullable(),
  missing: z.array(z.string()),
}

/** A claim as the owner sees it; of an addendum the fields of a price are null. */
export const claimView = z
  .strictObject({
    ...recordIds,
    ...common,
    email: z.string(),
    lastDate: wireDate.nullable(),
    answerDays: z.int().nullable(),
    platforms: z.enum(promisePlatforms).nullable(),
    priceFrom: z.enum(priceSources).nullable(),
    applicationId: z.string().nullable(),
    applicationNumber: z.string().nullable(),
    acceptedApplicationId: z.string().nullable(),
    acceptedApplicationNumber: z.string().nullable(),
    overlapping: z.array(z.strictObject({ applicationId: z.string(), applicationNumber: z.string() })),
    /** Whether its booking lapses at the deadline. */
    lapses: z.boolean(),
    version: z.int(),
    createdAt: wireMoment,
    openedAt: wireMoment.nullable(),
    acceptedAt: wireMoment.nullable(),
    endedAt: wireMoment.nullable(),
  })
  .meta({ id: 'Claim' })
export type ClaimView = z.infer<typeof claimView>
export const claimAnswer = z.strictObject({ claim: claimView, warnings: z.array(z.string()) })
export type ClaimAnswer = z.infer<typeof claimAnswer>

export const claimEvent = z.strictObject({
  kind: z.string(),
  at: wireMoment,
  actorRole: z.enum(actorRoles),
  detail: z.record(z.string(), z.unknown()),
})

/** An offer as its guest sees it: nobody else's name, no email and no id. */
export const guestClaimView = z
  .strictObject({
    ...common,
    secureUntil: wireMoment.nullable(),
    /** What follows an acceptance; null without a deadline. */
    afterAccepting: z.string().nullable(),
    propertyName: z.string(),
    ownerEmail: z.string(),
    needs: z.array(z.enum(personFields)),
  })
  .meta({ id: 'GuestClaim' })
/** The same for a signed-in tenant, who answers by its id. */
export const ownClaimView = guestClaimView.extend(recordIds)
export type OwnClaimView = z.infer<typeof ownClaimView>
export type GuestClaimView = z.infer<typeof guestClaimView>

export const offerPreviewView = z.strictObject({
  rentalAmount: wireDollars,
  depositAmount: wireDollars,
  lines: z.array(quoteLine),
  optional: stayQuoteView.shape.optional,
  totalCents: apiCents,
  depositCents: apiCents,
  blockedNights: z.array(wireDate),
  problems: stayQuoteView.shape.problems,
  warnings: z.array(z.string()),
  mail: mailPreview.optional(),
})
export const promiseProposal = z.strictObject({
  startDate: wireDate,
  endDate: wireDate,
  until: wireDate,
  answerDays: z.int(),
  platforms: z.enum(promisePlatforms),
  guests: z.int(),
  priceFrom: z.enum(priceSources),
  rentalAmount: wireDollars,
  depositAmount: wireDollars,
  lines: z.array(line),
  totalCents: apiCents,
  blockedNights: z.array(wireDate),
  warnings: z.array(z.string()),
})

/** What comes after accepting: a link never makes a session (CLAIM-20). */
export const acceptedNext = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['application', 'login']), applicationId: z.string() }),
  z.strictObject({ kind: z.literal('password'), applicationId: z.string(), invitationToken: z.string() }),
])

/** @throws AppError not_found */
export function presentOffer(deps: Deps, db: Db, id: string): ClaimView {
  const [row] = selectClaims(db, eq(claims.id, id))
  if (!row) throw claimNotFound()
  return presentClaim(deps, db, row)
}

/** A claim as the owner sees it at this moment. */
export function presentClaim(
  deps: Deps,
  db: Db,
  { terms, ...found }: { claim: ClaimRow; terms: Offer['terms'] | null },
): ClaimView {
  const claim = atPresent(deps, db, found.claim)
  const offer = terms && { claim, terms }
  const { firstName, lastName, number } = applications
  const applicationOf = (id: string | null) =>
    db
      .select({ firstName, lastName, number })
      .from(applications)
      .where(eq(applications.id, id ?? ''))
      .get()
  const application = applicationOf(claim.applicationId)
  const isKept = claim.state === 'open' || claim.state === 'asked'
  const overlapping = offer && isKept ? pendingOverlaps(db, rangeOf(claim), claim.userId) : []
  return view(claimView, {
    ...claim,
    ...presentCommon(db, claim, terms),
    // The claim of an addendum.
    ...(!offer && application && { firstName: application.firstName, lastName: application.lastName }),
    until: claim.endedAt === null ? claim.untilAt : null,
    answerDays: terms?.answerDays ?? null,
    platforms: terms?.platforms ?? null,
    priceFrom: terms?.priceFrom ?? null,
    missing: offer && claim.state === 'accepted' ? missingOf(db, offer) : [],
    lapses: claim.state === 'accepted' && !staysBooked(db, claim.acceptedApplicationId ?? ''),
    applicationNumber: application?.number ?? null,
    acceptedApplicationNumber: applicationOf(claim.acceptedApplicationId)?.number ?? null,
    overlapping: overlapping.map(({ id, number }) => ({ applicationId: id, applicationNumber: number })),
    openedAt: terms?.openedAt ?? null,
    acceptedAt: terms?.acceptedAt ?? null,
  })
}

function presentCommon(db: Db, claim: ClaimRow, terms: Offer['terms'] | null) {
  const { endDate, endedAs, firstName, kind, lastName, startDate, state } = claim
  const { lines, totalCents } = terms ? linesOfOffer(db, { claim, terms }) : { lines: null, totalCents: null }
  return {
    kind,
    state,
    endedAs,
    firstName,
    lastName,
    startDate,
    endDate,
    nights: nightsBetween(startDate, endDate),
    guests: terms?.guests ?? null,
    rentalAmount: terms && centsToDollars(terms.rentCents),
    depositAmount: terms && centsToDollars(terms.depositCents),
    lines: lines && chargeLineView(lines),
    // What was accepted stands, whatever taxes have become.
    totalCents: terms?.totalCents ?? totalCents,
    depositCents: terms?.depositCents ?? null,
    secureDays: terms?.secureDays ?? null,
    message: terms?.message ?? null,
  }
}

/** Whether the application that an accepted offer became is booked. */
function hasBooking(db: Db, { acceptedApplicationId }: ClaimRow): boolean {
  const of = and(eq(applications.id, acceptedApplicationId ?? ''), isNull(applications.deletedAt))
  const found = db.select({ status: applications.status }).from(applications).where(of).get()
  return found !== undefined && isBooked(found.status)
}

/** What the guest of an offer sees. */
export function presentForGuest(deps: Deps, db: Db, offer: Offer): GuestClaimView {
  const { claim, terms } = offer
  const { ownerEmail, propertyName } = currentSite(deps)
  const isAccepted = claim.state === 'accepted'
  // Accepted, with a booking that has ended since.
  const isClosed = (claim.endedAs === 'done' || claim.endedAs === 'incomplete') && !hasBooking(db, claim)
  return {
    ...presentCommon(db, claim, terms),
    ...(isClosed && { endedAs: 'closed' as const }),
    until: isAccepted ? null : claim.untilAt,
    secureUntil: isAccepted ? claim.untilAt : null,
    afterAccepting: afterAccepting({ ...terms, startDate: claim.startDate }, todayAt(deps)) ?? null,
    propertyName,
    ownerEmail,
    needs: peopleOf(db, offer).needs,
    missing: claim.endedAs === 'lapsed' || isClosed ? [] : missingOf(db, offer),
  }
}
