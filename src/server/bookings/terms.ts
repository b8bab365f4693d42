import { eq } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { applications } from '../../../db/schema.ts'
import { system } from '../../domain/accounts/access.ts'
import type { DateRange } from '../../domain/common/dates.ts'
import { recordEvent } from '../kernel/audit.ts'

/** Start, end, monthly rent and deposit of a lease; cents. */
export type LeaseTerms = DateRange & { rentCents: number; depositCents: number }
/** The terms of a booking without a lease. Null means open: the lease will use the default. */
export type BookingTerms = DateRange & { rentCents: number | null; depositCents: number | null }

/** The event of a lease or addendum that changes a booking's dates. */
export const movedEvent = 'stay.moved'

/** Sets an application's stay, rent and deposit. */
export function bookTerms(tx: Tx, at: string, applicationId: string, terms: BookingTerms): void {
  const { start, end, rentCents, depositCents } = terms
  const ofBooking = eq(applications.id, applicationId)
  const stored = tx.select().from(applications).where(ofBooking).get()
  if (stored && (stored.stayStartDate !== start || stored.stayEndDate !== end))
    recordEvent(tx, at, system, movedEvent, applicationId, { start, end })
  tx.update(applications)
    .set({
      stayStartDate: start,
      stayEndDate: end,
      rentCents,
      depositCents,
      updatedAt: at,
    })
    .where(ofBooking)
    .run()
}

/** Clears the terms of a deleted lease, and resets the stay to the requested dates. */
export function clearTerms(tx: Tx, applicationId: string): void {
  tx.update(applications)
    .set({
      stayStartDate: applications.requestedStartDate,
      stayEndDate: applications.requestedEndDate,
      rentCents: null,
      depositCents: null,
    })
    .where(eq(applications.id, applicationId))
    .run()
}

/** Stores the sum of the charges, by which the admin's table sorts (CHG-01). */
export function storeTotal(tx: Tx, applicationId: string, totalCents: number): void {
  tx.update(applications).set({ totalCents }).where(eq(applications.id, applicationId)).run()
}

/** Updates `updatedAt` when a related record changed, such as the lease's signature. */
export function touchApplication(tx: Tx, at: string, applicationId: string): void {
  tx.update(applications).set({ updatedAt: at }).where(eq(applications.id, applicationId)).run()
}
