import type { ReactNode } from 'react'
import { formatMomentDate } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import type { LegState } from '../../../domain/money/return-plan.ts'
import type { Outputs } from '../../api/api.ts'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useTimeZone } from '../stays/today.ts'
import { byHand } from './deposit-view.ts'
import { Ways } from './ways.tsx'

export type Cancellation = NonNullable<Outputs['cancellations']['get']['cancellation']>
export type Proposal = NonNullable<Outputs['cancellations']['get']['proposal']>
export type Refund = Cancellation['refunds'][number]

const refundStates: Record<LegState, { label: string; tone: BadgeTone }> = {
  waiting: { label: 'Waiting', tone: 'yellow' },
  sent: { label: 'On its way', tone: 'yellow' },
  done: { label: 'Returned', tone: 'green' },
  failed: { label: 'Failed', tone: 'red' },
  withdrawn: { label: 'Withdrawn', tone: 'neutral' },
}

const ways = { card: 'to the card', bank: 'to the bank account' }
type Way = Pick<Proposal['refunds'][number], 'amountCents' | 'by' | 'feeCents'> & { checkNumber?: string }

const toOf = ({ by, checkNumber }: Pick<Way, 'by' | 'checkNumber'>) =>
  by === 'hand' ? byHand(checkNumber) : ways[by]

/** '$500.00 to the card, with $15.00 of the card fee'. */
const refundText = ({ amountCents, feeCents, ...way }: Way) =>
  `${formatCents(amountCents)} ${toOf(way)}${feeCents > 0 ? `, with ${formatCents(feeCents)} of the card fee` : ''}`

export function RefundRow({ children, refund }: { refund: Refund; children?: ReactNode }) {
  const timeZone = useTimeZone()
  const { label, tone } = refundStates[refund.state]
  return (
    <li className="grid gap-2 py-2.5">
      <span className="flex items-start justify-between gap-4">
        <span className="min-w-0 wrap-anywhere">
          {refundText(refund)}
          {refund.doneAt && (
            <span className="block text-sm text-muted">{formatMomentDate(refund.doneAt, timeZone)}</span>
          )}
        </span>
        <Badge tone={tone}>{label}</Badge>
      </span>
      {children}
    </li>
  )
}

/** A bank payment that cannot be stopped; renders nothing without one. */
export function OnItsWayNotice({ cents, children }: { cents: number; children?: ReactNode }) {
  if (cents === 0) return null
  return (
    <Notice title={`On its way from a bank: ${formatCents(cents)}`}>
      A bank payment of {formatCents(cents)} is still on its way. It is given back after it has arrived.{' '}
      {children}
    </Notice>
  )
}

/** What would go back, and what is in no sum of it. */
export function ProposalFacts({ children, proposal }: { proposal: Proposal; children?: ReactNode }) {
  const { disputedCents, keptCents, onItsWayCents, paidCents, refundCents, refunds } = proposal
  return (
    <>
      <DefinitionList
        rows
        columns={1}
        items={[
          { label: 'Paid', value: formatCents(paidCents) },
          { label: 'Goes back', value: formatCents(refundCents) },
          { label: 'Kept', value: formatCents(keptCents) },
        ]}
      />
      {refunds.length > 0 && (
        <Ways
          ways={refunds.map(refund => ({ ...refund, to: toOf(refund) }))}
          totalCents={refunds.reduce((sum, { amountCents, feeCents }) => sum + amountCents + feeCents, 0)}
        />
      )}
      <OnItsWayNotice cents={onItsWayCents}>{children}</OnItsWayNotice>
      {disputedCents > 0 && (
        <Notice tone="warning">{formatCents(disputedCents)} is disputed, and in no sum here.</Notice>
      )}
    </>
  )
}
