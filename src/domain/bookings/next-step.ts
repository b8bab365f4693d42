import { addDays, type CalendarDate, type DateRange, formatShortDate } from '../common/dates.ts'
import { dueDaysAhead } from '../common/durations.ts'
import { formatCents } from '../common/money.ts'
import { isBooked, isEnded } from './application-status.ts'

export const nextStepKinds = [
  'answer',
  'generate_lease',
  'signature',
  'overdue',
  'owed',
  'upcoming',
  'on_its_way',
  'overpaid',
  'return_deposit',
  'send_statement',
  'keep_deposit',
  'decide_claim',
  'cancel_request',
  'give_back',
  'confirm',
  'complete',
] as const
export type NextStepKind = (typeof nextStepKinds)[number]

/** The next step of an application. `amountCents` is the amount it is about, or 0. */
export type NextStep = {
  kind: NextStepKind
  amountCents: number
  /** When the next payment of a plan is due. Without a plan, the lease asks for the rent before the first day. */
  dueDate?: CalendarDate | undefined
  /** Who has yet to sign after the tenant. */
  waitsFor?: string | undefined
}

/** The data that the next step is computed from, in cents. */
export type NextStepSource = {
  status: string
  /** Whether the booking needs no lease. */
  withoutLease?: boolean | undefined
  lease: { isSigned: boolean; waitsFor?: string | undefined } | null
  /** The lease's nights if there is a lease, else the requested ones; half-open. */
  stay: DateRange
  /** The charges, and the charges minus payments, as in `balance`. */
  owedCents: number
  balanceCents: number
  /** Processing payments, neither received nor failed. */
  onItsWayCents: number
  /** What is open in the payment plan from before today. */
  overdueCents: number
  /** What a payment plan with something unpaid has due up to today, and what it has due next. */
  plan?: { dueCents: number; next: Pick<NextStep, 'amountCents' | 'dueDate'> | null } | undefined
  /** What is unpaid of the deposit. */
  depositOpenCents: number
  /** The deposit that was neither returned, kept nor claimed. */
  depositFreeCents: number
  /** What is to be done about what is claimed of the deposit. */
  claim?: (NextStep & { kind: 'send_statement' | 'keep_deposit' | 'decide_claim' }) | undefined
  /** Whether the tenant asked to cancel and waits for an answer. */
  asksToCancel?: boolean | undefined
  /** Of an application without a booking, what was paid and has to go back. */
  toReturnCents: number
}

/**
 * The next step of an application, or null if nothing is left to do. A missing lease is a step only until the stay is
 * over, and only if the booking needs one: a booking from another platform does not.
 */
export function nextStep(source: NextStepSource, today: CalendarDate): NextStep | null {
  const { claim, depositFreeCents, lease, stay, status } = source
  if (status === 'pending') return step('answer')
  if (isEnded(status))
    return source.toReturnCents > 0 ? step('give_back', source.toReturnCents) : (claim ?? null)
  if (!isBooked(status)) return null
  if (source.asksToCancel) return step('cancel_request')
  const isOver = stay.end <= today
  const money = moneyStep(source, isOver, today)
  const isOwed = money?.kind === 'overdue' || money?.kind === 'owed'
  // The unclaimed part goes back first: it has a date, and keeping or deciding about the claimed part has none. A debt
  // comes before both.
  if (claim && claim.kind !== 'send_statement' && depositFreeCents > 0)
    return isOwed ? money : step('return_deposit', depositFreeCents)
  if (claim) return claim
  if (!isOver && !lease && !source.withoutLease) return step('generate_lease')
  const signature =
    !isOver && lease && !lease.isSigned
      ? { ...step('signature'), ...(lease.waitsFor && { waitsFor: lease.waitsFor }) }
      : null
  const isApproved = status === 'approved'
  if (isApproved && signature) return signature
  const last = stay.start > today ? 'confirm' : 'complete'
  return money ?? (isApproved ? step(last) : signature)
}

function moneyStep(source: NextStepSource, isOver: boolean, today: CalendarDate): NextStep | null {
  const { balanceCents, depositFreeCents, depositOpenCents, onItsWayCents, overdueCents } = source
  const { owedCents, plan, stay } = source
  if (overdueCents > 0) return step('overdue', overdueCents)
  if (balanceCents > onItsWayCents) {
    if (plan && plan.dueCents > 0) return step('owed', plan.dueCents)
    // Of an unsigned lease the date can have passed, or be that of the signature.
    if (plan?.next?.dueDate && plan.next.dueDate > today) return { kind: 'upcoming', ...plan.next }
    const isLater = !plan && depositOpenCents === 0 && stay.start > addDays(today, dueDaysAhead)
    const left = balanceCents - onItsWayCents
    return step(isLater ? 'upcoming' : 'owed', left)
  }
  if (balanceCents > 0) return step('on_its_way', balanceCents)
  // Without charges nothing can be overpaid, as with a stay that was paid elsewhere.
  if (balanceCents < 0 && owedCents > 0) return step('overpaid', -balanceCents)
  if (isOver && depositFreeCents > 0) return step('return_deposit', depositFreeCents)
  return null
}

const step = (kind: NextStepKind, amountCents = 0): NextStep => ({ kind, amountCents })

/** The label of a next step: `Decide`, `$2,385.00 owed`. */
export function nextStepLabel(step: NextStep): string {
  return labels[step.kind](formatCents(step.amountCents), step)
}

const labels: Record<NextStepKind, (amount: string, step: NextStep) => string> = {
  answer: () => 'Decide',
  generate_lease: () => 'Generate lease',
  signature: (_, { waitsFor }) => `Waiting for ${waitsFor ?? 'signature'}`,
  overdue: amount => `${amount} overdue`,
  owed: amount => `${amount} owed`,
  upcoming: (amount, { dueDate }) => `${amount} due ${dueDate ? formatShortDate(dueDate) : 'before arrival'}`,
  on_its_way: amount => `${amount} on its way`,
  overpaid: amount => `${amount} overpaid`,
  return_deposit: amount => `Return ${amount} deposit`,
  send_statement: amount => `Send statement for ${amount}`,
  keep_deposit: amount => `Keep ${amount}`,
  decide_claim: amount => `Decide the claim of ${amount}`,
  cancel_request: () => 'Answer the request to cancel',
  give_back: amount => `Return ${amount}`,
  confirm: () => 'Confirm booking',
  complete: () => 'Complete',
}

/** Whether the owner has to act; in all other steps the owner waits for the guest or the bank. */
export function isOwnersStep({ kind, waitsFor }: NextStep): boolean {
  return !waitingKinds.includes(kind) || waitsFor === 'you'
}

const waitingKinds: readonly NextStepKind[] = ['signature', 'overdue', 'owed', 'upcoming', 'on_its_way']

/** Whether the next step is a payment by the guest. */
export const isOwing = (step: { kind: string } | null | undefined): boolean =>
  step?.kind === 'overdue' || step?.kind === 'owed'

/** The action of a task, also once a reminder was sent. */
export const writeToGuest = 'Write to the guest'

/** Whether the guest of an application was reminded today, by the tasks of the owner's day; there is one reminder a day. */
export const isRemindedIn = (
  tasks: readonly { applicationId: string; kind: string; action: string }[] = [],
  id: string,
): boolean => tasks.some(task => task.applicationId === id && task.action === writeToGuest && isOwing(task))
