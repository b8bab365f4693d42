import { isBooked } from '../../../../domain/bookings/application-status.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { type Application, useInvalidateApplication } from './application-data.ts'

export type PlanView = Outputs['plans']['show']

/** The payment plan of an application as of today; `plan` is null if there is none. */
export function usePlan({ id }: Pick<Application, 'id'>) {
  return api.plans.show.useQuery({ applicationId: id })
}

/** The payment plan settings for new leases; version 0 means that none have been saved. */
export function usePlanSettings() {
  return api.setup.plan.get.useQuery()
}

/** A plan can be added or changed until the lease is signed. */
export const canChangePlan = ({ leaseGenerated, leaseSigned, status }: Application): boolean =>
  isBooked(status) && leaseGenerated && !leaseSigned

/**
 * Returns a function that shows the plan in a mutation's response and reloads everything that depends on it. It
 * resolves when everything is loaded.
 */
function useShowPlan({ id }: Pick<Application, 'id'>) {
  const utils = api.useUtils()
  const invalidate = useInvalidateApplication()
  return async (view: PlanView) => {
    utils.plans.show.setData({ applicationId: id }, view)
    await invalidate()
  }
}

/** Runs a change of an installment. If the change is refused the plan is refetched, because it may have changed. */
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
