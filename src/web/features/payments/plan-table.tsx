import { formatShortDate } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { plural } from '../../../domain/common/plural.ts'
import type { Outputs } from '../../api/api.ts'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Disclosure } from '../../ui/disclosure.tsx'
import { isPhone } from '../../ui/is-phone.ts'
import { type Column, DataTable } from '../../ui/table.tsx'
import { moneyCard } from './payment-cells.tsx'

/** An installment as shown in lists: in a payment plan, or in the list of what is due. */
export type InstallmentRow = Omit<Outputs['plans']['show']['instalments'][number], 'portions'>

type PlanTableProps<Row> = {
  instalments: readonly Row[]
  /** Additional columns after these four, such as the owner's actions. */
  more?: readonly Column<Row>[]
  dense?: boolean
  className?: string | undefined
}

/** The installments of a payment plan: name, amount, due date, and how much is paid. */
export function PlanTable<Row extends InstallmentRow>({
  instalments,
  more = [],
  ...look
}: PlanTableProps<Row>) {
  const columns = planColumns.map(column => ({
    ...column,
    hideLabelOnCard: true,
    className: classNames(column.className, cardPlaces[column.key]),
  }))
  return (
    <DataTable
      caption="Payment plan"
      columns={[...columns, ...more]}
      rows={instalments}
      rowKey={({ id }) => id}
      cardClassName={moneyCard.card}
      {...look}
    />
  )
}

const cardPlaces: Record<string, string> = {
  payment: moneyCard.what,
  amount: moneyCard.amount,
  due: moneyCard.date,
  status: moneyCard.status,
}

/** Whether the tenant's table hides an installment in its fold. */
export const isFolded = ({ state }: Pick<InstallmentRow, 'state'>) =>
  isPhone() && (state === 'paid' || state === 'waived')

/** A tenant's plan. On a phone what is paid is folded. */
export function TenantPlan({ instalments, className }: PlanTableProps<InstallmentRow>) {
  const settled = instalments.filter(isFolded)
  const rest = instalments.filter(row => !isFolded(row))
  return (
    <>
      {settled.length > 0 && (
        <Disclosure summary={`Paid so far (${settled.length})`}>
          <PlanTable instalments={settled} className="pb-3" />
        </Disclosure>
      )}
      {rest.length > 0 && <PlanTable instalments={rest} className={className} />}
    </>
  )
}

/** The four columns, for tables that put other columns before them. */
export const planColumns: readonly Column<InstallmentRow>[] = [
  {
    key: 'payment',
    header: 'Payment',
    hideLabelOnCard: true,
    className: 'wrap-anywhere',
    cell: ({ label }) => <span className="block font-semibold text-balance text-navy">{label}</span>,
  },
  { key: 'amount', header: 'Amount', align: 'right', cell: ({ amountCents }) => formatCents(amountCents) },
  {
    key: 'due',
    header: 'Due',
    className: 'sm:whitespace-nowrap',
    cell: ({ dueDate }) => (
      <>
        {dueDate !== null && <span className="sm:hidden">Due </span>}
        {dueText(dueDate)}
      </>
    ),
  },
  { key: 'status', header: 'Status', cell: installment => <InstallmentStatus installment={installment} /> },
]

/** `Dec 1, 2026`; an installment without a date is due at signing. */
function dueText(dueDate: InstallmentRow['dueDate']): string {
  return dueDate === null ? 'At signing' : formatShortDate(dueDate)
}

/** The state, and below it the paid and the processing amounts of an open installment. */
function InstallmentStatus({ installment }: { installment: InstallmentRow }) {
  const { amountCents, daysOverdue, onItsWayCents, openCents, paidCents, state } = installment
  const notes = [
    daysOverdue > 0 && plural(daysOverdue, 'day'),
    paidCents > 0 &&
      paidCents < amountCents &&
      `${formatCents(paidCents)} of ${formatCents(amountCents)} paid`,
    paidCents < 0 && `+ ${formatCents(-paidCents)} returned`,
    onItsWayCents > 0 && openCents > 0 && `${formatCents(onItsWayCents)} on its way`,
  ].filter(note => note !== false)
  return (
    <>
      <InstallmentBadge state={state} />
      {notes.map(note => (
        <span key={note} className="mt-0.5 block text-sm text-muted">
          {note}
        </span>
      ))}
    </>
  )
}

type InstallmentState = Outputs['plans']['show']['instalments'][number]['state']

const installmentStateLabels: Record<InstallmentState, string> = {
  upcoming: 'Upcoming',
  partly: 'Partly paid',
  due: 'Due today',
  overdue: 'Overdue',
  on_its_way: 'On its way',
  paid: 'Paid',
  waived: 'Waived',
}

const tones: Record<InstallmentState, BadgeTone> = {
  upcoming: 'neutral',
  partly: 'blue',
  due: 'yellow',
  overdue: 'red',
  on_its_way: 'blue',
  paid: 'green',
  waived: 'neutral',
}

function InstallmentBadge({ state }: { state: InstallmentState }) {
  return <Badge tone={tones[state]}>{installmentStateLabels[state]}</Badge>
}
