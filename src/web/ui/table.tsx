import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { Key, ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type Column<Row> = {
  key: string
  /** The column's name: the heading in the table, and the label of the value on a card. */
  header: string
  /** Replaces the name in the heading, e.g. a checkbox that selects all rows; also shown above the cards. */
  headerCell?: ReactNode
  cell: (row: Row) => ReactNode
  align?: 'left' | 'right'
  hideLabelOnCard?: boolean
  /** Hidden between 640 and 1024 px, where another cell shows the same. */
  wideOnly?: boolean
  sortable?: boolean
  className?: string
}

type DataTableProps<Row> = {
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => Key
  /** The table's name for screen readers. */
  caption: string
  sort?: { key: string; direction: 'asc' | 'desc' }
  onSort?: (key: string) => void
  /** Tighter rows for the back office: 52 px for a row with one line. */
  dense?: boolean
  /** Highlights the row. */
  isSelected?: (row: Row) => boolean
  /** On a phone, rows with lines between them instead of separate cards. */
  joined?: boolean
  /** The card's layout classes, such as a grid; by default cells are rows of label and value. */
  cardClassName?: string
  className?: string
}

/**
 * A table that turns into one card per row below 640 px. The roles are explicit because browsers drop a table's
 * semantics when its parts are no longer displayed as a table.
 */
export function DataTable<Row>({ rows, rowKey, caption, className, ...table }: DataTableProps<Row>) {
  const { columns, dense = false, joined = false } = table
  const hasHeaderCells = columns.some(column => column.headerCell)
  return (
    <div className={classNames('relative sm:overflow-x-auto', className)}>
      <table
        {...roles.table}
        className={classNames(
          'w-full border-collapse text-left max-sm:block',
          dense && 'text-[0.9375rem] leading-snug',
        )}
      >
        <caption className="sr-only">{caption}</caption>
        <thead {...roles.group} className={hasHeaderCells ? 'max-sm:block' : 'max-sm:hidden'}>
          <tr {...roles.row} className="border-b border-line max-sm:flex max-sm:px-4 max-sm:py-2.5">
            {columns.map(column => (
              <HeaderCell key={column.key} column={column} {...table} />
            ))}
          </tr>
        </thead>
        <tbody
          {...roles.group}
          className={joined ? 'max-sm:block max-sm:divide-y max-sm:divide-line' : 'max-sm:grid max-sm:gap-3'}
        >
          {rows.map(row => (
            <BodyRow key={rowKey(row)} row={row} {...table} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

const cellClass = (dense: boolean | undefined) =>
  dense ? 'sm:h-13 sm:px-2 sm:py-1.5 sm:first:pl-6 sm:last:pr-6' : 'sm:px-4 sm:py-3.5'

type HeaderProps<Row> = Pick<DataTableProps<Row>, 'dense' | 'sort' | 'onSort'> & { column: Column<Row> }

function HeaderCell<Row>({ column, dense, sort, onSort }: HeaderProps<Row>) {
  const direction = sort?.key === column.key ? sort.direction : undefined
  return (
    <th
      {...roles.columnHeader}
      scope="col"
      aria-sort={direction && (direction === 'asc' ? 'ascending' : 'descending')}
      className={classNames(
        'text-sm font-semibold text-muted sm:whitespace-nowrap',
        cellClass(dense),
        dense && 'sm:h-11!',
        column.wideOnly && 'sm:max-lg:hidden',
        column.align === 'right' && 'text-right sm:pr-6',
        // Above the cards a bare checkbox has no column to explain it, so its label becomes visible.
        column.headerCell ? 'max-sm:[&_.sr-only]:not-sr-only max-sm:[&_.sr-only]:leading-6' : 'max-sm:hidden',
      )}
    >
      {column.headerCell ??
        (column.sortable && onSort ? (
          <SortButton label={column.header} direction={direction} onClick={() => onSort(column.key)} />
        ) : (
          column.header
        ))}
    </th>
  )
}

type RowProps<Row> = Pick<
  DataTableProps<Row>,
  'columns' | 'dense' | 'joined' | 'isSelected' | 'cardClassName'
> & {
  row: Row
}

function BodyRow<Row>({ row, columns, cardClassName = 'max-sm:block', ...look }: RowProps<Row>) {
  const { dense, joined, isSelected } = look
  return (
    <tr
      {...roles.row}
      data-selected={isSelected?.(row) || undefined}
      className={classNames(
        cardClassName,
        'max-sm:px-4 max-sm:py-2.5',
        !joined && 'max-sm:rounded-control max-sm:border max-sm:border-line max-sm:bg-white',
        'transition-colors not-last:sm:border-b not-last:sm:border-line sm:hover:bg-canvas data-selected:bg-navy/6!',
      )}
    >
      {columns.map(column => (
        <td
          key={column.key}
          {...roles.cell}
          className={classNames(
            'align-middle max-sm:flex max-sm:items-baseline max-sm:justify-between max-sm:gap-4 max-sm:py-1',
            cellClass(dense),
            column.wideOnly && 'sm:max-lg:hidden',
            column.align === 'right' && 'tabular-nums sm:pr-6 sm:text-right',
            column.className,
          )}
        >
          {!column.hideLabelOnCard && (
            <span className="shrink-0 text-[0.9375rem] text-muted sm:hidden">{column.header}</span>
          )}
          <div className={classNames('min-w-0', !column.hideLabelOnCard && 'max-sm:text-right')}>
            {column.cell(row)}
          </div>
        </td>
      ))}
    </tr>
  )
}

type SortButtonProps = { label: string; direction: 'asc' | 'desc' | undefined; onClick: () => void }

function SortButton({ label, direction, onClick }: SortButtonProps) {
  const Icon = direction === 'asc' ? ArrowUp : direction === 'desc' ? ArrowDown : ChevronsUpDown
  return (
    <button type="button" onClick={onClick} className="inline-flex items-center gap-1 hover:text-navy">
      {label}
      <Icon aria-hidden className={classNames('size-4', !direction && 'opacity-50')} />
    </button>
  )
}

const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  cell: { role: 'cell' },
  columnHeader: { role: 'columnheader' },
}
