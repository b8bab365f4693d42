import { Children, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { noBreakWords } from './no-break-words.tsx'

type DefinitionListProps = {
  items: readonly { label: string; value: ReactNode }[]
  columns?: 1 | 2 | 3
  /** Shows each value to the right of its label, as on phones. */
  rows?: boolean
  className?: string
}

const grids = { 1: '', 2: 'sm:grid-cols-2', 3: 'sm:grid-cols-3' }
// A long label wraps, so that a short value is never broken within a word.
const inRows = {
  list: 'gap-y-2',
  item: 'flex items-baseline justify-between gap-4',
  value: 'max-w-[70%] shrink-0 text-right text-balance',
}
const inRowsOnPhones = {
  list: 'gap-y-2.5 sm:gap-y-4',
  item: 'max-sm:flex max-sm:items-baseline max-sm:justify-between max-sm:gap-4',
  value: 'max-sm:max-w-[70%] max-sm:shrink-0 max-sm:text-right max-sm:text-balance',
}

/** Read-only labels and values, one pair per line on a phone; a dash means no value. */
export function DefinitionList({ items, columns = 2, rows = false, className }: DefinitionListProps) {
  const classes = rows ? inRows : inRowsOnPhones
  return (
    <dl className={classNames('grid gap-x-8', classes.list, grids[columns], className)}>
      {items.map(({ label, value }) => (
        <div key={label} className={classNames('min-w-0', classes.item)}>
          <dt className="min-w-0 text-[0.9375rem] text-muted">{label}</dt>
          <dd className={classNames('min-w-0 font-semibold wrap-anywhere text-navy', classes.value)}>
            {isBlank(value) ? '–' : noBreakWords(value)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function isBlank(value: ReactNode) {
  return value === '' || Children.toArray(value).length === 0
}
