import { AppError, fieldError } from '../../../../domain/common/errors.ts'
import { validAmountMessage } from '../../../../domain/money/payment.ts'
import type { CheckoutInput } from '../../../../domain/money/payment-input.ts'
import { depositParts, rentProblem } from '../../../../domain/money/payment-plan-state.ts'
import type { PlanState } from '../../plan-state.ts'

/**
 * Checks an amount against the payment plan before a tenant pays it: rent up to everything open except the deposit, a
 * deposit exactly its open part, or its next installment if it has several (PLAN-27, CHG-31). Cents.
 * @throws AppError conflict for more than is open, and if nothing is open; bad_request for another amount of the
 * deposit
 */
export function requirePlanAmount(
  { instalments, money }: Pick<PlanState, 'instalments' | 'money'>,
  { amount, paymentType }: Pick<CheckoutInput, 'amount' | 'paymentType'>,
): void {
  if (paymentType === 'rent') {
    const problem = rentProblem(amount, instalments, money)
    if (problem) throw new AppError('conflict', problem)
    return
  }
  const parts = depositParts(instalments, money)
  const [next] = parts
  if (!next) throw new AppError('conflict', 'The security deposit has already been paid.')
  const openCents = parts.reduce((sum, { amountCents }) => sum + amountCents, 0)
  if (amount !== openCents && amount !== next.amountCents) throw fieldError('amount', validAmountMessage)
}
