import type { Db, Tx } from '../../../db/open.ts'
import type { DecidedStatus } from '../../domain/bookings/application-status.ts'
import type { Decision } from '../../domain/bookings/decision.ts'
import { guestCount } from '../../domain/bookings/people.ts'
import { leftToPayCents } from '../../domain/bookings/tenant-step.ts'
import { termRent } from '../../domain/money/lease-terms.ts'
import { quoteStay } from '../../domain/money/rent-quote.ts'
import { freeNightsAround } from '../bookings/nights.ts'
import { listActiveRates } from '../bookings/rates.ts'
import { bookedStayOf, type OwnApplication } from '../bookings/records.ts'
import type { Deps } from '../kernel/deps.ts'
import { defaultLeaseTerms } from '../leases/lease-terms.ts'
import { moneyOf } from '../money/records.ts'

/** For the mail of a decision: the estimated price of a stay without a lease, or what a completed one still owes. */
export function mailFactsFor(
  deps: Pick<Deps, 'clock' | 'config'>,
  db: Db | Tx,
  record: OwnApplication,
  status: DecidedStatus,
): { decision?: Decision; owedCents?: number } {
  if (status === 'approved' && record.lease === null) return { decision: decisionOn(deps, db, record) }
  if (status !== 'completed') return {}
  const { balance, onItsWayCents } = moneyOf(db, record.application)
  return { owedCents: leftToPayCents({ balanceCents: balance.balanceCents, onItsWayCents }) }
}

/** What the owner decides on when answering an application: price, people, and nights that stay free (LOOK-61). */
export function decisionOn(
  deps: Pick<Deps, 'clock' | 'config'>,
  db: Db | Tx,
  record: OwnApplication,
): Decision {
  const { application: row } = record
  const stay = bookedStayOf(row)
  const quoted = () => quoteStay(listActiveRates(db), stay)?.totalCents ?? null
  return {
    ...stay,
    guests: guestCount(row),
    phone: row.phone,
    rentCents: row.rentCents === null ? quoted() : termRent(stay.start, stay.end, row.rentCents).totalCents,
    depositCents: defaultLeaseTerms(db, record).depositCents,
    ...freeNightsAround(deps, db, stay, row.id),
  }
}
