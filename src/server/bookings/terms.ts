import { eq } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { applications } from '../../../db/schema.ts'
import type { DateRange } from '../../domain/dates.ts'
import { owedCents, termRent } from '../../domain/lease-terms.ts'

/** Start, end, monthly rent and deposit of a lease; cents. */
export type LeaseTerms = DateRange & { rentCents: number; depositCents: number }

/** Sets an application's stay, rent, deposit and the total owed. */
export function bookTerms(tx: Tx, at: string, applicationId: string, terms: LeaseTerms): void {
  const { start, end, rentCents, depositCents } = terms
  tx.update(applications)
    .set({
      stayStartDate: start,
      stayEndDate: end,
      rentCents,
      depositCents,
      totalCents: owedCents(termRent(start, end, rentCents), depositCents),
      updatedAt: at,
    })
    .where(eq(applications.id, applicationId))
    .run()
}

/** Clears a deleted lease's terms: back to the requested dates, and nothing is owed. */
export function clearTerms(tx: Tx, applicationId: string): void {
  tx.update(applications)
    .set({
      stayStartDate: applications.requestedStartDate,
      stayEndDate: applications.requestedEndDate,
      rentCents: null,
      depositCents: null,
      totalCents: 0,
    })
    .where(eq(applications.id, applicationId))
    .run()
}

/** Updates `updatedAt` when a related record changed, such as the lease's signature. */
export function touchApplication(tx: Tx, at: string, applicationId: string): void {
  tx.update(applications).set({ updatedAt: at }).where(eq(applications.id, applicationId)).run()
}
