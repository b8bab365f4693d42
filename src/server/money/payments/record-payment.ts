import type { Admin } from '../../../domain/accounts/access.ts'
import type { ManualPaymentInput } from '../../../domain/money/payment-input.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { loadRow } from '../../bookings/records.ts'
import type { Deps } from '../../kernel/deps.ts'
import { insertRow, paidOn } from './manual-row.ts'
import { adminPayment } from './queries.ts'

/**
 * Records a payment by check, cash or bank transfer (ADMAPP-33); sends no receipt.
 * @throws AppError not_found for an unknown application; bad_request for a future date; forbidden without a step-up if
 * the check number is more than a number, because the receipt shows it
 */
export async function recordPayment(deps: Deps, actor: Admin, input: ManualPaymentInput) {
  const paidAt = paidOn(deps, 'paymentDate', input.paymentDate)
  const id = await deps.write(tx => {
    if (!/^\d{0,8}$/.test(input.checkNumber)) requireStepUp(deps, tx, actor)
    const application = loadRow(tx, actor, input.applicationId)
    return insertRow(deps, tx, actor, 'payment.manual_added', {
      userId: application.userId,
      applicationId: application.id,
      type: input.paymentType,
      method: 'manual',
      amountCents: input.amount,
      checkNumber: input.checkNumber,
      notes: input.notes,
      paidAt,
    })
  })
  return adminPayment(deps, id)
}
