import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type StatCardProps = {
  label: ReactNode
  value: ReactNode
  hint?: ReactNode
  icon?: ReactNode
  className?: string
}

export function StatCard({ label, value, hint, icon, className }: StatCardProps) {
  return (
    <div className={classNames('rounded-card border border-line bg-white p-4 shadow-card sm:p-5', className)}>
      <dl>
        <dt className="flex min-h-9 items-start justify-between gap-3 text-[0.9375rem] leading-snug text-muted">
          {label}
          {icon && (
            <span
              aria-hidden
              className="flex size-9 shrink-0 items-center justify-center rounded-control bg-glass-light text-lagoon-dark [&_svg]:size-4.5"
            >
              {icon}
            </span>
          )}
        </dt>
        <dd className="mt-1 text-2xl leading-tight font-semibold wrap-anywhere text-navy tabular-nums sm:text-[1.625rem]">
          {value}
        </dd>
        {hint && <dd className="mt-1 text-sm text-muted">{hint}</dd>}
      </dl>
    </div>
  )
}
