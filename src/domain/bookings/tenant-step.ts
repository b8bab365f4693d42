import {
  addDays,
  type CalendarDate,
  dateIn,
  formatShortDate,
  formatWeekday,
  nightsBetween,
  weekday,
} from '../common/dates.ts'
import { dueDaysAhead } from '../common/durations.ts'
import { formatCents } from '../common/money.ts'
import { plural } from '../common/plural.ts'
import { stayOf, stayPhase } from '../common/stay.ts'
import { isBooked, isEnded } from './application-status.ts'
import { bookingChecklist, type ChecklistSource } from './checklist.ts'
import { checking, signInTime } from './securing.ts'

/** What is open of an application; amounts in cents. */
export type OutstandingBalance = {
  balanceCents: number
  /** The unpaid part of the deposit. */
  depositDueCents?: number
  /** Processing bank payments. */
  onItsWayCents?: number
  /** The next payment of a payment plan; null if everything open is processing. */
  pay?: {
    next: { label: string; amountCents: number; dueDate: CalendarDate | null } | null
    depositAndRent?: { depositCents: number; rentCents: number } | null
  } | null
}

/** What is on its way from a bank, in cents. */
export function onItsWayCents(payments: readonly { amount: number; status: string }[]): number {
  return payments.reduce((sum, { amount, status }) => sum + (status === 'processing' ? amount : 0), 0)
}

/** What is left to pay once the money on its way has arrived; at least 0. */
export function leftToPayCents({ balanceCents, onItsWayCents = 0 }: OutstandingBalance): number {
  return Math.max(0, balanceCents - onItsWayCents)
}

export type TenantStep = {
  kind: 'submit' | 'sign' | 'addendum' | 'pay' | 'claim' | 'wait' | 'refund' | 'booked' | 'declined'
  title: string
  text: string
  /** The payment's due date has passed. */
  isOverdue?: true
  /** The payment is due in more than a week. */
  isLater?: true
}

/**
 * What the tenant waits for or has to do besides signing the lease and paying; nothing while a payment is overdue: an
 * accepted offer to sign and pay by its deadline, its deposit alone once the lease is signed, an addendum to sign, a claim
 * on the deposit to answer, or money that comes back.
 */
export type Waiting =
  | ({ kind: 'offer' } & InTime)
  | ({ kind: 'deposit' } & InTime)
  | { kind: 'addendum'; until: CalendarDate }
  | { kind: 'claim'; amountCents: number; until: CalendarDate }
  | { kind: 'refund'; amountCents: number }

type InTime = { claimId: string; depositCents: number; until: CalendarDate }

/** The application, the stay, when it was sent, by when the owner answers if that is known, and what else waits. */
export type StepSource = ChecklistSource &
  Parameters<typeof stayOf>[0] & { submittedAt: string | null; answerBy?: CalendarDate; waiting?: Waiting }
/** The property's day. */
export type Day = { today: CalendarDate; timeZone: string }

/**
 * What a tenant does or waits for next; undefined for a cancelled stay of which nothing comes back, and for a signed one
 * of which nothing is to be paid though nothing is paid (LOOK-21).
 */
export function tenantStep(
  app: StepSource,
  day: Day,
  outstanding?: OutstandingBalance,
): TenantStep | undefined {
  const { banner, steps } = bookingChecklist(app)
  if (app.status === 'draft')
    return step('submit', 'Submit your application', 'This is a draft. We see it once you submit it.')
  if (app.waiting?.kind === 'refund' || (app.waiting?.kind === 'claim' && isEnded(app.status)))
    return waitingStep(app.waiting, app.status)
  if (app.status === 'rejected')
    return step('declined', 'Application declined', 'We are sorry that we could not accept this application.')
  if (app.status === 'pending') return reviewStep(app, day)
  if (!isBooked(app.status)) return undefined
  if (app.tenantSigned)
    return step(
      'wait',
      'Waiting for the other signatures',
      'You have signed. We write to you when everybody has.',
    )
  if (app.status === 'approved' && app.leaseGenerated && !app.leaseSigned) return signStep(app, day)
  const booked = banner && bookedStep(app, day)
  const payment = outstanding && paymentStep(app, outstanding, day.today, booked)
  if (app.waiting?.kind === 'deposit')
    return payment?.isOverdue ? payment : depositStep(app, day, outstanding)
  if (app.waiting && app.waiting.kind !== 'offer') return waitingStep(app.waiting, app.status)
  if (payment) return payment
  // Confirmed before the lease that it needs was written or signed.
  const isUnsigned = app.status === 'completed' && !app.leaseSigned && !app.withoutLease
  const lacksLease = isUnsigned && day.today < stayOf(app).end
  if (lacksLease && app.leaseGenerated) return signStep(app, day)
  if (booked && !lacksLease) return booked
  if (app.withoutLease) return outstanding && bookedStep(app, day)
  if (!app.leaseGenerated)
    return step('wait', 'We are preparing your lease', 'We will write to you when it is ready to sign.')
  const isPaid = steps.some(({ key, complete }) => key === 'paid' && complete)
  if (isPaid || outstanding) return undefined
  return step('pay', 'Make your payment', 'Your lease is signed. Your payment is next.')
}

function signStep({ waiting }: StepSource, { today }: Day): TenantStep {
  const text =
    waiting?.kind === 'offer'
      ? signInTime(waiting.depositCents, waiting.until, today)
      : 'It is ready. Read it and sign it online in a few minutes.'
  return step('sign', 'Sign your lease', text)
}

/** The deposit of an accepted offer in time, and when the rest is due. */
function depositStep(
  { waiting, ...app }: StepSource,
  { today }: Day,
  outstanding: OutstandingBalance | undefined,
): TenantStep | undefined {
  if (waiting?.kind !== 'deposit') return undefined
  const { depositCents, until } = waiting
  const restCents = outstanding ? leftToPayCents(outstanding) - depositCents : 0
  const due = restCents > 0 && !outstanding?.pay ? laterDay(stayOf(app).start, today) : undefined
  const rest = due ? ` The rest, ${formatCents(restCents)}, is due before ${formatShortDate(due)}.` : ''
  const text = until < today ? checking : `Please pay it by ${formatShortDate(until)}.${rest}`
  return step('pay', `Pay the ${formatCents(depositCents)} deposit`, text)
}

/** Without a plan, the rent is due before the first day of the stay. Undefined if that is within a month. */
export function laterDay(start: CalendarDate, today: CalendarDate): CalendarDate | undefined {
  return start > addDays(today, dueDaysAhead) ? start : undefined
}

function waitingStep(waiting: Exclude<Waiting, { kind: 'offer' | 'deposit' }>, status: string): TenantStep {
  if (waiting.kind === 'addendum')
    return step(
      'addendum',
      'Sign the addendum',
      `It changes your lease. Answer by ${formatShortDate(waiting.until)}.`,
    )
  const cents = formatCents(waiting.amountCents)
  if (waiting.kind === 'claim')
    return step('claim', `We claim ${cents} of your deposit`, `Answer by ${formatShortDate(waiting.until)}.`)
  const ended = status === 'cancelled' ? 'Cancelled' : 'Declined'
  return step('refund', `${ended}. ${cents} is still to come back to you.`, '')
}

/** Two business days after an application was sent, the day by which the owner answers. */
function answerDay({ submittedAt }: StepSource, { timeZone, today }: Day): CalendarDate {
  let date = submittedAt ? dateIn(new Date(submittedAt), timeZone) : today
  for (let left = 2; left > 0; ) {
    date = addDays(date, 1)
    if (weekday(date) % 6 !== 0) left--
  }
  return date
}

function reviewStep(app: StepSource, day: Day): TenantStep {
  const by = app.answerBy ?? answerDay(app, day)
  if (by < day.today)
    return step('wait', 'We are reviewing your application', 'It typically takes 1-2 business days.')
  const [name] = formatWeekday(by).split(',')
  const title = app.answerBy ? `We will answer by ${formatShortDate(by)}.` : `Sent. We answer by ${name}.`
  return step('wait', title, 'Nothing is charged now.')
}

/** Signed and paid, or completed: in words for the stay (LOOK-63). */
function bookedStep(app: StepSource, { today }: Day): TenantStep {
  const stay = stayOf(app)
  const phase = stayPhase(stay, today)
  const isThisYear = stay.end.slice(0, 4) === today.slice(0, 4)
  const until = formatShortDate(stay.end).replace(isThisYear ? /, \d+$/ : '', '')
  const titles = {
    before: 'Your stay is booked',
    during: `You are here until ${until}`,
    after: 'Your stay is over',
  }
  return step('booked', titles[phase], bookedSentence(app, today))
}

/** The text below a booked stay, also while a part is still to be paid (LOOK-05, LOOK-46). */
export function bookedSentence(
  app: StepSource,
  today: CalendarDate,
  owesMoney = false,
  isOverdue = false,
): string {
  const phase = stayPhase(stayOf(app), today)
  if (app.status === 'completed') return completeSentence(app, phase, owesMoney)
  if (app.withoutLease && phase === 'before') return complete.before.open
  if (phase !== 'before' && isOverdue) return 'A payment is overdue.'
  return verificationSentence(phase, owesMoney)
}

/** The text of the banner 'Pending Admin Verification', also while a part is still to be paid. */
function verificationSentence(phase: ReturnType<typeof stayPhase>, owesMoney: boolean): string {
  if (phase !== 'before') return owesMoney ? 'Part of the payment is still open.' : 'Nothing is left to pay.'
  const payment = owesMoney ? 'a first payment' : 'your payment'
  return `We have your signed lease and ${payment}. We will check both and complete your booking.`
}

/** What is due, or that nothing of a booked stay is for a month. */
function paymentStep(
  app: StepSource,
  outstanding: OutstandingBalance,
  today: CalendarDate,
  booked: TenantStep | undefined,
): TenantStep | undefined {
  const { balanceCents, depositDueCents, pay } = outstanding
  if (balanceCents <= 0) return undefined
  const openCents = pay ? (pay.next?.amountCents ?? 0) : leftToPayCents(outstanding)
  if (openCents <= 0)
    return step('wait', 'Your payment is on its way', 'We will write to you when it has arrived.')
  const dueDate = pay?.next?.dueDate
  const restDay = pay || depositDueCents === undefined ? undefined : laterDay(stayOf(app).start, today)
  const later = depositDueCents === 0 ? restDay : undefined
  const restCents = outstanding.onItsWayCents ? 0 : openCents - (depositDueCents ?? 0)
  const text = later
    ? `The rest of your stay is to be paid before ${formatShortDate(later)}.`
    : restDay && restCents > 0
      ? `${formatCents(restCents)} of it is to be paid before ${formatShortDate(restDay)}.`
      : paymentText(pay, today)
  const days = dueDate ? nightsBetween(dueDate, today) : 0
  const isLater = later !== undefined || days < -7
  if (booked && dueDate && days < -dueDaysAhead)
    return { ...booked, text: `Next: ${formatCents(openCents)}, due ${formatShortDate(dueDate)}.` }
  const both = pay?.depositAndRent
  if (days <= 0 && both)
    return step(
      'pay',
      `Pay ${formatCents(both.depositCents + both.rentCents)}`,
      'Your deposit and rent are due.',
    )
  if (days <= 0) return { ...step('pay', `Pay ${formatCents(openCents)}`, text), ...(isLater && { isLater }) }
  const title = `Overdue by ${plural(days, 'day')}: ${formatCents(openCents)}`
  return { ...step('pay', title, text), isOverdue: true }
}

function paymentText(pay: OutstandingBalance['pay'], today: CalendarDate): string {
  if (!pay?.next) return 'This is what is still to be paid for your stay.'
  const { dueDate, label } = pay.next
  if (!dueDate) return `${label}.`
  return `${label} ${dueDate < today ? 'was' : 'is'} due on ${formatShortDate(dueDate)}.`
}

const step = (kind: TenantStep['kind'], title: string, text: string): TenantStep => ({ kind, title, text })

const complete = {
  before: {
    settled: 'Everything is settled. We look forward to your stay.',
    open: 'Your stay is confirmed.',
  },
  during: { settled: 'Everything is settled. Enjoy your stay.', open: 'Enjoy your stay.' },
}

/**
 * The text of the banner 'Booking Complete', by the stay's phase. It does not say 'settled' if the lease or a payment is
 * missing, or an amount is still open (LOOK-05, LOOK-46).
 */
function completeSentence(
  app: ChecklistSource,
  phase: ReturnType<typeof stayPhase>,
  owesMoney: boolean,
): string {
  if (phase === 'after') return 'Thank you for being our guest.'
  const isPaid = bookingChecklist(app).steps.some(({ key, complete }) => key === 'paid' && complete)
  const isLeaseMissing = !app.leaseSigned && !app.withoutLease
  const missing = [isLeaseMissing && 'signed lease', !isPaid && 'payment'].filter(Boolean)
  if (missing.length > 0) return `${complete[phase].open} We have no ${missing.join(' and no ')} on record.`
  if (owesMoney) return `${complete[phase].open} Part of it is still to be paid.`
  return complete[phase].settled
}

/**
 * Of several applications, sorted newest first, picks the one with the most urgent step: to sign, to pay, to answer, to
 * submit, to wait.
 */
export function leadingStep<App extends StepSource>(
  applications: readonly App[],
  day: Day,
  balanceOf: (application: App) => OutstandingBalance | undefined,
): { application: App; step: TenantStep } | undefined {
  const found = applications.flatMap(application => {
    const step = tenantStep(application, day, balanceOf(application))
    return step && rank.includes(step.kind) ? [{ application, step }] : []
  })
  return found.sort((a, b) => rank.indexOf(a.step.kind) - rank.indexOf(b.step.kind))[0]
}
const rank: TenantStep['kind'][] = ['sign', 'addendum', 'pay', 'claim', 'submit', 'wait', 'refund', 'booked']
