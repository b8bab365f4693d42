import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type StatCardProps = {
  label: ReactNode
  value: ReactNode
  hint?: ReactNode
  className?: string
}

/** A single figure with a hint below it, as tall as its neighbors. */
export function StatCard({ label, value, hint, className }: StatCardProps) {
  return (
    <div
      className={classNames(
        'min-h-22 rounded-card border border-line bg-white px-4 py-2.5 shadow-card sm:px-5',
        className,
      )}
    >
      <dl className="grid gap-y-px">
        <dt className="text-sm leading-snug text-muted">{label}</dt>
        <dd className="text-[1.375rem] leading-tight font-semibold wrap-anywhere text-navy tabular-nums">
          {value}
        </dd>
        {hint && (
          <dd className="text-[0.8125rem] leading-tight text-balance wrap-anywhere text-muted">{hint}</dd>
        )}
      </dl>
    </div>
  )
}
