import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import type { Outputs } from '../../../api/api.ts'
import { Notice } from '../../../ui/notice.tsx'

type Disputed = Outputs['payments']['revenueSummary']['disputed']

/** Explains why the totals are lower than the card payments. */
export function DisputedNote({ open, lost }: Disputed) {
  const lines = [
    open.count > 0 && `${plural(open.count, 'payment')} in dispute: ${formatCents(open.amount)} not counted`,
    lost.count > 0 &&
      `${plural(lost.count, 'payment')} lost in a dispute: ${formatCents(lost.amount)} not counted`,
  ].filter(line => line !== false)
  if (lines.length === 0) return null
  return (
    <Notice tone="warning" className="py-3 lg:col-span-2">
      {lines.map(line => (
        <p key={line} className="text-[0.9375rem]">
          {line}
        </p>
      ))}
    </Notice>
  )
}
