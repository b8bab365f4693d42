import type { Tx } from '../../../db/open.ts'
import { allCharges } from '../charges/records.ts'
import { withdrawMail } from '../mail/outbox.ts'

/** Key of the mail about an added charge; it is withdrawn when the charge is voided before it was sent. */
export const chargeMailKey = (chargeId: string): string => `charge-added:${chargeId}`

/** Withdraws the mails about an application's charges that were not sent yet. */
export function withdrawChargeMails(tx: Tx, applicationId: string): void {
  for (const { id } of allCharges(tx, applicationId)) withdrawMail(tx, chargeMailKey(id))
}
