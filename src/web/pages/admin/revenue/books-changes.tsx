import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { isSumKey, monthNames, nameOfLine, nightLabels } from '../../../../domain/money/book-lines.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { BookYear } from './books-figures.tsx'

type Closing = NonNullable<BookYear['closing']>
type Difference = Closing['differences'][number]

/** What has changed since the year was closed (BOOK-24). */
export function ChangesSinceClosing({
  closing,
  taxes,
  year,
}: {
  closing: Closing
  taxes: BookYear['taxes']
  year: number
}) {
  const changes = closing.differences.filter(
    ({ key, table }) => table !== 'report' && !isSumKey(key.slice(key.lastIndexOf('.') + 1)),
  )
  if (closing.differences.length === 0) return null
  const nameOf = ({ key, table }: Difference) => {
    if (table === 'occupancy') return nightLabels[key as keyof typeof nightLabels]
    if (table === 'card') return key === 'count' ? 'Card payments' : '1099-K'
    return nameOfLine(taxes)(table === 'lines' ? key : `${table}.${key}`)
  }
  const value = ({ key, table }: Difference, cents: number) =>
    table === 'occupancy' || key === 'count' ? String(cents) : formatCents(cents)
  return (
    <Notice
      tone="warning"
      title={`${plural(changes.length, 'figure')} of ${year} changed since it was closed`}
    >
      <Disclosure summary="Show the changes">
        <ul className="grid gap-1 text-[0.9375rem]">
          {changes.map(change => (
            <li key={`${change.table} ${change.key} ${change.month}`}>
              {nameOf(change)}, {monthNames[change.month - 1]}: {value(change, change.thenCents)} then,{' '}
              {value(change, change.nowCents)} now
            </li>
          ))}
        </ul>
      </Disclosure>
    </Notice>
  )
}
