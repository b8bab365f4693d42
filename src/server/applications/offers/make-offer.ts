import type { Db, Tx } from '../../../../db/open.ts'
import { claims } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { emailRequired } from '../../../domain/accounts/account.ts'
import { emailKey, isMissingEmail } from '../../../domain/accounts/account-rules.ts'
import { isBooked } from '../../../domain/bookings/application-status.ts'
import { adminEmailMessage } from '../../../domain/bookings/booking-entry.ts'
import { quoteRuleFields } from '../../../domain/bookings/booking-rules.ts'
import { offerRefusals } from '../../../domain/bookings/claim.ts'
import {
  type OfferInput,
  type OfferPreview,
  offersSection,
  offerUntil,
} from '../../../domain/bookings/offer-form.ts'
import { addDays, type DateRange } from '../../../domain/common/dates.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { guestLimitMessage } from '../../../domain/common/guest-limit.ts'
import { centsToDollars } from '../../../domain/common/money.ts'
import { formatNights, maxStayNights } from '../../../domain/common/stay.ts'
import { quoteLineOf } from '../../../domain/money/stay-quote.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { createLink } from '../../auth/sessions/access-links.ts'
import { findUserByEmail } from '../../auth/sessions/users.ts'
import { brokenRules, ruleWarnings } from '../../bookings/booking-rules.ts'
import {
  type Acceptance,
  acceptanceOf,
  acceptedPart,
  recordOverride,
  requireAccepted,
} from '../../bookings/calendars/bookable.ts'
import { updateConflicts } from '../../bookings/calendars/conflicts.ts'
import { refreshStaleFeeds } from '../../bookings/calendars/refresh-stale.ts'
import { atPresent, isKeeping, isLive, pendingOverlaps } from '../../bookings/claim-records.ts'
import { addTerms, endOverClaims, makeClaims } from '../../bookings/claims.ts'
import type { ImportedEvent } from '../../bookings/imported-nights.ts'
import { blockedNights } from '../../bookings/nights.ts'
import { getSubmittedApplication, type OwnApplication } from '../../bookings/records.ts'
import { checkFree } from '../../bookings/who-may-book.ts'
import { type Deps, nowIso, todayAt } from '../../kernel/deps.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { guestLimitOf } from '../../site/content/published.ts'
import { readSection } from '../../site/settings.ts'
import { oncePerRequest } from '../manual/idempotency.ts'
import { previewOfferMail, tellGuest } from './mails.ts'
import { linesOf, optionalFees, type Price, priceOf, requireSeen } from './price.ts'
import { accountOf, claimNotFound, findOffer } from './records.ts'
import { type ClaimAnswer, chargeLineView, presentOffer } from './views.ts'

const maxLive = 50

/** Whom nights are kept for. */
type Person = { userId: string | null; email: string; firstName: string; lastName: string }
type Wanted = { stay: DateRange; guests: number; userId: string | null; excludeId?: string }

/**
 * Checks nights before they are kept for somebody. Changes nothing.
 * @throws AppError bad_request for an arrival; conflict for taken nights and too many offers
 */
export function checkNights(
  deps: Deps,
  db: Db,
  { excludeId, guests, stay, userId }: Wanted,
  accept?: Acceptance,
): { taken: ImportedEvent[]; blocked: string[]; warnings: string[] } {
  const today = todayAt(deps)
  if (stay.start < today) throw fieldError('startDate', 'The arrival is in the past.')
  if (stay.start > addDays(today, maxStayNights))
    throw fieldError('startDate', 'Please choose an arrival within three years.')
  const limit = guestLimitOf(deps)
  if (guests > limit) throw fieldError('guests', guestLimitMessage(limit))
  checkFree(deps, db, stay, {})
  const taken = requireAccepted(deps, db, { stay, accept })
  const now = nowIso(deps)
  const rows = db.select().from(claims).where(isKeeping).all()
  const live = rows.filter(row => row.kind !== 'addendum' && isLive(now, atPresent(deps, db, row)))
  if (live.length >= maxLive) throw new AppError('conflict', offerRefusals.tooMany)
  const blocked = blockedNights(db, stay)
  const pending = pendingOverlaps(db, stay, userId)
  return {
    taken,
    blocked,
    warnings: [
      ...(blocked.length > 0 ? [`You have blocked these nights: ${formatNights(blocked)}`] : []),
      ...ruleWarnings(db, deps, { stay, people: guests, ...(excludeId !== undefined && { excludeId }) }),
      ...(pending.length > 0 ? [`Asked for by ${pending.map(({ number }) => number).join(', ')}`] : []),
    ],
  }
}

/** A booked stay to offer again. @throws AppError not_found; conflict if it is not booked */
export function bookedRecord(db: Db, actor: Admin, applicationId: string): OwnApplication {
  const record = getSubmittedApplication(db, actor, applicationId)
  if (!isBooked(record.application.status)) throw new AppError('conflict', offerRefusals.notBooked)
  return record
}

/** The tenant of a booked stay. @throws AppError bad_request for a guest without an email */
export function tenantOf(db: Db, { application }: OwnApplication): Person {
  const account = accountOf(db, application.id)
  if (!account || isMissingEmail(account.email)) throw fieldError('email', emailRequired)
  const { firstName, lastName, userId } = application
  return { userId, email: account.email, firstName, lastName }
}

type Kept = {
  kind: 'offer' | 'promise'
  person: Person
  stay: DateRange
  price: Price
  guests: number
  untilAt: string
  applicationId: string | null
  taken: readonly ImportedEvent[]
  terms: {
    totalCents?: number | undefined
    depositCents?: number | undefined
    message?: string | undefined
    secureDays?: number | undefined
    answerDays?: number | undefined
    platforms?: 'closed' | 'open'
  }
  lastDate?: string
}

/**
 * Stores an offer or a promise whose nights were checked in the same write, and mails its guest.
 * @throws AppError conflict for another price than the one that was seen
 */
export function keepFor(deps: Deps, tx: Tx, actor: Admin, kept: Kept): string {
  const { applicationId, guests, kind, lastDate, person, price, stay, taken, terms, untilAt } = kept
  const settings = readSection(tx, offersSection).body
  const { totalCents } = linesOf(tx, stay, { guests }, price)
  requireSeen(terms, { totalCents, depositCents: price.depositCents })
  const [id = ''] = makeClaims(deps, tx, actor, [stay], {
    kind,
    untilAt,
    applicationId,
    ...person,
    emailKey: emailKey(person.email),
    lastDate: lastDate ?? null,
    overrideEvents: taken.map(acceptedPart),
  })
  addTerms(tx, {
    claimId: id,
    guests,
    ...price,
    message: terms.message ?? '',
    secureDays: terms.secureDays ?? settings.secureDays,
    answerDays: terms.answerDays ?? settings.answerDays,
    platforms: terms.platforms ?? 'closed',
  })
  createLink(tx, nowIso(deps), { kind: 'offer', subjectId: id, personId: person.userId })
  recordOverride(deps, tx, actor, id, taken)
  updateConflicts(deps, tx, { claimIds: [id], taken })
  const offer = findOffer(deps, tx, id)
  if (!offer) throw claimNotFound()
  tellGuest(deps, tx, kind, offer)
  failpoint('in-offer-write')
  return id
}

/** What an offer would say, and the warnings. Writes nothing. @throws AppError as in `makeOffer` */
export async function previewOffer(deps: Deps, actor: Admin, input: OfferPreview) {
  const { db } = deps
  const { guests, mail } = input
  const stay = { start: input.startDate, end: input.endDate }
  const from = input.applicationId ? bookedRecord(db, actor, input.applicationId) : undefined
  const { blocked, warnings } = checkNights(deps, db, {
    stay,
    guests,
    userId: from?.application.userId ?? null,
  })
  const price = priceOf(db, stay, input)
  const { lines, totalCents } = linesOf(db, stay, input, price)
  const { depositCents } = price
  const offered = { ...stay, guests, lines: chargeLineView(lines), totalCents, depositCents }
  return {
    ...(mail && {
      mail: await previewOfferMail(deps, {
        ...offered,
        ...mail,
        ...(from && tenantOf(db, from)),
        secureDays: mail.secureDays ?? readSection(db, offersSection).body.secureDays,
        untilAt: untilOf(deps, db, stay, mail.until),
      }),
    }),
    rentalAmount: centsToDollars(price.rentCents),
    depositAmount: centsToDollars(price.depositCents),
    lines: lines.filter(({ amountCents, kind }) => kind === 'rent' || amountCents !== 0).map(quoteLineOf),
    optional: optionalFees(db, stay, input, price),
    totalCents,
    depositCents,
    blockedNights: blocked,
    problems: brokenRules(db, deps, { stay, people: guests }).map(({ about, message }) => ({
      field: quoteRuleFields[about],
      message,
    })),
    warnings,
  }
}

/**
 * Holds nights for a person by a clock, and mails the offer (CLAIM-13). Repeating a `requestId` returns the first answer.
 * @throws AppError forbidden without a step-up; not_found; bad_request for the form's fields; conflict for taken nights,
 * an administrator's email, too many offers, and without a mail server
 */
export async function makeOffer(
  deps: Deps,
  actor: Admin,
  { requestId, ...input }: OfferInput,
): Promise<ClaimAnswer> {
  const accept = acceptanceOf(deps, input.overrideCalendar)
  if (!deps.mail) throw fieldError('email', offerRefusals.noMail, 'conflict')
  if (input.applicationId) bookedRecord(deps.db, actor, input.applicationId)
  const unread = await refreshStaleFeeds(deps)
  return deps.write(tx => {
    requireStepUp(deps, tx, actor)
    return oncePerRequest(tx, nowIso(deps), 'offer', requestId, () => {
      endOverClaims(deps, tx)
      const { applicationId = null, endDate: end, guests, startDate: start } = input
      const from = applicationId ? bookedRecord(tx, actor, applicationId) : undefined
      const person = from ? tenantOf(tx, from) : personOf(tx, input)
      const stay = { start, end }
      const checked = checkNights(deps, tx, { stay, guests, userId: person.userId }, accept)
      const untilAt = untilOf(deps, tx, stay, input.until)
      const id = keepFor(deps, tx, actor, {
        kind: 'offer',
        person,
        stay,
        guests,
        untilAt,
        applicationId,
        terms: input,
        taken: checked.taken,
        price: priceOf(tx, stay, input),
      })
      return { claim: presentOffer(deps, tx, id), warnings: [...unread, ...checked.warnings] }
    })
  })
}

/** @throws AppError bad_request */
const untilOf = (
  { clock, config }: Deps,
  db: Db,
  { start: arrival }: DateRange,
  wanted: string | undefined,
) =>
  offerUntil(wanted, {
    arrival,
    hours: readSection(db, offersSection).body.offerHours,
    now: clock.now(),
    timeZone: config.site.timeZone,
  })

/** Somebody who is known by email alone: the mailbox decides, not an account that has it (CLAIM-22). */
function personOf(db: Db, { email, firstName, lastName }: OfferInput): Person {
  requireNotAdmin(db, email)
  return { userId: null, email: email.trim(), firstName, lastName }
}

/** @throws AppError conflict */
export function requireNotAdmin(db: Db, email: string): void {
  if (findUserByEmail(db, email)?.role === 'admin') throw fieldError('email', adminEmailMessage, 'conflict')
}
