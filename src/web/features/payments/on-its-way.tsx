import { leftToPayCents } from '../../../domain/bookings/tenant-step.ts'
import { formatCents } from '../../../domain/common/money.ts'

/** What is on its way and then left to pay, for cards without the whole sum; nothing if nothing is on its way. */
export function OnItsWay(outstanding: { balanceCents: number; onItsWayCents?: number }) {
  const { onItsWayCents = 0 } = outstanding
  if (onItsWayCents <= 0) return null
  return (
    <dl className="grid gap-0.5 text-[0.9375rem]">
      <SumLine label="On its way" cents={-onItsWayCents} />
      <SumLine label="Left to pay" cents={leftToPayCents(outstanding)} className="font-semibold text-navy" />
    </dl>
  )
}

export type SumLineProps = { label: string; cents: number; hint?: string | undefined; className?: string }

/** A line of a sum: a label and an amount. */
export function SumLine({ cents, className = 'text-ink', hint, label }: SumLineProps) {
  return (
    <div className={`flex items-baseline justify-between gap-4 ${className}`}>
      <dt className="min-w-0">
        {label}
        {hint && <span className="block text-sm text-muted">{hint}</span>}
      </dt>
      <dd className="tabular-nums">
        {cents < 0 && '−'}
        {formatCents(Math.abs(cents))}
      </dd>
    </div>
  )
}
