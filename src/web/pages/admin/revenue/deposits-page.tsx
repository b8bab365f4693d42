import { Landmark } from 'lucide-react'
import { Link } from 'wouter'
import { formatShortDate } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import {
  daysText,
  deadlineTexts,
  deadlineToDo,
  depositMessages,
  depositStateLabels,
  depositStates,
  warningDays,
} from '../../../../domain/money/deposit-case.ts'
import { api } from '../../../api/api.ts'
import { depositTones, type OwnerDeposit, ruleName } from '../../../features/deposits/deposit-view.ts'
import { paths } from '../../../routing/paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { type Column, DataTable } from '../../../ui/table.tsx'
import { AreaPage } from '../area.tsx'
import { pollIntervalMs, useListQuery } from '../dashboard/paged-list.tsx'

/** The list of deposits, sorted by their next deadline; open deposits by default. The URL stores the filter. */
export function DepositsPage() {
  const { change, query } = useListQuery(readQuery, writeQuery)
  const { show } = query
  const list = api.deposits.list.useQuery({}, { refetchInterval: pollIntervalMs })
  const held = list.data && formatCents(list.data.deposits.reduce((sum, { heldCents }) => sum + heldCents, 0))
  return (
    <AreaPage
      area="revenue"
      subtitle={`${held ?? 'What is'} held, and until when it must be returned or claimed`}
    >
      <QueryView
        query={list}
        loading={<Skeleton className="h-96 w-full rounded-card" />}
        error="Failed to load the deposits"
      >
        {({ deposits: all }) => {
          const isShown = (deposit: OwnerDeposit) =>
            show === undefined ? isOpen(deposit) : show === 'all' || deposit.state === show
          const deposits = all.filter(isShown)
          const presets = new Set(
            deposits.flatMap(({ deadline, rule }) => (deadline && rule.preset ? ruleName(rule) : [])),
          )
          return (
            <Card aria-label="Deposits">
              <div className="border-b border-line px-3 py-3 sm:px-6">
                <SelectField
                  label="Show"
                  className="sm:w-48"
                  value={show ?? ''}
                  onChange={({ target }) => change({ show: shownBy(target.value) })}
                >
                  <option value="">Open deposits</option>
                  <option value="all">All deposits</option>
                  {depositStates.map(each => (
                    <option key={each} value={each}>
                      {depositStateLabels[each]}
                    </option>
                  ))}
                </SelectField>
              </div>
              {presets.size > 0 && (
                <p className="px-3 pt-3 text-[0.9375rem] text-muted sm:px-6">
                  Rule{' '}
                  <Link href={paths.adminFees} className="link">
                    {[...presets].join(' and ')}
                  </Link>
                  . {depositMessages.presetHint}
                </p>
              )}
              {deposits.length > 0 ? (
                <div className="max-sm:p-3">
                  <DataTable
                    dense
                    // On a phone: guest and sum, then state and date.
                    cardClassName="max-sm:grid max-sm:grid-cols-[auto_1fr] max-sm:gap-x-4"
                    caption="Deposits"
                    columns={columns}
                    rows={deposits}
                    rowKey={({ applicationId }) => applicationId}
                  />
                </div>
              ) : show !== 'all' ? (
                <EmptyState
                  icon={<Landmark />}
                  title="No deposits found"
                  hint={`No deposit is ${show ? `“${depositStateLabels[show]}”` : 'open'}.`}
                  action={
                    all.length > 0 && (
                      <Button variant="secondary" onClick={() => change({ show: 'all' })}>
                        Show all deposits
                      </Button>
                    )
                  }
                />
              ) : (
                <EmptyState icon={<Landmark />} title="No deposit has been paid." />
              )}
            </Card>
          )
        }}
      </QueryView>
    </AreaPage>
  )
}

/** What is to be done about a claim that has no date. */
const claimTexts: Partial<Record<OwnerDeposit['state'], (amount: string) => string>> = {
  drafted: amount => `Send the statement for ${amount}`,
  objected: amount => `Decide the claim of ${amount}`,
  settled: amount => `Keep ${amount}`,
}

const dayTone = (daysLeft: number) =>
  daysLeft <= warningDays && classNames('font-semibold', daysLeft < 0 ? 'text-red' : 'text-yellow')

const columns: readonly Column<OwnerDeposit>[] = [
  {
    key: 'guest',
    header: 'Guest',
    hideLabelOnCard: true,
    className: 'max-sm:-order-1',
    cell: ({ applicationId, applicationNumber, tenantName }) => (
      <>
        <Link href={paths.adminApplication(applicationId)} className="font-semibold wrap-anywhere link">
          {tenantName}
        </Link>
        <span className="block text-sm whitespace-nowrap text-muted">{applicationNumber}</span>
      </>
    ),
  },
  {
    key: 'next',
    header: 'Next date',
    hideLabelOnCard: true,
    className: 'max-sm:order-2 max-sm:justify-end max-sm:text-right',
    cell: ({ claimedCents, deadline, freeCents, hasLeft, state, vacatedOn }) =>
      deadline && !hasLeft ? (
        <>
          After {formatShortDate(vacatedOn)}
          <span className="block text-sm text-muted">Back by {formatShortDate(deadline.date)}</span>
        </>
      ) : deadline ? (
        <>
          <span className={classNames('block', dayTone(deadline.daysLeft))}>
            {formatShortDate(deadline.date)} · {daysText(deadline.daysLeft)}
          </span>
          <span className="text-sm text-muted">
            {deadline.daysLeft < 0
              ? deadlineTexts[deadline.kind].late
              : deadlineToDo(deadline.kind, claimedCents)}
            {deadline.kind === 'rest' && `, ${formatCents(freeCents)}`}
          </span>
        </>
      ) : (
        (hasLeft && claimTexts[state]?.(formatCents(claimedCents))) || '–'
      ),
  },
  {
    key: 'state',
    header: 'State',
    hideLabelOnCard: true,
    className: 'max-sm:order-1 max-sm:self-start',
    cell: ({ state }) => <Badge tone={depositTones[state]}>{depositStateLabels[state]}</Badge>,
  },
  {
    key: 'held',
    header: 'Held',
    align: 'right',
    hideLabelOnCard: true,
    className: 'max-sm:-order-1 max-sm:justify-end max-sm:text-right',
    cell: ({ disputedCents, heldCents }) => (
      <>
        {formatCents(heldCents)}
        {disputedCents > 0 && (
          <span className="block text-sm text-muted">{formatCents(disputedCents)} disputed</span>
        )}
      </>
    ),
  },
  {
    key: 'actions',
    header: 'Actions',
    align: 'right',
    hideLabelOnCard: true,
    className: 'max-sm:order-3 max-sm:col-span-2 max-sm:justify-end max-sm:has-[>div:empty]:hidden',
    cell: ({ applicationId, claimedCents, deadline, disputedCents, freeCents, hasLeft, tenantName }) =>
      hasLeft &&
      freeCents > 0 &&
      disputedCents === 0 &&
      deadline !== null &&
      (deadline.kind !== 'claim' || claimedCents === 0) && (
        <Button asChild size="sm" variant="secondary">
          <Link
            href={paths.adminApplication(applicationId, 'give_back')}
            aria-label={`Return ${formatCents(freeCents)} to ${tenantName}`}
          >
            Return {formatCents(freeCents)}
          </Link>
        </Button>
      ),
  },
]

/** There is money to return or missing, or a deposit that can be claimed. */
const isOpen = ({ shortCents, state }: OwnerDeposit) =>
  shortCents > 0 || (state !== 'unpaid' && state !== 'closed')

/** A state or all; those that are open without one. */
type Query = { show: OwnerDeposit['state'] | 'all' | undefined; page: number }

const shownBy = (text: string | null) => (['all', ...depositStates] as const).find(each => each === text)
const readQuery = (address: URLSearchParams): Query => ({ show: shownBy(address.get('state')), page: 1 })
const writeQuery = ({ show }: Query) => new URLSearchParams(show && { state: show })
