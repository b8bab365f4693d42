import { eq, inArray } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { applications, claims } from '../../../../db/schema.ts'
import { emailKey } from '../../../domain/accounts/account-rules.ts'
import { lastDayOf, untilText } from '../../../domain/bookings/claim.ts'
import { toSecure } from '../../../domain/bookings/offer-words.ts'
import { afterAccepting } from '../../../domain/bookings/securing.ts'
import { addDays } from '../../../domain/common/dates.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import { hourOfDateIn, mailHour } from '../../../domain/common/zoned-time.ts'
import { isLive, nameOf } from '../../bookings/claim-records.ts'
import { type Deps, nowIso, todayAt } from '../../kernel/deps.ts'
import type { MailSources, OfferMailFacts } from '../../mail/define-mail.ts'
import { enqueueMail, mailState, type QueuedMail } from '../../mail/outbox.ts'
import type { ScheduledMailSource } from '../../mail/scheduled-mails.ts'
import type { MailPreview } from '../views.ts'
import {
  findOffer,
  linesOfOffer,
  linkOf,
  missingOf,
  type Offer,
  selectOffers,
  staysBooked,
} from './records.ts'
import { chargeLineView } from './views.ts'

type GuestMail = 'offer' | 'promise' | 'promise-asked' | 'offer-ends' | 'promise-ends' | 'offer-secure'

/** The mail that says what an offer is at this moment. */
export const mailOf = ({ claim }: Offer): GuestMail =>
  claim.kind === 'offer' ? 'offer' : claim.state === 'asked' ? 'promise-asked' : 'promise'

function guestMail(kind: GuestMail, { claim, terms }: Offer, occasion = ''): QueuedMail {
  const { round } = terms
  const dedupeKey = `${kind}:${claim.id}:${round}${occasion}`
  const { acceptedApplicationId: applicationId, email: to, id: claimId, untilAt: validUntil } = claim
  return {
    kind,
    to,
    dedupeKey,
    props: { claimId, round, ...(applicationId && { applicationId }) },
    validUntil,
  }
}

/** Mails the guest of an offer. */
export const tellGuest = (deps: Deps, tx: Tx, kind: GuestMail, offer: Offer): void =>
  void enqueueMail(tx, nowIso(deps), guestMail(kind, offer))

/**
 * What a mail says of an offer. With a round, undefined once it was told anew, answered or is over (CLAIM-43); with `to`,
 * also once its person has another address, which alone gets the link (CLAIM-16).
 */
export const offerFacts: MailSources['offer'] = (deps, { claimId, round, to }) => {
  const { db } = deps
  const offer = findOffer(deps, db, claimId)
  if (!offer) return undefined
  const { claim, terms } = offer
  if (
    round !== undefined &&
    (terms.round !== round || !(isLive(nowIso(deps), claim) || isSecuring(deps, claim)))
  )
    return undefined
  if (to !== undefined && emailKey(to) !== emailKey(claim.email)) return undefined
  return presentFacts(deps, db, offer)
}

const isSecuring = (deps: Deps, { state, untilAt }: Offer['claim']) =>
  state === 'accepted' && untilAt > nowIso(deps)

function presentFacts(deps: Deps, db: Db, offer: Offer): OfferMailFacts {
  const { claim, terms } = offer
  const { lines, totalCents } = linesOfOffer(db, offer)
  const { acceptedApplicationId: id } = claim
  const booking = id ? db.select().from(applications).where(eq(applications.id, id)).get() : undefined
  return {
    firstName: claim.firstName,
    name: nameOf(claim),
    start: claim.startDate,
    end: claim.endDate,
    guests: terms.guests,
    until: untilText(claim.untilAt, deps.config.site.timeZone),
    lines: chargeLineView(lines).map(({ amountCents, label }) => ({ label, amountCents })),
    totalCents: terms.totalCents ?? totalCents,
    depositCents: terms.depositCents,
    message: terms.message,
    afterAccepting: afterAccepting({ ...terms, startDate: claim.startDate }, todayAt(deps)),
    missing: isSecuring(deps, claim) ? missingOf(db, offer) : [],
    lapses: booking !== undefined && !staysBooked(db, booking.id),
    linkId: linkOf(db, claim.id),
    applicationId: booking?.id,
    applicationNumber: booking?.number,
  }
}

type Offered = Pick<
  OfferMailFacts,
  'depositCents' | 'end' | 'firstName' | 'guests' | 'lines' | 'start' | 'totalCents'
> & {
  email?: string | undefined
  message?: string | undefined
  secureDays: number
  untilAt: string
}

/** The mail that making an offer would send; its link has no token. */
export async function previewOfferMail(
  deps: Deps,
  { email = '', message = '', secureDays, untilAt, ...offered }: Offered,
): Promise<MailPreview> {
  // Loads the templates only when they are needed.
  const { previewMail } = await import('../../mail/compose.ts')
  const facts = {
    ...offered,
    message,
    afterAccepting: afterAccepting({ ...offered, secureDays, startDate: offered.start }, todayAt(deps)),
    name: offered.firstName,
    until: untilText(untilAt, deps.config.site.timeZone),
    missing: [],
    lapses: false,
    linkId: '',
    applicationId: undefined,
    applicationNumber: undefined,
  }
  const mail = { kind: 'offer', toAddress: email, props: { claimId: '', round: 0 } }
  return previewMail(deps, mail, {
    offer: () => facts,
    token: async () => ({ token: '…', expiresAt: untilAt }),
  })
}

/** How many days before its date a promise is mailed again. */
const promiseDays = [30, 7]

/** Mails before an offer, a promise or the time to sign and pay ends. */
export const offerMails: ScheduledMailSource = {
  name: 'offers',
  due: deps => {
    const { db } = deps
    const mails = selectOffers(db, inArray(claims.state, ['open', 'asked', 'accepted']))
      .flatMap(offer => endingMail(deps, offer) ?? [])
      .filter(({ dedupeKey }) => mailState(db, dedupeKey) === undefined)
    return mails.length > 0 ? { mails } : undefined
  },
}

function endingMail(deps: Deps, offer: Offer): QueuedMail | undefined {
  const { claim, terms } = offer
  const now = deps.clock.now().getTime()
  const untilMs = Date.parse(claim.untilAt)
  if (now >= untilMs) return undefined
  const { timeZone } = deps.config.site
  if (claim.kind === 'promise' && claim.state === 'open') {
    const lastDay = lastDayOf(claim.untilAt, timeZone)
    const today = todayAt(deps)
    const days = promiseDays.findLast(each => addDays(lastDay, -each) <= today)
    if (days === undefined) return undefined
    const at = hourOfDateIn(addDays(lastDay, -days), mailHour, timeZone)
    const isNews = Date.parse(claim.createdAt) < at.getTime()
    return isNews && at.getTime() <= now ? guestMail('promise-ends', offer, `:${days}`) : undefined
  }
  if (now < untilMs - dayMs) return undefined
  if (claim.state === 'accepted') {
    const isNews = Date.parse(terms.acceptedAt ?? claim.createdAt) <= untilMs - dayMs
    return isNews && toSecure(missingOf(deps.db, offer)) ? guestMail('offer-secure', offer) : undefined
  }
  const toldAt = claim.state === 'asked' ? untilMs - terms.answerDays * dayMs : Date.parse(claim.createdAt)
  return toldAt <= untilMs - dayMs ? guestMail('offer-ends', offer) : undefined
}
