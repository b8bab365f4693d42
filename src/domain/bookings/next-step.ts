import type { CalendarDate, DateRange } from '../common/dates.ts'
import { formatCents } from '../common/money.ts'
import { isBooked } from './application-status.ts'

export const nextStepKinds = [
  'answer',
  'generate_lease',
  'signature',
  'overdue',
  'owed',
  'on_its_way',
  'overpaid',
  'return_deposit',
  'confirm',
  'complete',
] as const
export type NextStepKind = (typeof nextStepKinds)[number]

/** The next step of an application. `amountCents` is the amount it is about, or 0. */
export type NextStep = { kind: NextStepKind; amountCents: number }

/** The data that the next step is computed from, in cents. */
export type NextStepSource = {
  status: string
  lease: { isSigned: boolean } | null
  /** The lease's nights if there is a lease, else the requested ones; half-open. */
  stay: DateRange
  /** The charges, and the charges minus payments, as in `balance`. */
  owedCents: number
  balanceCents: number
  /** Processing payments, neither received nor failed. */
  onItsWayCents: number
  /** What is open in the payment plan from before today. */
  overdueCents: number
  /** The deposit that was neither returned nor kept. */
  depositHeldCents: number
}

/**
 * The next step of an application, or null if nothing is left to do. A booking without a lease, such as one from
 * another platform, needs none after the stay.
 */
export function nextStep(source: NextStepSource, today: CalendarDate): NextStep | null {
  const { lease, stay, status } = source
  if (status === 'pending') return step('answer')
  if (!isBooked(status)) return null
  const isOver = stay.end <= today
  if (status === 'approved' && !isOver) {
    if (!lease) return step('generate_lease')
    if (!lease.isSigned) return step('signature')
  }
  const last = stay.start > today ? 'confirm' : 'complete'
  return moneyStep(source, isOver) ?? (status === 'approved' ? step(last) : null)
}

function moneyStep(source: NextStepSource, isOver: boolean): NextStep | null {
  const { balanceCents, depositHeldCents, onItsWayCents, overdueCents, owedCents } = source
  if (overdueCents > 0) return step('overdue', overdueCents)
  if (balanceCents > onItsWayCents) return step('owed', balanceCents - onItsWayCents)
  if (balanceCents > 0) return step('on_its_way', balanceCents)
  // Without charges nothing can be overpaid, as with a stay that was paid elsewhere.
  if (balanceCents < 0 && owedCents > 0) return step('overpaid', -balanceCents)
  if (isOver && depositHeldCents > 0) return step('return_deposit', depositHeldCents)
  return null
}

const step = (kind: NextStepKind, amountCents = 0): NextStep => ({ kind, amountCents })

/** The label of a next step: `Decide`, `$2,385.00 owed`. */
export function nextStepLabel({ amountCents, kind }: NextStep): string {
  return labels[kind](formatCents(amountCents))
}

const labels: Record<NextStepKind, (amount: string) => string> = {
  answer: () => 'Decide',
  generate_lease: () => 'Generate lease',
  signature: () => 'Waiting for signature',
  overdue: amount => `${amount} overdue`,
  owed: amount => `${amount} owed`,
  on_its_way: amount => `${amount} on its way`,
  overpaid: amount => `${amount} overpaid`,
  return_deposit: amount => `Return ${amount} deposit`,
  confirm: () => 'Confirm booking',
  complete: () => 'Complete',
}

/** Whether the owner has to act; in all other steps the owner waits for the guest or the bank. */
export function isOwnersStep({ kind }: NextStep): boolean {
  return !waitingKinds.includes(kind)
}

const waitingKinds: readonly NextStepKind[] = ['signature', 'overdue', 'owed', 'on_its_way']
