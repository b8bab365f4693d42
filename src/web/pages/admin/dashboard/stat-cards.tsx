import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatMonth } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { useToday } from '../../../features/stays/today.ts'
import { paths } from '../../../routing/paths.ts'
import { Card } from '../../../ui/card.tsx'
import { useScreenPart } from '../../../ui/screen-parts.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { statusHref } from './list-query.ts'
import { pollIntervalMs } from './paged-list.tsx'

type Figures = Outputs['notices']['ownerDay']['figures']

/** Figures that link to the data behind them (LOOK-97), then what comes, if anything does (LOOK-83). */
export function StatCards({ figures }: { figures: Figures | undefined }) {
  const counts = api.applications.adminCounts.useQuery(undefined, { refetchInterval: pollIntervalMs })
  const { total, pending, approved } = counts.data?.counts ?? {}
  const count = (value: number | undefined) => value ?? (counts.isError ? '–' : loading)
  return (
    <Card aria-label="Figures" className="grid grid-cols-2 gap-px overflow-hidden bg-line! md:grid-cols-4">
      <Figure href={statusHref()} label="Total applications" value={count(total)} />
      <Figure
        href={statusHref('pending')}
        label="Pending"
        value={count(pending)}
        hint={
          pending !== undefined &&
          pending > 0 && <span className="max-sm:hidden">waiting for your answer</span>
        }
      />
      <Figure href={statusHref('approved')} label="Approved" value={count(approved)} />
      <RevenueFigure />
      {figures && (total !== 0 || figures.arrival || figures.departure) && <Coming {...figures} />}
    </Card>
  )
}

function RevenueFigure() {
  const revenue = api.payments.revenueSummary.useQuery({}, { refetchInterval: pollIntervalMs })
  const summary = revenue.data?.summary
  useScreenPart(revenue)
  if (!summary && revenue.isError) {
    return (
      <div className={figureClass}>
        <FigureTexts
          label="Total revenue"
          value="–"
          hint={
            <span role="alert" className="text-red">
              Failed to fetch revenue data{' '}
              <button type="button" className="link" onClick={() => void revenue.refetch()}>
                Try Again
              </button>
            </span>
          }
        />
      </div>
    )
  }
  return (
    <Figure
      href={paths.adminRevenue}
      label="Total revenue"
      value={summary ? formatCents(summary.totalRevenue) : loading}
      hint={
        summary ? (
          <>
            {formatCents(summary.netRevenue)} net
            <span className="max-lg:hidden"> from {plural(summary.paymentCount, 'payment')}</span>
          </>
        ) : (
          '\u00a0'
        )
      }
    />
  )
}

/** Who arrives and leaves next, how full the month is, and what is still to be paid. */
function Coming({ arrival, departure, nights, toReceiveCents }: Figures) {
  const month = formatMonth(useToday()).replace(/ \d+$/, '')
  return (
    <>
      <Visit label="Next arrival" visit={arrival} />
      <Visit label="Next departure" visit={departure} />
      <Figure
        href={paths.adminAvailability}
        label={`Booked in ${month}`}
        value={`${nights.booked} of ${plural(nights.all, 'night')}`}
      />
      <Figure href={paths.adminDue} label="To receive" value={formatCents(toReceiveCents)} />
    </>
  )
}

function Visit({ label, visit }: { label: string; visit: Figures['arrival'] }) {
  const bookingHref = visit?.applicationId
    ? paths.adminApplication(visit.applicationId)
    : paths.adminCalendars
  return (
    <Figure
      href={visit ? bookingHref : paths.adminAvailability}
      label={label}
      value={visit?.day ?? 'None booked'}
      hint={visit?.name}
    />
  )
}

type TextsProps = { label: string; value: ReactNode; hint?: ReactNode }

const Figure = ({ href, ...texts }: TextsProps & { href: string }) => (
  <Link
    href={href}
    className={`${figureClass} transition-colors hover:bg-canvas focus-visible:-outline-offset-2`}
  >
    <FigureTexts {...texts} />
  </Link>
)

const FigureTexts = ({ label, value, hint }: TextsProps) => (
  <dl>
    <dt className="text-sm leading-snug text-muted">{label}</dt>
    <dd className="text-lg leading-snug font-semibold wrap-anywhere text-navy tabular-nums">{value}</dd>
    {hint && <dd className="text-[0.8125rem] leading-tight text-muted">{hint}</dd>}
  </dl>
)

const figureClass = 'bg-white px-4 py-3 sm:px-6'

const loading = <Skeleton className="h-6 w-20" />
