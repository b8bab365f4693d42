import { type CalendarDate, nightsBetween } from '../common/dates.ts'
import { balance, type LedgerRow, unpaidDepositCents } from './ledger.ts'
import { minCheckoutCents, type PayableType } from './payment.ts'
import { byDueDate, dueDateOf, type Installment, planMessages } from './payment-plan.ts'

export const installmentStates = [
  'upcoming',
  'partly',
  'due',
  'overdue',
  'on_its_way',
  'paid',
  'waived',
] as const
export type InstallmentState = (typeof installmentStates)[number]

/** The money that fills the installments of an application, in cents. */
export type PlanMoney = {
  /** Owed minus paid, from the ledger; negative if overpaid. */
  balanceCents: number
  /** What is due of the deposit (CHG-30). */
  depositDueCents: number
  /** The most that can be paid without overpaying after processing payments arrive, and how much of it is deposit. */
  toPay: { cents: number; depositCents: number }
  /** Processing payments, neither received nor failed. */
  onItsWay: { depositCents: number; otherCents: number }
}

/** The date for which a plan is computed, at the property. */
export type PlanDay = {
  today: CalendarDate
  /** Null while the lease is unsigned; nothing is due before that. */
  signedOn: CalendarDate | null
}

/**
 * An installment with the amounts paid and processing. `dueDate` is null only before signing. `paidCents` is negative
 * if more was returned than paid; `openCents` is then above `amountCents`. Cents.
 */
export type PlanInstallment = Installment & {
  paidCents: number
  onItsWayCents: number
  openCents: number
  state: InstallmentState
  /** 0 unless overdue. */
  daysOverdue: number
}

/** The money of a plan, computed with the ledger's rules from all rows of the application. */
export function planMoney({
  depositCents,
  owedCents,
  rows,
}: {
  /** The charges that are not voided, and their deposit part. */
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
  const cents = Math.max(0, balanceCents)
  return { cents, depositCents: Math.min(cents, unpaidDepositCents(depositCents, arrived)) }
}

type Filled = Installment & { paidCents: number; onItsWayCents: number }
const openOf = ({ amountCents, onItsWayCents, paidCents }: Filled) => amountCents - paidCents - onItsWayCents

/**
 * The live installments in order, filled with money. Deposits get what was credited to the deposit, the others get
 * everything else by due date, and what remains goes to whatever is open (PLAN-22). If more was returned than paid, the
 * first installment has a negative `paidCents`. Open plus processing amounts always add up to the remaining balance, so
 * the order of payments and refunds does not matter (PLAN-23).
 */
export function planInstallments(
  live: readonly Installment[],
  money: PlanMoney,
  day: PlanDay,
): PlanInstallment[] {
  const rows: Filled[] = live
    .map(row => ({ ...row, dueDate: dueDateOf(row, day.signedOn), paidCents: 0, onItsWayCents: 0 }))
    .toSorted(inPlanOrder)
  const deposits = rows.filter(({ kind }) => kind === 'deposit')
  const others = rows.filter(({ kind }) => kind !== 'deposit')
  const sumOpen = (of: readonly Filled[]) => of.reduce((sum, row) => sum + openOf(row), 0)

  const paidCents = sumOpen(rows) - money.balanceCents
  const first = others.find(({ amountCents }) => amountCents > 0) ?? others[0] ?? deposits[0]
  if (paidCents < 0 && first) first.paidCents = paidCents
  const creditedCents = Math.max(0, Math.min(paidCents, sumOpen(deposits) - money.depositDueCents))
  allocate(deposits, 'paidCents', creditedCents)
  allocate(deposits, 'paidCents', allocate(others, 'paidCents', Math.max(0, paidCents - creditedCents)))

  const { depositCents, otherCents } = money.onItsWay
  const leftOfDeposit = allocate(deposits, 'onItsWayCents', depositCents)
  allocate(deposits, 'onItsWayCents', allocate(others, 'onItsWayCents', otherCents + leftOfDeposit))

  return rows.map(row => withState(row, day))
}

/** Fills rows in order; returns the remaining cents. */
function allocate(rows: readonly Filled[], field: 'paidCents' | 'onItsWayCents', cents: number): number {
  let left = cents
  for (const row of rows) {
    const part = Math.min(left, openOf(row))
    row[field] += part
    left -= part
  }
  return left
}

/** Sorts by due date, then position. */
export function inPlanOrder(a: Installment, b: Installment): number {
  return byDueDate(a, b) || a.position - b.position || (a.id < b.id ? -1 : 1)
}

function withState(row: Filled, day: PlanDay): PlanInstallment {
  const openCents = openOf(row)
  const state = stateOf({ ...row, openCents }, day)
  const daysOverdue = state === 'overdue' && row.dueDate !== null ? nightsBetween(row.dueDate, day.today) : 0
  return { ...row, openCents, state, daysOverdue }
}

/** The first matching state (PLAN-24). */
function stateOf(row: Filled & { openCents: number }, { signedOn, today }: PlanDay): InstallmentState {
  const { dueDate, onItsWayCents, openCents, paidCents, waivedAt } = row
  if (openCents === 0 && waivedAt !== null) return 'waived'
  if (openCents === 0) return onItsWayCents > 0 ? 'on_its_way' : 'paid'
  if (signedOn !== null && dueDate !== null && dueDate < today) return 'overdue'
  if (signedOn !== null && dueDate === today) return 'due'
  return paidCents > 0 ? 'partly' : 'upcoming'
}

/** What is open of the installment itself, without what was returned beyond what was paid, in cents. */
export function ownOpenCents({
  amountCents,
  openCents,
}: Pick<PlanInstallment, 'amountCents' | 'openCents'>): number {
  return Math.min(amountCents, openCents)
}

/** Sums over the installments of a plan, in cents. */
export function planTotals(installments: readonly PlanInstallment[]) {
  const sum = (cents: (row: PlanInstallment) => number) =>
    installments.reduce((total, row) => total + cents(row), 0)
  const isDueBy = ({ state }: PlanInstallment) => state === 'due' || state === 'overdue'
  return {
    owedCents: sum(({ amountCents }) => amountCents),
    paidCents: sum(({ paidCents }) => paidCents),
    onItsWayCents: sum(({ onItsWayCents }) => onItsWayCents),
    openCents: sum(({ openCents }) => openCents),
    /** What is open up to today. */
    dueCents: sum(row => (isDueBy(row) ? row.openCents : 0)),
    overdueCents: sum(row => (row.state === 'overdue' ? row.openCents : 0)),
  }
}

export type DepositAndRent = { depositCents: number; rentCents: number }

export type PlanPay = {
  next: {
    instalmentId: string
    label: string
    amountCents: number
    paymentType: PayableType
    dueDate: CalendarDate | null
  } | null
  due: { amountCents: number; count: number } | null
  /** The deposit and the rent, if both are due by today and can be paid in one checkout. */
  depositAndRent: DepositAndRent | null
  /** The most that can be paid as a deposit, and as anything else. */
  depositMaxCents: number
  otherMaxCents: number
}

/**
 * What the payment page offers: the next open installment, everything due, the deposit with the rent (LOOK-80), and the
 * maximum without the deposit (PLAN-26).
 */
export function planPay(installments: readonly PlanInstallment[], money: PlanMoney): PlanPay {
  const deposits = depositParts(installments, money)
  const depositMaxCents = sumAmounts(deposits)
  const otherMaxCents = Math.min(openSum(installments) - depositMaxCents, openAmounts(money).rentCents)
  const isDue = ({ openCents, state }: PlanInstallment) =>
    openCents > 0 && (state === 'due' || state === 'overdue')
  const due = installments.filter(row => row.kind !== 'deposit' && isDue(row))
  const dueCents = Math.min(openSum(due), otherMaxCents)
  const dueDeposit = deposits
    .slice(0, 1)
    .find(({ installmentId }) => installments.some(row => row.id === installmentId && isDue(row)))
  return {
    next: nextOf(installments, deposits, otherMaxCents),
    due: dueCents > 0 ? { amountCents: dueCents, count: due.length } : null,
    depositAndRent: depositAndRent({ depositCents: dueDeposit?.amountCents ?? 0, rentCents: dueCents }),
    depositMaxCents,
    otherMaxCents,
  }
}

/** The open deposit and rent, if one checkout can have both: each is at least the minimum payment (LOOK-80). */
export function depositAndRent(open: {
  depositCents: number
  rentCents: number | null
}): DepositAndRent | null {
  const { depositCents, rentCents } = open
  if (rentCents === null || Math.min(depositCents, rentCents) < minCheckoutCents) return null
  return { depositCents, rentCents }
}

/** The first installment with an amount that can be paid. */
function nextOf(
  installments: readonly PlanInstallment[],
  deposits: readonly DepositPart[],
  otherMaxCents: number,
): PlanPay['next'] {
  for (const { dueDate, id, label, openCents } of installments) {
    const part = deposits.find(({ installmentId }) => installmentId === id)
    const amountCents = part?.amountCents ?? Math.min(openCents, otherMaxCents)
    if (amountCents === 0) continue
    return { instalmentId: id, label, amountCents, paymentType: part ? 'deposit' : 'rent', dueDate }
  }
  return null
}

type DepositPart = { installmentId: string; amountCents: number }

/**
 * What can be paid as a deposit, by installment. If refunds exceed the other money received, more of a deposit
 * installment can be open than is due of the deposit. The rest is paid as rent, so that the deposit is never paid
 * twice.
 */
export function depositParts(installments: readonly PlanInstallment[], money: PlanMoney): DepositPart[] {
  let left = money.toPay.depositCents
  return installments.flatMap(({ id, kind, openCents }) => {
    const amountCents = kind === 'deposit' ? Math.min(left, openCents) : 0
    left -= amountCents
    return amountCents > 0 ? [{ installmentId: id, amountCents }] : []
  })
}

/**
 * The open amounts of an application, in cents. `rentCents` is everything except the deposit, including fees and taxes.
 */
export type OpenAmounts = { depositCents: number; rentCents: number }

/**
 * Splits what is open, less processing payments, into deposit and rent. Paying these amounts as these types never
 * overpays the deposit or the balance (LOOK-36).
 */
export function openAmounts({ toPay: { cents, depositCents } }: Pick<PlanMoney, 'toPay'>): OpenAmounts {
  return { depositCents, rentCents: cents - depositCents }
}

const openSum = (rows: readonly PlanInstallment[]) => rows.reduce((sum, { openCents }) => sum + openCents, 0)
const sumAmounts = (rows: readonly { amountCents: number }[]) =>
  rows.reduce((sum, { amountCents }) => sum + amountCents, 0)

/** Why rent of this amount cannot be paid, as a message: it exceeds what is open (PLAN-27, BANK-07). */
export function rentError(
  amountCents: number,
  installments: readonly PlanInstallment[],
  money: PlanMoney,
): string | undefined {
  const { otherMaxCents } = planPay(installments, money)
  if (amountCents <= otherMaxCents) return undefined
  const { onItsWayCents } = planTotals(installments)
  return onItsWayCents > 0 ? planMessages.onItsWay(onItsWayCents) : planMessages.onlyToPay(otherMaxCents)
}
