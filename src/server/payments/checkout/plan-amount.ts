import { AppError, fieldError } from '../../../domain/errors.ts'
import { validAmountMessage } from '../../../domain/payment.ts'
import type { CheckoutInput } from '../../../domain/payment-input.ts'
import { type PlanInstalment, rentProblem } from '../../../domain/payment-plan-state.ts'

/**
 * Checks what a tenant begins to pay against the payment plan: rent up to all that is open besides the deposit, a deposit
 * in exactly its open part, or that of its next instalment where it has several (PLAN-27, CHG-31). Cents.
 * @throws AppError conflict for more than is open, and where nothing is; bad_request for another amount of the deposit
 */
export function requirePlanAmount(
  instalments: readonly PlanInstalment[],
  { amount, paymentType }: Pick<CheckoutInput, 'amount' | 'paymentType'>,
): void {
  if (paymentType === 'rent') {
    const problem = rentProblem(amount, instalments)
    if (problem) throw new AppError('conflict', problem)
    return
  }
  const open = instalments.filter(({ kind, openCents }) => kind === 'deposit' && openCents > 0)
  const [next] = open
  if (!next) throw new AppError('conflict', 'The security deposit has been paid already.')
  const openCents = open.reduce((sum, row) => sum + row.openCents, 0)
  if (amount !== openCents && amount !== next.openCents) throw fieldError('amount', validAmountMessage)
}
