import type { Db, Tx } from '../../../db/open.ts'
import type { SignedIn } from '../../domain/accounts/access.ts'
import { depositCreditedCents } from '../../domain/money/ledger.ts'
import { type ApplicationRow, loadRow } from '../bookings/records.ts'
import type { Deps } from '../kernel/deps.ts'
import { balanceOf, depositDue } from './payment-records.ts'
import { activeCharges, allCharges } from './records.ts'
import {
  type AdminChargeView,
  type ChargeSummary,
  type ChargeView,
  toAdminChargeView,
  toChargeView,
} from './views.ts'

/**
 * The charges of an application, except charges of $0.00, with what is owed and paid. The owner also sees voided ones.
 * @throws AppError not_found like `loadRow`
 */
export function listCharges(
  { db }: Deps,
  actor: SignedIn,
  applicationId: string,
): { charges: (ChargeView | AdminChargeView)[]; summary: ChargeSummary } {
  const application = loadRow(db, actor, applicationId)
  const isListed = ({ amountCents }: { amountCents: number }) => amountCents !== 0
  const charges =
    actor.role === 'admin'
      ? allCharges(db, applicationId).filter(isListed).map(toAdminChargeView)
      : activeCharges(db, applicationId).filter(isListed).map(toChargeView)
  return { charges, summary: summaryOf(db, application) }
}

/** Owed, paid and balance in cents, and the deposit charged, credited, returned and due (CHG-27). */
export function summaryOf(db: Db | Tx, application: ApplicationRow): ChargeSummary {
  const { depositCents, dueCents, rows } = depositDue(db, application.userId, application.id)
  const { balanceCents, depositReturnedCents, label, owedCents, paidCents } = balanceOf(db, application, rows)
  return {
    owedCents,
    paidCents,
    balanceCents,
    label,
    depositCents,
    depositCreditedCents: depositCreditedCents(rows),
    depositReturnedCents,
    depositDueCents: dueCents,
  }
}
