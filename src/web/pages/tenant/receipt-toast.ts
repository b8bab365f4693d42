import { useEffect } from 'react'
import type { Outputs } from '../../api/api.ts'
import { readTabStorage, writeTabStorage } from '../../forms/tab-storage.ts'
import { toast } from '../../ui/toast.ts'

type Payment = Outputs['payments']['bySession']['payment']

/** Shows a toast about the receipt e-mail, once per checkout session. */
export function useReceiptToast(sessionId: string, payment: Payment | undefined): void {
  const receipt = payment?.status === 'succeeded' ? payment.receiptEmail : undefined
  useEffect(() => {
    if (receipt === undefined || receipt === 'off') return
    const key = `receipt:${sessionId}`
    if (readTabStorage(key) === true) return
    writeTabStorage(key, true)
    if (receipt === 'failed') toast.error('Failed to send email receipt. Please contact support.')
    else toast.success('Payment receipt sent to your email!')
  }, [sessionId, receipt])
}
