import { Eye, Trash2 } from 'lucide-react'
import { Link } from 'wouter'
import { formatMomentDate, nightsBetween } from '../../../../domain/dates.ts'
import { dollarsToCents, formatCents } from '../../../../domain/money.ts'
import { formatPhone } from '../../../../domain/phone.ts'
import { plural } from '../../../../domain/plural.ts'
import { formatStay } from '../../../../domain/stay.ts'
import type { Outputs } from '../../../api/api.ts'
import { ApplicationStatusBadge } from '../../../features/applications/status-badge.tsx'
import { paths } from '../../../routing/paths.ts'
import { CheckboxField } from '../../../ui/choice-fields.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { type Column, DataTable } from '../../../ui/table.tsx'

export type ListedApplication = Outputs['applications']['adminList']['applications'][number]

type ApplicationsTableProps = {
  rows: readonly ListedApplication[]
  timeZone: string
  selected: ReadonlySet<string>
  onSelect: (ids: readonly string[], selected: boolean) => void
  onDelete: (application: ListedApplication) => void
}

export function ApplicationsTable({ rows, timeZone, selected, onSelect, onDelete }: ApplicationsTableProps) {
  const all = rows.every(({ id }) => selected.has(id))
  const some = rows.some(({ id }) => selected.has(id))
  const columns: Column<ListedApplication>[] = [
    {
      key: 'select',
      header: 'Select',
      hideLabelOnCard: true,
      headerCell: (
        <CheckboxField
          label="Select all on this page"
          hideLabel
          checked={all}
          ref={box => {
            if (box) box.indeterminate = some && !all
          }}
          onChange={event =>
            onSelect(
              rows.map(({ id }) => id),
              event.target.checked,
            )
          }
        />
      ),
      cell: row => (
        <CheckboxField
          label={`Select ${nameWithNumber(row)}`}
          hideLabel
          checked={selected.has(row.id)}
          onChange={event => onSelect([row.id], event.target.checked)}
        />
      ),
    },
    {
      key: 'application',
      header: 'Application',
      hideLabelOnCard: true,
      cell: row => (
        <>
          <Link
            href={paths.adminApplication(row.id)}
            className="block font-semibold wrap-anywhere text-navy underline-offset-4 hover:underline sm:min-w-24"
          >
            {nameOf(row)}
          </Link>
          <SecondLine>
            <span className="whitespace-nowrap">{row.applicationNumber}</span> ·{' '}
            <span className="whitespace-nowrap">{formatMomentDate(row.createdAt, timeZone)}</span>
          </SecondLine>
        </>
      ),
    },
    {
      key: 'contact',
      header: 'Contact',
      cell: row => (
        <>
          <Email address={row.email} />
          <SecondLine>{formatPhone(row.phone)}</SecondLine>
        </>
      ),
    },
    { key: 'dates', header: 'Dates', cell: row => <Stay application={row} /> },
    {
      key: 'rent',
      header: 'Monthly Rent',
      align: 'right',
      cell: row => (row.rentalAmount === null ? '–' : formatCents(dollarsToCents(row.rentalAmount))),
    },
    {
      key: 'status',
      header: 'Status',
      cell: row => <ApplicationStatusBadge status={row.status} screen="dashboard" />,
    },
    {
      key: 'actions',
      header: 'Actions',
      cell: row => (
        <div className="flex sm:max-lg:flex-col">
          <Link
            href={paths.adminApplication(row.id)}
            aria-label={`View details of ${nameWithNumber(row)}`}
            title="View details"
            className="inline-flex size-10 items-center justify-center rounded-control text-navy transition-colors hover:bg-navy/7"
          >
            <Eye aria-hidden className="size-5" />
          </Link>
          <IconButton label={`Delete ${nameWithNumber(row)}`} tone="danger" onClick={() => onDelete(row)}>
            <Trash2 aria-hidden />
          </IconButton>
        </div>
      ),
    },
  ]
  return <DataTable dense caption="Applications" columns={columns} rows={rows} rowKey={({ id }) => id} />
}

/** Wraps before the @ where it does not fit. */
function Email({ address }: { address: string }) {
  const at = address.lastIndexOf('@')
  return (
    <span className="block wrap-anywhere sm:min-w-26 sm:max-lg:text-sm lg:min-w-52">
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </span>
  )
}

/** The lease's dates once there is a lease, else the requested ones. */
function Stay({ application }: { application: ListedApplication }) {
  const start = application.leaseStartDate ?? application.requestedStartDate
  const end = application.leaseEndDate ?? application.requestedEndDate
  return (
    <>
      <span className="block sm:min-w-23 sm:max-lg:text-sm lg:min-w-56">{formatStay({ start, end })}</span>
      <SecondLine>{plural(nightsBetween(start, end), 'night')}</SecondLine>
    </>
  )
}

const SecondLine = (props: { children: React.ReactNode }) => (
  <span className="block text-sm text-muted">{props.children}</span>
)

export const nameOf = ({ firstName, lastName }: Pick<ListedApplication, 'firstName' | 'lastName'>) =>
  `${firstName} ${lastName}`

export const nameWithNumber = (
  row: Pick<ListedApplication, 'firstName' | 'lastName' | 'applicationNumber'>,
) => `${nameOf(row)}, ${row.applicationNumber}`
