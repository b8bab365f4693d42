import { ReceiptText } from 'lucide-react'
import { formatMomentDate } from '../../../domain/common/dates.ts'
import { DownloadButton, useDownload } from '../../forms/download-button.tsx'
import { Button } from '../../ui/button.tsx'
import { useTimeZone } from '../stays/today.ts'
import { type PaymentView, paymentTime } from './payment-view.ts'

type PaymentWithReceipt = Pick<PaymentView, 'id' | 'paidAt' | 'createdAt'>

export const DownloadReceipt = ({ payment }: { payment: PaymentWithReceipt }) => (
  <DownloadButton {...receiptOf(payment)}>Download receipt</DownloadButton>
)

export function ReceiptLink({ payment }: { payment: PaymentWithReceipt }) {
  const download = useDownload(receiptOf(payment))
  const timeZone = useTimeZone()
  return (
    <Button
      variant="ghost"
      size="sm"
      aria-label={`Download receipt for ${formatMomentDate(paymentTime(payment), timeZone)}`}
      className="-my-2 px-0!"
      disabled={download.isPending}
      onClick={() => download.mutate()}
    >
      <ReceiptText aria-hidden />
      Receipt
    </Button>
  )
}

const receiptOf = (payment: PaymentWithReceipt) => ({
  path: `/api/payment/${payment.id}/receipt.pdf`,
  saveAs: `receipt-${paymentTime(payment).slice(0, 10)}.pdf`,
  failedText: 'Failed to download receipt',
})
