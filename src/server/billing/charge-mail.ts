import type { Tx } from '../../../db/open.ts'
import { allCharges } from '../charges/records.ts'
import { withdrawMail } from '../mail/outbox.ts'

/** The mail of a charge that was added; taken back when the charge is voided before it leaves. */
export const chargeMailKey = (chargeId: string): string => `charge-added:${chargeId}`

/** Takes back the mails of an application's charges that have not left yet. */
export function withdrawChargeMails(tx: Tx, applicationId: string): void {
  for (const { id } of allCharges(tx, applicationId)) withdrawMail(tx, chargeMailKey(id))
}
