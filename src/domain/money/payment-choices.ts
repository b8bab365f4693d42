import { formatShortDate } from '../common/dates.ts'
import { cardFeeCents, formatCents } from '../common/money.ts'
import { plural } from '../common/plural.ts'
import { maxCheckoutTotalCents, minCheckoutCents, type PayableType, validAmountMessage } from './payment.ts'
import { planMessages } from './payment-plan.ts'
import type { DepositAndRent, OpenAmounts, PlanInstallment, PlanPay } from './payment-plan-state.ts'

type Installment = Pick<PlanInstallment, 'kind' | 'label' | 'openCents' | 'dueDate'> &
  Partial<Pick<PlanInstallment, 'id' | 'daysOverdue'>>
type Payable = { pay: PlanPay; instalments: readonly Installment[] }
export type PayChoice = 'both' | 'next' | 'deposit' | 'due' | 'other'
export type PaymentChoice = { paymentType: PayableType; amountCents: number }
/** What one checkout pays: one payment, or the deposit and the rent. */
export type PaymentChoices = [PaymentChoice, ...PaymentChoice[]]
type PaymentOption = { value: PayChoice; label: string; hint: string[] }

/** The payments that a plan offers now; empty if nothing is open, or less than the minimum payment. */
export function offersOf(plan: Payable): PaymentOption[] {
  const { depositAndRent, due, next, otherMaxCents } = plan.pay
  const deposit = laterDeposit(plan)
  const isDepositOpen = deposit !== undefined || next?.paymentType === 'deposit'
  const offers: PaymentOption[] = []
  const offer = (amountCents: number, value: PayChoice, label: string, hint: string[]) => {
    if (amountCents >= minCheckoutCents) offers.push({ value, label, hint })
  }
  if (depositAndRent) offers.push({ value: 'both', ...offerOfBoth(depositAndRent) })
  if (next) {
    const amount = formatCents(next.amountCents)
    const { daysOverdue = 0 } = plan.instalments.find(({ id }) => id === next.instalmentId) ?? {}
    if (next.dueDate && daysOverdue > 0)
      offer(next.amountCents, 'next', `${next.label}, overdue`, [
        amount,
        `Was due ${formatShortDate(next.dueDate)}`,
      ])
    else
      offer(next.amountCents, 'next', 'Next installment', [
        `${next.label}: ${amount}`,
        dueWords(next.dueDate),
      ])
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

/** The first offer where deposit and rent are both open (LOOK-80). */
export function offerOfBoth({
  depositCents,
  rentCents,
}: DepositAndRent): Pick<PaymentOption, 'label' | 'hint'> {
  const sum = `${formatCents(depositCents + rentCents)} in one payment`
  const parts = `Deposit ${formatCents(depositCents)}, rent ${formatCents(rentCents)}`
  return { label: 'Deposit and rent', hint: [sum, parts] }
}

/** The payments of one checkout for deposit and rent. */
export const paymentsOfBoth = ({ depositCents, rentCents }: DepositAndRent): PaymentChoices => [
  { paymentType: 'deposit', amountCents: depositCents },
  { paymentType: 'rent', amountCents: rentCents },
]

/**
 * The first open deposit that another payment precedes, such as a postponed one, with the amount that can be paid of
 * it.
 */
function laterDeposit({ instalments, pay }: Payable): Installment | undefined {
  const { depositMaxCents, next } = pay
  if (next?.paymentType === 'deposit' || depositMaxCents === 0) return undefined
  const deposit = instalments.find(({ kind, openCents }) => kind === 'deposit' && openCents > 0)
  return deposit && { ...deposit, openCents: Math.min(deposit.openCents, depositMaxCents) }
}

const dueWords = (dueDate: string | null) =>
  `Due ${dueDate === null ? 'when you sign' : formatShortDate(dueDate)}`

/** The payments for a choice. Only the deposit is paid as a deposit. */
export function chosenPayments(plan: Payable, choice: PayChoice, enteredCents: number): PaymentChoices {
  const { depositAndRent, due, next } = plan.pay
  if (choice === 'both' && depositAndRent) return paymentsOfBoth(depositAndRent)
  if (choice === 'next' && next) return [{ paymentType: next.paymentType, amountCents: next.amountCents }]
  const deposit = choice === 'deposit' ? laterDeposit(plan) : undefined
  if (deposit) return [{ paymentType: 'deposit', amountCents: deposit.openCents }]
  const amountCents = choice === 'due' && due ? due.amountCents : enteredCents
  return [{ paymentType: 'rent', amountCents }]
}

/** What can be paid without a plan, in cents; `rentCents` is null if any amount can be paid ahead. */
export type OpenPayments = Omit<OpenAmounts, 'rentCents'> & { rentCents: number | null }

/** Warns that rent of this amount is more than what is open; undefined if it is not (LOOK-37). Cents. */
export function overpaymentWarning(
  { amountCents, paymentType }: PaymentChoice,
  { depositCents, rentCents }: OpenPayments,
): string | undefined {
  if (paymentType === 'deposit' || rentCents === null || amountCents <= rentCents) return undefined
  const more = `This is ${formatCents(amountCents - rentCents)} more than you owe`
  return depositCents > 0 ? `${more} besides the deposit.` : `${more}.`
}

/** The most that can be paid at once, in cents, so that amount plus card fee is within the provider's maximum. */
export function maxPaymentCents(feeBasisPoints: number): number {
  let cents = Math.floor((maxCheckoutTotalCents * 10_000) / (10_000 + feeBasisPoints))
  while (cents + cardFeeCents(cents, feeBasisPoints) > maxCheckoutTotalCents) cents--
  return cents
}

/**
 * Why a typed text is not a payable amount, shown before it is sent; undefined if it is one. `cents` is the parsed
 * text.
 */
export function amountHint(text: string, cents: number | undefined, maxCents: number): string | undefined {
  if (text.trim() === '') return 'Enter an amount to see the total.'
  if (cents !== undefined && cents >= minCheckoutCents && cents <= maxCents) return undefined
  if (Number(text) * 100 > maxCents) return `At most ${formatCents(maxCents)}`
  if (Number(text) * 100 < minCheckoutCents) return `At least ${formatCents(minCheckoutCents)}`
  return 'Enter dollars and cents, such as 1250.50.'
}

type PlanLimits = { pay: Pick<PlanPay, 'otherMaxCents'> | null; totals: { onItsWayCents: number } }

/** Why this cannot be paid; with a plan, in the server's wording (PLAN-27, BANK-07). */
export function paymentError(
  { amountCents, paymentType }: PaymentChoice,
  plan: PlanLimits | undefined,
  maxCents: number,
): string | undefined {
  if (amountCents < minCheckoutCents) return validAmountMessage
  if (plan?.pay && paymentType !== 'deposit' && amountCents > plan.pay.otherMaxCents) {
    const { onItsWayCents } = plan.totals
    return onItsWayCents > 0
      ? planMessages.onItsWay(onItsWayCents)
      : planMessages.onlyToPay(plan.pay.otherMaxCents)
  }
  return amountCents > maxCents ? `At most ${formatCents(maxCents)}` : undefined
}
