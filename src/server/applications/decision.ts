import type { Db, Tx } from '../../../db/open.ts'
import type { DecidedStatus } from '../../domain/bookings/application-status.ts'
import type { Decision } from '../../domain/bookings/decision.ts'
import { guestCount } from '../../domain/bookings/people.ts'
import { termRent } from '../../domain/money/lease-terms.ts'
import { quoteStay } from '../../domain/money/rent-quote.ts'
import { freeNightsAround } from '../bookings/nights.ts'
import { listActiveRates } from '../bookings/rates.ts'
import { bookedStayOf, type OwnApplication } from '../bookings/records.ts'
import { type Deps, todayAt } from '../kernel/deps.ts'
import { defaultLeaseTerms } from '../leases/lease-terms.ts'

/** The estimated price for the approval mail; undefined for other decisions. */
export const estimateFor = (
  deps: Pick<Deps, 'clock' | 'config'>,
  db: Db | Tx,
  record: OwnApplication,
  status: DecidedStatus,
): Decision | undefined => (status === 'approved' ? decisionOn(deps, db, record) : undefined)

/** What the owner decides on when answering an application: price, people, and nights that stay free (LOOK-61). */
export function decisionOn(
  deps: Pick<Deps, 'clock' | 'config'>,
  db: Db | Tx,
  record: OwnApplication,
): Decision {
  const { application: row } = record
  const stay = bookedStayOf(row)
  const today = todayAt(deps)
  const quoted = () => quoteStay(listActiveRates(db), stay)?.totalCents ?? null
  return {
    ...stay,
    guests: guestCount(row),
    phone: row.phone,
    rentCents: row.rentCents === null ? quoted() : termRent(stay.start, stay.end, row.rentCents).totalCents,
    depositCents: defaultLeaseTerms(db, record).depositCents,
    ...freeNightsAround(db, today, stay, row.id),
  }
}
