import type { ReactNode } from 'react'
import {
  leftToPayCents,
  type OutstandingBalance,
  onItsWayCents,
} from '../../../domain/bookings/tenant-step.ts'
import { formatMomentDate } from '../../../domain/common/dates.ts'
import { dollarsToCents, formatCents } from '../../../domain/common/money.ts'
import { termRent, termRentParts } from '../../../domain/money/lease-terms.ts'
import { api } from '../../api/api.ts'
import { Badge } from '../../ui/badge.tsx'
import type { LeaseTermsView } from '../leases/lease-facts.tsx'
import { useTimeZone } from '../stays/today.ts'
import { type ChargeSummary, type ChargeView, canVoid, voidedOf } from './charge-view.ts'

type BalanceSummaryProps = {
  summary: Pick<
    ChargeSummary,
    | 'balanceCents'
    | 'depositCreditedCents'
    | 'depositReturnedCents'
    | 'ended'
    | 'keptForBillCents'
    | 'label'
    | 'owedCents'
  >
  charges: readonly ChargeView[]
  /** The actions of a charge, next to its amount. */
  action?: (charge: ChargeView) => ReactNode
  /** Processing payments. */
  onItsWayCents?: number
  depositKeptCents?: number
  /** The terms of a generated lease, to show how the rent adds up. */
  terms?: LeaseTermsView | undefined
  isOverdue?: boolean
  /** Whether 'Paid in full' stands above already. */
  isTold?: boolean
  isOwner?: boolean
}

/** The sum of a booking: each charge, what is owed and paid, on its way and left to pay; apart from it what became of the deposit. */
export function BalanceSummary({
  summary,
  charges: all,
  action,
  onItsWayCents = 0,
  depositKeptCents = 0,
  terms,
  isOverdue = false,
  isTold = false,
  isOwner = false,
}: BalanceSummaryProps) {
  // A cancelled stay has the line 'Kept'. A declined one owes none of its charges, so only voided ones are listed.
  const charges = all.filter(
    charge => charge.source !== 'cancellation' && (!summary.ended || voidedOf(charge)),
  )
  const parts = (charges.length > 1 || charges.some(canVoid)) && (
    <ChargeLines charges={charges} terms={terms} action={action} />
  )
  if (summary.ended)
    return (
      <EndedSummary {...summary.ended} isOwner={isOwner}>
        {isOwner && parts}
      </EndedSummary>
    )
  const { balanceCents, depositCreditedCents, depositReturnedCents, label, owedCents } = summary
  const { keptForBillCents = 0 } = summary
  const leftCents = leftToPayCents({ balanceCents, onItsWayCents })
  const color = balanceCents > 0 ? (isOverdue ? 'text-red' : 'text-navy') : 'text-green'
  return (
    <div className="rounded-control bg-canvas p-4">
      <dl className="grid gap-1.5">
        {parts}
        <SumLine label="Total" cents={owedCents} className="font-semibold text-navy" />
        {/* A returned deposit was paid; it is below. */}
        <SumLine label="Paid" cents={balanceCents - owedCents + keptForBillCents} />
        {keptForBillCents > 0 && <SumLine label="Kept from the deposit" cents={-keptForBillCents} />}
        {onItsWayCents > 0 && balanceCents > 0 && <SumLine label={label} cents={balanceCents} />}
        {onItsWayCents > 0 && <SumLine label="On its way" cents={-onItsWayCents} />}
        <div className="mt-1 flex items-center justify-between gap-4 border-t border-line pt-2.5 text-lg font-semibold text-navy">
          {onItsWayCents > 0 && balanceCents > 0 ? (
            <>
              <dt>Left to pay</dt>
              <dd className={`tabular-nums ${leftCents > 0 ? color : ''}`}>{formatCents(leftCents)}</dd>
            </>
          ) : (
            <>
              <dt>{balanceCents === 0 ? 'Balance' : label}</dt>
              <dd className={`flex tabular-nums ${color}`}>
                {balanceCents === 0 && !isTold ? (
                  <Badge tone={owedCents > 0 ? 'green' : 'neutral'}>{label}</Badge>
                ) : (
                  formatCents(Math.abs(balanceCents))
                )}
              </dd>
            </>
          )}
        </div>
      </dl>
      {depositReturnedCents > 0 && (
        <dl aria-label="Deposit" className="mt-4 grid gap-1.5 border-t border-line pt-2.5">
          <SumLine label="Deposit received" cents={Math.max(depositCreditedCents, depositReturnedCents)} />
          <SumLine label="Deposit returned" cents={-depositReturnedCents} />
          {depositKeptCents > 0 && <SumLine label="Deposit kept" cents={-depositKeptCents} />}
        </dl>
      )}
    </div>
  )
}

/** The money of a declined or cancelled application, which owes nothing. */
function EndedSummary({
  children,
  claimedCents = 0,
  isOwner,
  keptCents,
  paidCents,
  returnedCents,
  toReturnCents,
}: NonNullable<BalanceSummaryProps['summary']['ended']> & { children: ReactNode; isOwner: boolean }) {
  return (
    <dl className="grid gap-1.5 rounded-control bg-canvas p-4">
      {children}
      <SumLine label="Paid" cents={paidCents} />
      {returnedCents !== 0 && <SumLine label="Returned" cents={-returnedCents} />}
      {keptCents > 0 && <SumLine label={isOwner ? 'Kept' : 'What we keep'} cents={-keptCents} />}
      {claimedCents > 0 && <SumLine label={isOwner ? 'Claimed' : 'What we claim'} cents={-claimedCents} />}
      {toReturnCents > 0 && (
        <SumLine
          label={isOwner ? 'To return' : 'We return'}
          cents={toReturnCents}
          className="mt-1 border-t border-line pt-2.5 text-lg font-semibold text-navy"
        />
      )}
    </dl>
  )
}

/** What is owed; a voided charge is struck through. */
function ChargeLines({ action, charges, terms }: Pick<BalanceSummaryProps, 'action' | 'charges' | 'terms'>) {
  const timeZone = useTimeZone()
  const hintOf = (charge: ChargeView) => {
    const voided = voidedOf(charge)
    if (voided) return `Voided ${formatMomentDate(voided.at, timeZone)}: ${voided.reason}`
    if (charge.kind === 'rent') return rentHint(terms, charge.amountCents)
    return charge.source === 'lease' ? undefined : `Added ${formatMomentDate(charge.createdAt, timeZone)}`
  }
  return charges.map(charge => (
    <SumLine
      key={charge.id}
      label={charge.label}
      cents={charge.amountCents}
      hint={hintOf(charge)}
      isVoided={voidedOf(charge) !== undefined}
      action={action?.(charge)}
      className="text-muted"
    />
  ))
}

function rentHint(terms: LeaseTermsView | undefined, rentCents: number): string | undefined {
  if (!terms?.leaseStartDate || !terms.leaseEndDate || terms.rentalAmount === null) return undefined
  const rent = termRent(terms.leaseStartDate, terms.leaseEndDate, dollarsToCents(terms.rentalAmount))
  return rent.totalCents === rentCents ? termRentParts(rent) : undefined
}

/** What is on its way and then left to pay, for cards without the whole sum; nothing if nothing is on its way. */
export function OnItsWay(outstanding: { balanceCents: number; onItsWayCents?: number; label?: string }) {
  const { balanceCents, label, onItsWayCents = 0 } = outstanding
  if (onItsWayCents <= 0) return null
  return (
    <dl className="grid gap-0.5 text-[0.9375rem] max-sm:grow">
      {label && <SumLine label={label} cents={balanceCents} />}
      <SumLine label="On its way" cents={-onItsWayCents} />
      <SumLine label="Left to pay" cents={leftToPayCents(outstanding)} className="font-semibold text-navy" />
    </dl>
  )
}

type SumLineProps = {
  label: string
  cents: number
  hint?: string | undefined
  isVoided?: boolean
  action?: ReactNode
  className?: string
}

/** A line of a sum: a label and an amount. */
function SumLine({ action, cents, className = 'text-ink', hint, isVoided, label }: SumLineProps) {
  const shown = (text: string) => (isVoided ? <del>{text}</del> : text)
  return (
    <div className={`flex items-baseline justify-between gap-4 ${className}`}>
      <dt className="min-w-0 wrap-anywhere">
        {shown(label)}
        {hint && <span className="block text-sm text-muted">{hint}</span>}
      </dt>
      <dd className="flex shrink-0 items-baseline gap-2 tabular-nums">
        {action}
        {shown(formatCents(cents))}
      </dd>
    </div>
  )
}

/** The outstanding balance of a tenant's application; undefined while loading or if loading failed. */
export function useOutstandingBalance(
  applicationId: string,
  { enabled = true } = {},
): { outstanding: OutstandingBalance | undefined; isLoading: boolean } {
  const account = api.charges.list.useQuery({ applicationId }, { enabled })
  const plan = api.plans.show.useQuery({ applicationId }, { enabled })
  const history = api.payments.history.useQuery({ applicationId }, { enabled })
  const isLoading = account.isLoading || plan.isLoading || history.isLoading
  if (!account.data || !plan.data || !history.data) return { outstanding: undefined, isLoading }
  const outstanding = {
    balanceCents: account.data.summary.balanceCents,
    depositDueCents: account.data.summary.depositDueCents,
    onItsWayCents: onItsWayCents(history.data.payments),
    pay: plan.data.pay,
  }
  return { outstanding, isLoading }
}
