import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatMonth } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { useToday } from '../../../features/stays/today.ts'
import { paths } from '../../../routing/paths.ts'
import { Card } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { useScreenPart } from '../../../ui/screen-parts.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { statusHref } from './list-query.ts'
import { pollIntervalMs } from './paged-list.tsx'

type Figures = Outputs['notices']['ownerDay']['figures']

/** Figures that link to the data behind them (LOOK-97), then what comes (LOOK-83). */
export function StatCards({ figures }: { figures: Figures | undefined }) {
  const counts = api.applications.adminCounts.useQuery(undefined, { refetchInterval: pollIntervalMs })
  const { total, pending, approved } = counts.data?.counts ?? {}
  const count = (value: number | undefined) => value ?? (counts.isError ? '–' : loading)
  return (
    <Card
      aria-label="Figures"
      className="grid grid-cols-2 gap-px overflow-hidden bg-line! sm:grid-cols-12 sm:*:col-span-3"
    >
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
      {figures && <Coming {...figures} />}
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
        summary
          ? `${formatCents(summary.netRevenue)} net from ${plural(summary.paymentCount, 'payment')}`
          : '\u00a0'
      }
    />
  )
}

/** Who arrives next, how full the month is, and what is still to be paid. */
function Coming({ arrival, nights, toReceiveCents }: Figures) {
  const month = formatMonth(useToday()).replace(/ \d+$/, '')
  const arrivalHref = arrival?.applicationId
    ? paths.adminApplication(arrival.applicationId)
    : paths.adminCalendars
  return (
    <>
      <Figure
        className="sm:col-span-4!"
        href={arrival ? arrivalHref : paths.adminAvailability}
        label="Next arrival"
        value={arrival ? `${arrival.day}, ${arrival.name}` : 'None booked'}
      />
      <Figure
        className="sm:col-span-4!"
        href={paths.adminAvailability}
        label={`Nights booked in ${month}`}
        value={`${nights.booked} of ${nights.all}`}
      />
      <Figure
        className="col-span-2 sm:col-span-4!"
        href={paths.adminDue}
        label="To receive"
        value={formatCents(toReceiveCents)}
      />
    </>
  )
}

type TextsProps = { label: string; value: ReactNode; hint?: ReactNode }

const Figure = ({ href, className, ...texts }: TextsProps & { href: string; className?: string }) => (
  <Link
    href={href}
    className={classNames(
      figureClass,
      'transition-colors hover:bg-canvas focus-visible:-outline-offset-2',
      className,
    )}
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

const figureClass = 'bg-white px-3.5 py-3 sm:px-6'

const loading = <Skeleton className="h-6 w-20" />
