import { addDays, type CalendarDate, dateIn, formatShortDate } from '../common/dates.ts'
import { bookedReason, heldReason, turnoverReason } from '../common/stay.ts'
import { startOfDateIn } from '../common/zoned-time.ts'

/**
 * Who nights are kept for: an addendum's booking; the person of an offer, who has them held; the tenant of a booked
 * stay, who is asked first.
 */
export const claimKinds = ['addendum', 'offer', 'promise'] as const
export type ClaimKind = (typeof claimKinds)[number]

/** `asked`: a promise that somebody asks for. `accepted`: a booking that must still be signed and paid. */
export const claimStates = ['open', 'asked', 'accepted', 'ended'] as const
export type ClaimState = (typeof claimStates)[number]
export const claimEnds = [
  'done',
  'declined',
  'withdrawn',
  'expired',
  'passed',
  'lapsed',
  'incomplete',
  'closed',
] as const
export type ClaimEnd = (typeof claimEnds)[number]
/** The states in which a claim keeps nights; an accepted one has its booking. */
export const keepingStates = ['open', 'asked'] as const satisfies readonly ClaimState[]

/** Whether platforms, which sell without asking, find promised nights blocked. */
export const promisePlatforms = ['closed', 'open'] as const
/** Where the price of an offer comes from. */
export const priceSources = ['rates', 'last_lease', 'owner'] as const

/** The deadline that is a date: the end of that day. */
export const endOfDay = (date: CalendarDate, timeZone: string): string =>
  startOfDateIn(addDays(date, 1), timeZone).toISOString()

/** A deadline as people read it: `Jan 3, 2027` for the end of a day, else `Jan 3, 2027, 6:00 PM`. */
export function untilText(untilAt: string, timeZone: string): string {
  const moment = new Date(untilAt)
  const day = dateIn(moment, timeZone)
  if (startOfDateIn(day, timeZone).getTime() === moment.getTime()) return formatShortDate(addDays(day, -1))
  return timeText(moment, timeZone)
}

/** Added to a deadline for a guest, who may be in another time zone. Empty if the deadline is the end of a day. */
export const whoseTime = (until: string): string => (/[AP]M$/.test(until) ? ' (time at the property)' : '')

/** Such as `Jan 3, 2027, 6:00 PM`. */
export const timeText = (moment: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(moment)

/** The last full day before a deadline. */
export const lastDayOf = (untilAt: string, timeZone: string): CalendarDate =>
  dateIn(new Date(Date.parse(untilAt) - 1), timeZone)

/** What can stand on a night; where several do, the first decides. */
export const standings = ['booking', 'imported', 'held', 'promised', 'turnover', 'blocked'] as const
export type Standing = (typeof standings)[number]

/** What is possible on a night: a tenant applies, the owner books or holds it, its own person accepts, by hand it becomes free. */
export type NightUses = { apply: boolean; book: boolean; accept: boolean; byHand: boolean }
type NightRule = NightUses & { publicReason: string | null }

const taken = { apply: false, book: false, accept: false, byHand: false }
const tells = { apply: false, book: true, accept: true, byHand: true }

/** Who may book a night (CLAIM-06). `own` is a night held for whoever asks; a promised night follows the rule of what else is on it. */
export const nightRules: Record<Exclude<Standing, 'promised'> | 'own' | 'free', NightRule> = {
  booking: { ...taken, publicReason: bookedReason },
  imported: { ...taken, publicReason: bookedReason },
  held: { ...taken, publicReason: heldReason },
  own: { ...taken, book: true, accept: true, publicReason: heldReason },
  turnover: { ...tells, publicReason: turnoverReason },
  /** Visitors read the owner's reason. */
  blocked: { ...tells, publicReason: null },
  free: { ...tells, apply: true, publicReason: null },
}

export const claimMessages = {
  held: (who: string, until: string) =>
    `These dates are held for ${who} until ${until}. Withdraw that offer first.`,
  promised: (who: string, until: string, isAsked: boolean) =>
    isAsked
      ? `These dates are promised to ${who}, who has until ${until} to answer.`
      : `These dates are promised to ${who} until ${until}. Ask for an answer, or withdraw the promise.`,
  /** Of somebody's own promise or offer only a part is booked, so that the rest would be lost (CLAIM-33). */
  partOfOwn: (dates: string, kind: 'offer' | 'promise') =>
    `${dates} is ${kind === 'promise' ? 'promised to' : 'held for'} this guest. Book all of these nights, or withdraw the ${kind} first.`,
  promisee: (who: string) => `Promised to ${who}`,
  byHand: (who: string, nights: string) =>
    `Held for ${who}: ${nights}. Withdraw the offer to free these nights.`,
  holder: (who: string) => `Held for ${who}`,
} as const

/** What the guest and the owner read of an offer that can not be answered or changed any more. */
export const offerMessages = {
  accepted: 'This offer is accepted already.',
  ended: (until: string) => `This offer ended on ${until}.`,
  closed: 'This offer is no longer open.',
  typedName: 'Please type your full name to accept.',
} as const

/** Error messages that only the server uses, kept apart so that screens do not load them. */
export const offerRefusals = {
  gone: 'This link is no longer valid. Please ask the owner for a new one.',
  acceptedForOwner: 'This offer is accepted already. Decline or cancel the application instead.',
  price: 'The price has changed. Please look again.',
  taken: (ownerEmail: string) => `These dates are no longer available. Please write to ${ownerEmail}.`,
  stale: 'This offer was changed meanwhile. Please look at it again.',
  noMail: 'No mail server is set up, so no offer can be sent yet.',
  tooMany: 'At most 50 offers can be open.',
  noRate: 'There is no rate for these dates. Please enter a rent.',
  notBooked: 'Only a booked stay can be offered again.',
  promised: 'These dates are promised already.',
  askedFor: (number: string) => `${number} asks for these dates: answer it first.`,
  awaited: 'An answer is awaited already.',
  priceAsked: 'Somebody asks for these dates. The price can no longer change.',
} as const

/** An offer or a promise as it is at this moment. */
type Answerable = {
  state: ClaimState
  untilAt: string
  endedAs: ClaimEnd | null
  acceptedApplicationId: string | null
}

/** Why an offer can not be answered or changed any more; undefined while it can (CLAIM-21). */
export function refusalOf(
  { acceptedApplicationId, endedAs, state, untilAt }: Answerable,
  now: string,
  timeZone: string,
): string | undefined {
  if (acceptedApplicationId !== null || state === 'accepted') return offerMessages.accepted
  if (state === 'ended' && endedAs !== 'expired' && endedAs !== 'passed') return offerMessages.closed
  return state === 'ended' || untilAt <= now ? offerMessages.ended(untilText(untilAt, timeZone)) : undefined
}
