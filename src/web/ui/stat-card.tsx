import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type StatCardProps = {
  label: ReactNode
  value: ReactNode
  hint?: ReactNode
  className?: string
}

/** One figure, 88 px high with or without a hint, which has its place beside the figure; on a phone below it. */
export function StatCard({ label, value, hint, className }: StatCardProps) {
  return (
    <div
      className={classNames(
        'flex min-h-22 rounded-card border border-line bg-white px-4 py-3 shadow-card sm:items-center sm:px-5',
        className,
      )}
    >
      <dl className="grid grow grid-cols-[auto_minmax(0,1fr)] items-end gap-x-3 gap-y-0.5">
        <dt className="col-span-2 text-sm leading-snug text-muted">{label}</dt>
        <dd className="text-[1.375rem] leading-tight font-semibold wrap-anywhere text-navy tabular-nums">
          {value}
        </dd>
        {hint && (
          <dd className="pb-0.5 text-right sm:-mt-4 text-[0.8125rem] leading-tight text-balance text-muted max-sm:col-span-2 max-sm:text-left">
            {hint}
          </dd>
        )}
      </dl>
    </div>
  )
}
