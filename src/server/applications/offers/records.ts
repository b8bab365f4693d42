import { and, desc, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../../../db/open.ts'
import {
  accessLinks,
  applications,
  claims,
  claimTerms,
  events,
  leases,
  payments,
  signers,
  signings,
  users,
} from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { lastDayOf, offerRefusals, refusalOf } from '../../../domain/bookings/claim.ts'
import { type OfferPerson, personFields } from '../../../domain/bookings/offer-form.ts'
import { noLease, unsigned } from '../../../domain/bookings/offer-words.ts'
import { guestCount } from '../../../domain/bookings/people.ts'
import type { DateRange } from '../../../domain/common/dates.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { findLink } from '../../auth/sessions/access-links.ts'
import { atPresent, type ClaimRow } from '../../bookings/claim-records.ts'
import { type ApplicationRow, isSigned, listOwnApplications, selectRecords } from '../../bookings/records.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { moneyOf } from '../../money/records.ts'
import { linesOf } from './price.ts'

export type TermsRow = typeof claimTerms.$inferSelect
/** An offer or a promise. */
export type Offer = { claim: ClaimRow; terms: TermsRow }

export const claimNotFound = () => new AppError('not_found', 'This claim does not exist.')

/** Claims as they are stored, with what they offer, and with the email that the account has at this moment (CLAIM-16). */
export function selectClaims(
  db: Db,
  where: SQL | undefined,
  order: SQL | SQLiteColumn = claims.createdAt,
  limit = -1,
) {
  return (
    db
      .select({ claim: claims, terms: claimTerms, email: users.email })
      .from(claims)
      .leftJoin(claimTerms, eq(claimTerms.claimId, claims.id))
      .leftJoin(applications, eq(applications.id, claims.acceptedApplicationId))
      // An offer sent to an email has an account only after it is accepted.
      .leftJoin(users, eq(users.id, sql`coalesce(${claims.userId}, ${applications.userId})`))
      .where(where)
      .orderBy(order)
      .limit(limit)
      .all()
      .map(({ claim, email, terms }) => ({ terms, claim: { ...claim, email: email ?? claim.email } }))
  )
}

export const selectOffers = (db: Db, where: SQL | undefined): Offer[] =>
  selectClaims(db, where).flatMap(({ claim, terms }) => (terms ? { claim, terms } : []))

/** As it is at this moment; undefined for an addendum, which offers nothing. */
export function findOffer(deps: Deps, db: Db, id: string): Offer | undefined {
  const [offer] = selectOffers(db, eq(claims.id, id))
  return offer && { ...offer, claim: atPresent(deps, db, offer.claim) }
}

/** @throws AppError not_found, conflict for an addendum */
export function requireOffer(deps: Deps, db: Db, claimId: string): Offer {
  const offer = findOffer(deps, db, claimId)
  if (offer) return offer
  const isClaim = db.select({ id: claims.id }).from(claims).where(eq(claims.id, claimId)).get()
  if (isClaim) throw new AppError('conflict', 'Nights of an addendum are kept until it is answered.')
  throw claimNotFound()
}

const pageMs = 30 * dayMs

/** The offer of a mailed link, until 30 days after its end. Changes nothing. @throws AppError not_found */
export function offerOfToken(deps: Deps, db: Db, token: string): Offer {
  const at = nowIso(deps)
  const link = findLink(db, at, 'offer', token)
  const offer = link && findOffer(deps, db, link.subjectId)
  const over = offer && (offer.claim.endedAt ?? (offer.claim.state === 'accepted' ? at : offer.claim.untilAt))
  if (!offer || !over || Date.parse(at) >= Date.parse(over) + pageMs)
    throw new AppError('not_found', offerRefusals.gone)
  return offer
}

/** The offers that come from a person's own bookings or became one, newest first. */
export function ownOffers(deps: Deps, db: Db, actor: SignedIn): Offer[] {
  const ids = listOwnApplications(db, actor).map(({ application }) => application.id)
  return db
    .select({ claim: claims, terms: claimTerms })
    .from(claims)
    .innerJoin(claimTerms, eq(claimTerms.claimId, claims.id))
    .where(
      or(
        and(inArray(claims.applicationId, ids), eq(claims.userId, actor.userId)),
        // By a link, before there was an account.
        inArray(claims.acceptedApplicationId, ids),
      ),
    )
    .orderBy(desc(claims.createdAt))
    .all()
    .map(({ claim, terms }) => ({ terms, claim: atPresent(deps, db, claim) }))
}

/** @throws AppError not_found for another person's */
export function ownOffer(deps: Deps, db: Db, actor: SignedIn, id: string): Offer {
  const offer = ownOffers(deps, db, actor).find(({ claim }) => claim.id === id)
  if (!offer) throw claimNotFound()
  return offer
}

/** @throws AppError conflict once it is accepted, over or no longer open (CLAIM-21) */
export function requireOpen({ clock, config }: Deps, { claim }: Offer): void {
  const refusal = refusalOf(claim, nowIso({ clock }), config.site.timeZone)
  if (refusal) throw new AppError('conflict', refusal)
}

export const rangeOf = ({ endDate: end, startDate: start }: ClaimRow): DateRange => ({ start, end })
export const linesOfOffer = (db: Db, { claim, terms }: Offer) => linesOf(db, rangeOf(claim), terms, terms)

/** The link that its mails share; undefined once it was revoked without another one. */
export const linkOf = (db: Db, claimId: string): string | undefined =>
  db
    .select({ id: accessLinks.id })
    .from(accessLinks)
    .where(
      and(eq(accessLinks.kind, 'offer'), eq(accessLinks.subjectId, claimId), isNull(accessLinks.revokedAt)),
    )
    .get()?.id

/** The booking that it comes from, whose people and address count. */
const sourceOf = (db: Db, { claim }: Offer): ApplicationRow | undefined =>
  claim.applicationId === null
    ? undefined
    : db.select().from(applications).where(eq(applications.id, claim.applicationId)).get()

const nobody = {
  secondApplicantFirstName: '',
  secondApplicantLastName: '',
  phone: '',
  address: { street: '', city: '', state: '', zipCode: '' },
  additionalGuests: [] as ApplicationRow['additionalGuests'],
}

/** What is known of the people, and the fields that accepting still asks for. */
export function peopleOf(db: Db, offer: Offer) {
  const source = sourceOf(db, offer)
  const known = source
    ? {
        phone: source.phone,
        additionalGuests: source.additionalGuests,
        secondApplicantFirstName: source.secondApplicantFirstName,
        secondApplicantLastName: source.secondApplicantLastName,
        address: { street: source.street, city: source.city, state: source.state, zipCode: source.zipCode },
      }
    : nobody
  const lacks: Record<keyof Pick<OfferPerson, (typeof personFields)[number]>, boolean> = {
    phone: known.phone === '',
    address: known.address.street === '',
    additionalGuests: guestCount(known) < offer.terms.guests,
  }
  return { known, needs: personFields.filter(field => lacks[field]) }
}

/** What an accepted offer's booking still needs; it is secured once this is empty (CLAIM-25). */
export function missingOf(db: Db, { claim }: Offer): string[] {
  if (claim.acceptedApplicationId === null || claim.state === 'open' || claim.state === 'asked') return []
  const record = selectRecords(db)
    .where(and(eq(applications.id, claim.acceptedApplicationId), isNull(applications.deletedAt)))
    .get()
  if (!record) return []
  const { depositDueCents } = moneyOf(db, record.application)
  return [
    ...(isSigned(record.lease) ? [] : [record.lease ? unsigned : noLease]),
    ...(depositDueCents > 0 ? [`${formatCents(depositDueCents)} of the deposit is not paid.`] : []),
  ]
}

/**
 * Whether its booking does not lapse (CLAIM-26): somebody has signed, a payment was made or is on its way, the owner has
 * confirmed it, or there is no lease to sign.
 */
export function staysBooked(db: Db, applicationId: string): boolean {
  const signed = or(isNotNull(leases.signedAt), isNotNull(leases.firstSignedAt), isNotNull(signers.signedAt))
  const toSign = db
    .select({ isSigned: sql<number>`${signed}` })
    .from(leases)
    .leftJoin(signings, eq(signings.leaseId, leases.id))
    .leftJoin(signers, eq(signers.signingId, signings.id))
    .where(and(eq(leases.applicationId, applicationId), isNull(leases.voidedAt)))
    .all()
  const isMade = or(isNotNull(payments.paidAt), eq(payments.status, 'processing'))
  const paid = db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.applicationId, applicationId), isNull(payments.voidedAt), isMade))
    .get()
  const confirmed = db
    .select({ id: events.id })
    .from(events)
    .where(and(eq(events.subjectId, applicationId), eq(events.kind, 'application.completed')))
    .get()
  return (
    toSign.length === 0 || toSign.some(each => each.isSigned) || paid !== undefined || confirmed !== undefined
  )
}

/** Of an accepted offer, what its guest has to do until which day: to sign and pay, or once signed the deposit alone. */
export function unsecuredOf({ config, db }: Deps, application: ApplicationRow, isLeaseSigned: boolean) {
  const isOf = and(eq(claims.acceptedApplicationId, application.id), eq(claims.state, 'accepted'))
  const [offer] = selectOffers(db, isOf)
  if (!offer || offer.claim.endedAt !== null) return undefined
  const claim = { claimId: offer.claim.id, until: lastDayOf(offer.claim.untilAt, config.site.timeZone) }
  if (isLeaseSigned) {
    const { depositCents } = moneyOf(db, application).open
    return depositCents > 0 ? { kind: 'deposit' as const, ...claim, depositCents } : undefined
  }
  if (staysBooked(db, application.id)) return undefined
  return { kind: 'offer' as const, ...claim, depositCents: offer.terms.depositCents }
}

/** The offer that became a booking, as its mails name it. */
export const offerOf = (db: Db, applicationId: string) =>
  db.select({ claimId: claims.id }).from(claims).where(eq(claims.acceptedApplicationId, applicationId)).get()

/** The account of a booking's tenant. */
export const accountOf = (db: Db, applicationId: string) =>
  db
    .select({ account: users })
    .from(applications)
    .innerJoin(users, eq(users.id, applications.userId))
    .where(eq(applications.id, applicationId))
    .get()?.account
