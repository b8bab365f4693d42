import type { ReactNode } from 'react'
import { dollarsToCents, formatCents } from '../../../../domain/common/money.ts'
import { hasOtherCharges } from '../../../../domain/money/charge.ts'
import { termRent, termRentSum } from '../../../../domain/money/lease-terms.ts'
import type { Outputs } from '../../../api/api.ts'
import { failureOf, refusalOr } from '../../../api/failures.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import type { CompleteTerms } from './lease-form.ts'

type Preview = Outputs['leases']['previewCharges']

type LeaseTotalProps = {
  /** Undefined while the terms are incomplete. */
  terms: CompleteTerms | undefined
  preview: { data: Preview | undefined; error: unknown; isPlaceholderData: boolean; refetch: () => unknown }
}

/** What the tenant will owe, as calculated by the server; a placeholder while the terms are incomplete. */
export function LeaseTotal({ terms, preview }: LeaseTotalProps) {
  return (
    <div
      role="status"
      className="grid min-h-24 content-center gap-1 rounded-control bg-glass-light px-4 py-3 text-[0.9375rem]"
    >
      {totalView(terms, preview)}
    </div>
  )
}

function totalView(terms: LeaseTotalProps['terms'], preview: LeaseTotalProps['preview']): ReactNode {
  if (!terms)
    return <p className="text-muted">The total appears here once the dates and amounts are complete.</p>
  if (preview.error) return <Failed error={preview.error} onRetry={preview.refetch} />
  const { data } = preview
  if (!data) return <p className="text-muted">Adding up...</p>
  const isListed = hasOtherCharges(data.lines)
  return (
    <div className={classNames('grid gap-1', preview.isPlaceholderData && 'opacity-60')}>
      {isListed ? <Lines lines={data.lines} /> : <RentAndDeposit terms={terms} />}
      <p className={classNames('font-semibold text-navy', isListed && 'flex justify-between gap-4')}>
        <span>Total due: </span>
        <span className="tabular-nums">{formatCents(data.owedCents)}</span>
      </p>
    </div>
  )
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  const canRetry = failureOf(error).kind === 'broken'
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="font-semibold text-red">{refusalOr(error, 'Failed to add up the charges')}</p>
      {canRetry && (
        <Button size="sm" variant="secondary" onClick={onRetry}>
          Try Again
        </Button>
      )}
    </div>
  )
}

function Lines({ lines }: Pick<Preview, 'lines'>) {
  return (
    <ul className="mb-1 grid gap-1 border-b border-line pb-2">
      {lines.map(({ amountCents, kind, label }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be identical
        <li key={index} className="flex justify-between gap-4">
          <span className="min-w-0 wrap-anywhere">{kind === 'rent' ? 'Rent for the term' : label}</span>
          <span className="tabular-nums">{formatCents(amountCents)}</span>
        </li>
      ))}
    </ul>
  )
}

function RentAndDeposit({ terms }: { terms: CompleteTerms }) {
  const { depositAmount, leaseEndDate, leaseStartDate, rentalAmount } = terms
  const rent = termRent(leaseStartDate, leaseEndDate, dollarsToCents(rentalAmount))
  return (
    <>
      <p>
        <span className="text-muted">Rent for the term:</span> {termRentSum(rent)}
      </p>
      <p>
        <span className="text-muted">Deposit:</span> {formatCents(dollarsToCents(depositAmount))}
      </p>
    </>
  )
}
