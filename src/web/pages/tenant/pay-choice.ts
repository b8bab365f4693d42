import { formatLongDate } from '../../../domain/dates.ts'
import { formatCents } from '../../../domain/money.ts'
import { maxCheckoutTotalCents, minCheckoutCents, validAmountMessage } from '../../../domain/payment.ts'
import { planMessages } from '../../../domain/payment-plan-messages.ts'
import { plural } from '../../../domain/plural.ts'
import type { Inputs, Outputs } from '../../api/api.ts'

type Plan = Outputs['plans']['show']
type Pay = NonNullable<Plan['pay']>
type Instalment = Pick<Plan['instalments'][number], 'kind' | 'label' | 'openCents' | 'dueDate'>
type Payable = { pay: Pay; instalments: readonly Instalment[] }
export type PayChoice = 'next' | 'deposit' | 'due' | 'other'
export type Payment = Pick<Inputs['payments']['createCheckoutSession'], 'paymentType'> & {
  amountCents: number
}
type Offer = { value: PayChoice; label: string; hint: string[] }

/** What a plan lets its tenant pay now; empty when nothing is open, or less than can be paid here. */
export function offersOf(plan: Payable): Offer[] {
  const { due, next, otherMaxCents } = plan.pay
  const deposit = laterDeposit(plan)
  const isDepositOpen = deposit !== undefined || next?.paymentType === 'deposit'
  const offers: Offer[] = []
  const offer = (amountCents: number, value: PayChoice, label: string, hint: string[]) => {
    if (amountCents >= minCheckoutCents) offers.push({ value, label, hint })
  }
  if (next) {
    const what = `${next.label}: ${formatCents(next.amountCents)}`
    offer(next.amountCents, 'next', 'Next instalment', [what, dueWords(next.dueDate)])
  }
  if (deposit) {
    const { dueDate, label, openCents } = deposit
    offer(openCents, 'deposit', label, [formatCents(openCents), dueWords(dueDate)])
  }
  if (due && (next?.paymentType === 'deposit' || due.amountCents > (next?.amountCents ?? 0))) {
    const sum = `${formatCents(due.amountCents)} for ${plural(due.count, 'payment')}`
    const hint = [sum, ...(isDepositOpen ? ['Besides the deposit'] : [])]
    offer(due.amountCents, 'due', 'All that is due', hint)
  }
  offer(otherMaxCents, 'other', 'Another amount', [`Up to ${formatCents(otherMaxCents)}`])
  return offers
}

/** The first open deposit where another payment comes before it, as after postponing it. */
function laterDeposit({ instalments, pay }: Payable): Instalment | undefined {
  if (pay.next?.paymentType === 'deposit') return undefined
  return instalments.find(({ kind, openCents }) => kind === 'deposit' && openCents > 0)
}

const dueWords = (dueDate: string | null) =>
  `Due ${dueDate === null ? 'when you sign' : formatLongDate(dueDate)}`

/** What a choice pays. Only the deposit itself is paid as deposit. */
export function chosenPayment(plan: Payable, choice: PayChoice, enteredCents: number): Payment {
  const { due, next } = plan.pay
  if (choice === 'next' && next) return next
  const deposit = choice === 'deposit' ? laterDeposit(plan) : undefined
  if (deposit) return { paymentType: 'deposit', amountCents: deposit.openCents }
  const amountCents = choice === 'due' && due ? due.amountCents : enteredCents
  return { paymentType: 'rent', amountCents }
}

/** Why this cannot be paid, in the server's words (PLAN-27, BANK-07). */
export function paymentProblem(
  { amountCents, paymentType }: Payment,
  totalCents: number,
  plan: Pick<Plan, 'pay' | 'totals'> | undefined,
): string | undefined {
  if (amountCents < minCheckoutCents || totalCents > maxCheckoutTotalCents) return validAmountMessage
  if (!plan?.pay || paymentType === 'deposit' || amountCents <= plan.pay.otherMaxCents) return undefined
  const { onItsWayCents } = plan.totals
  return onItsWayCents > 0
    ? planMessages.onItsWay(onItsWayCents)
    : planMessages.onlyToPay(plan.pay.otherMaxCents)
}
