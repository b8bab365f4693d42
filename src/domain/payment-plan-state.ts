import { type CalendarDate, nightsBetween } from './dates.ts'
import { balance, type LedgerRow, returnedAheadCents, unpaidDepositCents } from './ledger.ts'
import type { PayableType } from './payment.ts'
import { byDueDate, dueDateOf, type Instalment } from './payment-plan.ts'
import { planMessages } from './payment-plan-messages.ts'

export const instalmentStates = [
  'upcoming',
  'partly',
  'due',
  'overdue',
  'on_its_way',
  'paid',
  'waived',
] as const
export type InstalmentState = (typeof instalmentStates)[number]

/** What the instalments of an application are filled with, in cents. */
export type PlanMoney = {
  /** Owed less paid, as the ledger has it; below zero where more was paid. */
  balanceCents: number
  /** What is due of the deposit (CHG-30). */
  depositDueCents: number
  /** The most that can be paid without overpaying once pending payments arrive, and how much of it is deposit. */
  toPay: { cents: number; depositCents: number }
  /** Payments that have neither arrived nor failed. */
  onItsWay: { depositCents: number; otherCents: number }
}

/** The day of looking at a plan, at the property. */
export type PlanDay = {
  today: CalendarDate
  /** Null while the lease is unsigned: nothing is due then. */
  signedOn: CalendarDate | null
}

/** An instalment with what was paid of it. `dueDate` is null only before signing. Cents. */
export type PlanInstalment = Instalment & {
  paidCents: number
  onItsWayCents: number
  openCents: number
  state: InstalmentState
  /** 0 unless overdue. */
  daysOverdue: number
}

/** The money of a plan by the ledger's own rules, from all rows of the application. */
export function planMoney({
  depositCents,
  owedCents,
  rows,
}: {
  /** The charges that stand, and their deposit part. */
  owedCents: number
  depositCents: number
  rows: readonly LedgerRow[]
}): PlanMoney {
  const coming = rows.filter(({ status, voidedAt }) => status === 'processing' && voidedAt === null)
  const sumOfRows = (isDeposit: boolean) =>
    coming.reduce(
      (sum, { amountCents, type }) => sum + ((type === 'deposit') === isDeposit ? amountCents : 0),
      0,
    )
  return {
    balanceCents: balance({ owedCents, depositCents, rows }).balanceCents,
    depositDueCents: unpaidDepositCents(depositCents, rows),
    toPay: toPay(owedCents, depositCents, rows),
    onItsWay: { depositCents: sumOfRows(true), otherCents: sumOfRows(false) },
  }
}

function toPay(owedCents: number, depositCents: number, rows: readonly LedgerRow[]): PlanMoney['toPay'] {
  const arrived = rows.map(row =>
    row.status === 'processing' ? { ...row, status: 'succeeded' as const } : row,
  )
  const { balanceCents } = balance({ owedCents, depositCents, rows: arrived })
  const cents = Math.max(0, balanceCents - returnedAheadCents(depositCents, arrived))
  return { cents, depositCents: Math.min(cents, unpaidDepositCents(depositCents, arrived)) }
}

type Filled = Instalment & { paidCents: number; onItsWayCents: number }
const openOf = ({ amountCents, onItsWayCents, paidCents }: Filled) => amountCents - paidCents - onItsWayCents

/**
 * The live instalments in order, filled. Deposits are filled with what was credited to the deposit, the others by due
 * date with all else, and what is left over with what is open (PLAN-22). What no instalment has open or on its way is
 * exactly what the balance no longer asks for, so the order in which money came or went does not matter (PLAN-23).
 */
export function planInstalments(
  live: readonly Instalment[],
  money: PlanMoney,
  day: PlanDay,
): PlanInstalment[] {
  const rows: Filled[] = live
    .map(row => ({ ...row, dueDate: dueDateOf(row, day.signedOn), paidCents: 0, onItsWayCents: 0 }))
    .toSorted(inPlanOrder)
  const deposits = rows.filter(({ kind }) => kind === 'deposit')
  const others = rows.filter(({ kind }) => kind !== 'deposit')
  const sumOpen = (of: readonly Filled[]) => of.reduce((sum, row) => sum + openOf(row), 0)

  const paidCents = Math.max(0, sumOpen(rows) - money.balanceCents)
  const creditedCents = Math.min(paidCents, Math.max(0, sumOpen(deposits) - money.depositDueCents))
  pour(deposits, 'paidCents', creditedCents)
  pour(deposits, 'paidCents', pour(others, 'paidCents', paidCents - creditedCents))

  const { depositCents, otherCents } = money.onItsWay
  const leftOfDeposit = pour(deposits, 'onItsWayCents', depositCents)
  pour(deposits, 'onItsWayCents', pour(others, 'onItsWayCents', otherCents + leftOfDeposit))

  return rows.map(row => withState(row, day))
}

/** Fills rows in order; returns what is left over. */
function pour(rows: readonly Filled[], field: 'paidCents' | 'onItsWayCents', cents: number): number {
  let left = cents
  for (const row of rows) {
    const part = Math.min(left, openOf(row))
    row[field] += part
    left -= part
  }
  return left
}

/** By due date, then position. */
export function inPlanOrder(a: Instalment, b: Instalment): number {
  return byDueDate(a, b) || a.position - b.position || (a.id < b.id ? -1 : 1)
}

function withState(row: Filled, day: PlanDay): PlanInstalment {
  const openCents = openOf(row)
  const state = stateOf({ ...row, openCents }, day)
  const daysOverdue = state === 'overdue' && row.dueDate !== null ? nightsBetween(row.dueDate, day.today) : 0
  return { ...row, openCents, state, daysOverdue }
}

/** The first state that holds (PLAN-24). */
function stateOf(row: Filled & { openCents: number }, { signedOn, today }: PlanDay): InstalmentState {
  const { dueDate, onItsWayCents, openCents, paidCents, waivedAt } = row
  if (openCents === 0 && waivedAt !== null) return 'waived'
  if (openCents === 0) return onItsWayCents > 0 ? 'on_its_way' : 'paid'
  if (signedOn !== null && dueDate !== null && dueDate < today) return 'overdue'
  if (signedOn !== null && dueDate === today) return 'due'
  return paidCents > 0 ? 'partly' : 'upcoming'
}

/** Sums over the instalments of a plan, in cents. */
export function planTotals(instalments: readonly PlanInstalment[]) {
  const sum = (cents: (row: PlanInstalment) => number) =>
    instalments.reduce((total, row) => total + cents(row), 0)
  const isDueBy = ({ state }: PlanInstalment) => state === 'due' || state === 'overdue'
  return {
    owedCents: sum(({ amountCents }) => amountCents),
    paidCents: sum(({ paidCents }) => paidCents),
    onItsWayCents: sum(({ onItsWayCents }) => onItsWayCents),
    openCents: sum(({ openCents }) => openCents),
    /** Open up to today. */
    dueCents: sum(row => (isDueBy(row) ? row.openCents : 0)),
    overdueCents: sum(row => (row.state === 'overdue' ? row.openCents : 0)),
  }
}

export type PlanPay = {
  next: {
    instalmentId: string
    label: string
    amountCents: number
    paymentType: PayableType
    dueDate: CalendarDate | null
  } | null
  due: { amountCents: number; count: number } | null
  /** The most that can be paid as deposit, and besides it. */
  depositMaxCents: number
  otherMaxCents: number
}

/** What the payment page offers: the next open instalment, all that is due, and the most besides the deposit (PLAN-26). */
export function planPay(instalments: readonly PlanInstalment[], money: PlanMoney): PlanPay {
  const deposits = depositParts(instalments, money)
  const depositMaxCents = sumAmounts(deposits)
  const otherMaxCents = Math.min(openSum(instalments) - depositMaxCents, openAmounts(money).rentCents)
  const isDue = ({ kind, openCents, state }: PlanInstalment) =>
    kind !== 'deposit' && openCents > 0 && (state === 'due' || state === 'overdue')
  const due = instalments.filter(isDue)
  const dueCents = Math.min(openSum(due), otherMaxCents)
  return {
    next: nextOf(instalments, deposits, otherMaxCents),
    due: dueCents > 0 ? { amountCents: dueCents, count: due.length } : null,
    depositMaxCents,
    otherMaxCents,
  }
}

/** The first instalment of which something can be paid. */
function nextOf(
  instalments: readonly PlanInstalment[],
  deposits: readonly DepositPart[],
  otherMaxCents: number,
): PlanPay['next'] {
  for (const { dueDate, id, label, openCents } of instalments) {
    const part = deposits.find(({ instalmentId }) => instalmentId === id)
    const amountCents = part?.amountCents ?? Math.min(openCents, otherMaxCents)
    if (amountCents === 0) continue
    return { instalmentId: id, label, amountCents, paymentType: part ? 'deposit' : 'rent', dueDate }
  }
  return null
}

type DepositPart = { instalmentId: string; amountCents: number }

/**
 * What can be paid as deposit, by instalment. An instalment of the deposit can have more open than the deposit takes, where
 * more other money was given back than had come: the rest is paid as rent, so that the deposit is never paid twice.
 */
export function depositParts(instalments: readonly PlanInstalment[], money: PlanMoney): DepositPart[] {
  let left = money.toPay.depositCents
  return instalments.flatMap(({ id, kind, openCents }) => {
    const amountCents = kind === 'deposit' ? Math.min(left, openCents) : 0
    left -= amountCents
    return amountCents > 0 ? [{ instalmentId: id, amountCents }] : []
  })
}

/** What is open of an application, in cents. `rentCents` is all besides the deposit, fees and taxes included. */
export type OpenAmounts = { depositCents: number; rentCents: number }

/**
 * What is open, less what is on its way, in its two parts. What is paid in these amounts and types never leaves the
 * deposit or the balance overpaid (LOOK-36).
 */
export function openAmounts({ toPay: { cents, depositCents } }: Pick<PlanMoney, 'toPay'>): OpenAmounts {
  return { depositCents, rentCents: cents - depositCents }
}

const openSum = (rows: readonly PlanInstalment[]) => rows.reduce((sum, { openCents }) => sum + openCents, 0)
const sumAmounts = (rows: readonly { amountCents: number }[]) =>
  rows.reduce((sum, { amountCents }) => sum + amountCents, 0)

/** Why rent of this amount cannot be paid, in a sentence: it is more than what is open (PLAN-27, BANK-07). */
export function rentProblem(
  amountCents: number,
  instalments: readonly PlanInstalment[],
  money: PlanMoney,
): string | undefined {
  const { otherMaxCents } = planPay(instalments, money)
  if (amountCents <= otherMaxCents) return undefined
  const { onItsWayCents } = planTotals(instalments)
  return onItsWayCents > 0 ? planMessages.onItsWay(onItsWayCents) : planMessages.onlyToPay(otherMaxCents)
}
