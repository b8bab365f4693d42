/** What becomes of the payments under way when their application is declined or deleted; a sentence a kind. */
export function underWaySentences(preview: { openCheckouts: number; processingPayments: number }): string[] {
  const { openCheckouts: open, processingPayments: processing } = preview
  return [
    ...(open === 1 ? ['1 card payment is under way. Its checkout will be closed.'] : []),
    ...(open > 1 ? [`${open} card payments are under way. Their checkouts will be closed.`] : []),
    ...(processing === 1 ? ['1 bank payment is on its way and cannot be stopped.'] : []),
    ...(processing > 1 ? [`${processing} bank payments are on their way and cannot be stopped.`] : []),
  ]
}
