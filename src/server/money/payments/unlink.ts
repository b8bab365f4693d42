import { eq } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { payments } from '../../../../db/schema.ts'

/** Keeps a deleted application's payments in the ledger, unlinked from it. */
export function unlinkPayments(tx: Tx, applicationId: string): void {
  tx.update(payments)
    .set({ applicationId: null, formerApplicationId: applicationId })
    .where(eq(payments.applicationId, applicationId))
    .run()
}
