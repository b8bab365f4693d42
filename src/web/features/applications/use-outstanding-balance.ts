import { type OutstandingBalance, onItsWayCents } from '../../../domain/bookings/tenant-step.ts'
import { api } from '../../api/api.ts'

/** The outstanding balance of a tenant's application; undefined while loading or if loading failed. */
export function useOutstandingBalance(
  applicationId: string,
  { enabled = true } = {},
): { outstanding: OutstandingBalance | undefined; isLoading: boolean } {
  const account = api.charges.list.useQuery({ applicationId }, { enabled })
  const plan = api.plans.show.useQuery({ applicationId }, { enabled })
  const history = api.payments.history.useQuery({ applicationId }, { enabled })
  const isLoading = account.isLoading || plan.isLoading || history.isLoading
  if (!account.data || !plan.data || !history.data) return { outstanding: undefined, isLoading }
  const outstanding = {
    balanceCents: account.data.summary.balanceCents,
    onItsWayCents: onItsWayCents(history.data.payments),
    pay: plan.data.pay,
  }
  return { outstanding, isLoading }
}
