import type { Owing } from '../../../domain/tenant-step.ts'
import { api } from '../../api/api.ts'

/** The outstanding balance of a tenant's application; undefined while loading or if loading failed. */
export function useOwing(
  applicationId: string,
  { enabled = true } = {},
): { owing: Owing | undefined; isLoading: boolean } {
  const account = api.billing.charges.useQuery({ applicationId }, { enabled })
  const plan = api.plans.show.useQuery({ applicationId }, { enabled })
  const history = api.payments.history.useQuery({ applicationId }, { enabled })
  const isLoading = account.isLoading || plan.isLoading || history.isLoading
  if (!account.data || !plan.data || !history.data) return { owing: undefined, isLoading }
  const processing = history.data.payments.filter(({ status }) => status === 'processing')
  const owing = {
    balanceCents: account.data.summary.balanceCents,
    onItsWayCents: processing.reduce((sum, { amount }) => sum + amount, 0),
    pay: plan.data.pay,
  }
  return { owing, isLoading }
}
