import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type StatCardProps = {
  label: ReactNode
  value: ReactNode
  hint?: ReactNode
  icon?: ReactNode
  className?: string
}

/** One figure, 88 px high with or without a hint. */
export function StatCard({ label, value, hint, icon, className }: StatCardProps) {
  return (
    <div
      className={classNames(
        'min-h-22 rounded-card border border-line bg-white px-4 py-2.5 shadow-card sm:px-5',
        className,
      )}
    >
      <dl>
        <dt className="flex items-center justify-between gap-3 text-sm leading-snug text-muted">
          {label}
          {icon && (
            <span aria-hidden className="shrink-0 [&_svg]:size-4">
              {icon}
            </span>
          )}
        </dt>
        <dd className="mt-0.5 text-[1.375rem] leading-tight font-semibold wrap-anywhere text-navy tabular-nums">
          {value}
        </dd>
        {hint && <dd className="mt-0.5 text-sm leading-snug text-muted">{hint}</dd>}
      </dl>
    </div>
  )
}
