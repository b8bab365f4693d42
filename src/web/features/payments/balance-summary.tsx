import { describeTermRent, termRent } from '../../../domain/lease-terms.ts'
import { dollarsToCents, formatCents } from '../../../domain/money.ts'
import { classNames } from '../../ui/class-names.ts'
import type { LeaseTermsView } from '../leases/lease-facts.tsx'
import type { ChargeSummary } from './charge-view.ts'

type BalanceSummaryProps = {
  summary: ChargeSummary
  /** Of a generated lease without other charges, to show how the owed amount adds up. */
  terms?: LeaseTermsView | undefined
}

/** Owed, paid, and what is left. */
export function BalanceSummary({ summary, terms }: BalanceSummaryProps) {
  const { balanceCents, depositReturnedCents, label, owedCents, paidCents } = summary
  const sum = terms && owedSum(terms)
  return (
    <div className="grid gap-2">
      <dl className="grid gap-x-4 gap-y-3 rounded-control bg-canvas p-4 sm:grid-cols-3">
        <Figure label="Owed" value={formatCents(owedCents)} />
        <Figure label="Paid" value={formatCents(paidCents)} />
        <Figure
          label={label}
          value={formatCents(Math.abs(balanceCents))}
          valueClass={balanceCents > 0 ? 'text-red' : 'text-green'}
        />
        {depositReturnedCents > 0 && (
          <Figure label="Deposit returned" value={formatCents(depositReturnedCents)} />
        )}
      </dl>
      {sum && owedCents > 0 && <p className="text-[0.9375rem] text-muted">{sum}</p>}
    </div>
  )
}

type FigureProps = { label: string; value: string; valueClass?: string }

function Figure({ label, value, valueClass = 'text-navy' }: FigureProps) {
  return (
    <div className="flex items-baseline justify-between gap-3 sm:block">
      <dt className="text-[0.9375rem] text-muted">{label}</dt>
      <dd className={classNames('text-lg font-semibold tabular-nums', valueClass)}>{value}</dd>
    </div>
  )
}

function owedSum(terms: LeaseTermsView): string | undefined {
  const { leaseStartDate, leaseEndDate, rentalAmount, depositAmount } = terms
  if (!leaseStartDate || !leaseEndDate || rentalAmount === null) return undefined
  const rent = termRent(leaseStartDate, leaseEndDate, dollarsToCents(rentalAmount))
  return `Owed: deposit ${formatCents(dollarsToCents(depositAmount ?? 0))} + rent (${describeTermRent(rent)}).`
}
