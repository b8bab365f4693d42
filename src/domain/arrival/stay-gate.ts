import { type CalendarDate, formatShortDate } from '../common/dates.ts'
import { hourMs } from '../common/durations.ts'
import { formatCents } from '../common/money.ts'
import { checkInAt, checkOutAt, type StaySettings } from './stay-settings.ts'

export const gateStates = ['locked', 'scheduled', 'open', 'closed'] as const
export type GateState = (typeof gateStates)[number]
export const missingKinds = ['lease', 'deposit', 'payment', 'on_its_way'] as const
/** A reason why the gate is closed, worded for the guest and for the owner, with the page where the guest resolves it. */
export type Missing = { kind: (typeof missingKinds)[number]; text: string; ownersText: string; path: string }

export type StayMoney = {
  /** Due and neither paid nor on its way. */
  depositCents: number
  /** Due up to today besides the deposit; without a payment plan there is no date. */
  due: readonly { cents: number; dueDate: CalendarDate | null }[]
  /** Of what is due, what is being processed. */
  onItsWayCents: number
}

/** What a stay still lacks before its gate opens (STAY-08, STAY-09). */
export function missingOf(
  id: string,
  lease: 'signed' | 'partly_signed' | 'unsigned' | 'none',
  { depositCents, due, onItsWayCents }: StayMoney,
): Missing[] {
  const [application, payment] = [`/application/${id}`, `/payment?applicationId=${id}`]
  const signed = { kind: 'lease', ownersText: 'The signed lease', path: application } as const
  const found: (Missing | false)[] = [
    lease === 'unsigned' && { ...signed, text: 'Sign your lease', path: `${application}#sign` },
    lease === 'partly_signed' && { ...signed, text: 'Your lease waits for the other signatures' },
    lease === 'none' && { ...signed, text: 'Your lease is being prepared' },
    depositCents > 0 && {
      kind: 'deposit',
      text: `Pay the deposit of ${formatCents(depositCents)}`,
      ownersText: `Deposit of ${formatCents(depositCents)}`,
      path: payment,
    },
    ...due.map(({ cents, dueDate }): Missing => {
      const ownersText = `${formatCents(cents)}${dueDate ? `, due ${formatShortDate(dueDate)}` : ''}`
      return { kind: 'payment', text: `Pay ${ownersText}`, ownersText, path: payment }
    }),
    onItsWayCents > 0 && {
      kind: 'on_its_way',
      text: `Your payment of ${formatCents(onItsWayCents)} is on its way`,
      ownersText: `A payment of ${formatCents(onItsWayCents)}, still on its way`,
      path: application,
    },
  ]
  return found.filter(each => each !== false)
}

export type GateFacts = {
  isBooked: boolean
  startDate: CalendarDate
  endDate: CalendarDate
  missing: readonly Missing[]
  /** When it was last found open; null again once it was found closed before check-in. */
  openedAt: string | null
  hold: 'open' | 'closed' | null
  /** When it closes by hand, if that is after its check-out. */
  closesAt?: Date | undefined
}
export type GateMoment = {
  now: Date
  today: CalendarDate
  timeZone: string
  settings: Pick<StaySettings, 'checkIn' | 'checkOut' | 'hoursBefore'>
  /** The clock is known to be wrong. */
  isClockWrong: boolean
}
export type Gate = { state: GateState; opensAt: Date; checkInAt: Date; checkOutAt: Date }

/** Where the gate of a stay stands, from facts alone (STAY-07, STAY-08, STAY-10 to STAY-14). */
export function gateOf(facts: GateFacts, { settings, timeZone, ...moment }: GateMoment): Gate {
  const [arrival, checkOut] = [checkInAt(facts, settings, timeZone), checkOutAt(facts, settings, timeZone)]
  const departure = facts.closesAt && facts.closesAt > checkOut ? facts.closesAt : checkOut
  const opensAt = new Date(arrival.getTime() - settings.hoursBefore * hourMs)
  const times = { opensAt, checkInAt: arrival, checkOutAt: departure }
  return { ...times, state: stateOf(facts, moment, times) }
}

function stateOf(
  { endDate, hold, isBooked, missing, openedAt, startDate }: GateFacts,
  { isClockWrong, now, today }: Pick<GateMoment, 'isClockWrong' | 'now' | 'today'>,
  { checkInAt, checkOutAt, opensAt }: Omit<Gate, 'state'>,
): GateState {
  if (!isBooked || hold === 'closed') return 'closed'
  // Before the check of the clock: it only counts as wrong after it was ahead, so the stay is really over.
  if (now >= checkOutAt) return 'closed'
  if (hold === 'open') return 'open'
  if (isClockWrong) {
    const isInside = startDate <= today && today <= endDate
    if (openedAt !== null && (new Date(openedAt) <= now || isInside)) return 'open'
    return missing.length > 0 ? 'locked' : 'scheduled'
  }
  const isKept = openedAt !== null && new Date(openedAt) <= now && now >= checkInAt
  if (missing.length > 0 && !isKept) return 'locked'
  return now >= opensAt ? 'open' : 'scheduled'
}
