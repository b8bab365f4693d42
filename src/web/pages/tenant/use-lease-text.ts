import { useEffect } from 'react'
import { leaseMessages } from '../../../domain/leases/lease.ts'
import { api } from '../../api/api.ts'
import { failureOf } from '../../api/failures.ts'
import { requireLogin } from '../../features/leases/lease-files.ts'
import { toastFailure } from '../../forms/failure-toast.ts'
import { toast } from '../../ui/toast.ts'

export type LoadedLeaseText = ReturnType<typeof useLeaseText>

/** The text of a lease, loaded automatically if the lease has dates, and reloaded by 'Load Lease'. */
export function useLeaseText(lease: { applicationId: string; leaseStartDate: string | null }) {
  const query = api.leases.preview.useQuery(
    { id: lease.applicationId },
    { enabled: lease.leaseStartDate !== null, refetchOnMount: 'always' },
  )
  const { data, error, errorUpdateCount, isFetching } = query
  const isMissing = data === undefined && !isFetching
  useEffect(() => {
    if (errorUpdateCount > 0 && error && isMissing) showFailure(error)
  }, [error, errorUpdateCount, isMissing])

  return {
    value: data?.leaseText,
    loading: isFetching,
    /** Whether the text is being loaded automatically for the first time. */
    isFirstLoad: isFetching && errorUpdateCount === 0,
    load: async () => {
      if (!requireLogin()) return
      const { isSuccess } = await query.refetch()
      if (isSuccess) toast.success('Lease agreement loaded successfully!')
    },
  }
}

function showFailure(error: unknown): void {
  const failure = failureOf(error)
  const isNotGenerated =
    failure.kind === 'refused' && failure.status === 404 && failure.message === leaseMessages.notGenerated
  const text = 'Error loading lease agreement'
  if (isNotGenerated) toast.error('Please contact an administrator to generate your lease.')
  else toastFailure(error, { failed: text, noResponse: text })
}
