import type { Tx } from '../../../db/open.ts'
import { dateIn } from '../../domain/common/dates.ts'
import { type PlanCharge, syncChargeInstalments } from '../../domain/money/payment-plan-charges.ts'
import type { Deps } from '../kernel/deps.ts'
import { currentSite } from '../site/content/current-site.ts'
import { insertInstalments, liveInstalments, planOf, supersedeInstalments } from './plan-records.ts'

/** The dependencies for changing charges. */
export type ChargeDeps = Pick<Deps, 'clock' | 'config' | 'siteContent'>
type StoredCharge = Omit<PlanCharge, 'addedOn'> & { createdAt: string }

/**
 * Runs after each change of the charges of an application with a plan: adds the installments of later charges, and
 * removes those of voided ones (PLAN-21). `charges` returns all charges of the application, including voided ones.
 */
export function syncInstalments(
  deps: ChargeDeps,
  tx: Tx,
  at: string,
  applicationId: string,
  charges: () => readonly StoredCharge[],
): void {
  if (!planOf(tx, applicationId)) return
  const { timeZone } = currentSite(deps)
  const dayOf = (moment: string) => dateIn(new Date(moment), timeZone)
  const all = charges().map(charge => ({ ...charge, addedOn: dayOf(charge.createdAt) }))
  const { added, supersededIds } = syncChargeInstalments(liveInstalments(tx, applicationId), all, dayOf(at))
  supersedeInstalments(tx, at, supersededIds)
  insertInstalments(tx, at, applicationId, added)
}
