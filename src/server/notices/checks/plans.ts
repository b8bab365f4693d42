import { unpaidPlans } from '../../payments/ledger/unpaid-plans.ts'
import { overdueNotices } from '../../plans/notices.ts'
import { type Check, openApplication } from '../notice.ts'

/** Stays with something overdue beyond the days of grace, until it is paid, postponed or waived (PLAN-36). */
export const overduePlans: Check = deps =>
  overdueNotices(unpaidPlans(deps)).map(({ applicationId, ...notice }) => ({
    ...notice,
    action: openApplication(applicationId),
  }))
