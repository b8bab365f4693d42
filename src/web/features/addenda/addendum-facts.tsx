import { formatLongDate, formatShortDate } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { formatStay } from '../../../domain/common/stay.ts'
import type { AddendumState } from '../../../domain/leases/addendum.ts'
import type { Outputs } from '../../api/api.ts'
import { Badge } from '../../ui/badge.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'

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

export const addendumTitle = ({ number, state, validUntil }: AddendumView) =>
  `Addendum No. ${number}${state === 'open' ? `, open until ${formatShortDate(validUntil)}` : ''}`

export const AddendumBadge = ({ state }: { state: AddendumState }) => (
  <Badge tone={state === 'open' ? 'yellow' : state === 'signed' ? 'green' : undefined}>
    {stateLabels[state]}
  </Badge>
)

const stayText = ({ leaseEndDate: end, leaseStartDate: start }: Terms) => formatStay({ start, end })
const dollarText = (dollars: number) => formatCents(Math.round(dollars * 100))

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
  return (
    <DefinitionList
      columns={1}
      rows
      items={[
        ...rows.map(({ from, label, to }) => ({ label, value: `${to} (before: ${from})` })),
        ...lines.map(({ amountCents, label }) => ({ label, value: formatCents(amountCents) })),
        { label: 'Due under the lease', value: formatCents(owedAfterCents) },
        ...instalments.map(({ amountCents, dueDate, label }) => ({
          label: `Payment: ${label}`,
          value: `${formatCents(amountCents)}, ${
            dueDate === null ? '7 days after the signature' : formatLongDate(dueDate)
          }`,
        })),
      ]}
    />
  )
}
