import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { RevenueInput } from '../../../../domain/payment.ts'
import { api } from '../../../app/api.ts'
import { saveFile } from '../../../features/files/transfer.ts'
import { toastFailure } from '../../../features/forms/failure-toast.ts'
import { Button } from '../../../ui/button.tsx'

/** Saves the payments of the chosen period as CSV (REV-14). */
export function ExportButton({ input }: { input: RevenueInput }) {
  const { client } = api.useUtils()
  const failed = 'Failed to export revenue data'
  const download = useMutation({
    mutationFn: async () => {
      const { csv, filename } = await client.payments.revenueCsv.query(input)
      saveFile(new Blob([csv], { type: 'text/csv;charset=utf-8' }), filename)
    },
    onError: error => toastFailure(error, { failed, threw: failed }),
  })
  return (
    <Button
      variant="secondary"
      busy={download.isPending}
      busyLabel="Exporting..."
      onClick={() => download.mutate()}
    >
      <Download aria-hidden />
      Export to CSV
    </Button>
  )
}
