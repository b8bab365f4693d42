import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatShortDate } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { formatShortStay } from '../../../domain/common/stay.ts'
import type { AddendumState } from '../../../domain/leases/addendum.ts'
import { sumOf } from '../../../domain/money/charge.ts'
import type { Outputs } from '../../api/api.ts'
import { fetchFile, openFile } from '../../api/files.ts'
import { toastFailure } from '../../forms/failure-toast.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { type QueryLike, QueryView } from '../../ui/query-view.tsx'

export type AddendumView = Outputs['addenda']['list']['addenda'][number]
type Terms = AddendumView['after']

const stateLabels: Record<AddendumState, string> = {
  open: 'Open',
  signed: 'Signed',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
  voided: 'Void',
}

const titleOf = ({ number, state, validUntil }: AddendumView) =>
  `Addendum No. ${number}${state === 'open' ? `, open until ${formatShortDate(validUntil)}` : ''}`

type AddendaListProps = {
  query: QueryLike<{ addenda: AddendumView[] }>
  /** What can be done with an addendum. */
  children: (addendum: AddendumView) => ReactNode
}

/** The addenda to a signed lease, newest first. */
export function AddendaList({ children, query }: AddendaListProps) {
  return (
    <QueryView query={query} loading="Loading..." error="Failed to load the addenda">
      {({ addenda }) =>
        addenda.toReversed().map(addendum => (
          <section key={addendum.id} aria-label={`Addendum No. ${addendum.number}`} className="grid gap-3">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <h3 className="grow font-semibold text-navy">{titleOf(addendum)}</h3>
              {addendum.state !== 'open' && (
                <Badge tone={addendum.state === 'signed' ? 'green' : undefined}>
                  {stateLabels[addendum.state]}
                </Badge>
              )}
              <OpenPdf addendum={addendum} />
            </div>
            {addendum.reason && <p className="text-muted wrap-anywhere">“{addendum.reason}”</p>}
            {addendum.state === 'open' && <AddendumFacts {...addendum} />}
            {children(addendum)}
          </section>
        ))
      }
    </QueryView>
  )
}

function OpenPdf({ addendum: { id, number } }: { addendum: AddendumView }) {
  const open = useMutation({
    mutationFn: () => openFile(() => fetchFile(`/api/change/addendum/${encodeURIComponent(id)}/pdf`)),
    onError: error => void toastFailure(error, 'Failed to load the addendum'),
  })
  return (
    <Button
      size="sm"
      variant="secondary"
      aria-label={`Open the PDF of Addendum No. ${number}`}
      busy={open.isPending}
      busyLabel="Opening..."
      onClick={() => open.mutate()}
    >
      PDF
    </Button>
  )
}

const stayText = ({ leaseEndDate: end, leaseStartDate: start }: Terms) => formatShortStay({ start, end })
const dollarText = (dollars: number) => formatCents(Math.round(dollars * 100))

/** On two lines, so that no date range is split. */
const changed = (to: string, from: string) => (
  <>
    {to} <span className="block text-sm font-normal text-muted">before: {from}</span>
  </>
)
const totalOf = (cents: number, addedCents: number) =>
  addedCents === 0
    ? `${formatCents(cents)} (as before)`
    : changed(formatCents(cents), formatCents(cents - addedCents))

/** What an addendum changes: terms before and after, lines, and payments. */
export function AddendumFacts({
  after,
  before,
  instalments,
  lines,
  owedAfterCents,
}: Pick<AddendumView, 'before' | 'after' | 'lines' | 'instalments' | 'owedAfterCents'>) {
  const rows = [
    { label: 'Stay', from: stayText(before), to: stayText(after) },
    { label: 'Rent', from: dollarText(before.rentalAmount), to: dollarText(after.rentalAmount) },
    { label: 'Deposit', from: dollarText(before.depositAmount), to: dollarText(after.depositAmount) },
  ].filter(({ from, to }) => from !== to)
  // A single line would repeat the change of the rent or deposit and of the total.
  const isSaid = lines.length === 1 && rows.some(({ label }) => label !== 'Stay')
  return (
    <>
      <DefinitionList
        columns={1}
        rows
        items={[
          ...rows.map(({ from, label, to }) => ({ label, value: changed(to, from) })),
          ...(isSaid ? [] : lines).map(({ amountCents, label }) => ({
            label,
            value: `${amountCents > 0 ? '+' : ''}${formatCents(amountCents)}`,
          })),
          { label: 'Total with this addendum', value: totalOf(owedAfterCents, sumOf(lines)) },
        ]}
      />
      {instalments.length > 0 && (
        <div className="text-[0.9375rem]">
          <p className="mb-1 text-muted">New payments</p>
          <ul aria-label="New payments" className="divide-y divide-line border-y border-line">
            {instalments.map(({ amountCents, dueDate, label }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two payments may be identical
              <li key={i} className="flex items-start justify-between gap-4 py-2.5">
                <span className="min-w-0 wrap-anywhere">
                  {label}
                  <span className="block text-sm text-muted">
                    Due {dueDate === null ? '7 days after the signature' : formatShortDate(dueDate)}
                  </span>
                </span>
                <span className="font-semibold text-navy tabular-nums">{formatCents(amountCents)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}
