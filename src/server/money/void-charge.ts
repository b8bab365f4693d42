import { eq } from 'drizzle-orm'
import { charges } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { AppError } from '../../domain/common/errors.ts'
import { isWaiverCharge } from '../../domain/money/payment-plan-charges.ts'
import { planMessages } from '../../domain/money/payment-plan-messages.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import { loadSubmitted } from '../bookings/records.ts'
import { touchApplication } from '../bookings/terms.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { cancelUnsentMail } from '../messages/outbox.ts'
import { chargeMailKey } from './charge-mail.ts'
import { voidLaterCharge } from './later-charge.ts'
import { summaryOf } from './queries.ts'
import { toAdminChargeView } from './views.ts'

/**
 * Voids a later charge, so that it is no longer owed; the row stays with the reason. Idempotent (CHG-24).
 * @throws AppError forbidden without a step-up; not_found; conflict for a charge of the lease, a tax or a waiver, and for
 * a total below zero
 */
export function voidCharge(deps: Deps, actor: Admin, chargeId: string, reason: string) {
  return deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const find = () => tx.select().from(charges).where(eq(charges.id, chargeId)).get()
    const charge = find()
    if (!charge) throw chargeNotFound()
    const { applicationId, label } = charge
    loadSubmitted(tx, actor, applicationId)
    if (charge.voidedAt === null) {
      if (charge.source === 'lease') throw new AppError('conflict', 'This charge is part of the lease.')
      if (isWaiverCharge(charge)) throw new AppError('conflict', planMessages.ofPlan)
      if (charge.kind === 'tax')
        throw new AppError(
          'conflict',
          'This tax follows the charges that it is taken of. Void these instead.',
        )
      const at = nowIso(deps)
      voidLaterCharge(deps, tx, at, actor, charge, reason)
      cancelUnsentMail(tx, chargeMailKey(chargeId))
      touchApplication(tx, at, applicationId)
      recordEvent(tx, at, actor, 'charge.voided', applicationId, {
        chargeId,
        label,
        amountCents: charge.amountCents,
        reason,
      })
    }
    const { application } = loadSubmitted(tx, actor, applicationId)
    return { charge: toAdminChargeView(find() ?? charge), summary: summaryOf(tx, application) }
  })
}

const chargeNotFound = () => new AppError('not_found', 'Charge not found')
