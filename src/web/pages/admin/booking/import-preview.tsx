import type { ImportRow } from '../../../../domain/bookings/booking-import.ts'
import { formatShortDate } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { Badge, type BadgeTone } from '../../../ui/badge.tsx'
import { type Column, DataTable } from '../../../ui/table.tsx'

const states: Record<ImportRow['state'], { label: string; tone: BadgeTone }> = {
  ready: { label: 'Ready', tone: 'green' },
  error: { label: 'Error', tone: 'red' },
  duplicate: { label: 'Already entered', tone: 'yellow' },
}

/** A preview of what an import does with each row. */
export function ImportPreview({ rows }: { rows: readonly ImportRow[] }) {
  return (
    <DataTable dense caption="Rows of the file" columns={columns} rows={rows} rowKey={({ row }) => row} />
  )
}

const columns: Column<ImportRow>[] = [
  { key: 'row', header: 'Row', cell: ({ row }) => row },
  {
    key: 'guest',
    header: 'Guest',
    cell: ({ guest }) => <span className="wrap-break-word">{guest || '–'}</span>,
  },
  {
    key: 'stay',
    header: 'Stay',
    cell: ({ endDate, startDate }) =>
      startDate && endDate ? (
        <>
          <span className="whitespace-nowrap">{formatShortDate(startDate)}</span> to{' '}
          <span className="whitespace-nowrap">{formatShortDate(endDate)}</span>
        </>
      ) : (
        '–'
      ),
  },
  { key: 'owed', header: 'Owed', align: 'right', cell: ({ owedCents }) => amount(owedCents) },
  { key: 'paid', header: 'Paid', align: 'right', cell: ({ paidCents }) => amount(paidCents) },
  { key: 'state', header: 'State', cell: row => <RowState row={row} /> },
]

const amount = (cents: number | null) => (cents === null ? '–' : formatCents(cents))

function RowState({ row: { applicationNumber, errors, state, warnings } }: { row: ImportRow }) {
  const { label, tone } = states[state]
  const notes = [
    ...errors.map(({ column, message }) => (column === 'row' ? message : `${column}: ${message}`)),
    ...warnings,
  ]
  return (
    <div className="grid justify-items-start gap-1 max-sm:justify-items-end">
      <Badge tone={tone}>{label}</Badge>
      {applicationNumber && <span className="text-[0.9375rem] text-muted">{applicationNumber}</span>}
      {notes.length > 0 && (
        <ul className="grid gap-0.5 text-[0.9375rem]">
          {notes.map(note => (
            <li key={note} className={state === 'error' ? 'text-red' : 'text-muted'}>
              {note}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
