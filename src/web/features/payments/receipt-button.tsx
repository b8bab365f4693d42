import { useMutation } from '@tanstack/react-query'
import { Download, ReceiptText } from 'lucide-react'
import { formatMomentDate } from '../../../domain/common/dates.ts'
import { fetchFile, saveFile } from '../../api/files.ts'
import { toastFailure } from '../../forms/failure-toast.ts'
import { Button } from '../../ui/button.tsx'
import { useTimeZone } from '../stays/today.ts'
import { type PaymentView, paymentTime } from './payment-view.ts'

type PaymentWithReceipt = Pick<PaymentView, 'id' | 'paidAt' | 'createdAt'>

export function DownloadReceipt({ payment }: { payment: PaymentWithReceipt }) {
  const download = useReceiptDownload(payment)
  return (
    <Button
      variant="secondary"
      busy={download.isPending}
      busyLabel="Downloading..."
      onClick={() => download.mutate()}
    >
      <Download aria-hidden />
      Download Receipt
    </Button>
  )
}

export function ReceiptLink({ payment }: { payment: PaymentWithReceipt }) {
  const download = useReceiptDownload(payment)
  const timeZone = useTimeZone()
  return (
    <Button
      variant="ghost"
      size="sm"
      aria-label={`Download receipt for ${formatMomentDate(paymentTime(payment), timeZone)}`}
      className="-my-2 px-2 max-sm:-mr-2 max-sm:ml-auto"
      disabled={download.isPending}
      onClick={() => download.mutate()}
    >
      <ReceiptText aria-hidden />
      Receipt
    </Button>
  )
}

function useReceiptDownload(payment: PaymentWithReceipt) {
  return useMutation({
    mutationFn: async () => {
      const file = await fetchFile(`/api/payment/${payment.id}/receipt.pdf`)
      saveFile(file, `receipt-${paymentTime(payment).slice(0, 10)}.pdf`)
    },
    onError: error => toastFailure(error, 'Failed to download receipt'),
  })
}
