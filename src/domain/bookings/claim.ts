import { addDays, type CalendarDate, dateIn, formatShortDate } from '../common/dates.ts'
import { bookedReason, heldReason, turnoverReason } from '../common/stay.ts'
import { startOfDateIn } from '../common/zoned-time.ts'

/** Who nights are kept for. */
export const claimKinds = ['addendum'] as const
export type ClaimKind = (typeof claimKinds)[number]

export const claimStates = ['open', 'ended'] as const
export const claimEnds = ['done', 'declined', 'withdrawn', 'expired', 'closed'] as const
export type ClaimEnd = (typeof claimEnds)[number]

/** Until when a claim with a date as its clock is live: the end of that day. */
export const endOfDay = (date: CalendarDate, timeZone: string): string =>
  startOfDateIn(addDays(date, 1), timeZone).toISOString()

/** The clock of a claim in words: `Jan 3, 2027` for the end of a day, else `Jan 3, 2027, 6:00 PM`. */
export function untilText(untilAt: string, timeZone: string): string {
  const moment = new Date(untilAt)
  const day = dateIn(moment, timeZone)
  if (startOfDateIn(day, timeZone).getTime() === moment.getTime()) return formatShortDate(addDays(day, -1))
  return new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(
    moment,
  )
}

/** What can stand on a night; where several do, the first decides. */
export const standings = ['booking', 'imported', 'held', 'turnover', 'blocked'] as const
export type Standing = (typeof standings)[number]

/** What is possible on a night: a tenant applies, the owner books or holds it, its own person accepts, by hand it becomes free. */
export type NightUses = { apply: boolean; book: boolean; accept: boolean; byHand: boolean }
type NightRule = NightUses & { publicReason: string | null }

const taken = { apply: false, book: false, accept: false, byHand: false }
const tells = { apply: false, book: true, accept: true, byHand: true }

/** Who may book a night (CLAIM-06); `own` is held for the one who asks. A further kind of claim is a further row. */
export const nightRules: Record<Standing | 'own' | 'free', NightRule> = {
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
  byHand: (who: string, nights: string) =>
    `Held for ${who}: ${nights}. Withdraw the offer to free these nights.`,
  holder: (who: string) => `Held for ${who}`,
} as const
