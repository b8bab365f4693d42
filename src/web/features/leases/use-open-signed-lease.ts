import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { toastFailure } from '../../forms/failure-toast.ts'
import { openSignedLease } from './lease-files.ts'

/** Opens an application's signed lease in a new tab. */
export function useOpenSignedLease(applicationId: string, failedText: string) {
  const utils = api.useUtils()
  return useMutation({
    mutationFn: () => openSignedLease(applicationId),
    // The lease's history records who opened it.
    onSuccess: () => utils.leases.trail.invalidate(),
    onError: error => toastFailure(error, failedText),
  })
}
