import { useMutation } from '@tanstack/react-query'
import { leaseFileName } from '../../../domain/leases/lease-layout.ts'
import { api } from '../../api/api.ts'
import { fetchFile, openFile, saveFile, sendForm } from '../../api/files.ts'
import { storedToken } from '../../api/token.ts'
import { toastFailure } from '../../forms/failure-toast.ts'
import { toast } from '../../ui/toast.ts'
import type { LeaseTermsView } from './lease-facts.tsx'

export type SendFile = (file: File, onPercent: (percent: number) => void) => Promise<unknown>

/** Uploads the tenant's scan of a lease that was signed on paper. */
export const uploadSignedLease =
  (applicationId: string): SendFile =>
  (file, onPercent) =>
    sendForm('/api/lease/upload-signed', formOf(applicationId, 'signedLease', file), onPercent)

/** Uploads the admin's scan of a lease that was signed on paper. */
export const uploadLeaseAsAdmin =
  (applicationId: string): SendFile =>
  (file, onPercent) =>
    sendForm('/api/application/admin/upload-lease', formOf(applicationId, 'leaseFile', file), onPercent)

/** The application id comes first, so that the server can refuse the request before it reads the file. */
function formOf(applicationId: string, field: string, file: File): FormData {
  const form = new FormData()
  form.append('applicationId', applicationId)
  form.append(field, file)
  return form
}

const fetchSignedLease = (applicationId: string) =>
  fetchFile(`/api/lease/view-signed/${encodeURIComponent(applicationId)}`)

type DownloadableLease = LeaseTermsView & { id: string; firstName: string; lastName: string }

/** Saves the server's PDF of the lease; returns false if the file is empty. */
export async function downloadLease(lease: DownloadableLease): Promise<boolean> {
  const terms = new URLSearchParams({ applicationId: lease.id })
  for (const name of ['leaseStartDate', 'leaseEndDate', 'rentalAmount', 'depositAmount'] as const)
    terms.set(name, String(lease[name] ?? ''))
  const file = await fetchFile(`/api/lease/download?${terms}`)
  if (file.size === 0) return false
  saveFile(file, leaseFileName(lease.firstName, lease.lastName))
  return true
}

/** Whether the user is logged in; shows a toast if not. */
export function requireLogin(): boolean {
  if (storedToken()) return true
  toast.error('Please log in to view the lease')
  return false
}

/** Opens an application's signed lease in a new tab, or saves it under a name. */
export function useOpenSignedLease(applicationId: string, failedText: string, saveAs?: string) {
  const utils = api.useUtils()
  return useMutation({
    mutationFn: async () => {
      const load = () => fetchSignedLease(applicationId)
      if (saveAs) saveFile(await load(), saveAs)
      else await openFile(load)
    },
    // The lease's history records who opened it.
    onSuccess: () => utils.leases.trail.invalidate(),
    onError: error => toastFailure(error, failedText),
  })
}
