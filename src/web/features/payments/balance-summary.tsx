import { termRent, termRentParts } from '../../../domain/lease-terms.ts'
import { dollarsToCents, formatCents } from '../../../domain/money.ts'
import { Badge } from '../../ui/badge.tsx'
import type { LeaseTermsView } from '../leases/lease-facts.tsx'
import type { ChargeSummary } from './charge-view.ts'

type BalanceSummaryProps = {
  summary: Pick<ChargeSummary, 'balanceCents' | 'depositReturnedCents' | 'label' | 'owedCents' | 'paidCents'>
  /** The terms of a generated lease without other charges, to show how the owed amount adds up. */
  terms?: LeaseTermsView | undefined
  isOverdue?: boolean
}

/** The balance as a sum: owed, minus a returned deposit, minus payments. */
export function BalanceSummary({ summary, terms, isOverdue = false }: BalanceSummaryProps) {
  const { balanceCents, depositReturnedCents, label, owedCents, paidCents } = summary
  return (
    <dl className="grid gap-1.5 rounded-control bg-canvas p-4">
      {owedCents > 0 &&
        terms &&
        owedParts(terms).map(part => <Line key={part.label} {...part} className="text-muted" />)}
      <Line label="Owed" cents={owedCents} className="font-semibold text-navy" />
      {depositReturnedCents > 0 && (
        <Line label="Deposit returned" hint="No longer owed" cents={-depositReturnedCents} />
      )}
      <Line label="Paid" cents={-paidCents} />
      <div className="mt-1 flex items-baseline justify-between gap-4 border-t border-line pt-2.5 text-lg font-semibold text-navy">
        <dt>{balanceCents === 0 ? 'Balance' : label}</dt>
        <dd className="tabular-nums">
          {balanceCents === 0 ? (
            <Badge tone={owedCents > 0 ? 'green' : 'neutral'}>{label}</Badge>
          ) : (
            <span className={balanceCents > 0 ? (isOverdue ? 'text-red' : '') : 'text-green'}>
              {formatCents(Math.abs(balanceCents))}
            </span>
          )}
        </dd>
      </div>
    </dl>
  )
}

type LineProps = { label: string; cents: number; hint?: string; className?: string }

function Line({ cents, className = 'text-ink', hint, label }: LineProps) {
  return (
    <div className={`flex items-baseline justify-between gap-4 ${className}`}>
      <dt className="min-w-0">
        {label}
        {hint && <span className="block text-sm text-muted">{hint}</span>}
      </dt>
      <dd className="tabular-nums">
        {cents < 0 && '−'}
        {formatCents(Math.abs(cents))}
      </dd>
    </div>
  )
}

function owedParts(terms: LeaseTermsView): LineProps[] {
  const { leaseStartDate, leaseEndDate, rentalAmount, depositAmount } = terms
  if (!leaseStartDate || !leaseEndDate || rentalAmount === null) return []
  const rent = termRent(leaseStartDate, leaseEndDate, dollarsToCents(rentalAmount))
  return [
    { label: 'Rent', hint: termRentParts(rent), cents: rent.totalCents },
    { label: 'Security deposit', cents: dollarsToCents(depositAmount ?? 0) },
  ]
}
