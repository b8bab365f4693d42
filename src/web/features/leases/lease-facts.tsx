import { formatLongDate } from '../../../domain/common/dates.ts'
import { dollarsToCents, formatCents } from '../../../domain/common/money.ts'
import { formatShortStay } from '../../../domain/common/stay.ts'
import { type LeaseState, leaseStateLabels } from '../../../domain/leases/lease.ts'
import { isRentForStay } from '../../../domain/money/lease-terms.ts'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'

export type LeaseTermsView = {
  leaseStartDate: string | null
  leaseEndDate: string | null
  rentalAmount: number | null
  depositAmount: number | null
}

/** The period and the amounts, which the API returns in dollars; `brief` uses short dates. */
export function LeaseFacts({ lease, brief = false }: { lease: LeaseTermsView; brief?: boolean }) {
  const { leaseStartDate, leaseEndDate } = lease
  return (
    <DefinitionList
      columns={3}
      items={[
        {
          label: 'Lease period',
          value:
            leaseStartDate &&
            leaseEndDate &&
            (brief ? (
              formatShortStay({ start: leaseStartDate, end: leaseEndDate })
            ) : (
              <>
                <span className="whitespace-nowrap max-sm:block">{formatLongDate(leaseStartDate)} to</span>{' '}
                <span className="whitespace-nowrap max-sm:block">{formatLongDate(leaseEndDate)}</span>
              </>
            )),
        },
        {
          label: isRentForStay(leaseStartDate, leaseEndDate) ? 'Rent for the stay' : 'Monthly Rent',
          value: dollars(lease.rentalAmount),
        },
        { label: 'Security deposit', value: dollars(lease.depositAmount) },
      ]}
    />
  )
}

const dollars = (amount: number | null) => amount !== null && formatCents(dollarsToCents(amount))

const tones: Record<LeaseState, BadgeTone> = {
  not_started: 'neutral',
  available: 'blue',
  partly_signed: 'blue',
  signed: 'green',
  unsigned: 'neutral',
}

export function LeaseStateBadge({ state }: { state: LeaseState }) {
  return <Badge tone={tones[state]}>{leaseStateLabels[state]}</Badge>
}
