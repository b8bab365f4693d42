import { isBooked } from '../../../../domain/application-status.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { type Application, useInvalidateApplication } from './application-data.ts'

export type PlanView = Outputs['plans']['show']

/** The payment plan of an application as of today; `plan` is null without one. */
export function usePlan({ id }: Pick<Application, 'id'>) {
  return api.plans.show.useQuery({ applicationId: id })
}

/** How new leases are paid; nothing is set up while the version is 0. */
export function usePlanSettings() {
  return api.setup.plan.get.useQuery()
}

/** A plan can be changed, or added, until the lease is signed. */
export const canChangePlan = ({ leaseGenerated, leaseSigned, status }: Application): boolean =>
  isBooked(status) && leaseGenerated && !leaseSigned

/** Shows the plan that a change answered, and reloads all that depends on it. Resolves when it is loaded. */
function useShowPlan({ id }: Pick<Application, 'id'>) {
  const utils = api.useUtils()
  const invalidate = useInvalidateApplication()
  return async (view: PlanView) => {
    utils.plans.show.setData({ applicationId: id }, view)
    await invalidate()
  }
}

/** Runs a change of one instalment; where it is refused the plan is read again, since it may have changed. */
export function usePlanChange(application: Pick<Application, 'id'>) {
  const utils = api.useUtils()
  const show = useShowPlan(application)
  return async (change: () => Promise<PlanView>) => {
    try {
      await show(await change())
    } catch (cause) {
      void utils.plans.invalidate()
      throw cause
    }
  }
}
