import { and, gte } from 'drizzle-orm'
import { applications, isBookedRow, leases } from '../../../../../db/schema.ts'
import { dateIn } from '../../../../domain/common/dates.ts'
import { isLeaseInForce } from '../../../bookings/records.ts'
import { sha256 as sha256Of } from '../../../lib/sha256.ts'
import { type Check, openApplication } from '../notice.ts'

/** The leases of current and future stays; the `verify` command checks all leases. */
export const changedLeaseTexts: Check = ({ db, config, clock }) => {
  const { id, number, stayEndDate } = applications
  const today = dateIn(clock.now(), config.site.timeZone)
  return db
    .select({ id, number, text: leases.text, sha256: leases.textSha256 })
    .from(applications)
    .innerJoin(leases, isLeaseInForce)
    .where(and(isBookedRow, gte(stayEndDate, today)))
    .all()
    .filter(lease => sha256Of(lease.text) !== lease.sha256)
    .map(({ id, number }) => ({
      id: `lease-${id}`,
      title: `The lease text of ${number} is not as it was generated`,
      detail:
        'It is neither shown nor signed any more. Restore it from a backup; while it is unsigned, the lease can be generated again.',
      action: openApplication(id),
    }))
}
