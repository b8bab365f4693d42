import { Children, type ReactNode } from 'react'
import { classNames } from './class-names.ts'

type DefinitionListProps = {
  items: readonly { label: string; value: ReactNode }[]
  columns?: 1 | 2 | 3
  className?: string
}

const grids = { 1: '', 2: 'sm:grid-cols-2', 3: 'sm:grid-cols-2 lg:grid-cols-3' }

/** Labels and values to read, a line each on a phone; a dash means no value. */
export function DefinitionList({ items, columns = 2, className }: DefinitionListProps) {
  return (
    <dl className={classNames('grid gap-x-8 gap-y-2.5 sm:gap-y-4', grids[columns], className)}>
      {items.map(({ label, value }) => (
        <div key={label} className="flex min-w-0 items-baseline justify-between gap-x-4 sm:block">
          <dt className="shrink-0 text-[0.9375rem] text-muted">{label}</dt>
          <dd className="min-w-0 font-semibold wrap-anywhere text-navy max-sm:text-right max-sm:text-balance">
            {isBlank(value) ? '–' : value}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function isBlank(value: ReactNode) {
  return value === '' || Children.toArray(value).length === 0
}
