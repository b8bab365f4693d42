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
    <div
      className={classNames(
        'flex gap-4 rounded-card border border-line bg-white p-4 shadow-card sm:p-5',
        className,
      )}
    >
      <dl className="min-w-0 grow">
        <dt className="text-[0.9375rem] text-muted">{label}</dt>
        <dd className="mt-0.5 text-[1.625rem] leading-tight font-semibold text-navy tabular-nums">{value}</dd>
        {hint && <dd className="mt-1 text-sm text-muted">{hint}</dd>}
      </dl>
      {icon && (
        <div
          aria-hidden
          className="flex size-10 shrink-0 items-center justify-center rounded-control bg-glass-light text-lagoon-dark [&_svg]:size-5"
        >
          {icon}
        </div>
      )}
    </div>
  )
}
