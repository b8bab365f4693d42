import { Eye, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { isOwnersStep, nextStepLabel } from '../../../../domain/bookings/next-step.ts'
import { type DateRange, formatMomentDate, nightsBetween } from '../../../../domain/common/dates.ts'
import { dollarsToCents, formatCents } from '../../../../domain/common/money.ts'
import { noBreak } from '../../../../domain/common/no-break.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { formatShortStay, stayOf } from '../../../../domain/common/stay.ts'
import { isRentForStay } from '../../../../domain/money/lease-terms.ts'
import { api } from '../../../api/api.ts'
import { EmailLink, PhoneLink } from '../../../features/applications/contact-links.tsx'
import { ApplicationStatusBadge } from '../../../features/applications/status-badge.tsx'
import { useTimeZone, useToday } from '../../../features/stays/today.ts'
import { paths } from '../../../routing/paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { CheckboxField } from '../../../ui/choice-fields.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { type Column, DataTable } from '../../../ui/table.tsx'
import { type ListedApplication, nameOf, nameWithNumber } from './list-query.ts'

type ApplicationsTableProps = {
  rows: readonly ListedApplication[]
  selected: ReadonlySet<string>
  onSelect: (ids: readonly string[], selected: boolean) => void
  onDelete: (application: ListedApplication) => void
}

export function ApplicationsTable({ rows, selected, onSelect, onDelete }: ApplicationsTableProps) {
  return (
    <DataTable
      dense
      joined
      caption="Applications"
      columns={[selectColumn({ rows, selected, onSelect }), ...detailColumns, actionsColumn(onDelete)]}
      rows={rows}
      rowKey={({ id }) => id}
      isSelected={({ id }) => selected.has(id)}
      // On a phone three or four lines; the link on the name covers the whole row.
      cardClassName="max-sm:relative max-sm:grid max-sm:grid-cols-[auto_1fr_auto] max-sm:gap-x-2.5 max-sm:[&>td]:py-0.5"
      className="sm:max-lg:[&_td]:px-1 sm:max-lg:[&_th]:px-1"
    />
  )
}

type ListColumn = Column<ListedApplication>
type Selection = Pick<ApplicationsTableProps, 'rows' | 'selected' | 'onSelect'>

function selectColumn({ rows, selected, onSelect }: Selection): ListColumn {
  const all = rows.every(({ id }) => selected.has(id))
  const some = rows.some(({ id }) => selected.has(id))
  return {
    key: 'select',
    header: 'Select',
    hideLabelOnCard: true,
    className: 'max-sm:relative max-sm:z-10 max-sm:col-start-1 max-sm:row-start-1',
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
  }
}

const detailColumns: readonly ListColumn[] = [
  {
    key: 'application',
    header: 'Application',
    hideLabelOnCard: true,
    className: 'max-sm:col-start-2 max-sm:row-start-1',
    cell: row => (
      <Pair>
        <Link
          href={paths.adminApplication(row.id)}
          className="font-semibold wrap-anywhere text-navy underline-offset-4 hover:underline max-sm:after:absolute max-sm:after:inset-0 max-sm:after:rounded-control"
        >
          {nameOf(row)}
        </Link>
        <TrialMark email={row.email} />
        <span className={`${secondary} max-sm:hidden sm:max-lg:whitespace-nowrap`}>
          <span className="whitespace-nowrap">{row.applicationNumber}</span> ·{' '}
          <Submitted at={row.createdAt} />
        </span>
        <span className="hidden items-baseline gap-x-2 sm:max-lg:flex">
          <Contact application={row} />
        </span>
      </Pair>
    ),
  },
  {
    key: 'contact',
    header: 'Contact',
    wideOnly: true,
    hideLabelOnCard: true,
    className: 'max-sm:col-span-2 max-sm:col-start-2 max-sm:row-start-3 max-sm:[&>div]:grow',
    cell: row => (
      <Pair>
        <Contact application={row} />
        {!row.nextStep && <Applied at={row.createdAt} />}
      </Pair>
    ),
  },
  {
    key: 'dates',
    header: 'Dates',
    hideLabelOnCard: true,
    className: 'max-sm:col-start-2 max-sm:row-start-2',
    cell: row => <Stay application={row} />,
  },
  {
    key: 'rent',
    header: 'Monthly Rent',
    align: 'right',
    hideLabelOnCard: true,
    className: 'max-sm:col-start-3 max-sm:row-start-2 max-sm:justify-end!',
    cell: row =>
      row.rentalAmount === null ? (
        <span className="max-sm:hidden">–</span>
      ) : (
        <>
          {formatCents(dollarsToCents(row.rentalAmount))}{' '}
          <span className={`whitespace-nowrap sm:block ${secondary}`}>{rentTime(stayOf(row))}</span>
        </>
      ),
  },
  {
    key: 'status',
    header: 'Status',
    hideLabelOnCard: true,
    className: 'max-sm:col-start-3 max-sm:row-start-1 max-sm:justify-end!',
    cell: row => (
      <>
        <ApplicationStatusBadge status={row.status} screen="dashboard" />
        {row.nextStep && (
          <span className="mt-1 hidden text-sm sm:max-lg:block">
            <Next application={row} />
          </span>
        )}
      </>
    ),
  },
  {
    key: 'next',
    header: 'Next step',
    wideOnly: true,
    hideLabelOnCard: true,
    className:
      'max-sm:col-span-2 max-sm:col-start-2 max-sm:row-start-4 max-sm:not-has-[a]:hidden! max-sm:[&>div]:grow',
    cell: row => <Next application={row} />,
  },
]

const actionsColumn = (onDelete: ApplicationsTableProps['onDelete']): ListColumn => ({
  key: 'actions',
  header: 'Actions',
  hideLabelOnCard: true,
  className: 'max-sm:hidden!',
  cell: row => (
    <div className="-mx-2 flex">
      <Link
        href={paths.adminApplication(row.id)}
        aria-label={`View details of ${nameWithNumber(row)}`}
        title="View details"
        className="inline-flex size-10 items-center justify-center rounded-control text-muted transition-colors hover:bg-navy/7 hover:text-navy"
      >
        <Eye aria-hidden className="size-4.5" />
      </Link>
      <IconButton
        label={`Delete ${nameWithNumber(row)}`}
        tone="danger"
        className="[&_svg]:size-4.5!"
        onClick={() => onDelete(row)}
      >
        <Trash2 aria-hidden />
      </IconButton>
    </div>
  ),
})

/** On the owner's own trial application, before the site is opened (OPEN-07). */
function TrialMark({ email }: { email: string }) {
  const { data } = api.opening.get.useQuery()
  return data?.trial === email && <Badge tone="yellow">Trial</Badge>
}

/** Two values in a cell: stacked in the table, so that all rows are alike. */
const Pair = ({ children }: { children: ReactNode }) => (
  <span className="flex flex-wrap items-baseline gap-x-2 sm:flex-col">{children}</span>
)

const secondary = 'text-sm text-muted'
const contactLink =
  'relative z-1 text-[0.8125rem] font-normal text-muted! no-underline lg:text-sm hover:text-lagoon-dark!'

const Contact = ({ application: { email, phone } }: { application: ListedApplication }) => (
  <>
    <span title={email} className="block max-w-44 truncate sm:max-lg:max-w-36 lg:max-xl:max-w-52">
      <EmailLink email={email} className={contactLink} />
    </span>
    <PhoneLink phone={phone} className={contactLink} />
  </>
)

const rentTime = ({ end, start }: DateRange) => (isRentForStay(start, end) ? 'per stay' : 'per month')

function Stay({ application }: { application: ListedApplication }) {
  const stay = stayOf(application)
  const [from = '', to = ''] = formatShortStay(stay).split(' – ')
  return (
    <Pair>
      <span
        className={classNames('[&>span]:whitespace-nowrap', !from.includes(',') && 'md:whitespace-nowrap')}
      >
        <span>{from} –</span> <span>{to}</span>
      </span>
      <span className={`${secondary} whitespace-nowrap max-sm:hidden`}>
        {plural(nightsBetween(stay.start, stay.end), 'night')}
      </span>
    </Pair>
  )
}

/** The day of an application. */
const Submitted = ({ at }: { at: string }) => (
  <span className="whitespace-nowrap">{formatMomentDate(at, useTimeZone())}</span>
)

/** On a card, the day of the application: beside the next step, else beside the contact. */
function Applied({ at }: { at: string }) {
  const thisYear = `, ${useToday().slice(0, 4)}`
  return (
    <span className="ml-auto text-[0.8125rem] text-muted sm:hidden">
      Applied {formatMomentDate(at, useTimeZone()).replace(thisYear, '')}
    </span>
  )
}

/** The next step, as a link; on a card together with the day of the application. */
function Next({ application: { createdAt, id, nextStep } }: { application: ListedApplication }) {
  return (
    <span className="flex items-baseline justify-between gap-3">
      {nextStep ? (
        <Link
          href={paths.adminApplication(id)}
          className={classNames(
            'underline-offset-4 hover:underline xl:whitespace-nowrap',
            nextStep.kind !== 'upcoming' && !nextStep.waitsFor && 'sm:whitespace-nowrap',
            nextStep.kind === 'overdue' && 'font-semibold text-red',
            isOwnersStep(nextStep) ? 'font-semibold text-lagoon-dark' : 'text-ink',
          )}
        >
          {noBreak(nextStepLabel(nextStep))}
        </Link>
      ) : (
        <span className="text-muted max-sm:hidden">–</span>
      )}
      {nextStep && <Applied at={createdAt} />}
    </span>
  )
}
