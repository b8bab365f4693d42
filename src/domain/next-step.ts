import { isBooked } from './application-status.ts'
import type { CalendarDate, DateRange } from './dates.ts'
import { formatCents } from './money.ts'

export const nextStepKinds = [
  'answer',
  'generate_lease',
  'signature',
  'overdue',
  'owed',
  'on_its_way',
  'overpaid',
  'return_deposit',
  'complete',
] as const
export type NextStepKind = (typeof nextStepKinds)[number]

/** The next step of an application. `amountCents` is the money it is about, 0 where it is about none. */
export type NextStep = { kind: NextStepKind; amountCents: number }

/** What the next step is read from, in cents. */
export type NextStepSource = {
  status: string
  lease: { isSigned: boolean } | null
  /** The lease's nights once there is a lease, else the requested ones; half-open. */
  stay: DateRange
  /** Owed less paid, as `balance` has it: below zero where more was paid. */
  balanceCents: number
  /** Payments that have neither arrived nor failed. */
  onItsWayCents: number
  /** What the payment plan has open from before today. */
  overdueCents: number
  /** The deposit that was neither returned nor kept. */
  depositHeldCents: number
}

/**
 * What has to happen next with an application; null where nothing is left to do. A booking without a lease, such as one
 * of another platform, is not asked for one once the stay is over.
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
  return moneyStep(source, isOver) ?? (status === 'approved' ? step('complete') : null)
}

function moneyStep(source: NextStepSource, isOver: boolean): NextStep | null {
  const { balanceCents, depositHeldCents, onItsWayCents, overdueCents } = source
  if (overdueCents > 0) return step('overdue', overdueCents)
  if (balanceCents > onItsWayCents) return step('owed', balanceCents - onItsWayCents)
  if (balanceCents > 0) return step('on_its_way', balanceCents)
  if (balanceCents < 0) return step('overpaid', -balanceCents)
  if (isOver && depositHeldCents > 0) return step('return_deposit', depositHeldCents)
  return null
}

const step = (kind: NextStepKind, amountCents = 0): NextStep => ({ kind, amountCents })

/** A next step in words: `Answer`, `$2,385.00 owed`. */
export function nextStepLabel({ amountCents, kind }: NextStep): string {
  return labels[kind](formatCents(amountCents))
}

const labels: Record<NextStepKind, (amount: string) => string> = {
  answer: () => 'Answer',
  generate_lease: () => 'Generate lease',
  signature: () => 'Waiting for signature',
  overdue: amount => `${amount} overdue`,
  owed: amount => `${amount} owed`,
  on_its_way: amount => `${amount} on its way`,
  overpaid: amount => `${amount} overpaid`,
  return_deposit: amount => `Return ${amount} deposit`,
  complete: () => 'Complete',
}

/** Whether a step is the owner's to take; with the others the owner waits for the guest or the bank. */
export function isOwnersStep({ kind }: NextStep): boolean {
  return !waitingKinds.includes(kind)
}

const waitingKinds: readonly NextStepKind[] = ['signature', 'overdue', 'owed', 'on_its_way']
