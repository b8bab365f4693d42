import { overdueNotices } from '../../../money/due.ts'
import { unpaidPlans } from '../../../money/unpaid-plans.ts'
import { type Check, openApplication } from '../notice.ts'

/** Stays with an installment overdue beyond the grace period, until it is paid, postponed or waived (PLAN-36). */
export const overduePlans: Check = deps =>
  overdueNotices(unpaidPlans(deps)).map(({ applicationId, ...notice }) => ({
    ...notice,
    action: openApplication(applicationId),
  }))
