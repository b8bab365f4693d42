/**
 * What happens to unfinished payments when their application is declined or deleted; one sentence per kind of payment.
 */
export function paymentsInProgress(preview: { openCheckouts: number; processingPayments: number }): string[] {
  const { openCheckouts: open, processingPayments: processing } = preview
  return [
    ...(open === 1 ? ['1 card payment is under way. Its checkout will be closed.'] : []),
    ...(open > 1 ? [`${open} card payments are under way. Their checkouts will be closed.`] : []),
    ...(processing === 1 ? ['1 bank payment is on its way and cannot be stopped.'] : []),
    ...(processing > 1 ? [`${processing} bank payments are on their way and cannot be stopped.`] : []),
  ]
}
