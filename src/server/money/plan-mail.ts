import type { Tx } from '../../../db/open.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { loadRow, type OwnApplication } from '../bookings/records.ts'
import type { Deps } from '../kernel/deps.ts'
import { enqueueMail, type PlanChangeMail } from '../messages/outbox.ts'
import { currentSite } from '../site/content/current-site.ts'
import { summaryOf } from './queries.ts'

/** Mails the tenant that an installment was postponed or waived, once per `occasion` (PLAN-31). */
export function mailPlanChanged(
  deps: Pick<Deps, 'config' | 'siteContent'>,
  tx: Tx,
  at: string,
  actor: Admin,
  { account, application: { firstName, id, number } }: OwnApplication,
  change: PlanChangeMail,
  occasion: string,
): void {
  const { balanceCents } = summaryOf(tx, loadRow(tx, actor, id))
  enqueueMail(tx, at, {
    kind: 'plan-changed',
    props: { ...change, firstName, applicationNumber: number, applicationId: id, balanceCents },
    to: account.email,
    replyTo: currentSite(deps).ownerEmail,
    dedupeKey: `plan-changed:${occasion}`,
  })
}
