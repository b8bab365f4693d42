import { and, eq, isNull, lt } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { applications } from '../../../db/schema.ts'
import type { CalendarDate } from '../../domain/common/dates.ts'

/** Whether the application is completed with a departure before this date, so the guest has stayed (SITE-11). */
export function isPastStay(db: Db, applicationId: string, today: CalendarDate): boolean {
  const { deletedAt, id, status, stayEndDate } = applications
  const found = db
    .select({ id })
    .from(applications)
    .where(and(eq(id, applicationId), eq(status, 'completed'), isNull(deletedAt), lt(stayEndDate, today)))
    .get()
  return found !== undefined
}
