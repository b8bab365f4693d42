import { formatLongDate } from '../../../domain/dates.ts'
import { formatCents } from '../../../domain/money.ts'
import { maxCheckoutTotalCents, minCheckoutCents, validAmountMessage } from '../../../domain/payment.ts'
import { planMessages } from '../../../domain/payment-plan-form.ts'
import { plural } from '../../../domain/plural.ts'
import type { Inputs, Outputs } from '../../api/api.ts'

type Plan = Outputs['plans']['show']
type Pay = NonNullable<Plan['pay']>
export type PayChoice = 'next' | 'due' | 'other'
export type Payment = Pick<Inputs['payments']['createCheckoutSession'], 'paymentType'> & {
  amountCents: number
}
type Offer = { value: PayChoice; label: string; hint: string[] }

/** What a plan lets its tenant pay now; empty when nothing is open. */
export function offersOf({ due, next, otherMaxCents }: Pay): Offer[] {
  if (!next) return []
  const isDeposit = next.paymentType === 'deposit'
  const offers: Offer[] = [
    {
      value: 'next',
      label: 'Next instalment',
      hint: [`${next.label}: ${formatCents(next.amountCents)}`, dueWords(next.dueDate)],
    },
  ]
  if (due && (isDeposit || due.amountCents > next.amountCents)) {
    const sum = `${formatCents(due.amountCents)} for ${plural(due.count, 'payment')}`
    offers.push({
      value: 'due',
      label: 'All that is due',
      hint: [sum, ...(isDeposit ? ['Besides the deposit'] : [])],
    })
  }
  if (otherMaxCents > 0)
    offers.push({ value: 'other', label: 'Another amount', hint: [`Up to ${formatCents(otherMaxCents)}`] })
  return offers
}

const dueWords = (dueDate: string | null) =>
  `Due ${dueDate === null ? 'when you sign' : formatLongDate(dueDate)}`

/** What a choice pays. Only the deposit itself is paid as deposit. */
export function chosenPayment({ due, next }: Pay, choice: PayChoice, enteredCents: number): Payment {
  if (choice === 'next' && next) return next
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
