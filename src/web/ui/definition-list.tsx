import { Children, type ReactNode } from 'react'
import { classNames } from './class-names.ts'

type DefinitionListProps = {
  items: readonly { label: string; value: ReactNode }[]
  columns?: 1 | 2 | 3
  className?: string
}

const grids = { 1: '', 2: 'sm:grid-cols-2', 3: 'sm:grid-cols-2 lg:grid-cols-3' }

/** Labels and values to read; a dash means no value. */
export function DefinitionList({ items, columns = 2, className }: DefinitionListProps) {
  return (
    <dl className={classNames('grid gap-x-8 gap-y-4', grids[columns], className)}>
      {items.map(({ label, value }) => (
        <div key={label} className="min-w-0">
          <dt className="text-[0.9375rem] text-muted">{label}</dt>
          <dd className="font-semibold wrap-anywhere text-navy">{isBlank(value) ? '–' : value}</dd>
        </div>
      ))}
    </dl>
  )
}

function isBlank(value: ReactNode) {
  return value === '' || Children.toArray(value).length === 0
}
