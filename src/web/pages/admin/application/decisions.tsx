import type { DecidedStatus } from '../../../../domain/bookings/application-status.ts'
import { type Decision, decisionRows } from '../../../../domain/bookings/decision.ts'
import { stayOf } from '../../../../domain/common/stay.ts'
import { PhoneLink } from '../../../features/applications/contact-links.tsx'
import { useToday } from '../../../features/stays/today.ts'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import type { Application } from './application-data.ts'

/** The verb of each decision; before the arrival, completing confirms the booking (LOOK-63). */
export function useVerbs(
  application: Application,
): Record<DecidedStatus, { verb: string; busyLabel: string }> {
  const isBefore = useToday() < stayOf(application).start
  return {
    approved: { verb: 'Approve', busyLabel: 'Approving...' },
    rejected: { verb: 'Decline', busyLabel: 'Declining...' },
    completed: isBefore
      ? { verb: 'Confirm booking', busyLabel: 'Confirming...' }
      : { verb: 'Complete', busyLabel: 'Completing...' },
  }
}

/** The price, the people and the nights around the stay. */
export function DecisionList({ decision, columns = 1 }: { decision: Decision; columns?: 1 | 2 }) {
  const phone = { label: 'Phone', value: <PhoneLink phone={decision.phone} /> }
  return (
    <DefinitionList
      columns={columns}
      rows
      className="md:max-lg:grid-cols-2"
      items={[...decisionRows(decision), phone]}
    />
  )
}
