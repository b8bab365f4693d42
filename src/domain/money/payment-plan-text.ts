import { formatLongDate } from '../common/dates.ts'
import { formatCents } from '../common/money.ts'
import { plural } from '../common/plural.ts'
import { formatBasisPoints } from './charge.ts'
import type { LateFee, NewInstalment } from './payment-plan.ts'

/**
 * The plan as printed in the lease: a line for the deposit and each payment, then the rules about passed dates and the
 * late fee (PLAN-13). Later charges are left out. Empty without installments.
 */
export function scheduleText(instalments: readonly NewInstalment[], lateFee: LateFee | null): string {
  const printed = instalments.filter(({ chargeId }) => chargeId === null)
  if (printed.length === 0) return ''
  return [
    ...printed.map(scheduleLine),
    '',
    'A date that has passed when this Agreement is first signed means the day of that signature.',
    ...(lateFee ? [lateFeeSentence(lateFee)] : []),
  ].join('\n')
}

const scheduleLine = ({ amountCents, dueDate, label }: NewInstalment) =>
  `- ${label}: ${formatCents(amountCents)}, due ${
    dueDate === null ? 'when this Agreement is signed' : `on ${formatLongDate(dueDate)}`
  }`

function lateFeeSentence({ basisPoints, cents, graceDays, kind }: LateFee): string {
  const fee =
    kind === 'fixed' ? formatCents(cents) : `${formatBasisPoints(basisPoints)} of what is still open`
  return `If a payment is more than ${plural(graceDays, 'day')} late, the Landlord may charge a late fee of ${fee}, once for each payment.`
}
