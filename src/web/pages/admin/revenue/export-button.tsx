import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { revenueFileName } from '../../../../domain/money/payment.ts'
import type { RevenueInput } from '../../../../domain/money/payment-input.ts'
import { fetchFile, saveFile } from '../../../api/files.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { Button } from '../../../ui/button.tsx'

export function ExportButton({ input }: { input: RevenueInput }) {
  const download = useMutation({
    mutationFn: async () => {
      const given = Object.entries(input).map(([name, value]) => [name, String(value ?? '')])
      const file = await fetchFile(`/api/payment/admin/revenue.csv?${new URLSearchParams(given)}`)
      saveFile(file, revenueFileName(input))
    },
    onError: error => toastFailure(error, 'Failed to export revenue data'),
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
