import type { ReactNode } from 'react'
import { formatCents } from '../../../domain/common/money.ts'
import { classNames } from '../../ui/class-names.ts'

type Amount = { label: ReactNode; cents: number }
type AmountListProps = { amounts: readonly Amount[]; total?: Amount | false; className?: string }

/** Amounts, each to the right of its label, and their total. */
export const AmountList = ({ amounts, className, total }: AmountListProps) => (
  <ul className={classNames('grid gap-1', className)}>
    {amounts.map((amount, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be identical
      <Line key={index} {...amount} />
    ))}
    {total && <Line {...total} className="mt-1 border-t border-line-strong pt-2 font-semibold text-navy" />}
  </ul>
)

const Line = ({ cents, className, label }: Amount & { className?: string }) => (
  <li className={classNames('flex justify-between gap-4', className)}>
    <span className="min-w-0 wrap-anywhere">{label}</span>
    <span className="tabular-nums">{formatCents(cents)}</span>
  </li>
)
