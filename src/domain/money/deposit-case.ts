import { addDays, type CalendarDate, formatShortDate, nightsBetween } from '../common/dates.ts'
import { formatCents } from '../common/money.ts'
import { plural } from '../common/plural.ts'
import { isUnderWay, type LegState } from './return-plan.ts'

export const deliveries = ['email', 'post'] as const
export type Delivery = (typeof deliveries)[number]
export const itemCategories = ['unpaid', 'damage', 'cleaning', 'missing', 'other'] as const
export type ItemCategory = (typeof itemCategories)[number]
export const itemCategoryLabels: Record<ItemCategory, string> = {
  unpaid: 'Unpaid',
  damage: 'Damage',
  cleaning: 'Cleaning',
  missing: 'Missing',
  other: 'Other',
}

/** In order: a deposit is in the last one that holds (DEP-05). */
export const depositStateLabels = {
  unpaid: 'Not paid',
  held: 'Held',
  vacated: 'Tenant has left',
  drafted: 'Draft',
  claimed: 'Statement sent',
  objected: 'Objected',
  settled: 'Claim settled',
  returning: 'On its way back',
  closed: 'Closed',
}
export type DepositState = keyof typeof depositStateLabels
export const depositStates = Object.keys(depositStateLabels) as DepositState[]

/** For each kind of date: the task before it, the text once it has passed, and what to do then, short and in full. */
export const deadlineTexts = {
  return: {
    toDo: 'Return it or send a statement',
    missed: 'it was to be returned by',
    late: 'Return it or send a statement now',
    afterwards: 'Return it, or send a statement while there is time to claim.',
  },
  claim: {
    toDo: 'Send the statement',
    missed: 'the time to claim ended on',
    late: 'Return it now',
    afterwards:
      'Return it now. In many places nothing can be kept any more: before keeping any of it, ask a lawyer.',
  },
  rest: {
    toDo: 'Return the rest',
    missed: 'the rest was to be returned by',
    late: 'Return the rest now',
    afterwards: 'Return the rest now.',
  },
}
export type DeadlineKind = keyof typeof deadlineTexts
export const deadlineKinds = Object.keys(deadlineTexts) as DeadlineKind[]
/** A date until which something must be done; `daysLeft` is below 0 once it is missed. */
export type Deadline = { kind: DeadlineKind; date: CalendarDate; daysLeft: number }

/** The task of a date that has not passed. While nothing is claimed, the claim date is also a date to return by. */
export const deadlineToDo = (kind: DeadlineKind, claimedCents: number): string =>
  deadlineTexts[kind === 'claim' && claimedCents === 0 ? 'return' : kind].toDo

/** The sentences of deposits, the same for every way to them. */
export const depositMessages = {
  presetHint: 'A preset, not reviewed by a lawyer. Days and words are yours to check.',
  onlyLeft: (cents: number) => `Only ${formatCents(Math.max(0, cents))} is left of the deposit.`,
  canObject: (date: CalendarDate) => `The tenant can object until ${formatShortDate(date)}.`,
} as const

/** Used by the server only, so that screens do not load them. */
export const depositRefusals = {
  off: 'Deposits are not watched here.',
  notLeft: 'The tenant has not left yet.',
  nothingToKeep: 'Nothing is left to keep.',
  keepOnCard: 'Keep it on the card Security Deposit.',
  unsettled: 'A payment of the deposit is on its way or disputed. Please wait for its end.',
  planChanged: 'The plan has changed. Please look at it again.',
  itemKept: 'This item is kept and does not change.',
  itemsChanged: 'The items have changed since the letter was printed.',
  claimChanged: 'The items have changed. Please look at them again.',
  onlyUnpaid: (cents: number) => `Only ${formatCents(Math.max(0, cents))} is unpaid.`,
  itemsAbove: (itemCents: number, heldCents: number) =>
    `The items come to ${formatCents(itemCents)}, but only ${formatCents(Math.max(0, heldCents))} is held.`,
  objectionEnded: (date: CalendarDate) => `The time to object ended on ${formatShortDate(date)}.`,
  claimEnded: (date: CalendarDate) => `The time to claim ended on ${formatShortDate(date)}.`,
} as const

/** An item as a statement or letter tells it. Cents. */
export type StatementItem = {
  id: string
  category: ItemCategory
  label: string
  amountCents: number
  photos: { id: string; sha256: string; receivedAt: string; takenAt: string | null; clockDoubtful: boolean }[]
}

export type DepositRule = {
  returnDays: number
  claimDays: number
  objectionDays: number
  restDays: number
}
export type StatementFacts = {
  sentOn: CalendarDate
  objectionUntil: CalendarDate
  objectedAt: string | null
  agreedAt: string | null
  /** Whether it tells the items as they are now. */
  isCurrent: boolean
}

/** What a deposit's state and dates depend on. Cents. */
export type CaseFacts = {
  today: CalendarDate
  rule: DepositRule
  /** The last day of the stay, or the day that the owner entered. */
  vacatedOn: CalendarDate
  /** The application is declined or cancelled, so that nobody has stayed. */
  isEnded: boolean
  /** False for stays that ended before deposits were watched, unless the owner entered the day (DEP-13). */
  hasDates: boolean
  /** Credited by payments and transfers. */
  creditedCents: number
  heldCents: number
  disputedCents: number
  onItsWayCents: number
  /** Items not yet kept. */
  claimedCents: number
  /** The newest. */
  statement: StatementFacts | null
  /** Return legs of the deposit only, not of a cancelled stay's rent. */
  legs: readonly { state: LegState; isOpen: boolean }[]
}

export const hasLeft = ({ today, vacatedOn }: Pick<CaseFacts, 'today' | 'vacatedOn'>): boolean =>
  vacatedOn <= today

/** What is held, not claimed and not on its way back. */
export const freeCents = ({ claimedCents, heldCents, onItsWayCents }: CaseFacts): number =>
  Math.max(0, heldCents - claimedCents - onItsWayCents)

/** Whether a deposit is settled by agreement or because nobody objected in time (DEP-26). */
export const isSettled = (
  {
    agreedAt,
    objectedAt,
    objectionUntil,
  }: Pick<StatementFacts, 'agreedAt' | 'objectedAt' | 'objectionUntil'>,
  today: CalendarDate,
): boolean => agreedAt !== null || (objectedAt === null && today > objectionUntil)

/** The state of a deposit; a disputed one keeps the state that it would have if it were held (DEP-05, DEP-42). */
export function depositState(facts: CaseFacts): DepositState {
  const { claimedCents, creditedCents, disputedCents, heldCents, legs, statement, today } = facts
  const isThere = heldCents > 0 || disputedCents > 0
  const isToldNow = statement?.isCurrent === true
  const holds: Record<DepositState, boolean> = {
    unpaid: true,
    held: isThere,
    vacated: isThere && hasLeft(facts) && !facts.isEnded,
    drafted: isThere && claimedCents > 0 && !isToldNow,
    claimed: isThere && isToldNow,
    objected: isThere && isToldNow && statement.objectedAt !== null,
    settled: isThere && isToldNow && isSettled(statement, today),
    returning: legs.some(
      ({ isOpen, state }) => isUnderWay(state) || (state === 'failed' && isOpen && heldCents > 0),
    ),
    closed: creditedCents > 0 && !isThere && !legs.some(({ state }) => isUnderWay(state)),
  }
  return depositStates.findLast(state => holds[state]) ?? 'unpaid'
}

/** What the owner has to do about what is claimed of a deposit whose tenant has left; undefined while the tenant can answer. */
export function claimStep(facts: CaseFacts): 'send_statement' | 'keep_deposit' | 'decide_claim' | undefined {
  const { claimedCents, disputedCents, heldCents, statement, today } = facts
  if (!hasLeft(facts) || claimedCents <= 0 || heldCents + disputedCents <= 0) return undefined
  if (!statement?.isCurrent) return 'send_statement'
  // A disputed deposit cannot be kept (DEP-42).
  if (disputedCents > 0) return undefined
  if (isSettled(statement, today)) return 'keep_deposit'
  return statement.objectedAt === null ? undefined : 'decide_claim'
}

/** All dates of a deposit that is held or disputed, by date; none for one that is neither (DEP-12). */
export function deadlines(facts: CaseFacts): Deadline[] {
  const { claimedCents, disputedCents, hasDates, heldCents, rule, statement, today, vacatedOn } = facts
  if (!hasDates || heldCents + disputedCents <= 0) return []
  const on = (kind: DeadlineKind, from: CalendarDate, days: number): Deadline => {
    const date = addDays(from, days)
    return { kind, date, daysLeft: date >= today ? nightsBetween(today, date) : -nightsBetween(date, today) }
  }
  if (statement) return freeCents(facts) > 0 ? [on('rest', statement.sentOn, rule.restDays)] : []
  const toReturn = on('return', vacatedOn, rule.returnDays)
  const toClaim = on('claim', vacatedOn, rule.claimDays)
  if (claimedCents > 0 || toClaim.daysLeft < 0) return [toClaim]
  return toReturn.daysLeft < 0 ? [toReturn, toClaim] : [toReturn]
}

/** The next date, or the last one that was missed. */
export const nextDeadline = (facts: CaseFacts): Deadline | null => {
  const all = deadlines(facts)
  return all.find(({ daysLeft }) => daysLeft >= 0) ?? all.at(-1) ?? null
}

/** When the owner is reminded of a date, in days before it (DEP-14). */
export const reminderDays = [5, 2, 0] as const
/** A deadline becomes a warning this many days before it. */
export const warningDays = 5

/** What the board says about a deposit's dates, the gravest first; nothing before the tenant has left (DEP-15). */
export function depositWarnings(name: string, facts: CaseFacts) {
  if (!hasLeft(facts)) return []
  return deadlines(facts)
    .filter(({ daysLeft }) => daysLeft <= warningDays)
    .map(deadline => {
      const { date, daysLeft, kind } = deadline
      const [tone, detail] =
        daysLeft < 0
          ? (['danger', deadlineTexts[kind].afterwards] as const)
          : (['warning', `${deadlineToDo(kind, facts.claimedCents)} by ${formatShortDate(date)}.`] as const)
      return { kind, tone, title: deadlineTitle(name, deadline), detail }
    })
    .toSorted((a, b) => Number(a.tone === 'warning') - Number(b.tone === 'warning'))
}

/** 'Maya Rivers’s deposit: 5 days left', also as the subject of a mail. */
export const deadlineTitle = (name: string, { date, daysLeft, kind }: Deadline): string =>
  `${name}’s deposit: ${daysLeft < 0 ? `${deadlineTexts[kind].missed} ${formatShortDate(date)}` : daysText(daysLeft)}`

/** '5 days left', 'last day today' or '2 days late'. */
export function daysText(daysLeft: number): string {
  if (daysLeft === 0) return 'last day today'
  return daysLeft > 0 ? `${plural(daysLeft, 'day')} left` : `${plural(-daysLeft, 'day')} late`
}

/** Days by post until a letter counts as received, added to the time to object (DEP-25). */
const postDays = 5

/** The last day to object to a statement. */
export const objectionUntil = (rule: DepositRule, how: Delivery, sentOn: CalendarDate): CalendarDate =>
  addDays(sentOn, rule.objectionDays + (how === 'post' ? postDays : 0))

type ToldItem = Pick<StatementItem, 'id' | 'category' | 'label' | 'amountCents'> & {
  photos: readonly { id: string }[]
}

/** Whether a statement or letter tells exactly these items, photos included (DEP-24). */
export function tellsItems(told: readonly ToldItem[], items: readonly ToldItem[]): boolean {
  const textOf = ({ amountCents, category, id, label, photos }: ToldItem) =>
    JSON.stringify([id, category, label, amountCents, photos.map(photo => photo.id).sort()])
  return String(told.map(textOf).sort()) === String(items.map(textOf).sort())
}
