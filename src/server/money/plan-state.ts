import type { Db, Tx } from '../../../db/open.ts'
import { dateIn } from '../../domain/common/dates.ts'
import {
  type PlanDay,
  type PlanInstalment,
  type PlanMoney,
  planInstalments,
  planMoney,
} from '../../domain/money/payment-plan-state.ts'
import { type ApplicationRecord, dueSince } from '../bookings/records.ts'
import type { Deps } from '../kernel/deps.ts'
import { currentSite } from '../site/content/current-site.ts'
import { ledgerOf } from './payment-records.ts'
import { liveInstalments, type PlanRow, planOf } from './plan-records.ts'
import { chargedDepositCents } from './records.ts'

/** A plan and its installments with the ledger's payments allocated to them, as of today. Cents. */
export type PlanState = { plan: PlanRow; day: PlanDay; money: PlanMoney; instalments: PlanInstalment[] }

/** The payment plan of an application, computed from its ledger (PLAN-22 to PLAN-25); undefined if there is none. */
export function planStateOf(
  deps: Pick<Deps, 'clock' | 'config' | 'siteContent'>,
  db: Pick<Db | Tx, 'select'>,
  { application, lease }: Pick<ApplicationRecord, 'application' | 'lease'>,
): PlanState | undefined {
  const plan = planOf(db, application.id)
  if (!plan) return undefined
  const { timeZone } = currentSite(deps)
  const signedAt = dueSince(lease)
  const day = {
    today: dateIn(deps.clock.now(), timeZone),
    signedOn: signedAt && dateIn(new Date(signedAt), timeZone),
  }
  const money = planMoney({
    owedCents: application.totalCents,
    depositCents: chargedDepositCents(db, application.id) ?? 0,
    rows: ledgerOf(db, application.id),
  })
  return { plan, day, money, instalments: planInstalments(liveInstalments(db, application.id), money, day) }
}
