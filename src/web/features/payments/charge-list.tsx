import type { ReactNode } from 'react'
import { formatMomentDate } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { classNames } from '../../ui/class-names.ts'
import { useTimeZone } from '../stays/today.ts'
import { type ChargeView, voidedOf } from './charge-view.ts'

type ChargeListProps = {
  title: string
  charges: readonly ChargeView[]
  /** The total of the charges; omitted if the screen shows the total below the list. */
  owedCents?: number | undefined
  /** Renders the actions of a charge, next to its amount. */
  action?: (charge: ChargeView) => ReactNode
}

/** The charges and their total; voided charges are struck through. */
export function ChargeList({ title, charges, owedCents, action }: ChargeListProps) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1.5 font-semibold text-navy">{title}</h3>
      <ul className="divide-y divide-line border-y border-line">
        {charges.map(charge => (
          <li key={charge.id} className="flex items-baseline justify-between gap-4 py-2">
            <ChargeLabel charge={charge} />
            <span className="flex shrink-0 items-baseline gap-2">
              {action?.(charge)}
              <Amount charge={charge} />
            </span>
          </li>
        ))}
      </ul>
      {owedCents !== undefined && (
        <p className="flex justify-between gap-4 pt-2 font-semibold text-navy">
          <span>Total due</span>
          <span className="tabular-nums">{formatCents(owedCents)}</span>
        </p>
      )}
    </section>
  )
}

function ChargeLabel({ charge }: { charge: ChargeView }) {
  const timeZone = useTimeZone()
  const voided = voidedOf(charge)
  const isLater = charge.source !== 'lease' && charge.kind !== 'rent'
  return (
    <span className="min-w-0 wrap-anywhere">
      {voided ? <del className="text-muted">{charge.label}</del> : charge.label}
      {voided ? (
        <span className="block text-sm text-muted">
          Voided {formatMomentDate(voided.at, timeZone)}: {voided.reason}
        </span>
      ) : (
        isLater && (
          <span className="block text-sm text-muted">
            Added {formatMomentDate(charge.createdAt, timeZone)}
          </span>
        )
      )}
    </span>
  )
}

function Amount({ charge }: { charge: ChargeView }) {
  const Text = voidedOf(charge) ? 'del' : 'span'
  return (
    <Text className={classNames('tabular-nums', voidedOf(charge) ? 'text-muted' : 'text-navy')}>
      {formatCents(charge.amountCents)}
    </Text>
  )
}
