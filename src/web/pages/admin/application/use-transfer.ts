import { api } from '../../../api/api.ts'
import type { Application } from './application-data.ts'

/** How much of the money paid on an application can be transferred, and to which applications of the same tenant. */
export function useTransfer(application: Application) {
  return asTransfer(application, useAvailable(application))
}

/** Like `useTransfer`, but without what was loaded before and could not be loaded again. */
export function useCurrentTransfer(application: Application) {
  const query = useAvailable(application)
  const isCurrent = query.isFetchedAfterMount && !query.isError
  return asTransfer(application, isCurrent ? query : { ...query, data: undefined })
}

function useAvailable({ userId }: Application) {
  return api.payments.availableDeposits.useQuery({ userId: userId.id }, { staleTime: 0 })
}

type Available = Pick<ReturnType<typeof useAvailable>, 'data' | 'isError' | 'isPending' | 'refetch'>

function asTransfer(application: Application, query: Available) {
  const applications = query.data?.applications ?? []
  const isThis = ({ applicationId }: { applicationId: string }) => applicationId === application.id
  const available = applications.find(isThis)
  const availableCents = available?.availableToTransfer ?? 0
  const destinations = applications.filter(other => !isThis(other) && other.totalBalance > 0)
  return {
    query,
    availableCents,
    availableOfKind: available?.availableOfKind ?? { deposit: 0, other: 0 },
    destinations,
    isPossible: destinations.length > 0 && availableCents > 0,
  }
}
