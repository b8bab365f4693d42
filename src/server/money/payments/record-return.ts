import type { Admin } from '../../../domain/accounts/access.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { returnableFrom } from '../../../domain/money/ledger-invariants.ts'
import type { RecordReturnInput } from '../../../domain/money/payment-input.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { loadRow } from '../../bookings/records.ts'
import type { Deps } from '../../kernel/deps.ts'
import { accountOf, accountsOfUser, withinInvariants } from './ledger-invariants.ts'
import { insertRow, paidOn } from './manual-row.ts'
import { adminPayment } from './queries.ts'

/**
 * Records money returned by hand, or kept from the deposit with a reason: at most the deposit still held, or what was
 * paid, minus pending card refunds and what a dispute took after it was moved here (FIX-38).
 * @throws AppError forbidden without a step-up; not_found; conflict for more than that; bad_request for a future date
 */
export async function recordReturn(deps: Deps, actor: Admin, input: RecordReturnInput) {
  requireStepUp(deps, deps.db, actor)
  return adminPayment(deps, await storeReturn(deps, actor, input))
}

/**
 * Does the work of `recordReturn` without a step-up check; also used for seeding the demo, where nobody is logged in.
 */
export function storeReturn(deps: Deps, actor: Admin, input: RecordReturnInput): Promise<string> {
  const paidAt = paidOn(deps, 'date', input.date)
  return deps.write(tx => {
    const application = loadRow(tx, actor, input.applicationId)
    const key = { applicationId: application.id, userId: application.userId }
    const account = accountOf(tx, key)
    const { rows } = account
    const available = returnableFrom(account, accountsOfUser(tx, key.userId), input.kind)
    if (input.amount > available) {
      const what = input.kind === 'refund' ? 'was paid' : 'is left of the deposit'
      const underWay = rows.some(row => row.requestedRefundCents > 0)
        ? ' A card refund is still under way.'
        : ''
      throw new AppError('conflict', `Only ${formatCents(Math.max(0, available))} ${what}.${underWay}`)
    }
    return withinInvariants(tx, [key], () =>
      insertRow(deps, tx, actor, `payment.${input.kind}`, {
        ...key,
        type: input.kind,
        method: 'manual',
        amountCents: -input.amount,
        description: input.reason,
        checkNumber: input.checkNumber,
        paidAt,
      }),
    )
  })
}
